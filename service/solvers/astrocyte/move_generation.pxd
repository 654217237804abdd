# C types for the compiled form of steps.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport Cells, Column, Foundations, State
from service.solvers.astrocyte.interning cimport Interner

cdef list CELL_HASHES
cdef long long NOISES, SWING
cdef long long CELL, CELLS, COLUMNS, FOUNDATION, KING, RANK_BITS, ROWS, WHOLE
cdef long long CELL_KING, CELL_LATE, HIDDEN_LATE


@cython.final
cdef class Noise:
    cdef long long[::1] points
    cdef readonly long long most

    cpdef long long of(self, long long key) noexcept


@cython.final
cdef class Candidates:
    cdef readonly KeySet fresh, known
    cdef readonly Noise noise
    cdef readonly list dark_steps, dark_values, steps, values
    cdef public long long judged, least, opened
    cdef long long _most

    cpdef long long floor(self, State state) noexcept

    cpdef add(self, long long value, long long key, long long step)

    cpdef add_dark(self, long long value, long long key, long long step)

    @cython.locals(values=list, order=list, n=cython.longlong)
    cpdef keep(self, long long width)


cpdef long long step(long long source, long long target, long long amount) noexcept


cpdef Column without(Column column, long long count)


@cython.locals(
    place=cython.longlong,
    column=Column,
    tops=tuple,
)
cpdef State lift_whole_runs(
    Interner table, list columns, Cells cells, Foundations foundations, long long rows
)


@cython.locals(
    source=cython.longlong,
    target=cython.longlong,
    amount=cython.longlong,
    columns=list,
    cells=Cells,
    foundations=Foundations,
    left=Column,
)
cpdef State after(Interner table, State state, long long step)


cpdef Foundations given_back(Interner table, Foundations foundations, long long top)


@cython.locals(place=cython.longlong, columns=list)
cpdef State dealt(Interner table, State state, list row)


cpdef expand(Interner table, State state, Candidates found)


@cython.locals(
    source=cython.longlong,
    count=cython.longlong,
    column=Column,
)
cpdef expand_rare(Interner table, State state, Candidates found)


@cython.locals(
    gap=cython.longlong,
    best=cython.longlong,
    steps=list,
)
cpdef fill_empty_columns(Interner table, State state)


@cython.locals(
    gap=cython.longlong,
    face=cython.longlong,
    source=cython.longlong,
    under=cython.longlong,
    count=cython.longlong,
    value=cython.longlong,
    best=cython.longlong,
    chosen=cython.longlong,
    tops=cython.longlong,
    columns=list,
    cells=Cells,
    built=Column,
    left=Column,
    bared=Column,
)
cdef long long _filler(Interner table, State state, long long gap) except *


@cython.locals(
    source=cython.longlong,
    target=cython.longlong,
    count=cython.longlong,
    lowest=cython.longlong,
    highest=cython.longlong,
    rank=cython.longlong,
    card=cython.longlong,
    alone=cython.bint,
    gap=cython.longlong,
    late=cython.longlong,
    plain=cython.longlong,
    floor=cython.longlong,
    judged=cython.longlong,
    key=cython.longlong,
    value=cython.longlong,
    columns=list,
    left=Column,
    onto=Column,
    bared=Column,
    built=Column,
)
cdef _between_columns(Interner table, State state, Candidates found)


@cython.locals(
    face=cython.longlong,
    rank=cython.longlong,
    target=cython.longlong,
    gap=cython.longlong,
    plain=cython.longlong,
    in_cell=cython.longlong,
    key=cython.longlong,
    value=cython.longlong,
    columns=list,
    cells=Cells,
    onto=Column,
    built=Column,
)
cdef _out_of_cells(Interner table, State state, Candidates found)


@cython.locals(
    source=cython.longlong,
    dealt=cython.longlong,
    plain=cython.longlong,
    floor=cython.longlong,
    in_cell=cython.longlong,
    key=cython.longlong,
    value=cython.longlong,
    columns=list,
    left=Column,
    bared=Column,
)
cdef _into_cells(Interner table, State state, Candidates found)


@cython.locals(
    gap=cython.longlong,
    top=cython.longlong,
    target=cython.longlong,
    columns=list,
    column=Column,
)
cdef _given_back(Interner table, State state, list tops, Candidates found)


@cython.locals(
    dark=cython.bint,
    child=State,
    column=Column,
)
cdef _in_full(Interner table, State state, long long step, Candidates found)

# C types for the compiled form of move_generation.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport Cells, Column, State
from service.solvers.astrocyte.interning cimport Interner
from service.solvers.astrocyte.steps cimport after, step, without

cdef list CELL_HASHES
cdef long long NOISES, MAX_TOPS_CHANGE
cdef long long CELL, CELLS, FOUNDATION, KING, RANK_BITS, ROWS
cdef long long CELL_KING, CELL_LATE, HIDDEN_LATE


@cython.final
cdef class Noise:
    cdef long long[::1] points
    cdef readonly long long max_points

    cpdef long long of(self, long long key) noexcept


@cython.final
cdef class Candidates:
    cdef readonly KeySet fresh, known
    cdef readonly Noise noise
    cdef readonly list unknown_steps, unknown_values, steps, values
    cdef public long long evaluated, origin, threshold
    cdef long long _max_change

    cpdef long long floor(self, State state) noexcept

    cpdef add(self, long long value, long long key, long long step)

    cpdef add_unknown(self, long long value, long long key, long long step)

    @cython.locals(values=list, order=list, n=cython.longlong)
    cpdef keep(self, long long width)


cpdef expand(Interner interner, State state, Candidates found)


@cython.locals(
    source=cython.longlong,
    count=cython.longlong,
    column=Column,
)
cpdef expand_rare(Interner interner, State state, Candidates found)


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
    base_value=cython.longlong,
    floor=cython.longlong,
    evaluated=cython.longlong,
    key=cython.longlong,
    value=cython.longlong,
    columns=list,
    left=Column,
    onto=Column,
    uncovered=Column,
    extended=Column,
)
cdef _between_columns(Interner interner, State state, Candidates found)


@cython.locals(
    card=cython.longlong,
    rank=cython.longlong,
    target=cython.longlong,
    gap=cython.longlong,
    base_value=cython.longlong,
    in_cell=cython.longlong,
    key=cython.longlong,
    value=cython.longlong,
    columns=list,
    cells=Cells,
    onto=Column,
    extended=Column,
)
cdef _out_of_cells(Interner interner, State state, Candidates found)


@cython.locals(
    source=cython.longlong,
    dealt=cython.longlong,
    base_value=cython.longlong,
    floor=cython.longlong,
    in_cell=cython.longlong,
    key=cython.longlong,
    value=cython.longlong,
    columns=list,
    left=Column,
    uncovered=Column,
)
cdef _into_cells(Interner interner, State state, Candidates found)


@cython.locals(
    gap=cython.longlong,
    top=cython.longlong,
    target=cython.longlong,
    columns=list,
    column=Column,
)
cdef _from_foundations(Interner interner, State state, list tops, Candidates found)


@cython.locals(
    has_unknown_top=cython.bint,
    child=State,
    column=Column,
)
cdef _add_rebuilt(Interner interner, State state, long long step, Candidates found)

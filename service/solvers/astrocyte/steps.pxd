# C types for the compiled form of steps.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.state cimport Cells, Column, Foundations, State
from service.solvers.astrocyte.interning cimport Interner

cdef long long CELL, COLUMNS, FOUNDATION, RANK_BITS, ROWS, WHOLE
cdef long long CELL_LATE, HIDDEN_LATE


cpdef long long step(long long source, long long target, long long amount) noexcept


cpdef Column without(Column column, long long count)


@cython.locals(
    place=cython.longlong,
    column=Column,
    tops=tuple,
)
cpdef State lift_whole_runs(
    Interner interner, list columns, Cells cells, Foundations foundations, long long rows
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
cpdef State after(Interner interner, State state, long long step)


cpdef Foundations without_top(Interner interner, Foundations foundations, long long top)


@cython.locals(place=cython.longlong, columns=list)
cpdef State dealt(Interner interner, State state, list row)


@cython.locals(
    gap=cython.longlong,
    best=cython.longlong,
    steps=list,
)
cpdef fill_empty_columns(Interner interner, State state)


@cython.locals(
    gap=cython.longlong,
    card=cython.longlong,
    source=cython.longlong,
    under=cython.longlong,
    count=cython.longlong,
    value=cython.longlong,
    best=cython.longlong,
    chosen=cython.longlong,
    tops=cython.longlong,
    columns=list,
    cells=Cells,
    extended=Column,
    left=Column,
    uncovered=Column,
)
cdef long long _filler(Interner interner, State state, long long gap) except *

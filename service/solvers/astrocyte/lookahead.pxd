# C types for the compiled form of leaves.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.beam cimport Expansion, Node, append_steps
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport Column, State
from service.solvers.astrocyte.move_generation cimport Noise, after, fill_empty_columns
from service.solvers.astrocyte.interning cimport Interner

cdef long long DEALT_CELL, ROW, ROW_LEFT, STEP_BITS


@cython.final
@cython.no_gc
cdef class Leaf:
    cdef readonly long long value
    cdef readonly Node reached
    cdef readonly bint deals


@cython.final
cdef class Lookahead:
    cdef Interner _table
    cdef Noise _noise
    cdef list _before, _steps, _values
    cdef KeySet _deals, _known
    cdef readonly State start
    cdef readonly long long judged

    @cython.locals(
        best=cython.longlong,
        stale=cython.longlong,
        first=cython.longlong,
        n=cython.longlong,
        reached=Node,
    )
    cpdef list leaves(
        self,
        long long width,
        long long levels,
        long long patience,
        long long most,
        long long room,
    )

    @cython.locals(opened=Expansion, number=cython.longlong)
    cdef list _open(self, list beam, long long width, long long room)

    @cython.locals(state=State)
    cdef _deal(self, Node reached)

    @cython.locals(before=Node, turned=Node, dealt=Node, step=cython.longlong, state=State)
    cdef Leaf _leaf(self, long long number)

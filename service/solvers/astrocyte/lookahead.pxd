# C types for the compiled form of leaves.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.beam cimport Opened, Reached, reached_by
from service.solvers.astrocyte.key_set cimport Keys
from service.solvers.astrocyte.state cimport Column, State
from service.solvers.astrocyte.move_generation cimport Noise, after, filled
from service.solvers.astrocyte.interning cimport Table

cdef long long DEALT_CELL, ROW, ROW_LEFT, STEP_BITS


@cython.final
@cython.no_gc
cdef class Leaf:
    cdef readonly long long value
    cdef readonly Reached reached
    cdef readonly bint deals


@cython.final
cdef class Ahead:
    cdef Table _table
    cdef Noise _noise
    cdef list _before, _steps, _values
    cdef Keys _deals, _known
    cdef readonly State start
    cdef readonly long long judged

    @cython.locals(
        best=cython.longlong,
        stale=cython.longlong,
        first=cython.longlong,
        n=cython.longlong,
        reached=Reached,
    )
    cpdef list leaves(
        self,
        long long width,
        long long levels,
        long long patience,
        long long most,
        long long room,
    )

    @cython.locals(opened=Opened, number=cython.longlong)
    cdef list _open(self, list beam, long long width, long long room)

    @cython.locals(state=State)
    cdef _deal(self, Reached reached)

    @cython.locals(before=Reached, turned=Reached, dealt=Reached, step=cython.longlong, state=State)
    cdef Leaf _leaf(self, long long number)

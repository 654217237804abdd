# C types for the compiled form of beam.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.key_set cimport Keys
from service.solvers.astrocyte.state cimport State
from service.solvers.astrocyte.move_generation cimport Found, after, children, seldom
from service.solvers.astrocyte.interning cimport Table

cdef long long STEP_BITS


@cython.final
@cython.no_gc
@cython.freelist(4096)
cdef class Reached:
    cdef readonly State state
    cdef readonly Reached before
    cdef readonly long long step

    @cython.locals(reached=Reached)
    cpdef list path(self)


cpdef Reached reached_by(list steps, Reached start, State state)


@cython.final
cdef class Opened:
    cdef readonly Table table
    cdef readonly list beam
    cdef readonly Found found

    @cython.locals(place=cython.longlong, found=Found, reached=Reached, rarely=cython.bint)
    cpdef bint run(self, long long width, long long room) except *

    @cython.locals(level=list, reached=Reached)
    cpdef list best(self, long long width)

    @cython.locals(before=Reached, step=cython.longlong)
    cpdef Reached reached(self, long long number)

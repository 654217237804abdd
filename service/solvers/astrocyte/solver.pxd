# C types for the compiled form of astrocyte.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.beam cimport Opened, Reached, reached_by
from service.solvers.astrocyte.key_set cimport Keys
from service.solvers.astrocyte.state cimport State
from service.solvers.astrocyte.move_generation cimport Noise, dealt, filled, settled
from service.solvers.astrocyte.interning cimport Table


@cython.final
cdef class _Search:
    cdef readonly Table table
    cdef readonly State start
    cdef readonly list rows
    cdef readonly long long budget
    cdef readonly Noise noise
    cdef public long long positions
    cdef public bint cut


@cython.final
cdef class _Stage:
    cdef _Search search
    cdef Table table
    cdef long long width, rows, best, least
    cdef list row
    cdef Keys known
    cdef dict dealt, values

    @cython.locals(before=cython.longlong, stale=cython.longlong)
    cpdef Reached run(self, list beam)

    cpdef list beyond(self)

    @cython.locals(opened=Opened)
    cdef list _next_level(self, list beam)

    @cython.locals(reached=Reached, state=State, steps=list, value=cython.longlong)
    cdef _deal_on(self, list beam)

    @cython.locals(kept=list)
    cdef _keep_best(self)

    @cython.locals(keys=list)
    cdef list _order(self)

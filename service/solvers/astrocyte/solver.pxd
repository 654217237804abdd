# C types for the compiled form of astrocyte.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.beam cimport Expansion, Node, append_steps
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport State
from service.solvers.astrocyte.move_generation cimport Noise, dealt, fill_empty_columns, lift_whole_runs
from service.solvers.astrocyte.interning cimport Interner


@cython.final
cdef class _Search:
    cdef readonly Interner table
    cdef readonly State start
    cdef readonly list rows
    cdef readonly long long budget
    cdef readonly Noise noise
    cdef public long long positions
    cdef public bint cut


@cython.final
cdef class _Stage:
    cdef _Search search
    cdef Interner table
    cdef long long width, rows, best, least
    cdef list row
    cdef KeySet known
    cdef dict dealt, values

    @cython.locals(before=cython.longlong, stale=cython.longlong)
    cpdef Node run(self, list beam)

    cpdef list beyond(self)

    @cython.locals(opened=Expansion)
    cdef list _next_level(self, list beam)

    @cython.locals(reached=Node, state=State, steps=list, value=cython.longlong)
    cdef _deal_on(self, list beam)

    @cython.locals(kept=list)
    cdef _keep_best(self)

    @cython.locals(keys=list)
    cdef list _order(self)

# C types for the compiled form of solver.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.beam cimport Expansion, Node, append_steps
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport State
from service.solvers.astrocyte.move_generation cimport Noise
from service.solvers.astrocyte.steps cimport dealt, fill_empty_columns, lift_whole_runs
from service.solvers.astrocyte.interning cimport Interner


@cython.final
cdef class _Search:
    cdef readonly Interner interner
    cdef readonly State start
    cdef readonly list rows
    cdef readonly long long budget
    cdef readonly Noise noise
    cdef public long long positions
    cdef public bint pruned


@cython.final
cdef class _Stage:
    cdef _Search search
    cdef Interner interner
    cdef long long width, rows, best, threshold
    cdef list row
    cdef KeySet known
    cdef dict dealt, values

    @cython.locals(before=cython.longlong, stale=cython.longlong)
    cpdef Node run(self, list beam)

    cpdef list next_beam(self)

    @cython.locals(expansion=Expansion)
    cdef list _next_level(self, list beam)

    @cython.locals(node=Node, state=State, steps=list, value=cython.longlong)
    cdef _deal_row(self, list beam)

    @cython.locals(kept=list)
    cdef _keep_best(self)

    @cython.locals(keys=list)
    cdef list _order(self)

# C types for the compiled form of lookahead.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.beam cimport Expansion, Node, append_steps
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport Column, State
from service.solvers.astrocyte.move_generation cimport Noise
from service.solvers.astrocyte.steps cimport after, fill_empty_columns
from service.solvers.astrocyte.interning cimport Interner

cdef long long DEALT_CELL, ROW, ROW_LEFT, STEP_BITS


@cython.final
@cython.no_gc
cdef class Leaf:
    cdef readonly long long value
    cdef readonly Node node
    cdef readonly bint deals


@cython.final
cdef class Lookahead:
    cdef Interner _interner
    cdef Noise _noise
    cdef list _found
    cdef KeySet _deals, _known
    cdef readonly State start
    cdef readonly long long evaluated

    @cython.locals(
        best=cython.longlong,
        stale=cython.longlong,
        first=cython.longlong,
        value=cython.longlong,
        node=Node,
    )
    cpdef list leaves(
        self,
        long long width,
        long long levels,
        long long max_stale_levels,
        long long max_leaves,
        long long budget,
    )

    @cython.locals(expansion=Expansion, value=cython.longlong, number=cython.longlong)
    cdef list _next_level(self, list beam, long long width, long long budget)

    @cython.locals(state=State, value=cython.longlong)
    cdef _deal(self, Node node)

    @cython.locals(turned=Node, dealt=Node, state=State)
    cdef Leaf _leaf(self, long long value, Node parent, long long step)

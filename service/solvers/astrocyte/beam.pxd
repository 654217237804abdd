# C types for the compiled form of beam.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport State
from service.solvers.astrocyte.move_generation cimport Candidates, expand, expand_rare
from service.solvers.astrocyte.steps cimport after
from service.solvers.astrocyte.interning cimport Interner

cdef long long STEP_BITS


@cython.final
@cython.no_gc
@cython.freelist(4096)
cdef class Node:
    cdef readonly State state
    cdef readonly Node parent
    cdef readonly long long step

    @cython.locals(node=Node)
    cpdef list path(self)


cpdef Node append_steps(list steps, Node start, State state)


@cython.final
cdef class Expansion:
    cdef readonly Interner interner
    cdef readonly list beam
    cdef readonly Candidates found

    @cython.locals(index=cython.longlong, found=Candidates, node=Node, rare=cython.bint)
    cpdef bint run(self, long long width, long long budget) except *

    @cython.locals(
        level=list, node=Node, number=cython.longlong, parent=Node, step=cython.longlong
    )
    cpdef list best(self, long long width)

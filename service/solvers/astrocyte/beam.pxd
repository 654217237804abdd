# C types for the compiled form of beam.py; the plain form does not read this file.

cimport cython
from service.solvers.astrocyte.key_set cimport KeySet
from service.solvers.astrocyte.state cimport State
from service.solvers.astrocyte.move_generation cimport Candidates, after, expand, expand_rare
from service.solvers.astrocyte.interning cimport Interner

cdef long long STEP_BITS


@cython.final
@cython.no_gc
@cython.freelist(4096)
cdef class Node:
    cdef readonly State state
    cdef readonly Node before
    cdef readonly long long step

    @cython.locals(reached=Node)
    cpdef list path(self)


cpdef Node append_steps(list steps, Node start, State state)


@cython.final
cdef class Expansion:
    cdef readonly Interner table
    cdef readonly list beam
    cdef readonly Candidates found

    @cython.locals(place=cython.longlong, found=Candidates, reached=Node, rarely=cython.bint)
    cpdef bint run(self, long long width, long long room) except *

    @cython.locals(level=list, reached=Node)
    cpdef list best(self, long long width)

    @cython.locals(before=Node, step=cython.longlong)
    cpdef Node reached(self, long long number)

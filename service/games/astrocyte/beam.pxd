# C types for the compiled form of beam.py; the plain form does not read this file.

cimport cython
from service.games.astrocyte.packed cimport State
from service.games.astrocyte.steps cimport Found
from service.games.astrocyte.table cimport Table


@cython.final
@cython.no_gc
@cython.freelist(4096)
cdef class Reached:
    cdef readonly State state
    cdef readonly Reached before
    cdef readonly list steps


@cython.final
cdef class Opened:
    cdef readonly Table table
    cdef readonly list beam, dark_ends, ends
    cdef readonly Found found

    @cython.locals(enough=cython.longlong, found=Found, reached=Reached, rarely=cython.bint)
    cpdef bint run(self, long long width, long long room) except *

    @cython.locals(values=list, order=list, level=list, n=cython.longlong, reached=Reached)
    cpdef list best(self, long long width)

    cpdef Reached dark(self, long long number)

    @cython.locals(parent=Reached, step=cython.longlong)
    cdef Reached _reached(self, long long number, list steps, list ends)


# C types for the compiled form of key_set.py; plain Python does not read this file.

cimport cython


@cython.final
cdef class KeySet:
    cdef long long[::1] _slots
    cdef long long _count

    cpdef bint has(self, long long key) noexcept

    @cython.locals(slot=cython.longlong)
    cpdef bint add(self, long long key) except -1

    @cython.locals(last=cython.longlong, slot=cython.longlong)
    cdef long long _slot_of(self, long long key) noexcept

    @cython.locals(kept=cython.longlong[::1], n=cython.longlong)
    cdef _grow(self)

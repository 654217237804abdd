# C types for the compiled form of state.py; plain Python does not read this file.

cimport cython

cdef long long COLUMNS, KING, RANK_BITS
cdef long long _CELL_SALT, _FOUNDATION_SALT, _KEY_BITS, _MULTIPLIER_1, _MULTIPLIER_2
cdef list _TOP_BITS
cdef long long BROKEN_CARD, BROKEN_RUN, CELL_KING, USED_CELL, USED_CELLS_SQUARED, WHOLE_RUN_OFF


cpdef long long mix_hash(long long number)


@cython.final
cdef class Column:
    cdef readonly Column under
    cdef public Column child, sibling
    cdef public bint unknown_top, from_king, single, whole
    cdef public long long bit, card, hash, height, hidden, lowest, rank, run, sequence, takers, score


@cython.final
@cython.no_gc
cdef class Cells:
    cdef readonly tuple cards
    cdef readonly list faces
    cdef readonly long long added_score, count, hash, number, removed_score, score


cdef long long _used(long long count) noexcept


@cython.final
@cython.no_gc
cdef class Foundations:
    cdef readonly tuple tops
    cdef readonly list broken
    cdef readonly long long hash, whole, score


@cython.final
@cython.no_gc
@cython.freelist(4096)
cdef class State:
    cdef public list columns
    cdef public Cells cells
    cdef public Foundations foundations
    cdef public long long base_value, gaps, key, rows, tops, value

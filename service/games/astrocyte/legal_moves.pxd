# C types for the compiled form of legal_moves.py; plain Python does not read this file.

cimport cython
from service.games.position cimport View

cdef Py_ssize_t CELLS, COLUMNS, STOCK, WHOLE_RUN
cdef dict HIGHER, RANK, _INDEX
cdef list _MOVES, _PLACES


@cython.locals(
    columns=tuple,
    others=tuple,
    by_rank=list,
    empty=cython.Py_ssize_t,
    cell=cython.Py_ssize_t,
    home=cython.Py_ssize_t,
    found=list,
    source=cython.Py_ssize_t,
    cards=tuple,
    moves=list,
    lowest=cython.Py_ssize_t,
    length=cython.Py_ssize_t,
    whole=cython.bint,
)
cpdef tuple legal_moves(View view)


@cython.locals(
    found=list, source=cython.Py_ssize_t, cards=tuple, moves=list, lowest=cython.Py_ssize_t
)
cdef list _from_others(
    tuple others, Py_ssize_t empty, Py_ssize_t cell, list by_rank
)


@cython.locals(by_rank=list, place=cython.Py_ssize_t, cards=tuple)
cdef list _columns_by_rank(tuple columns)


@cython.locals(place=cython.Py_ssize_t)
cdef Py_ssize_t _first_empty(tuple piles, Py_ssize_t first, Py_ssize_t end) except -2


@cython.locals(count=cython.Py_ssize_t)
cdef _onto_columns(Py_ssize_t source, Py_ssize_t lowest, Py_ssize_t length, list by_rank)

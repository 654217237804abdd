# C types for the compiled form of rules.py; plain Python does not read this file.

cimport cython
from service.games.position cimport View

cdef dict _INDEX
cdef tuple _PLAYS
cdef dict NEIGHBOURS


@cython.locals(
    fan=cython.Py_ssize_t,
    cards=tuple,
    fans=list,
    found=list,
    holes=dict,
    one=tuple,
    two=tuple,
)
cdef tuple _legal_moves(View view)


@cython.locals(source=cython.Py_ssize_t, target=cython.Py_ssize_t, cards=tuple)
cdef _why_not(View view, move)

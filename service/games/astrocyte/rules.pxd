# C types for the compiled form of rules.py; plain Python does not read this file.

cimport cython
from service.games.position cimport View

cdef Py_ssize_t CELLS, COLUMNS, STOCK, WHOLE_RUN
cdef dict _PLACE


@cython.locals(source=cython.Py_ssize_t, target=cython.Py_ssize_t)
cdef _why_not(View view, move)


@cython.locals(count=cython.Py_ssize_t)
cdef _why_not_from(Py_ssize_t source, tuple cards, move)


@cython.locals(count=cython.Py_ssize_t)
cdef _why_not_onto(Py_ssize_t source, tuple cards, Py_ssize_t target, tuple onto, move)

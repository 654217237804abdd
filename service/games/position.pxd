# C types for the compiled form of position.py; plain Python does not read this file.

cimport cython


@cython.final
cdef class View:
    cdef readonly object variant
    cdef readonly tuple cards, face_down
    cdef tuple _piles, _legal_moves
    cdef object _won, _stuck

    cpdef why_not(self, move)

    cpdef tuple legal_moves(self)


@cython.final
cdef class Position:
    cdef readonly View view
    cdef readonly tuple under

    cpdef why_not(self, move)

    @cython.locals(view=View)
    cpdef play(self, move)


@cython.locals(
    cards=list,
    count=cython.Py_ssize_t,
    face_down=tuple,
    index=dict,
    kept=tuple,
    left=tuple,
    source=cython.Py_ssize_t,
    target=cython.Py_ssize_t,
    under=tuple,
    view=View,
)
cpdef move_cards(Position position, move)

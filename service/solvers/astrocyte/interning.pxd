# C types for the compiled form of interning.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.state cimport Cells, Column, Foundations, State

cdef long long KING, RANK_BITS, ROWS, WHOLE, _TOP_ONES
cdef long long \
    BASE_KING, BASE_LACK, BREAK, BURIED_KING, CELL_LATE, \
    DIGGING, DISTINCT_TOP, FIRST_EMPTY, FITTING, HIDDEN, \
    HIDDEN_COLUMN, HIDDEN_LATE, HIDDEN_SQUARED, INVERTED, KING_RUN, \
    MORE_EMPTY, ROW_LEFT, RUN_SQUARED, SEQUENCE, SUITED, \
    UNSEEN


@cython.final
cdef class Interner:
    cdef dict _cells, _added, _foundations, _removed
    cdef list _columns
    cdef readonly Column empty

    @cython.locals(column=Column)
    cdef Column _column(self, long long card, Column under)

    @cython.locals(found=Column)
    cpdef Column push(self, Column column, long long card)

    @cython.locals(each=cython.longlong)
    cpdef Column push_run(self, Column column, long long card, long long count)

    @cython.locals(column=Column)
    cpdef Column push_on_hidden(self, long long card, Column under, long long hidden, long long place)

    @cython.locals(left=cython.longlong, column=Column)
    cpdef Column column_with_unknown_top(self, long long hidden)

    @cython.locals(
        dealt=cython.longlong,
        tops=cython.longlong,
        hidden=cython.longlong,
        key=cython.longlong,
        base_value=cython.longlong,
        state=State,
        column=Column,
    )
    cpdef State state(
        self, list columns, Cells cells, Foundations foundations, long long rows
    )

    @cython.locals(ranks=cython.longlong, score=cython.longlong)
    cpdef long long tops_score(self, long long tops) noexcept

    cpdef Cells cells(self, tuple cards)

    @cython.locals(key=cython.longlong, found=Cells)
    cpdef Cells with_card(self, Cells cells, long long card)

    @cython.locals(key=cython.longlong, found=Cells)
    cpdef Cells without_card(self, Cells cells, long long card)

    cpdef Foundations foundations(self, tuple tops)

    @cython.locals(
        rank=cython.longlong, score=cython.longlong, run=cython.longlong, column=Column
    )
    cdef Column _new_column(self, Column under, long long card)

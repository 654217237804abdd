# C types for the compiled form of features.py; plain Python does not read this file.

cimport cython
from service.solvers.astrocyte.lookahead cimport Leaf
from service.solvers.astrocyte.state cimport Cells, Column, State

cdef long long CELLS, KING, RANK_BITS, ROWS, WHOLE


@cython.final
cdef class ColumnFeatures:
    cdef readonly list longest, sums
    cdef readonly long long runs


cpdef long long base_run(Column column)


@cython.final
cdef class UnseenCards:
    cdef readonly list cards, ranks, suits
    cdef readonly long long unseen


@cython.locals(
    hidden=cython.longlong,
    n=cython.longlong,
    number=cython.longlong,
    suit=cython.longlong,
    tallest=cython.longlong,
    column=Column,
    features=ColumnFeatures,
    known=list,
    longest=list,
    state=State,
    sums=list,
)
cpdef list leaf_features(Leaf leaf, UnseenCards seen, dict cache)


@cython.locals(card=cython.longlong, kings=cython.longlong, ranks=cython.longlong)
cdef list _pile_features(Leaf leaf, State state)


@cython.locals(
    count=cython.longlong,
    covered=cython.longlong,
    empty=cython.longlong,
    n=cython.longlong,
    runs=cython.longlong,
    squares=cython.longlong,
    total=cython.longlong,
    turning=cython.longlong,
    column=Column,
    features=ColumnFeatures,
    hidden=list,
    runs_over_hidden=list,
    to_clear=list,
)
cdef list _hidden_features(State state, list known)


@cython.locals(card=cython.longlong, rank=cython.longlong, unseen=cython.longlong, column=Column)
cdef list _top_features(State state, UnseenCards seen)


@cython.locals(dealt=cython.longlong)
cdef list _interactions(long long value, long long rows, Cells cells, long long hidden)

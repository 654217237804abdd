# C types for the compiled form of chances.py; the plain form does not read this file.

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
    rows=cython.longlong,
    dealt=cython.longlong,
    total=cython.longlong,
    squares=cython.longlong,
    covered=cython.longlong,
    empty=cython.longlong,
    tallest=cython.longlong,
    turning=cython.longlong,
    fits=cython.longlong,
    suited=cython.longlong,
    under=cython.longlong,
    suit=cython.longlong,
    n=cython.longlong,
    rank=cython.longlong,
    card=cython.longlong,
    distinct=cython.longlong,
    unseen=cython.longlong,
    kings=cython.longlong,
    points=cython.longlong,
    score=cython.double,
    longest=list,
    sums=list,
    state=State,
    cells=Cells,
    column=Column,
    known=ColumnFeatures,
)
cpdef list leaf_features(Leaf leaf, UnseenCards seen, dict traits)


@cython.final
cdef class Net:
    cdef readonly double bias
    cdef double[::1] biases, linear, mean, outputs, scale, scaled, weights

    @cython.locals(
        total=cython.double,
        number=cython.double,
        inner=cython.double,
        count=cython.longlong,
        first=cython.longlong,
        unit=cython.longlong,
        n=cython.longlong,
        scaled="double[::1]",
        linear="double[::1]",
        weights="double[::1]",
    )
    cpdef double logit(self, list features)

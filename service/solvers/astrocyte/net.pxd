# C types for the compiled form of net.py; plain Python does not read this file.

cimport cython


@cython.final
cdef class Net:
    cdef readonly double bias
    cdef double[::1] biases, linear, mean, outputs, scale, weights

    @cython.locals(
        total=cython.double,
        number=cython.double,
        inner=cython.double,
        count=cython.longlong,
        first=cython.longlong,
        unit=cython.longlong,
        n=cython.longlong,
        features=list,
        scaled="double[::1]",
        linear="double[::1]",
        weights="double[::1]",
    )
    cpdef list logits(self, list rows)

"""The fitted network that estimates the chance to win from the features of a leaf."""

from array import array
from math import tanh


class Net:
    """A network with one hidden layer of tanh units and a linear part, on standardized features."""

    __slots__ = ("bias", "biases", "linear", "mean", "outputs", "scale", "weights")

    def __init__(  # noqa: PLR0913, PLR0917  # the parameters of one network
        self,
        mean: list[float],
        scale: list[float],
        linear: list[float],
        bias: float,
        units: list[list[float]],
        biases: list[float],
        outputs: list[float],
    ) -> None:
        """`units` holds one weight per feature for each hidden unit."""
        self.mean: array[float] = array("d", mean)
        self.scale: array[float] = array("d", scale)
        self.linear: array[float] = array("d", linear)
        self.bias: float = bias
        self.weights: array[float] = array("d", [weight for unit in units for weight in unit])
        self.biases: array[float] = array("d", biases)
        self.outputs: array[float] = array("d", outputs)

    def logits(self, rows: list[list[float]]) -> list[float]:
        """The logit of the chance to win for each row of features."""
        linear, weights, count = self.linear, self.weights, len(self.linear)
        scaled, logits = array("d", [0.0]) * count, []
        for features in rows:
            total = self.bias
            for n in range(count):
                number: float = features[n]
                scaled[n] = (number - self.mean[n]) * self.scale[n]
                total += linear[n] * scaled[n]
            for unit in range(len(self.outputs)):
                inner = self.biases[unit]
                first = unit * count
                for n in range(count):
                    inner += weights[first + n] * scaled[n]
                total += self.outputs[unit] * tanh(inner)
            logits.append(total)
        return logits

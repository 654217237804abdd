"""A plot of win rates against thinking times, as SVG for light and dark pages."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from statistics import fmean

from service.cli.scores import Score
from service.cli.tables import time_text

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 520, 56, 384
"""The edges of the plotting area; labels stand to its right."""

_LABEL = 546
_LABEL_HEIGHT = 38
_LONGEST_NAME = 22

_LIGHT = ("#0b6bb8", "#b3470c", "#0d7a5f", "#9b2f86", "#7a5c00", "#5a4fc4")
_DARK = ("#6cb8f5", "#f2a169", "#5fd0ae", "#ea92d6", "#e3c65a", "#b0a8ff")
"""A colour for each bot, in turn."""

_STYLE = """\
    svg { --paper: #fbfbfe; --ink: #1b2140; --soft: #515a7d; --line: #d5daea; @light }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #151c3d; --ink: #eceefa; --soft: #aab2d4; --line: #2d3763; @dark }
    }
    text { font: 13px system-ui, sans-serif; fill: var(--soft) }
    .title { font-size: 16px; font-weight: 600; fill: var(--ink) }
    .name { font-weight: 600; fill: var(--ink) }
    .grid { stroke: var(--line) }
    .bar { stroke-width: 2.5; stroke-linecap: round }
    .leader { stroke-opacity: .55; fill: none }
    .end { text-anchor: end } .middle { text-anchor: middle }"""


class _Rates:
    """The vertical axis: win rates from a multiple of `step` to another."""

    def __init__(self, scores: Sequence[Score]) -> None:
        low = min(score.rate.low for score in scores)
        high = max(score.rate.high for score in scores)
        self.step = next(s for s in (0.02, 0.05, 0.1, 0.2) if (high - low) / s < 5 or s == 0.2)
        self._first = floor(low / self.step)
        self._last = max(ceil(high / self.step), self._first + 1)

    @property
    def ticks(self) -> list[float]:
        """The rates that are written at the axis."""
        return [n * self.step for n in range(self._first, self._last + 1)]

    def at(self, rate: float) -> float:
        """Where a rate is."""
        share = (rate / self.step - self._first) / (self._last - self._first)
        return _BOTTOM - share * (_BOTTOM - _TOP)


class _Times:
    """The horizontal axis: seconds, as powers of ten."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self._first = floor(log10(min(seconds)))
        self._last = max(ceil(log10(max(seconds))), self._first + 1)

    @property
    def ticks(self) -> list[float]:
        """The times that are written at the axis."""
        return [10.0**power for power in range(self._first, self._last + 1)]

    def at(self, seconds: float) -> float:
        """Where a time is."""
        share = (log10(seconds) - self._first) / (self._last - self._first)
        return _LEFT + share * (_RIGHT - _LEFT)


def plot(scores: Sequence[Score], title: str) -> str:
    """The plot of bots that have played, each with the 95 % interval of its win rate, as SVG."""
    rates, times = _Rates(scores), _Times([_seconds(score) for score in scores])
    heights = spread([rates.at(score.rate.share) for score in scores])
    parts = [
        *(_rate_tick(rates, rate) for rate in rates.ticks),
        *(_time_tick(times, seconds) for seconds in times.ticks),
        *(
            _mark(score, times.at(_seconds(score)), rates, height, f"var(--c{place % len(_DARK)})")
            for place, (score, height) in enumerate(zip(scores, heights, strict=True))
        ),
    ]
    style = _STYLE.replace("@light", _variables(_LIGHT)).replace("@dark", _variables(_DARK))
    middle = (_LEFT + _RIGHT) / 2
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">
  <title>{escape(title)}: win rate against thinking time</title>
  <style>
{style}
  </style>
  <rect width="{_WIDTH}" height="{_HEIGHT}" fill="var(--paper)"/>
  <text class="title" x="{_LEFT}" y="30">{escape(title)}: win rate, with 95 % intervals</text>
  <text class="middle" x="{middle}" y="{_BOTTOM + 42}">CPU time a move</text>
{chr(10).join(parts)}
</svg>
"""


def spread(wanted: Sequence[float]) -> list[float]:
    """Heights of labels near those wanted, in their order, so far apart that none overlap.

    Labels that would overlap stand around the middle of the places that they want.
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    stacks: list[list[float]] = []
    for place, index in enumerate(order):
        stacks.append([wanted[index] - place * _LABEL_HEIGHT])
        while len(stacks) > 1 and fmean(stacks[-2]) >= fmean(stacks[-1]):
            stacks[-2:] = [[*stacks[-2], *stacks[-1]]]
    starts = [fmean(stack) for stack in stacks for _ in stack]
    lowest = _BOTTOM - 16 - (len(wanted) - 1) * _LABEL_HEIGHT
    placed = list(wanted)
    for place, (index, start) in enumerate(zip(order, starts, strict=True)):
        placed[index] = max(_TOP + 16.0, min(start, lowest)) + place * _LABEL_HEIGHT
    return placed


def _seconds(score: Score) -> float:
    """The time a move, of what is too fast to be measured too."""
    return max(score.move_seconds or 0.0, 1e-6)


def _rate_tick(rates: _Rates, rate: float) -> str:
    y = rates.at(rate)
    return f"""\
  <line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>
  <text class="end" x="{_LEFT - 10}" y="{y + 4.5:.1f}">{rate:.0%}</text>"""


def _time_tick(times: _Times, seconds: float) -> str:
    x, text = times.at(seconds), time_text(seconds).replace(".0", "")
    return f"""\
  <line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_BOTTOM}"/>
  <text class="middle" x="{x:.1f}" y="{_BOTTOM + 20}">{text}</text>"""


def _mark(score: Score, x: float, rates: _Rates, height: float, colour: str) -> str:
    """The point of a bot, the interval of its win rate, and a line to its label."""
    rate = score.rate
    low, y, high = rates.at(rate.low), rates.at(rate.share), rates.at(rate.high)
    name = score.bot if len(score.bot) <= _LONGEST_NAME else f"…{score.bot[1 - _LONGEST_NAME :]}"
    figures = f"{rate.share:.1%}, {time_text(score.move_seconds)}"
    leader = f"M{x:.1f} {y:.1f}L{_RIGHT} {height:.1f}H{_LABEL - 6}"
    return f"""\
  <g stroke="{colour}" fill="{colour}">
    <path class="leader" d="{leader}"/>
    <line class="bar" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>
    <circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>
  </g>
  <text class="name" x="{_LABEL}" y="{height - 3:.1f}">{escape(name)}</text>
  <text x="{_LABEL}" y="{height + 13:.1f}">{figures}</text>"""


def _variables(colours: Sequence[str]) -> str:
    return " ".join(f"--c{place}: {colour};" for place, colour in enumerate(colours))

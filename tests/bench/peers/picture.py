"""A bar chart of moves a CPU second as SVG, legible on light and on dark pages."""

from collections.abc import Sequence
from html import escape

from tests.bench.peers.measured import Rate

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 760, 350, 90, 58, 34, 16

_STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px }
  .small { font-size: 12px; fill: #59636e }
  .card { fill: #ffffff; stroke: #d1d9e0 }
  .ours { fill: #0969da } .theirs { fill: #8c959f }
  .range { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 }
    .card { fill: #0d1117; stroke: #3d444d }
    .ours { fill: #4493f8 } .theirs { fill: #656c76 }
    .range { stroke: #f0f6fc }
  }
"""


def picture(rates: Sequence[Rate], note: str) -> str:
    """A bar a rate from its median, a line from the least to the most round, and the number."""
    height = TOP + ROW * len(rates) + 34
    scale = (WIDTH - LEFT - RIGHT) / max(max(rate.rounds) for rate in rates)
    rows = "\n".join(_row(rate, TOP + ROW * n, scale) for n, rate in enumerate(rates))
    told = "; ".join(f"{rate.name}: {rate.median:,.0f}" for rate in rates)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" \
aria-labelledby="title told">
<title id="title">Moves a CPU second</title>
<desc id="told">{escape(told)}</desc>
<style>{_STYLE}</style>
<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>
<text class="title" x="20" y="32">Moves a CPU second, all processes of the service counted</text>
{rows}
<text class="small" x="20" y="{height - 16}">{escape(note)}</text>
</svg>
"""


def _row(rate: Rate, top: int, scale: float) -> str:
    middle, kind = top + BAR / 2, "ours" if rate.name.startswith("Asterism") else "theirs"
    least, most = (LEFT + scale * end for end in (min(rate.rounds), max(rate.rounds)))
    return f"""\
<text x="20" y="{middle + 5:.0f}">{escape(rate.name)}</text>
<rect class="{kind}" x="{LEFT}" y="{top}" width="{scale * rate.median:.1f}" height="{BAR}" rx="2"/>
<line class="range" x1="{least:.1f}" x2="{most:.1f}" y1="{middle:.0f}" y2="{middle:.0f}"/>
<text x="{most + 8:.0f}" y="{middle + 5:.0f}">{_rounded(rate.median):,}</text>"""


def _rounded(number: float) -> int:
    """To two significant digits, which is what the rounds agree on."""
    digits = max(0, len(str(int(number))) - 2)
    return round(number / 10**digits) * 10**digits

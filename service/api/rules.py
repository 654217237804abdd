"""The rules of a game as HTML, with an anchor for each rule and each code of a refusal."""

import re
from functools import cache

from markupsafe import Markup

from service.api.html import markdown
from service.games.base import Variant

_NUMBER = "[A-Z][0-9]+"
_RULE = re.compile(rf"<li>\s*<strong>({_NUMBER})</strong>")
_CODE = "[a-z]+(?:-[a-z]+)+"
_REFUSAL = re.compile(rf"<tr>\s*<td><code>({_CODE})</code></td>")
_REFERENCES = re.compile(rf"<td>({_NUMBER}(?:, {_NUMBER})*)</td>")


@cache
def rules_html(game: Variant) -> Markup:
    """RULES.md of `game`: `#A13` leads to that rule, `#stock-empty` to what this refusal means."""
    html = str(markdown(game.rules))
    html = _RULE.sub(r'<li id="\1"><a href="#\1"><strong>\1</strong></a>', html)
    html = _REFUSAL.sub(r'<tr id="\1"><td><a href="#\1"><code>\1</code></a></td>', html)
    html = _REFERENCES.sub(
        lambda cell: re.sub(rf"({_NUMBER})", r'<a href="#\1">\1</a>', cell[0]), html
    )
    return Markup(html)  # noqa: S704 - from a file of this package, without raw HTML


def refusal_codes(game: Variant) -> list[str]:
    """The codes with which `game` refuses moves, as its RULES.md lists them."""
    return re.findall(rf"^\| `({_CODE})` \|", game.rules, re.MULTILINE)

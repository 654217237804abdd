"""HTML pages: a template each, Markdown and rules in it, and what a browser may load for it."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from flask import Response, render_template
from markupsafe import Markup

from service.games.base import Variant

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_SELF_CONTAINED = "script-src {scripts}; style-src 'unsafe-inline'"
"""What a page may load that contains everything it needs."""
_SCRIPT = re.compile(r"<script(?: type=\"module\")?>(.*?)</script>", re.DOTALL)

_NUMBER = "[A-Z][0-9]+"
_RULE = re.compile(rf"<li>\s*<strong>({_NUMBER})</strong>")
_CODE = "[a-z]+(?:-[a-z]+)+"
_REFUSAL = re.compile(rf"<tr>\s*<td><code>({_CODE})</code></td>")
_REFERENCES = re.compile(rf"<td>({_NUMBER}(?:, {_NUMBER})*)</td>")


def markdown(text: str) -> Markup:
    """Markdown as HTML; HTML in it is shown as text."""
    return Markup(_renderer().render(text))  # noqa: S704 - has no HTML of others


@cache
def _renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most workers never show such a page

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def page(
    template: str, *, status: int = 200, sources: str = _SELF_CONTAINED, **values: object
) -> Response:
    """An HTML page whose Content-Security-Policy allows `sources` and its own inline scripts."""
    text = render_template(template, **values)
    digests = (sha256(script.encode()).digest() for script in _SCRIPT.findall(text))
    scripts = " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests) or "'none'"
    response = Response(text, status, content_type="text/html; charset=utf-8")
    policy = f"{_POLICY}; {sources.format(scripts=scripts)}"
    response.headers["Content-Security-Policy"] = policy
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response


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

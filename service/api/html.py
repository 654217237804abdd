"""HTML pages: a template each, Markdown in it, and what a browser may load for it."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from flask import Response, render_template
from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_SELF_CONTAINED = "script-src {scripts}; style-src 'unsafe-inline'"
"""What a page may load that contains everything it needs."""
_SCRIPT = re.compile(r"<script(?: type=\"module\")?>(.*?)</script>", re.DOTALL)


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

"""The page on which people play, and its assets: plain files of `service/web`, served as they are.

The page is never cached. Its assets are, for good: their URLs contain a digest of all of them, and
they refer to each other by relative URLs, so a page and its modules are always of one release.
"""

import gzip
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

play_page = Blueprint("play_page", __name__)

FOLDER = Path(__file__).parents[1] / "web"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOREVER = "public, max-age=31536000, immutable"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

Signature = tuple[tuple[Path, int, int], ...]
"""Path, time of the last change and size of each file."""


@dataclass(frozen=True)
class Content:
    """A file, plain and compressed."""

    type: str
    plain: bytes
    compressed: bytes


@dataclass(frozen=True)
class Site:
    """The page and its assets, by their paths."""

    digest: str
    page: Content
    assets: dict[str, Content]


@play_page.get("/play")
def play() -> Response:
    """The page; every view of it has the same URL up to the fragment."""
    response = _respond(site().page, "no-cache")
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return response


@play_page.get("/play/<digest>/<folder>/<name>")
def asset(digest: str, folder: str, name: str) -> Response:
    """An asset: for good under its digest, and the current one under any other."""
    current = site()
    content = current.assets.get(f"{folder}/{name}")
    if content is None:
        raise NotFound
    return _respond(content, _FOREVER if digest == current.digest else "no-store")


def site() -> Site:
    """The site as it is in the folder now: whoever edits a file reloads and sees it."""
    files = [FOLDER / "index.html", *FOLDER.glob("*/*")]
    stats = [(path, path.stat()) for path in sorted(files) if path.suffix in _TYPES]
    return _read(tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats))


@lru_cache(maxsize=1)
def _read(signature: Signature) -> Site:
    texts = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path, *_ in signature}
    page = texts.pop("index.html")
    whole = b"".join(name.encode() + text for name, text in sorted(texts.items()))
    digest = urlsafe_b64encode(sha256(whole).digest())[:12].decode()
    modules = [name for name in texts if name.endswith(".mjs")]
    preloads = "\n".join(
        f'<link rel="modulepreload" href="/play/{digest}/{name}">' for name in modules
    )
    html = page.replace(b"{{ assets }}", f"/play/{digest}".encode())
    html = html.replace(b"{{ modules }}", preloads.encode())
    assets = {name: _content(_TYPES[Path(name).suffix], text) for name, text in texts.items()}
    return Site(digest, _content(_TYPES[".html"], html), assets)


def _content(media_type: str, plain: bytes) -> Content:
    return Content(media_type, plain, gzip.compress(plain, mtime=0))


def _respond(content: Content, cache: str) -> Response:
    compress = request.accept_encodings["gzip"] > 0
    response = Response(
        content.compressed if compress else content.plain, content_type=content.type
    )
    if compress:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Cache-Control"] = cache
    response.headers["Vary"] = "Accept-Encoding"
    return response

"""Films on a page of their own, and in the outputs of notebooks: the document with the player, and nothing else.

`player.js`, which lies beside this file, is the player: one module in plain JavaScript, for pages and for anywidget.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from crashlab.base import files
from crashlab.base.errors import CrashlabError, shown
from crashlab.drawing.document import Document
from crashlab.drawing.themes import theme as known_theme

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>body {{ margin: 0; }}</style></head>
<body><noscript>{words}</noscript>
<script type="application/json" id="film">{film}</script>
<script type="module">
{player}
play(document.body, JSON.parse(document.getElementById("film").textContent), {options});
</script></body></html>
"""
# Unpacks the page in its frame, and makes the frame as high as the page.
UNPACK = """<!DOCTYPE html><meta charset="utf-8"><script>
const bytes = Uint8Array.from(atob("{packed}"), letter => letter.charCodeAt(0));
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text().then(page => {{
  document.open();
  document.write(page);
  document.close();
  const frame = window.frameElement;
  if (frame) new ResizeObserver(() => {{
    frame.style.height = `${{Math.max(document.documentElement.offsetHeight, 200)}}px`;
  }}).observe(document.documentElement);
}});
</script>"""
MOST = 400  # beats of a film that a notebook keeps


@cache
def player() -> str:
    """The text of the player."""
    return Path(__file__).with_name("player.js").read_text(encoding="utf-8")


def page(film: Document, theme: str | None = None, alone: bool = True) -> str:
    """A film as a page that loads nothing; `alone` has the whole window, else it is as high as it needs."""
    if theme is not None:
        known_theme(theme)
    options = {**({"theme": theme} if theme else {}), **({"page": True} if alone else {})}
    return PAGE.format(
        title=escape(film["title"]),
        words=escape(film["words"]),
        film=compact(film).replace("</", "<\\/").replace("<!--", "<\\u0021--"),
        player=player(),
        options=json.dumps(options),
    )


def frame(film: Document, fallback: str = "") -> str:
    """A film as HTML for the output of a cell: the page, packed, in a frame; `fallback` stands where it cannot run."""
    packed = b64encode(zlib.compress(page(film, alone=False).encode(), 9)).decode("ascii")
    mark = sha256(compact(film).encode()).hexdigest()[:16]
    ratio = round(100 * film["size"][1] / film["size"][0])
    inside = escape(UNPACK.format(packed=packed))
    look = f"width: 100%; height: 0; min-height: min({ratio + 30}vw, 640px); border: 0"
    return (
        f'<iframe class="crashlab-film" data-film="{mark}" title="{escape(film["title"])}" allow="fullscreen"'
        f' allowfullscreen style="{look}" srcdoc="{inside}">{fallback}</iframe>'
    )


def compact(film: Document) -> str:
    """A document as one line of JSON."""
    return json.dumps(film, ensure_ascii=False, separators=(",", ":"))


def save(path: str | Path, kinds: Mapping[str, Callable[[], str | bytes]], what: str) -> None:
    """Write a file of the kind that its name ends in."""
    target = files.whole_path(path)
    kind = target.suffix.lower()
    if kind not in kinds:
        *some, last = kinds
        raise CrashlabError(f"{shown(str(path))}: {what} is saved as {', '.join(some)} or {last}")
    content = kinds[kind]()
    files.write(target, content.encode() if isinstance(content, str) else content)

"""Films as HTML pages and in notebook outputs: the film document together with the player.

The player is in the folder `film_player`: modules in plain JavaScript, joined to one for pages and for anywidget.
"""

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from crashlab.base import errors, files
from crashlab.base.errors import CrashlabError
from crashlab.drawing import png
from crashlab.drawing.film_json import Document
from crashlab.drawing.html import Html, element
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
# Unpacks the page in its frame and, where allowed, fits the frame's height to the page.
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
SMALL = 0.5, 8  # scale and number of colours of the picture shown where scripts do not run
BEHIND = "position: absolute; width: 600px; max-width: 100%"  # style of the picture behind the film
KEPT = 400  # longest film in beats that is stored in a notebook
MARK = "crashlab-film"  # CSS class of a film in the output of a cell


# Each file imports only earlier ones; all but the last two are also the lab's.
FILES = (
    "motion.js",
    "painter.js",
    "elements.js",
    "clock.js",
    "controls.js",
    "events.js",
    "program.js",
    "screen.js",
    "page.js",
)
FOLDER = Path(__file__).with_name("film_player")


@cache
def player() -> str:
    """Return the source of the player as one module, without comments."""
    source = "".join((FOLDER / name).read_text(encoding="utf-8") for name in FILES)
    return shortened(re.sub(r"(?m)^import .*;\n", "", source))


def shortened(script: str) -> str:
    """Strip the indentation and comment lines from a script or a style sheet."""
    return re.sub(r"\n(\s*//.*\n|\s*/\*(?s:.*?)\*/[ \t]*\n)*\s*", "\n", f"\n{script}").strip()


def page(film: Document, theme: str | None = None, alone: bool = True) -> str:
    """Return a film as an HTML page without external resources.

    The page fills the window if `alone`; otherwise its height fits the film.
    """
    if theme is not None:
        known_theme(theme)
    options = {**({"theme": theme} if theme else {}), "page" if alone else "frame": True}
    return PAGE.format(
        title=escape(film["title"]),
        words=escape(film["words"]),
        film=compact(film).replace("</", "<\\/").replace("<!--", "<\\u0021--"),
        player=player(),
        options=json.dumps(options),
    )


def shown(film: Document, still: Mapping[str, object], theme: str | None = None) -> dict[str, object]:
    """Return the MIME bundle of a picture, with the film in front of the picture where scripts run."""
    if len(film["beats"]) > KEPT or "image/png" not in still:
        return dict(still)
    small = b64encode(png.smaller(b64decode(str(still["image/png"])), *SMALL)).decode("ascii")
    picture = element("img", alt=film["title"], src=f"data:image/png;base64,{small}", style=BEHIND)
    look = f"position: relative; min-height: {round(600 * film['size'][1] / film['size'][0])}px"
    return {**still, "text/html": element("div", picture, frame(film, theme), class_=MARK, style=look)}


def frame(film: Document, theme: str | None = None) -> Html:
    """Return a film as HTML for the output of a cell: its compressed page in an iframe."""
    data = b64encode(zlib.compress(shortened(page(film, theme, alone=False)).encode(), 9)).decode("ascii")
    mark = sha256(compact(film).encode()).hexdigest()[:16]
    ratio = round(100 * film["size"][1] / film["size"][0])
    look = f"position: relative; width: 100%; height: 0; min-height: min({ratio + 30}vw, 640px); border: 0"
    inside = UNPACK.format(packed=data)
    return element("iframe", data_film=mark, title=film["title"], allow="fullscreen", style=look, srcdoc=inside)


def compact(film: Document) -> str:
    """Return a document as one line of JSON."""
    return json.dumps(film, ensure_ascii=False, separators=(",", ":"))


def save(path: str | Path, kinds: Mapping[str, Callable[[], str | bytes]], what: str) -> None:
    """Write a file in the format of its suffix; raise CrashlabError for other suffixes."""
    target = files.whole_path(path)
    kind = target.suffix.lower()
    if kind not in kinds:
        *some, last = kinds
        raise CrashlabError(f"{errors.short_repr(str(path))}: {what} is saved as {', '.join(some)} or {last}")
    content = kinds[kind]()
    files.write(target, content.encode() if isinstance(content, str) else content)

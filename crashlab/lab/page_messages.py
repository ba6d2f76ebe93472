"""The messages between a board and its page; a test compares this list with the code of both sides.

`panel_page/messages.d.ts` has the types of the fields. A field with a question mark is optional.

The page paints everything. A turn, a watched function and a proof in steps are stories (`crashlab.drawing.story`); a
story becomes a document (`film_json`), and the page gets a few of its beats at a time. A single picture is sent as its
differences from the picture before. The way from a click to a picture:

1. ipycanvas reports the mouse in pixels: `press`, `click` of `Surface.on_click` (`crashlab/drawing/canvas.py`).
2. `click` of `Board.on_click` finds the position in the picture; `Board.guard` runs one click at a time.
3. `Explorer._click` finds the choice (`hit_test.meant`) and carries it out: `choose`, `_plan`, `_become`, `_go`.
4. The turn is shown: `Steps.load`, `start`, `go` (`stepper`), `BoardPage.load`, `show`, `start` (`playback`).
5. `BoardPage._supply`, `Steps._pack`, `Packed.scene` and `BoardPage.send` pack its beats and send them.
6. The page plays them: `hear.film`, `hear.beats`, `hear.play` (`board_page.js`), `start`, `step` (`clock.js`), and
   paints each frame: `draw` (`board_page.js`), `between` (`motion.js`), `drawing`, `shape` (`painter.js`).
7. The page reports the beat in view, every three seconds while a film plays: `heard` (`board_page.js`),
   `BoardPage._hear_at`, `Steps._played`, `Board.played`.

Pointing needs no kernel: the page gets the `Targets` of each picture (`playback`), in which the kernel looks up clicks,
and `meantTarget` (`panel_page/pointing.js`) chooses one of them.

The page loads its module from the first board of a Jupyter kernel (`page_module`): plain JavaScript without a build
step, the same in every front end with anywidget. `crashlab/lab/page` has the extension of JupyterLab and Notebook 7.
Installing copies the extension to `share/jupyter/labextensions`, so after a change run `make`, which installs again,
and reload the page. Widgets share their layouts: `page_module.show` hides a widget, and no layout is changed.
"""

from collections.abc import Mapping

SEEN = "lens before colours?"
TABLES = "shapes drawings pieces"
# `BoardPage._tell` sends them as {"do": name, "run": number, ...fields}; `hear` in board_page.js handles them. Several
# together are sent as {"do": "all", "each": [...]}.
TO_PAGE: Mapping[str, str] = {
    "scene": f"beat kept near targets at? first? words? look? kind? still? {TABLES} {SEEN}",
    "say": "words look? kind?",
    "below": "words",
    "film": "film afresh head",
    "beats": f"from whole beats events {TABLES}",
    "look": SEEN,
    "show": f"beat event glides still {SEEN}",
    "play": f"beat still {SEEN}",
    "pace": "milliseconds",
    "until": "last stops",
    "why": "event events",
    "stop": "",
    "position": "of? left? words?",
}
# The page sends each with its name as the first field; `BoardPage._hear_NAME` handles it.
FROM_PAGE: Mapping[str, str] = {
    "ready": "ready first?",
    "want": "want film",
    "near": "near",
    "sight": "sight",
    "call": "call",
    "position": "position",
    "at": "at playing run",
}

"""The module that paints boards and plays films in the page, in JavaScript. A kernel gives it to a page once.

What a page loads with each widget is only `LOADER`, which fetches the module from the first board that brings it.
"""

import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from crashlab.drawing.player import player, shortened

HERE = Path(__file__).parent
# It answers at once and waits for nothing: what has not begun after two seconds anywidget takes for dead.
LOADER = """const modules = (globalThis.crashlabModules ??= {});
const text = packed => new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
const load = async (model, id) => {
  const urls = {};
  for (const [name, file] of Object.entries(await text((await model.widget_manager.get_model(id)).get('packed')))) {
    const linked = file.replace(/'\\.\\/([\\w.]+\\.js)'/g, (_, other) => `'${urls[other]}'`);
    urls[name] = URL.createObjectURL(new Blob([linked], { type: 'text/javascript' }));
  }
  return import(Object.values(urls).at(-1));
};
const found = model => {
  const id = model.get('module').slice('IPY_MODEL_'.length);
  return (modules[id] ??= load(model, id));
};
const run = (name, given) => {
  const end = found(given.model).then(module => module[name](given));
  return () => end.then(away => away?.());
};
export default { initialize: given => run('initialize', given), render: given => run('render', given) };"""


class Look(widgets.Layout):  # type: ignore[misc]
    """A layout of which the page is sent only what is set."""

    def get_state(self, key: object = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Return the values that are set, and what the page needs to know the model."""
        return {name: value for name, value in super().get_state(key, drop_defaults).items() if value is not None}


_shared: dict[tuple[object, ...], widgets.Widget] = {}  # styles and layouts, by their kind and values


def shared(kind: Any = Look, **look: object) -> Any:
    """Return the style or layout with these values: all widgets of a kernel share it, and nobody changes it."""
    key = kind, *sorted(look.items())
    if key not in _shared or _shared[key].comm is None:
        _shared[key] = kind(**look)
    return _shared[key]


def show(part: widgets.DOMWidget, visible: object, has_come: object = True, **traits: object) -> None:
    """Show a widget or hide it, and set values of it, in one message; one that has not come yet keeps its place."""
    if isinstance(part, PageWidget):  # of which the page hears no other layout
        part.layout.display = "" if visible else "none"
        part.layout.visibility = "visible" if has_come else "hidden"
        return
    values = {name: getattr(part.layout, name) for name in LOOKS}
    values |= {"display": None if visible else "none", "visibility": None if has_come else "hidden"}
    look = {name: value for name, value in values.items() if value is not None}
    with part.hold_sync():
        part.layout = shared(**look)
        for name, value in traits.items():
            setattr(part, name, value)


LOOKS = [name for name in widgets.Layout.class_traits(sync=True) if name[0] != "_"]


class PageModule(widgets.Widget):  # type: ignore[misc]
    """The files of the module, packed; each imports from those before it, and the last one is what a page runs."""

    packed = traitlets.Bytes().tag(sync=True)


_given: list[PageModule] = []  # to the pages of this kernel


def given() -> PageModule:
    """The module as the pages of this kernel have it."""
    if not _given or _given[0].comm is None:
        _given[:] = [PageModule(packed=packed())]
    return _given[0]


@cache
def packed() -> bytes:
    """All files of the module."""
    folder = HERE / "panel_page"
    look = json.dumps(read(folder / "room.css"))
    files = {"player.js": shortened(player().partition("\n// The page\n")[0]), "room.css.js": f"export default {look};"}
    parts = "room.js", "boards.js", "errors.js", "names.js", "screen.js", "start.js", "lens.js", "pointing.js"
    files |= {name: read(folder / name) for name in parts}
    files["board_page.js"] = read(HERE / "board_page.js")
    return zlib.compress(json.dumps(files).encode(), 9)


def read(path: Path) -> str:
    """A file of the module, short."""
    return shortened(path.read_text(encoding="utf-8"))


class PageWidget(anywidget.AnyWidget):
    """A widget of which the page does what the module says."""

    _esm = LOADER
    module = traitlets.Unicode().tag(sync=True)

    def __init__(self, **options: object) -> None:
        super().__init__(**{"module": f"IPY_MODEL_{given().model_id}", "layout": Look(), **options})

    def open(self) -> None:
        """Have what the page says heard in the thread for which it is meant, also while a cell runs.

        By itself ipykernel 7.4 has it heard where the kernel last said something to the widget: once a cell has done
        so, what plays on in a thread of its own would hear nothing from the page until the cell has ended.
        """
        super().open()
        if self.comm is not None:
            self.comm._reply_subshell_for = None  # pyright: ignore[reportAttributeAccessIssue]  # hides a method

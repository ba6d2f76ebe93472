"""The JavaScript module that paints boards and plays films; a kernel sends it to a page once.

With each widget a page loads only `LOADER`, which fetches the module from the first board that has it.
"""

import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from crashlab.drawing.canvas import let_page_route
from crashlab.drawing.player import FILES, FOLDER, shortened

HERE = Path(__file__).parent
# The loader returns immediately, because anywidget gives up on a module that has not started after two seconds.
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
const moduleOf = model => {
  const id = model.get('module').slice('IPY_MODEL_'.length);
  return (modules[id] ??= load(model, id));
};
const run = (name, args) => {
  const end = moduleOf(args.model).then(module => module[name](args));
  return () => end.then(away => away?.());
};
export default { initialize: args => run('initialize', args), render: args => run('render', args) };"""


class Look(widgets.Layout):  # type: ignore[misc]
    """A layout that sends the page only the values that are set."""

    def get_state(self, key: object = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Return the values that are set, and the keys that identify the model."""
        return {name: value for name, value in super().get_state(key, drop_defaults).items() if value is not None}


_shared: dict[tuple[object, ...], widgets.Widget] = {}  # styles and layouts, by their kind and values


def shared(kind: Any = Look, **look: object) -> Any:
    """Return the style or layout with these values, shared by all widgets of a kernel and never changed."""
    key = kind, *sorted(look.items())
    if key not in _shared or _shared[key].comm is None:
        _shared[key] = kind(**look)
    return _shared[key]


def show(part: widgets.DOMWidget, visible: object, has_come: object = True, **traits: object) -> None:
    """Show or hide a widget and set its traits, in one message; if not has_come, it is hidden but keeps its space."""
    if isinstance(part, PageWidget):  # the page does not notice a new layout of a PageWidget
        part.layout.display = "" if visible else "none"
        part.layout.visibility = "visible" if has_come else "hidden"
        return
    values = {name: getattr(part.layout, name) for name in LOOKS}
    values |= {"display": None if visible else "none", "visibility": None if has_come else "hidden"}
    look = {name: value for name, value in values.items() if value is not None}
    before = part.layout
    with part.hold_sync():
        part.layout = shared(**look)
        for name, value in traits.items():
            setattr(part, name, value)
    drop(before)


def drop(layout: widgets.Layout) -> None:
    """Close a layout that its widget has replaced, unless other widgets share it."""
    if layout not in _shared.values():
        layout.close()


LOOKS = [name for name in widgets.Layout.class_traits(sync=True) if name[0] != "_"]


class PageModule(widgets.Widget):  # type: ignore[misc]
    """The files of the module, compressed; each file imports only earlier files, and a page runs the last file."""

    packed = traitlets.Bytes().tag(sync=True)


_modules: list[PageModule] = []  # the module of this kernel's pages


def shared_module() -> PageModule:
    """Return the module of this kernel's pages."""
    if not _modules or _modules[0].comm is None:
        _modules[:] = [PageModule(packed=packed())]
    return _modules[0]


@cache
def packed() -> bytes:
    """Return all files of the module, compressed."""
    folder = HERE / "panel_page"
    look = json.dumps(read(folder / "room.css"))
    files = {"room.css.js": f"export default {look};"} | {name: read(FOLDER / name) for name in FILES[:-2]}
    parts = "room.js", "boards.js", "errors.js", "names.js", "screen.js", "start.js", "lens.js", "pointing.js"
    files |= {name: read(folder / name) for name in parts}
    files["board_page.js"] = read(HERE / "board_page.js")
    return zlib.compress(json.dumps(files).encode(), 9)


def read(path: Path) -> str:
    """Return a file of the module, minified."""
    return shortened(path.read_text(encoding="utf-8"))


class PageWidget(anywidget.AnyWidget):
    """A widget whose JavaScript in the page is the module."""

    _esm = LOADER
    module = traitlets.Unicode().tag(sync=True)

    def __init__(self, **options: object) -> None:
        if "layout" not in options:
            options["layout"] = Look()
        super().__init__(module=f"IPY_MODEL_{shared_module().model_id}", **options)

    def open(self) -> None:
        """Open the widget so that its messages arrive in order, even while a cell runs."""
        super().open()
        let_page_route(self)

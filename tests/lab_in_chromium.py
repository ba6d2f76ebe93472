"""A private JupyterLab in a real Chromium, for tests: open a notebook, run it, click on its canvases, look at them.

    with Lab(folder, work) as lab, lab.browser(chromium) as browser:
        page = browser.open("00_start_here.ipynb")
        page.run_all()
        page.click_canvas(0, 120, 80)
        page.expect_paint()

`Site(folder)` is the same for a site without a server, as binder/site builds it.
It ends every process that it starts. Coordinates are those of the picture at scale 1.

The tests of a worker share one JupyterLab; a file of tests has one browser and a `folder` for its notebooks. Tests
leave their page to the next one with a window of the same size (`page.leave()`), because a page takes longer to load
than a notebook; a test of what happens while a page loads closes it (`page.page.close()`). A page keeps 150 to 400 MB
of each notebook that it has shown, so `MOST_NOTEBOOKS` share one. Most of it is ipycanvas's (JupyterLab 4.6, ipywidgets
8.1, ipycanvas 0.14, Chromium): a notebook that shows five `MultiCanvas` and nothing else, closed without `close()` on
the widgets, leaves some 150 MB in the page, and one without canvases 3 MB.
"""

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat
from pathlib import Path
from threading import Thread

from patience import PATIENCE

SETTINGS = {
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
# It fetches an icon before and after each message to the kernel.
LEFT_OUT = {"disabledExtensions": {"@jupyterlab/application-extension:faviconbusy": True}}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
# A widget that takes longer than two seconds to start still works (`board_page.js`). The last two are faults of
# others: the server answers so while a kernel starts (`last_activity` is None then), and in a restart ipywidgets passes
# the last messages of Lumino to views that are gone.
NOISE = (
    r"favicon|/api/me|/lab/api/news|workspaces/.*404|net::ERR_(INTERNET_DISCONNECTED|NAME_NOT_RESOLVED|FAILED)"
    r"|Could not restore the debugger state|\[anywidget\] Failed to initialize model|status of 500.*/api/kernels\?"
    r"|null \(reading 'processLuminoMessage'\)"
)
CANVAS = ".jp-OutputArea-output .jupyter-widgets canvas"
WIDGETS = ".jp-OutputArea-output > .jupyter-widgets, .jp-OutputArea-output > :not(.jupyter-widgets) > .jupyter-widgets"
NOTEBOOK = "window.jupyterapp.shell.currentWidget"
MODELS = "[*__import__('ipywidgets').widgets.widget._instances.values()]"
CLOCKS = f"[w for w in {MODELS} if type(w).__name__ == 'BoardPage']"
CANVASES = f"[w for w in {MODELS} if type(w).__name__ in ('Canvas', 'MultiCanvas')]"  # the widgets that keep pixels

# Per page, which keeps 150 to 400 MB of each: the widgets of a closed notebook stay unless the kernel closes them, and
# every canvas keeps its pixels. The same holds for plain canvases of ipycanvas; a notebook without any leaves 3 MB.
MOST_NOTEBOOKS = 4

# Milliseconds between two checks of a condition: to check each frame the page must paint it, and each question to the
# kernel costs both of them time.
LOOK = 100
LOOKS = 50, 100, 200, 300  # the last one is repeated

# Notes the time of each repaint of a canvas on the page and of each input. Idle callbacks are run at once: JupyterLab
# attaches cells out of sight only when the browser is idle, so on a busy machine never.
WATCH = """
window.requestIdleCallback = react => setTimeout(() => react({didTimeout: true, timeRemaining: () => 50}));
window.cancelIdleCallback = clearTimeout;
window.watch = {paints: [], inputs: []};
window.within = (element, selector) => [...element.querySelectorAll('*')].flatMap(
  part => [...(part.matches(selector) ? [part] : []),
           ...(part.shadowRoot ? window.within(part.shadowRoot, selector) : [])]);
const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...all) {
  const result = draw.apply(this, all);
  if (this.canvas.isConnected) window.watch.paints.push(performance.now());
  return result;
};
for (const kind of ['mousedown', 'keydown', 'click'])
  window.addEventListener(kind, () => window.watch.inputs.push(performance.now()), true);
"""

# Whether all films cover the pictures that replace them without scripts.
COVERED = """() => [...document.querySelectorAll('.crashlab-film img')].every(picture => {
    picture.scrollIntoView({block: 'center'});
    const {x, y, width, height} = picture.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2).matches('iframe'); })"""


def notebook(cells):
    """Return a notebook of these code cells as JSON."""
    code_cells = [
        {"cell_type": "code", "id": f"cell{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": cell}
        for n, cell in enumerate(cells)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps({"cells": code_cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


class Server:
    """A server whose notebooks a browser opens."""

    address: str
    options = ()  # additional options of the browser
    elsewhere = ()  # addresses on other machines that a page may request

    def url(self, notebook):
        """Return the address of a notebook."""
        raise NotImplementedError

    @contextmanager
    def browser(self, program):
        """Start Chromium, ready to open notebooks."""
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            options = [*ARGUMENTS, *self.options]
            chromium = playwright.chromium.launch(executable_path=program, args=options, timeout=1000 * PATIENCE)
            try:
                yield Browser(self, chromium)
            finally:
                chromium.close()


class Lab(Server):
    """A JupyterLab server on this machine only, with settings of its own, that serves a folder."""

    elsewhere = ("https://mybinder.org/badge_logo.svg",)  # at the top of a lesson

    def __init__(self, folder, work):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.folder, self.token = folder, secrets.token_hex(16)
        self.address = f"http://127.0.0.1:{port}"
        self.log = (work / "server.log").open("wb")
        configured = {f"settings/{name}.jupyterlab-settings": values for name, values in SETTINGS.items()}
        for name, values in {**configured, "config/labconfig/page_config.json": LEFT_OUT}.items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))
        places = {
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "IPYTHONDIR": "ipython",
        }
        environment = {**os.environ, **{name: str(work / place) for name, place in places.items()}}
        environment["PATH"] = str(Path(sys.executable).parent) + os.pathsep + environment.get("PATH", "")
        environment["TQDM_DISABLE"] = "1"  # the output of a finished bar stays, and tests would wait for it
        options = [
            "--no-browser",
            "--ip=127.0.0.1",
            f"--port={port}",
            "--ServerApp.port_retries=0",
            "--allow-root",
            f"--IdentityProvider.token={self.token}",
            f"--ServerApp.root_dir={folder}",
            "--expose-app-in-browser",
            "--LanguageServerManager.autodetect=False",  # it would start Pyright for every notebook
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], stdout=self.log, stderr=subprocess.STDOUT, env=environment
        )

    def __enter__(self):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.ask("/api/status")
                return self
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.__exit__()
                    raise RuntimeError(f"JupyterLab did not start; see {self.log.name}") from None
                time.sleep(0.1)

    def __exit__(self, *error):
        try:
            self.ask("/api/shutdown", "POST")  # also ends the kernels
            self.process.wait(PATIENCE)
        except (urllib.error.URLError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait(PATIENCE)
        self.log.close()

    def ask(self, path, method="GET"):
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.address + path, method=method, headers=headers)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=PATIENCE) as answer:
            return answer.read()

    def url(self, notebook):
        return f"{self.address}/lab/tree/{notebook}?token={self.token}&reset"


class Site(Server):
    """A folder of static files, served to a browser that can reach no other machine."""

    options = ("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",)

    def __init__(self, folder):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder))
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    def url(self, notebook):
        return f"{self.address}/lab/index.html?path={notebook}"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Browser:
    """A Chromium that belongs to a lab or a site."""

    def __init__(self, server, chromium):
        self.server, self.chromium = server, chromium
        self.left = {}  # by window: the pages whose notebook was closed
        self.contexts = {}  # by window: pages of one context share their cache

    def open(self, notebook, width=1280, height=1000, has_touch=False):
        """Open a notebook and wait for its kernel, reusing an old page if possible, as JupyterLab loads slowly."""
        window = width, height, has_touch
        tab = self.left.pop(window, None)
        if tab:
            tab.show(notebook)
            return tab
        if window not in self.contexts:
            size = {"width": width, "height": height}
            self.contexts[window] = self.chromium.new_context(viewport=size, has_touch=has_touch)
        page = self.contexts[window].new_page()
        tab = Page(page, partial(self.left.__setitem__, window))
        page.on("request", lambda request: tab.note_foreign(request.url, self.server))
        page.goto(self.server.url(notebook), wait_until="domcontentloaded")
        tab.wait_for_kernel()
        return tab


class Shelf:
    """The notebooks of one test file, in a folder of their own on the shared lab."""

    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def open(self, notebook, **size):
        return self.browser.open(f"{self.folder.name}/{notebook}", **size)


class Page:
    """A notebook in the browser."""

    def __init__(self, page, give_back):
        self.page, self.give_back, self.errors, self.notebooks = page, give_back, [], 1
        page.set_default_timeout(1000 * PATIENCE)
        page.add_init_script(WATCH)
        page.on(
            "console",
            lambda message: message.type == "error" and self.note(f"{message.text} {message.location.get('url')}"),
        )
        page.on("pageerror", lambda error: self.note(f"page error: {error}"))

    def show(self, notebook):
        """Open another notebook on this page."""
        self.notebooks += 1
        self.errors.clear()
        self.forget()
        self.ask("async path => { await window.jupyterapp.commands.execute('docmanager:open', {path}); }", notebook)
        self.wait_for_kernel()

    def fill(self, notebook):
        """Replace the cells of this notebook and clear the names of its kernel."""
        self.errors.clear()
        self.forget()
        self.stop_films()
        self.python(f"[[canvas.close() for canvas in {CANVASES}], get_ipython().reset()] and None")
        self.page.evaluate(f"cells => {NOTEBOOK}.content.model.fromJSON(cells)", notebook)

    def stop_films(self):
        """Stop the films, which would otherwise report beats to an ended kernel and fail ("Cannot send")."""
        self.python(f"[clock.stop() for clock in {CLOCKS}]")

    def leave(self):
        """End the kernel, close the notebook and keep the page for the next one, unless it has shown too many."""
        self.stop_films()
        self.shut_down()
        if self.notebooks == MOST_NOTEBOOKS:
            self.page.close()
            return
        self.page.evaluate(f"() => {{ {NOTEBOOK}.context.model.dirty = false; {NOTEBOOK}.close(); }}")
        self.wait_for(f"() => !{NOTEBOOK}?.context")
        self.give_back(self)

    def end(self):
        """End the kernel and close the page, whose window may have another size now."""
        self.check()
        self.stop_films()
        self.shut_down()
        self.page.close()

    def note(self, error):
        if not re.search(NOISE, error):
            self.errors.append(error)

    def note_foreign(self, address, server):
        """Record a request to another machine as an error."""
        if address.startswith("http") and not address.startswith((server.address, *server.elsewhere)):
            self.errors.append(f"asked for {address}")

    def wait_for(self, condition, arg=None):
        """Wait until a function of the page returns a true value."""
        self.page.wait_for_function(condition, arg=arg, polling=LOOK)

    def ask(self, script, arg=None):
        """Return the result of an asynchronous function of the page, which must come in time."""
        return self.page.wait_for_function(f"async arg => [await ({script})(arg)]", arg=arg).json_value()[0]

    def wait_for_kernel(self):
        self.wait_for(
            f"() => window.jupyterapp && {NOTEBOOK} && {NOTEBOOK}.content && {NOTEBOOK}.content.widgets.length"
        )
        self.ask(f"() => {NOTEBOOK}.sessionContext.ready")
        self.wait_for(f"() => ['idle', 'busy'].includes({NOTEBOOK}.sessionContext.session?.kernel?.status)")

    def run_all(self):
        """Run all cells and check that none fails."""
        self.ask("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.wait_for(
            f"""() => {NOTEBOOK}.content.model.toJSON().cells.flatMap(cell => cell.outputs ?? [])
                .filter(output => output.data?.['application/vnd.jupyter.widget-view+json']).length
                <= document.querySelectorAll('{WIDGETS}').length"""
        )
        self.wait_until_quiet()
        self.check()

    def run_cell(self, number):
        """Run one cell, and wait until it has ended."""
        self.ask(
            f"""async number => {{
                {NOTEBOOK}.content.activeCellIndex = number;
                await window.jupyterapp.commands.execute('notebook:run-cell'); }}""",
            number,
        )

    def check(self):
        """Check that all cells were run and that neither they nor the console have errors."""
        for cell in self.cells():
            if cell["cell_type"] == "code" and "raises-exception" not in cell["metadata"].get("tags", []):
                source = "".join(cell["source"])
                assert cell["execution_count"] or not source.strip(), f"not run: {source}"
                for output in cell["outputs"]:
                    bad = output["output_type"] == "error" or output.get("name") == "stderr"
                    assert not bad, f"{source}\n{output}"
        assert not self.errors, self.errors

    def cells(self):
        """Return the cells with their outputs as JSON values."""
        return self.page.evaluate(f"() => {NOTEBOOK}.content.model.toJSON().cells")

    def save(self):
        self.ask(f"() => {NOTEBOOK}.context.save()")

    def shut_down(self):
        """End the kernel, as a server does overnight."""
        self.ask(f"() => {NOTEBOOK}.sessionContext.shutdown()")

    def restart(self):
        self.ask(f"() => {NOTEBOOK}.sessionContext.restartKernel()")

    def reload(self):
        self.page.reload(wait_until="domcontentloaded")
        self.wait_for_kernel()

    def python(self, expression):
        """Return the value of an expression in the notebook's kernel, which must be JSON."""
        code = f"import json; print(json.dumps({expression}))"
        run = """async code => {
            const kernel = CURRENT.sessionContext.session.kernel;
            const future = kernel.requestExecute({code, stop_on_error: false});
            let text = '';
            future.onIOPub = message => { if (message.header.msg_type === 'stream') text += message.content.text; };
            const reply = await future.done;
            return reply.content.status === 'ok' ? text : 'ERROR ' + reply.content.evalue; }"""
        answer = self.ask(run.replace("CURRENT", NOTEBOOK), code)
        assert not answer.startswith("ERROR"), answer
        return json.loads(answer)

    # Canvases

    def canvases(self):
        return self.page.locator(CANVAS)

    def colours(self, number, every=101):
        """Count the colours of every `every`-th pixel of a canvas; a blank canvas has one colour."""
        return (
            self.canvases()
            .nth(number)
            .evaluate(
                """(canvas, every) => {
                const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                const seen = new Set(); for (let i = 0; i < all.length; i += 4 * every)
                seen.add(all[i] * 65536 + all[i + 1] * 256 + all[i + 2]); return seen.size; }""",
                every,
            )
        )

    def click_canvas(self, number, x, y, zoom=2):
        """Click a point of the picture on the canvas."""
        canvas = self.canvases().nth(number)
        shrunk = canvas.evaluate("canvas => canvas.clientWidth / canvas.width")
        self.click(canvas, position={"x": x * zoom * shrunk, "y": y * zoom * shrunk})

    def spot(self, number, x, y, zoom=2):
        """Return the position on the page of a point of the picture on the canvas."""
        canvas = self.canvases().nth(number)
        canvas.hover(trial=True)
        return canvas.evaluate(
            """(canvas, [x, y]) => { const box = canvas.getBoundingClientRect();
                return [box.left + x * box.width / canvas.width, box.top + y * box.height / canvas.height]; }""",
            [x * zoom, y * zoom],
        )

    def click(self, target, **where):
        """Click an element once it is visible, at rest and not covered, and forget the repaints before that."""
        target.click(trial=True, **where)
        self.forget()
        target.click(**where)

    def press(self, target):
        """Click an element wherever it is, without a mouse, and forget the repaints before that."""
        self.forget()
        target.evaluate("button => button.click()")

    def wait_after_click(self):
        """Wait until the kernel has received the last click, and the next one cannot make it a double click."""
        self.python("0")
        self.page.wait_for_timeout(400)

    def key(self, name):
        self.forget()
        self.page.keyboard.press(name)

    def button(self, words, place=0):
        """Click a widget's button, by its words or its tooltip."""
        buttons = self.page.locator(
            f"button.jupyter-button:has-text('{words}'), button[title='{words}'], button[title^='{words} (']"
        )
        self.click(buttons.locator("visible=true").nth(place))

    def forget(self):
        self.page.evaluate("() => { window.watch.paints.length = window.watch.inputs.length = 0; }")

    def expect_paint(self):
        """Wait for a canvas to be repainted and return the milliseconds since the input."""
        self.wait_for("() => window.watch.paints.length")
        return self.page.evaluate("() => window.watch.paints[0] - (window.watch.inputs[0] ?? window.watch.paints[0])")

    def wait_until_quiet(self, milliseconds=400):
        """Wait until no canvas has been repainted for some milliseconds."""
        self.wait_for("quiet => performance.now() - (window.watch.paints.at(-1) ?? 0) > quiet", milliseconds)

    def text(self):
        """Return the visible text of the page."""
        return self.page.locator("body").inner_text()

    def status(self, number):
        """Return the text of a status line."""
        return self.page.locator(".crashlab-status [role=status]").nth(number).inner_text()

    def expect(self, what, expected):
        """Wait until a function returns the expected value, as texts may appear after the picture."""
        end, waits = time.monotonic() + PATIENCE, chain(LOOKS, repeat(LOOKS[-1]))
        while (actual := what()) != expected and time.monotonic() < end:
            self.page.wait_for_timeout(next(waits))
        assert actual == expected, (actual, self.errors)

    def expect_colours(self, number, most, every=101):
        """Wait until a canvas is painted, so that it shows more than `most` colours."""
        self.expect(lambda: (seen := self.colours(number, every)) > most or f"canvas {number}: {seen} colours", True)

    def take(self, text, number=0):
        """Click a visible line of a list of choices, the first with this text or a later one."""
        self.click(self.page.locator(f".crashlab-choices button:has-text({text!r}) >> visible=true").nth(number))

    def expect_status(self, number, words):
        """Wait until a status line contains these words."""
        self.expect(lambda: words in self.status(number) or self.status(number), True)

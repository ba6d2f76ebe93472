"""Firefox, driven by WebDriver BiDi over a socket, for which the browser of Debian suffices.

    with Firefox(program, folder) as firefox:
        page = firefox.open("https://...")
        page.click("button", "Play")
        page.press("ArrowRight")
        page.expect(lambda: page.find(".count"), ["1 / 9"])

Functions are JavaScript; their arguments and results are JSON. A page's frames are also pages.
"""

import json
import re
import subprocess
import time
from base64 import b64decode

import websocket
from patience import PATIENCE

LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
LOOK = 0.1  # seconds between two checks of a condition
KEYS = {
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
}
# Settings that prevent questions to the user and show a page as on a screen.
SETTINGS = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.aboutConfig.showWarning": False,
    "extensions.update.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "full-screen-api.warning.timeout": 0,
    "full-screen-api.transition-duration.enter": "0 0",
    "full-screen-api.transition-duration.leave": "0 0",
}
# The visible elements of a selector with these words in their text, title or label, shadow roots included.
# A selector after ">>" is applied within the elements of the selector before it.
FIND = """(path, words = '') => {
  const within = (root, selector) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap(part => (part.shadowRoot ? within(part.shadowRoot, selector) : [])),
  ];
  const step = (roots, selector) => roots.flatMap(root => within(root, selector));
  const names = part => [part.innerText, part.title, part.getAttribute('aria-label')];
  const isNamed = part => names(part).some(said => said?.includes(words));
  return path.split(' >> ').reduce(step, [document]).filter(part => part.checkVisibility() && isNamed(part));
}"""
# The point of an element at these shares of its width and height, once it is in view and at rest.
SPOT = """async (selector, words, x, y) => {
  const [target] = window.findThings(selector, words);
  const place = () => target.getBoundingClientRect();
  const frame = () => new Promise(go => setTimeout(go, 50));
  target.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
  for (let last = null; JSON.stringify(place()) !== last; await frame()) last = JSON.stringify(place());
  const box = place();
  return [box.left + box.width * x, box.top + box.height * y];
}"""


class Firefox:
    """A headless Firefox with its profile in a folder."""

    def __init__(self, program, folder):
        profile = folder / "profile"
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items()]
        (profile / "user.js").write_text("\n".join(lines))
        self.log = folder / "firefox.log"
        options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([program, *options], stdout=log, stderr=subprocess.STDOUT)
        self.socket = None
        self.asked = 0
        self.pages = {}  # by context
        self.errors, self.requests = [], []  # those of pages not opened here

    def __enter__(self):
        try:
            address = self._address()
            self.socket = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def _address(self):
        end = time.monotonic() + PATIENCE
        while not (match := LISTENS.search(self.log.read_bytes())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"Firefox did not start:\n{self.log.read_text()}")
            time.sleep(LOOK)
        return match[1].decode()

    def __exit__(self, *error):
        if self.socket:
            self.socket.close()
        self.process.terminate()
        self.process.wait(PATIENCE)

    def ask(self, method, **what):
        """Send a command and return its result, noting the events that arrive meanwhile."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": what}))
        while (message := json.loads(self.socket.recv())).get("id") != self.asked:
            self._note(message)
        assert message["type"] == "success", f"{method}: {message['error']}: {message['message']}"
        return message["result"]

    def _note(self, message):
        if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
            page = self.pages.get(message["params"]["source"].get("context"))
            (page or self).errors.append(message["params"]["text"])
        elif message.get("method") == "network.beforeRequestSent":
            page = self.pages.get(message["params"]["context"])
            (page or self).requests.append(message["params"]["request"]["url"])

    def open(self, address, width=1280, height=800):
        """Open a page of this size and wait until it has loaded."""
        context = self.ask("browsingContext.create", type="tab")["context"]
        page = self.pages[context] = Page(self, context, [], [])
        self.ask("browsingContext.setViewport", context=context, viewport={"width": width, "height": height})
        self.ask("browsingContext.navigate", context=context, url=address, wait="complete")
        return page


class Page:
    """A page or one of its frames, with the errors in its console and the addresses that it requested."""

    def __init__(self, firefox, context, errors, requests):
        self.firefox, self.context, self.errors, self.requests = firefox, context, errors, requests

    def js(self, function, *args):
        """Call a function in the page and return its result."""
        call = f"return JSON.stringify(await ({function})(...{json.dumps(args)})) ?? 'null'"
        call = f"(async () => {{ window.findThings ??= {FIND}; {call}; }})()"
        how = {"awaitPromise": True, "userActivation": True}
        reply = self.firefox.ask("script.evaluate", expression=call, target={"context": self.context}, **how)
        assert reply["type"] == "success", reply["exceptionDetails"]["text"]
        return json.loads(reply["result"]["value"])

    def wait_for(self, function, *args):
        """Wait until a function returns a true value, and return that."""
        end = time.monotonic() + PATIENCE
        while (result := self.js(function, *args)) in (None, False, 0, ""):  # an element is {}
            assert time.monotonic() < end, f"never true: {function} {args}"
            time.sleep(LOOK)
        return result

    def expect(self, what, expected):
        """Wait until a Python function returns the expected value."""
        end = time.monotonic() + PATIENCE
        while (actual := what()) != expected and time.monotonic() < end:
            time.sleep(LOOK)
        assert actual == expected

    def find(self, selector, words=""):
        """Return the texts of the elements with this selector and these words."""
        look = "(selector, words) => window.findThings(selector, words).map(part => part.innerText)"
        return self.js(look, selector, words)

    def click(self, selector, words="", x=0.5, y=0.5):
        """Click an element as soon as it exists, at these shares of its width and height."""
        self.expect(lambda: bool(self.find(selector, words)), True)
        left, top = self.js(SPOT, selector, words, x, y)
        moves = [{"type": "pointerMove", "x": round(left), "y": round(top)}]
        moves += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._perform("pointer", moves)

    def press(self, key):
        self._perform("key", [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")])

    def _perform(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.firefox.ask("input.performActions", context=self.context, actions=[source])

    def frames(self):
        """Return the frames of the page in order."""
        (tree,) = self.firefox.ask("browsingContext.getTree", root=self.context)["contexts"]
        return [Page(self.firefox, frame["context"], self.errors, self.requests) for frame in tree["children"]]

    def screenshot(self, path):
        data = self.firefox.ask("browsingContext.captureScreenshot", context=self.context)["data"]
        path.write_bytes(b64decode(data))

    def close(self):
        self.firefox.ask("browsingContext.close", context=self.context)

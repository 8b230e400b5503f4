"""A journey in Firefox without a connection: `PYTHONPATH=. python -m soak.firefox`, where Firefox is installed.

In each game: download the app, play against the strongest computer by clicks, close the browser, open it again, replay,
analyse, and upload the game when there is a connection. Chromium does the same in `tests/web/test_walk.py`. Firefox is
driven by Marionette, its own protocol, which needs no driver.
"""

import argparse
import base64
import json
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import mchezo
from mchezo.core.record import Record
from tests.local.pyodide import require_runtime
from tests.web.proxy import Proxy
from tests.web.records import first_choices
from tests.web.serving import serving

COMMANDS = ("firefox-esr", "firefox")
LEVEL = 8
PATIENCE = 120.0  # seconds for what a page has to do
LONG = 1_800.0  # seconds for the analysis of a whole game
PRESSES = 3_000  # in one game
SETTINGS = {"speed": 0, "confirm": "never", "sound": False, "advanced": True, "named": True}
PREFERENCES = {
    "browser.download.folderList": 2,  # the folder named in browser.download.dir
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.locale.requested": "en-US",
    "browser.tabs.remote.autostart": True,
    "toolkit.startup.max_resumed_crashes": -1,
}
# Return something to press, "over", or "waiting", as in tests/web/player.py.
FIND = """
const visible = (element) => element.getClientRects().length > 0;
if (document.querySelector("a[href$='/record']")) return "over";
const targets = [...document.querySelectorAll("svg.board [data-place].open:not([aria-pressed])")];
const buttons = [...document.querySelectorAll(
  ".play .primary:enabled, .play .helper:enabled, .play .paper:enabled, .play .animal:enabled")].filter(visible);
const all = [...targets, ...buttons];
return all[Math.floor(arguments[0] * all.length)] ?? "waiting";
"""
# Where an element is seen, and nothing before it; null if that is nowhere.
SEEN = """
const [element] = arguments;
element.scrollIntoView({ block: "center", inline: "center" });
const box = element.getBoundingClientRect();
for (const [across, down] of [[0.5, 0.5], [0.3, 0.3], [0.7, 0.3], [0.3, 0.7], [0.7, 0.7], [0.1, 0.5], [0.9, 0.5]]) {
  const [x, y] = [box.x + across * box.width, box.y + down * box.height].map(Math.round);
  if (element.contains(document.elementFromPoint(x, y))) return [x, y];
}
return null;
"""
BUTTON = """
const [name, inside] = arguments;
const found = [...document.querySelectorAll(`${inside} button, ${inside} a`)];
return found.find((one) => one.innerText.trim().startsWith(name) && one.getClientRects().length) ?? null;
"""


def installed() -> str | None:
    """Return the path of Firefox."""
    return next(filter(None, map(shutil.which, COMMANDS)), None)


class Failed(Exception):
    """Firefox refuses a command, or something does not happen."""


class Firefox:
    """A browser with a profile, and its connection."""

    def __init__(self, profile: Path) -> None:
        command = installed()
        assert command is not None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        preferences = {
            **PREFERENCES,
            "marionette.port": port,
            "browser.download.dir": str(profile / "downloads"),
        }
        profile.mkdir(exist_ok=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (profile / "user.js").write_text("\n".join(lines))
        arguments = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        self.process = subprocess.Popen(
            [command, *arguments, "--profile", str(profile)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.connection = self.connect(port)
        self.read()  # its greeting
        self.session = self.do("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
        self.do("WebDriver:SetTimeouts", {"script": 1000 * int(LONG), "pageLoad": 1000 * int(PATIENCE)})

    def connect(self, port: int) -> socket.socket:
        """Return the connection, once the browser listens."""
        for _ in self.attempts(PATIENCE, "Firefox does not listen"):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=LONG)
            except ConnectionRefusedError:
                assert self.process.poll() is None, "Firefox has stopped"
        raise AssertionError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.do("Marionette:Quit", {"flags": ["eForceQuit"]})  # else it asks about downloads that have just ended
        self.connection.close()
        self.process.wait(PATIENCE)

    @property
    def version(self) -> str:
        """The browser's name and version."""
        found = self.session["capabilities"]
        return f"{found['browserName']} {found['browserVersion']}"

    @staticmethod
    def attempts(seconds: float, otherwise: str) -> Iterator[None]:
        """Yield again and again, with pauses; fail in the end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            yield
            time.sleep(0.05)
        raise Failed(otherwise)

    def do(self, name: str, parameters: dict[str, Any] | None = None) -> Any:
        """Carry out a command; return its result."""
        self.number += 1
        data = json.dumps([0, self.number, name, parameters or {}]).encode()
        self.connection.sendall(b"%d:%s" % (len(data), data))
        _, number, error, result = self.read()
        assert number == self.number
        if error:
            raise Failed(f"{name}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def read(self) -> Any:
        """Return the next message: its length, a colon, JSON."""
        length = b""
        while (character := self.connection.recv(1)) != b":":
            assert character, "the connection has ended"
            length += character
        data = b""
        while len(data) < int(length):
            data += self.connection.recv(int(length) - len(data))
        return json.loads(data)

    def run(self, script: str, *arguments: object) -> Any:
        """Run the body of a function in the page; return what it returns."""
        return self.do("WebDriver:ExecuteScript", {"script": script, "args": arguments})

    def wait(self, script: str, *arguments: object, seconds: float = PATIENCE) -> Any:
        """Wait until a function returns something true in the page; return that."""
        for _ in self.attempts(seconds, f"it does not happen: {script} {arguments}"):
            if found := self.run(script, *arguments):
                return found

    def go(self, address: str) -> None:
        """Open an address."""
        self.do("WebDriver:Navigate", {"url": address})

    def set_offline(self, offline: bool) -> None:
        """Cut the browser off, or connect it, as its menu "Work offline" does."""
        self.do("Marionette:SetContext", {"value": "chrome"})
        self.run("Services.io.offline = arguments[0]", offline)
        self.do("Marionette:SetContext", {"value": "content"})
        assert self.run("return navigator.onLine") is not offline

    def click(self, element: dict[str, str]) -> bool:
        """Press where an element is seen; return whether it is."""
        place = self.run(SEEN, element)
        if place is None:
            return False
        x, y = place
        actions = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.do("WebDriver:PerformActions", {"actions": [source]})
        return True

    def press(self, name: str, inside: str = "body") -> None:
        """Press the button or link whose name begins like this."""
        assert self.click(self.wait(BUTTON, name, inside)), f"{name} cannot be seen"

    def press_key(self, key: str) -> None:
        """Press a key."""
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.do("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def first(self, selector: str) -> dict[str, str]:
        """Return the first element of this kind, once there is one."""
        found: dict[str, str] = self.wait("return document.querySelector(arguments[0])", selector)
        return found

    def picture(self, path: Path) -> None:
        """Save a picture of what is seen."""
        path.write_bytes(base64.b64decode(self.do("WebDriver:TakeScreenshot", {"full": False})))


def play(firefox: Firefox, seed: int) -> int:
    """Press until the game is over; return the number of presses."""
    dice = random.Random(seed)
    pressed = 0
    for _ in firefox.attempts(LONG, "the game does not end"):
        try:
            found = firefox.run(FIND, dice.random())
            if found == "over":
                return pressed
            pressed += found != "waiting" and firefox.click(found)
        except Failed as error:
            if "stale element" not in str(error):  # it has been redrawn
                raise
        assert pressed < PRESSES, "the game does not end"
    raise AssertionError


def download(firefox: Firefox, profile: Path) -> Record:
    """Return the record of the finished game on this page."""
    folder = profile / "downloads"
    firefox.press("Download game")
    for _ in firefox.attempts(PATIENCE, "no file was downloaded"):
        files = [path for path in folder.glob("*") if path.suffix != ".part" and path.stat().st_size]
        if files:
            return Record.parse(files[0].read_text("utf-8"))
    raise AssertionError


@contextmanager
def online(line: Proxy, database: Path) -> Iterator[None]:
    """Run a server behind the line."""
    with serving(database) as address:
        line.server = "127.0.0.1", int(address.rpartition(":")[2])
        yield


def journey(game: str, folder: Path, pictures: Path | None) -> str:
    """Make the journey with a game; return what happened."""
    profile, database = folder / "profile", folder / "tables.db"
    line = Proxy("http://127.0.0.1:0")

    def look(name: str) -> None:
        if pictures is not None:
            firefox.picture(pictures / f"firefox-{game}-{name}.png")

    with online(line, database), Firefox(profile) as firefox:
        version = firefox.version
        firefox.go(f"{line.address}/settings")
        settings = json.dumps({**SETTINGS, "levels": {game: LEVEL}})
        firefox.run("localStorage.mchezo = arguments[0]", settings)
        firefox.go(f"{line.address}/settings")
        firefox.press("Download", "section:has(#offline)")
        firefox.wait(BUTTON, "Remove", "section:has(#offline)")
    with Firefox(profile) as firefox:  # the server has stopped, and the browser was closed
        firefox.set_offline(True)
        firefox.go(f"{line.address}/")
        firefox.click(firefox.first(f"[data-game={game}] button.primary"))
        firefox.wait("return location.pathname.startsWith('/t/L')")
        firefox.first("svg.board")
        look("start")
        pressed = play(firefox, seed=1)
        firefox.first("[role=region][aria-label=Result], section[aria-label=Result]")
        id = str(firefox.run("return location.pathname")).rpartition("/")[2]
        look("end")
        record = download(firefox, profile)
        seats = len(record.replay().seats)
        assert record.replay().outcome is not None
    with Firefox(profile) as firefox:
        firefox.set_offline(True)
        firefox.go(f"{line.address}/")
        assert "On this device" in firefox.wait("return document.querySelector('.tables li')?.innerText")
        firefox.go(f"{line.address}/replay/{id}")
        firefox.first("svg.board")
        firefox.press_key("\ue011")  # Home
        engine = "section[aria-label=Engine]"
        firefox.click(firefox.first(f"{engine} [role=switch]"))
        lines = min(3, first_choices(record))
        firefox.wait(f"return document.querySelectorAll('{engine} li').length === arguments[0]", lines, seconds=LONG)
        look("engine")
        firefox.click(firefox.first(f"{engine} [role=switch]"))
        firefox.press("Analyse")
        counted = "return document.querySelectorAll('section[aria-label=Analysis] tbody tr').length === arguments[0]"
        firefox.wait(counted, seats, seconds=LONG)
        look("analysis")
        firefox.set_offline(False)
        with online(line, database):
            firefox.go(f"{line.address}/t/{id}")
            firefox.press("Upload")
            firefox.press("Upload", "dialog")
            firefox.wait(r"return /^\/replay\/\w{12}$/.test(location.pathname)")
            firefox.first("svg.board")
            look("uploaded")
            path = str(firefox.run("return location.pathname")).replace("/replay/", "/api/tables/") + "/record"
            uploaded = Record.parse(firefox.run("return fetch(arguments[0]).then((answer) => answer.text())", path))
    line.close()
    assert (uploaded.options, uploaded.moves, uploaded.outcome) == (record.options, record.moves, record.outcome)
    return f"{version}: {game}: {len(record.moves)} moves, {pressed} clicks, {record.outcome}"


def main() -> None:
    """Make the journey with each game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=mchezo.games())
    parser.add_argument("--pictures", type=Path, help="a folder for what was seen")
    asked = parser.parse_args()
    if installed() is None:
        print("Firefox is not installed.")
        return
    require_runtime()
    for game in asked.games:
        with tempfile.TemporaryDirectory() as folder:
            print(journey(game, Path(folder), asked.pictures), flush=True)


if __name__ == "__main__":
    main()

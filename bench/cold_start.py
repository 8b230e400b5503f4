"""Cold start: `python bench/cold_start.py [WHEEL]`, by default the newest in dist/ (`make wheel`).

Installs the wheel into an empty virtual environment, without Numba. For every game it starts `mchezo` with an empty
home and measures the seconds from the command to the first move of the weakest and the strongest computer player, on
the wall and of the server's processor time: on a busy machine only the latter says something.
"""

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
GAMES = ("katarenga", "kiwara", "kitara")
LEVELS = (1, 8)
STARTING = 503
PROVE = "import sys, importlib.util as util; sys.exit(any(map(util.find_spec, ('numba', 'llvmlite'))))"


def install(wheel: Path, folder: Path) -> Path:
    """Make a virtual environment with the wheel; return the folder of its commands."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), str(wheel)], check=True)
    subprocess.run([str(python), "-c", PROVE], check=True)
    return folder / "bin"


def ask(address: str, body: Any = None, token: str = "") -> Any:
    """Return the answer of the server, once it has started."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != STARTING:
                raise
            time.sleep(0.01)


def first_answer(process: subprocess.Popen[bytes], address: str) -> str:
    """Wait until the server answers; return a token."""
    while True:
        try:
            return str(ask(f"{address}/api/tokens", {"name": "Ada"})["token"])
        except urllib.error.URLError:
            if process.poll() is not None:
                raise RuntimeError("the server has stopped") from None
            time.sleep(0.01)


def play(tables: str, token: str, game: str, level: int) -> None:
    """Play against a computer until it has moved."""
    seats = [{"kind": "computer", "level": level}, {"kind": "you"}]
    table = f"{tables}/{ask(tables, {'game': game, 'seats': seats, 'lot': False}, token)['id']}"
    number = -1
    while True:
        news = ask(f"{table}/news?after={number}&wait=25", token=token)
        seen = news["table"]
        number = seen["number"]
        if any(event["key"] == "moved" and event.get("seat") == 0 for event in news["events"]):
            return
        if seen["legal"]:  # the second seat may have to choose first
            move = {"type": "move", "id": str(number), "decision": seen["decision"], "moves": seen["legal"][:1]}
            ask(f"{table}/commands", move, token)


def first_move(commands: Path, game: str, level: int, home: Path) -> tuple[float, float]:
    """Return the seconds to the computer's first move, and those of processor time that the server took in all."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [str(commands / "mchezo"), "serve", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            token = first_answer(process, address)
            play(f"{address}/api/tables", token, game, level)
            seconds = time.perf_counter() - began
        finally:
            process.terminate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


def main() -> None:
    """Print the seconds for every game."""
    wheels = [Path(given) for given in sys.argv[1:]] or sorted((ROOT / "dist").glob("*.whl"), key=os.path.getmtime)
    if not wheels:
        sys.exit("There is no wheel in dist/; `make wheel` builds it.")
    wheel = wheels[-1]
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    with tempfile.TemporaryDirectory() as folder:
        commands = install(wheel, Path(folder) / "environment")
        for game in GAMES:
            for level in LEVELS:
                home = Path(folder) / f"{game}-{level}"
                home.mkdir()
                seconds, busy = first_move(commands, game, level, home)
                print(f"{game}, level {level}: {seconds:.2f} s to the first move, {busy:.2f} s of processor time")


if __name__ == "__main__":
    main()

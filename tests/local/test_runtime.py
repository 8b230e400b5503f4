"""Python for the browser: complete, small, made of the sources as they are."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import msgspec
import pytest

from mchezo.core.words import LANGUAGES
from mchezo.local import bundle, content, runtime
from mchezo.server.transport import precache
from tests.build.modules import needs_libraries
from tests.local.pyodide import in_pyodide, require_runtime

pytestmark = needs_libraries

LIMIT = 7_000_000  # bytes in all
OURS = 2_200_000  # without Pyodide's own three files


@pytest.fixture(scope="module")
def index() -> runtime.Index:
    require_runtime()
    found = runtime.read_index()
    assert found is not None
    return found


def read(index: runtime.Index, name: str) -> bytes:
    return (runtime.BUILT / index.version / name).read_bytes()


def test_every_file_has_its_size_and_hash(index: runtime.Index) -> None:
    assert runtime.is_current()
    for name, size in index.files.items():
        data = read(index, name)
        assert len(data) == size
        assert precache.integrity(data) == index.hashes[name]
    assert sum(index.files.values()) < LIMIT
    assert sum(size for name, size in index.files.items() if "py" not in name and name != "interpreter.bin") < OURS


def test_all_of_our_files_are_there_as_bytecode_without_sources(index: runtime.Index) -> None:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(read(index, "mchezo.bin")))) as archive:
        names = set(archive.getnames())
    expected = {f"mchezo/{path.as_posix()}" for path in bundle.members()}
    assert {name.replace(".py", ".pyc") if name.endswith(".py") else name for name in expected} <= names
    library = zipfile.ZipFile(io.BytesIO(gzip.decompress(read(index, "library.bin")))).namelist()
    assert not [name for name in [*names, *library] if name.endswith(".py")]
    assert {"json/__init__.pyc", "typing.pyc"} <= set(library)
    assert not [name for name in library if name.startswith(("unittest/", "tkinter/", "pydoc", "idlelib/"))]


def test_texts_are_those_of_the_server(index: runtime.Index) -> None:
    for language in LANGUAGES:
        answers = msgspec.json.decode(gzip.decompress(read(index, f"content-{language}.bin")))
        assert msgspec.json.encode(answers) == msgspec.json.encode(msgspec.json.decode(content.written(language)))
        assert answers[f"/api/rules/kiwara?lang={language}"]["language"] == language
        assert len(answers["/api/games"]) == 3


def test_every_module_can_be_imported(index: runtime.Index, tmp_path: Path) -> None:
    runtime.unpack(runtime.BUILT, tmp_path)
    (tmp_path / "importing.py").write_text(
        "import importlib, pkgutil, mchezo\n"
        "def all():\n"
        "    names = [module.name for module in pkgutil.walk_packages(mchezo.__path__, 'mchezo.')]\n"
        "    return len([importlib.import_module(name) for name in names])\n"
    )
    modules = [path for path in bundle.members() if path.suffix == ".py"]
    found = in_pyodide(tmp_path, "importing", "all", files=[tmp_path / "importing.py"])
    assert found == len(modules) - 1  # all but mchezo itself

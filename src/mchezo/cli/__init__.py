"""The command `mchezo`."""

from mchezo.cli.app import main

__all__ = ["main"]

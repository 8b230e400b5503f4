"""Failures at one table: they are logged, and the others are not affected."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from mchezo.core.errors import UserError

LOG = logging.getLogger("mchezo.server")


@contextmanager
def logged_failure(what: str, table: str) -> Iterator[None]:
    """Log why work on one table failed, so that the other tables are not affected."""
    try:
        yield
    except UserError as error:  # the rules of its game are still being compiled, or it was set aside
        LOG.info(what, extra={"table": table, "reason": str(error)})
    except Exception:
        LOG.exception(what, extra={"table": table})

"""Decoding JSON of clients: every body and every WebSocket message passes through `decode`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from litestar import Request

from mchezo.server.errors import TableError

MAX_DEPTH = 32  # arrays and objects within each other
JSON_TYPE = "application/json"
# A string, to its end or that of the text, or a bracket. It never backtracks: the time is linear.
STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)


@cache
def decoder(type: Any) -> Callable[[bytes], Any]:  # noqa: A002, as msgspec calls it
    """Return a function that decodes JSON as a type; it refuses what is something else, or nested too deeply."""
    read = msgspec.json.Decoder(type).decode

    def decode_as_type(data: bytes) -> Any:
        if nests_deeply(data):
            raise TableError("bad-request", "nested", most=MAX_DEPTH)
        try:
            return read(data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:  # the first includes ValidationError
            raise TableError("bad-request", "bad-request", reason=str(error)[:500]) from error

    return decode_as_type


def decode(body: bytes | str, type: Any = Any) -> Any:  # noqa: A002, as msgspec calls it
    """Decode JSON as a type; refuse what is not JSON, of another type, or nested too deeply."""
    return decoder(type)(body.encode() if isinstance(body, str) else body)


def nests_deeply(data: bytes) -> bool:
    """Return whether arrays and objects are nested deeper than MAX_DEPTH."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for match in STRING_OR_BRACKET.finditer(data):
        found = match[0]
        if found in (b"[", b"{"):
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif found in (b"]", b"}"):
            depth -= 1
    return False


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body is JSON, sent as JSON."""

    async def json(self) -> Any:
        """Return the decoded body."""
        # Other sites can send text/plain and forms without the browser asking us first.
        if self.content_type[0] != JSON_TYPE:
            raise TableError("media-type", "media-type")
        return decode(await self.body())

"""Documents that are the same for everybody: made in a thread when first asked for, and compressed once."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Callable, Mapping

from litestar import Response


class Document:
    """A document that does not change while the server runs."""

    def __init__(self, make: Callable[[], bytes], media_type: str) -> None:
        self.make = make
        self.media_type = media_type
        self.lock = threading.Lock()
        self.made: tuple[bytes, bytes] | None = None  # plain, and compressed

    async def answer(self, headers: Mapping[str, str]) -> Response[bytes]:
        """Return the document, compressed if the client understands that."""
        made = self.made
        if made is None:
            made = await asyncio.to_thread(self._make_once)
        plain, compressed = made
        added = {"Vary": "Accept-Encoding"}
        if "gzip" not in headers.get("accept-encoding", ""):
            return Response(plain, media_type=self.media_type, headers=added)
        return Response(compressed, media_type=self.media_type, headers={**added, "Content-Encoding": "gzip"})

    def _make_once(self) -> tuple[bytes, bytes]:
        with self.lock:
            if self.made is None:
                plain = self.make()
                self.made = plain, gzip.compress(plain)
            return self.made

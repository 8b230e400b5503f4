"""One coverage-guided fuzzing harness per kind of input: `python -m soak.fuzz.harness records -max_total_time=60`.

Needs Atheris. `soak/fuzz/run.py` runs all harnesses. An input is a failure if anything but one of our own errors comes
out; libFuzzer also ends an input that takes too much memory or time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import atheris

with atheris.instrument_imports(include=["mchezo.core", "mchezo.games", "mchezo.server", "tomllib"]):
    import mchezo
    from mchezo.core.errors import UserError
    from mchezo.core.record import Record
    from mchezo.server import messages
    from mchezo.server.errors import error_message
    from mchezo.server.transport import untrusted
    from mchezo.server.transport.decoding import decode

MAX_BYTES = 4_096


def text_of(data: bytes) -> str:
    """Return text as a client could send it in JSON: without lone surrogates."""
    return data.decode("utf-8", errors="replace")


def read_record(data: bytes) -> None:
    """Parse a client's record, write it again, and replay it with its pack."""
    record, pack = untrusted.read_record(text_of(data))
    written = str(record)
    assert str(Record.parse(written)) == written
    if pack is None and "pack" not in record.options:
        record.replay()


def read_pack(data: bytes) -> None:
    """Read a pack, start games with it, and draw them."""
    pack = untrusted.read_pack(text_of(data))
    for players in pack.maps:
        for deck in pack.decks:
            position = mchezo.game("kitara").start(pack=pack, players=players, deck=deck, seed=1)
            position.play(position.legal_moves[0])
            position.svg()


def read_position(data: bytes) -> None:
    """Start the games from a written position."""
    game = ("katarenga", "kiwara")[data[:1] == b"k"]
    options = untrusted.startable_options(game, {"position": text_of(data[1:])})
    position = mchezo.game(game).start(seed=1, **options)
    if position.outcome is None:
        position.play(position.legal_moves[0])


def read_message(data: bytes) -> None:
    """Decode messages of the WebSocket and bodies of HTTP."""
    for kind in (messages.FromClient, messages.CreateTable, messages.CheckSetup, messages.UploadRecord):
        try:
            message = decode(data, kind)
        except UserError as error:
            messages.encode(error_message(error, "en"))
            continue
        if isinstance(message, messages.CreateTable):
            untrusted.check_options(message.game, message.options)


HARNESSES: dict[str, Callable[[bytes], None]] = {
    "records": read_record,
    "packs": read_pack,
    "positions": read_position,
    "messages": read_message,
}


def main() -> None:
    """Run the harness that the first argument names; the others are for libFuzzer."""
    harness = HARNESSES[sys.argv.pop(1)]

    def attempt(data: bytes) -> None:
        try:
            harness(data)
        except UserError as error:
            messages.encode(error_message(error, "de"))

    atheris.Setup([*sys.argv, f"-max_len={MAX_BYTES}", "-rss_limit_mb=2048", "-timeout=60"], attempt)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Hostile packs, options and messages over HTTP and in messages: bounded before they are parsed, refused in words."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mchezo.core.errors import InvalidSetup, UserError
from mchezo.core.words import LANGUAGES
from mchezo.server import messages
from mchezo.server.domain.creation import MAX_RECORD_MOVES
from mchezo.server.errors import MAX_ARGUMENT, MAX_SENTENCE, TableError, error_message
from mchezo.server.transport import untrusted
from mchezo.server.transport.decoding import decode
from tests.core.costs import assert_linear, peak_of
from tests.core.hostile import ANYTHING, mutated
from tests.rotation import examples
from tests.server.records import error
from tests.server.serving import Client

DOTS = "a" + ".a" * 6_000 + " = 1\n"  # without bounds 144 MB, and 13 GB for the largest pack
SEATS = [{"kind": "you"}] * 2
KINDS = (
    messages.FromClient,
    messages.CreateTable,
    messages.CheckSetup,
    messages.CheckPack,
    messages.Vary,
    messages.TournamentPlan,
    messages.TournamentCommands,
)
VALID = [
    json.dumps(message)
    for message in (
        {"type": "move", "id": "a", "decision": 2, "moves": ["turn0"], "seat": 1},
        {"type": "try", "decision": 1, "moves": ["a1-b2"], "previews": True},
        {"type": "pong", "at": 1_700_000_000_000},
        {"type": "add-computer", "level": 3},
        {"name": "Open", "format": "arena", "game": "kiwara", "clock": {"milliseconds": 60_000}, "minutes": 30},
        {
            "game": "kiwara",
            "seats": [{"kind": "you"}, {"kind": "computer", "level": 3}],
            "options": {"handicap": [0, 1]},
        },
        {"options": {"pack": "name = 1\n", "players": 3}},
        {"text": "name = 1\n"},
        {"at": 3, "moves": ["a1-b2"], "whose": "all"},
    )
]


def test_a_pack_of_thousands_of_dots_is_refused_wherever_packs_are_taken(ada: Client) -> None:
    options = {"pack": DOTS}
    for path, body in (
        ("/api/packs/check", {"text": DOTS}),
        ("/api/games/kitara/setup", {"options": options}),
        ("/api/tables", {"game": "kitara", "seats": SEATS, "options": options}),
    ):
        answer = ada.http.post(path, json=body)
        assert error(answer) == (400, "pack-bound-parts")
        assert "dots" in answer.json()["words"]


@pytest.mark.parametrize("text", [DOTS, f"[{DOTS[:-5]}]\n", "a = " + "[" * 140_000, "[a.b.c.d]\n" * 14_000])
def test_reading_a_hostile_pack_takes_little_memory(text: str) -> None:
    assert peak_of(lambda: untrusted.read_pack(text)) < 20_000_000


def test_the_worst_pack_within_the_bounds_takes_a_bounded_amount_of_memory() -> None:
    # Every header creates as many tables as its parts.
    worst = "".join(f"[a{number}.b.c.d]\n" for number in range(7_999))
    assert peak_of(lambda: untrusted.read_pack(worst)) < 60_000_000


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"board": "R" * 501}, "option-large"),
        ({"board": list(range(17))}, "option-elements"),
        ({"board": [[["R"]]]}, "option-elements"),
        ({"board": ["R" * 501]}, "option-large"),
        ({"position": "8" * 200_000}, "option-large"),
    ],
)
def test_large_options_are_refused_before_a_game_sees_them(options: dict[str, Any], key: str) -> None:
    with pytest.raises(TableError) as refused:
        untrusted.check_options("katarenga", options)
    assert refused.value.key == key
    assert all(refused.value.say(language) for language in LANGUAGES)


def test_a_record_with_large_options_is_refused() -> None:
    with pytest.raises(TableError, match="too long"):
        untrusted.read_record(f'[Game "katarenga"]\n[Rules "1"]\n[position "{"8" * 501}"]\n')


def test_a_table_does_not_continue_a_record_of_too_many_moves(ada: Client) -> None:
    record = '[Game "katarenga"]\n[Rules "1"]\n\n' + "a1-a2 " * (MAX_RECORD_MOVES + 1)
    answer = ada.http.post("/api/tables", json={"game": "katarenga", "seats": SEATS, "record": record})
    assert error(answer) == (413, "record-moves")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (messages.FromClient, {"type": "pong", "at": 2**60}),
        (messages.FromClient, {"type": "move", "id": "a", "decision": 1, "moves": ["a1"] * 65}),
        (messages.FromClient, {"type": "move", "id": "a" * 65, "decision": 1, "moves": ["a1"]}),
        (messages.FromClient, {"type": "try", "decision": 1, "moves": ["a" * 41]}),
        (messages.CheckSetup, {"options": {f"o{number}": 1 for number in range(21)}}),
        (messages.CheckPack, {"text": "x" * 200_001}),
        (messages.NameMe, {"name": "x" * 41}),
        (messages.UploadRecord, {"record": "x" * 200_001}),
    ],
)
def test_messages_have_bounded_parts(kind: Any, message: dict[str, Any]) -> None:
    with pytest.raises(TableError) as refused:
        decode(json.dumps(message), kind)
    assert refused.value.code == "bad-request"


def test_every_text_and_list_that_a_client_may_send_has_a_maximum() -> None:
    """Only options, which `check_options` bounds, are free."""
    requests = [
        kind for kind in vars(messages).values() if isinstance(kind, type) and issubclass(kind, messages.Request)
    ]
    _, definitions = msgspec.json.schema_components(requests)
    unbounded = []

    def visit(schema: Any, where: str) -> None:
        for part in schema.get("anyOf", []):
            visit(part, where)
        for name, part in schema.get("properties", {}).items():
            visit(part, f"{where}.{name}")
        if schema.get("type") == "array":
            visit(schema["items"], where)
        bounds = {"string": "maxLength", "array": "maxItems", "integer": "maximum", "object": "maxProperties"}
        kind = schema.get("type")
        fixed = "pattern" in schema or "enum" in schema or "properties" in schema
        bounded = {bounds.get(kind), f"exclusive{bounds.get(kind, '').capitalize()}"}
        if kind in bounds and not bounded & schema.keys() and not fixed:
            unbounded.append(where)

    for name, schema in definitions.items():
        visit(schema, name)
    assert unbounded == []


def test_an_error_does_not_send_back_a_large_text() -> None:
    refused = error_message(InvalidSetup("unknown-option", option="x", name="n" * 10**6, game="g", allowed="a"), "en")
    assert len(refused.words) == MAX_SENTENCE
    assert len(str(refused.told.arguments["name"])) == MAX_ARGUMENT


@given(
    body=mutated(VALID) | st.lists(ANYTHING, max_size=30).map("".join) | st.binary(max_size=60),
    kind=st.sampled_from(KINDS),
)
@settings(max_examples=examples(4_000, shares=8))
def test_a_hostile_message_is_decoded_or_refused_in_words(body: str | bytes, kind: Any) -> None:
    try:
        message = decode(body, kind)
        if isinstance(message, messages.CheckSetup | messages.CreateTable):
            untrusted.check_options("kiwara", message.options)
    except UserError as refused:
        messages.encode(error_message(refused, "fr"))


@pytest.mark.parametrize("piece", ["[", "{", '"', '\\"', '"\\', "[],", '{"a":', "1", '"a",', "}", "]["])
def test_decoding_takes_linear_work_and_memory(piece: str) -> None:
    def parse(text: str) -> None:
        try:
            decode(text)
        except TableError:
            return

    assert_linear(parse, lambda size: piece * size, 500)
    assert_linear(parse, lambda size: f'["{piece * size}', 500)

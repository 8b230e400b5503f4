"""Hostile requests and frames, generated from the API's schema."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

from tests.server.serving import PATIENCE, Client

WORDS = st.sampled_from(
    [
        "type",
        "id",
        "move",
        "moves",
        "decision",
        "try",
        "hint",
        "pong",
        "at",
        "seat",
        "previews",
        "ask",
        "what",
        "draw",
        "join",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=5),
    max_leaves=8,
)


def frames() -> st.SearchStrategy[str | bytes]:
    """Generate frames of all kinds: bytes, broken JSON, and JSON that is almost a message."""
    near = st.fixed_dictionaries(
        {"type": st.sampled_from(["move", "try", "hint", "pong", "touch", "ask", "answer", "nothing"])},
        optional={
            "id": VALUES,
            "decision": st.integers(10_000, 10**20) | VALUES,
            "moves": st.lists(st.text(max_size=50), max_size=70) | VALUES,
            "seat": VALUES,
            "what": st.sampled_from(["takeback", "rematch", "nothing"]) | VALUES,
            "place": VALUES,
            "at": VALUES,
            "level": VALUES,
        },
    )
    broken = st.text(max_size=200) | st.just("{" * 5_000) | st.just("[" * 5_000) | st.just('{"type":"move"')
    return st.binary(max_size=200) | broken | (near | VALUES).map(json.dumps)


@dataclass
class Outcome:
    """What the requests led to."""

    cases: int = 0
    answers: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def attack_api(address: str, client: Client, examples: int) -> Outcome:
    """Send generated requests, valid and invalid ones, to each operation of the API; collect the failures."""
    schema = schemathesis.openapi.from_url(f"http://{address}/schema/openapi.json")
    outcome = Outcome()
    headers = {"Origin": f"http://{address}", "Cookie": f"mchezo={client.http.cookies['mchezo']}"}
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), "the description of the API is broken"
        operation = result.ok()
        for mode in modes:
            attack(operation, mode, headers, f"http://{address}", examples, outcome)
    return outcome


def attack(
    operation: Any,
    mode: schemathesis.GenerationMode,
    headers: dict[str, str],
    base: str,
    examples: int,
    outcome: Outcome,
) -> None:
    """Send requests to one operation."""

    @seed(secrets.randbits(64))  # without a seed Hypothesis fails where nothing invalid can be generated
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case: Any) -> None:
        if case.query:
            case.query.pop("wait", None)  # a long poll would only wait
        answer = case.call(base_url=base, headers=headers, timeout=PATIENCE)
        outcome.cases += 1
        outcome.answers[answer.status_code] += 1
        if answer.status_code >= 500 and answer.status_code != 503:
            outcome.failures.append(f"{case.method} {case.path}: {answer.status_code} {answer.content[:300]!r}")

    try:
        one()
    except Exception as error:
        if "Unsatisfiable" not in type(error).__name__:
            raise

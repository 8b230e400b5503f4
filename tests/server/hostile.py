"""Requests and frames that nobody should send, generated from the API's own description."""

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

from tests.server.serving import Client

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
    """Frames of all kinds: bytes, broken JSON, and JSON that nearly is a message."""
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
class Course:
    """What came of it."""

    cases: int = 0
    answers: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def press_api(address: str, client: Client, examples: int) -> Course:
    """So many generated requests for each operation of the API, good and bad ones, and how often we failed."""
    schema = schemathesis.openapi.from_url(f"http://{address}/schema/openapi.json")
    course = Course()
    headers = {"Origin": f"http://{address}", "Cookie": f"mchezo={client.http.cookies['mchezo']}"}
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), "the description of the API is broken"
        operation = result.ok()
        for mode in modes:
            press(operation, mode, headers, f"http://{address}", examples, course)
    return course


def press(
    operation: Any,
    mode: schemathesis.GenerationMode,
    headers: dict[str, str],
    base: str,
    examples: int,
    course: Course,
) -> None:
    """One operation."""

    @seed(secrets.randbits(64))  # without it Hypothesis calls it a failure where nothing bad can be made up
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
            case.query.pop("wait", None)  # it would only wait
        answer = case.call(base_url=base, headers=headers, timeout=30)
        course.cases += 1
        course.answers[answer.status_code] += 1
        if answer.status_code >= 500 and answer.status_code != 503:
            course.failures.append(f"{case.method} {case.path}: {answer.status_code} {answer.content[:300]!r}")

    try:
        one()
    except Exception as error:
        if "Unsatisfiable" not in type(error).__name__:
            raise

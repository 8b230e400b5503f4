"""Records: every game survives writing and reading; everything else is refused with its line and the reason."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from mchezo import InvalidRecord, Record

KATARENGA = mchezo.game("katarenga")
VARIANTS = ("katarenga", "congress", "quebec", "isolation")


def random_game(seed: int, variant: str = "katarenga", most: int = 1_000) -> mchezo.Position:
    generator = random.Random(seed)
    position = KATARENGA.start(seed=mchezo.new_seed() if seed % 2 else seed, variant=variant)
    while position.outcome is None and len(position.moves) < most:
        position.play(generator.choice(position.legal_moves))
    return position


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_random_game_round_trips(variant: str) -> None:
    for seed in range(25):
        position = random_game(seed, variant, most=40 if seed % 5 == 0 else 1_000)
        record = position.record()
        read = Record.parse(str(record))
        assert read == record
        assert str(read) == str(record)
        again = read.replay()
        assert again.moves == position.moves
        assert again.outcome == position.outcome
        assert again.view() == position.view()
        assert read.verify() == (1 if position.outcome else None)


def test_the_seed_is_told_only_when_the_game_is_over_and_its_hash_from_the_start() -> None:
    position = KATARENGA.start()
    record = position.record()
    assert record.seed is None
    assert record.seed_hash == position.seed.hash
    assert position.seed.hex not in str(record)


def test_the_hash_of_a_seed_that_can_be_guessed_is_not_published() -> None:
    assert KATARENGA.start(seed=7).record().seed_hash is None


def test_comments_tags_and_line_breaks_are_kept() -> None:
    record = replace(
        random_game(3).record(), tags={"Event": 'The "Cup" \\ 2026', "Seat0": "Zoë"}, comments={0: "hello", 5: "good"}
    )
    read = Record.parse(str(record))
    assert read == record
    assert max(map(len, str(record).splitlines())) <= 200
    assert read.replay().moves == list(record.moves)


def test_a_game_ended_at_the_table_is_in_order_though_its_position_goes_on() -> None:
    record = replace(random_game(4, most=10).record(), outcome=mchezo.Outcome((0,), (1.0, 0.0), "resignation"))
    assert Record.parse(str(record)).replay().outcome is None


GOOD = """[Game "katarenga"]
[Rules "1"]
[board "BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB"]

1. a1-a2 2. a8-a7
3. a2-a3
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ('[Game "katarenga"]\n', "", 1, "record-tag-missing"),
        ('[Rules "1"]\n', "", 1, "record-tag-missing"),
        ('[Rules "1"]', '[Rules "one"]', 2, "record-rules-number"),
        ('[Rules "1"]', '[Rules "99"]', 2, "record-rules"),
        ('[Rules "1"]', "[Rules 1]", 2, "record-tag"),
        ('[Rules "1"]', '[Game "katarenga"]', 2, "record-tag-twice"),
        ('"katarenga"', '"chess"', 1, "unknown-game"),
        ("BBBBBBBB/", "BBBXBBBB/", 3, "board-letter"),
        ("[board", "[bored", 3, "unknown-option"),
        ("a8-a7", "a8-a6", 5, "way-B"),
        ("a2-a3", "a2=a3", 6, "unreadable"),
        ("a2-a3", "{ a2-a3", 6, "record-comment"),
        ("a2-a3", "a2-a3 }", 6, "record-comment"),
        ("\n\n1.", '\n[Reason "both-camps"]\n\n1.', 4, "record-outcome-tags"),
        ("\n\n1.", '\n[Winners "x"]\n[Scores "1 0"]\n[Reason "y"]\n\n1.', 4, "record-winners"),
        ("\n\n1.", '\n[Winners "0"]\n[Scores "1 nan"]\n[Reason "y"]\n\n1.', 5, "record-scores"),
        ("\n\n1.", '\n[Winners "0"]\n[Scores "1 0"]\n[Reason "both-camps"]\n\n1.', 6, "record-outcome"),
    ],
)
def test_a_broken_record_is_refused_with_line_and_reason(old: str, new: str, line: int, key: str) -> None:
    Record.parse(GOOD).replay()
    with pytest.raises(InvalidRecord) as refused:
        Record.parse(GOOD.replace(old, new, 1)).replay()
    error = refused.value
    assert error.line == line
    assert key == (error.cause.key if error.cause else error.key)
    assert str(error).startswith(f"Line {line}: ")
    for language in ("de", "fr", "nl"):
        assert error.say(language)


def test_a_record_that_does_not_follow_from_its_seed_is_refused() -> None:
    record = random_game(2).record()
    assert record.verify() == 1
    other = KATARENGA.start(seed=99).options["board"]
    with pytest.raises(InvalidRecord):
        replace(record, options={**record.options, "board": other}).verify()
    assert record.seed is not None
    with pytest.raises(InvalidRecord) as refused:
        replace(record, seed="0" * 63 + "5").verify()
    assert refused.value.key == "record-not-dealt"
    with pytest.raises(InvalidRecord) as refused:
        replace(record, seed_hash="0" * 64).verify()
    assert refused.value.key == "record-seed-hash"


SEEDS = [str(random_game(seed, variant, most=60).record()) for seed, variant in enumerate(VARIANTS * 2)]
PIECES = st.sampled_from(
    ["[", "]", '"', "{", "}", "\\", "/", "x", "-", "@", " ", "\n", "9", "é", "\0", "1.", '[a "b"]\n']
)


@settings(max_examples=7_000, deadline=None)
@given(
    text=st.sampled_from(SEEDS),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), PIECES), min_size=1, max_size=4),
)
def test_seven_thousand_mutated_records_never_meet_anything_but_a_refusal(
    text: str, edits: list[tuple[float, int, str]]
) -> None:
    for place, cut, piece in edits:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + cut :]
    try:
        Record.parse(text).replay()
    except mchezo.Refusal as refusal:
        assert str(refusal)  # noqa: PT017, a refusal is one of the two good ends


@settings(max_examples=3_000, deadline=None)
@given(
    position=st.one_of(
        st.text("wb12345678/-ah. ", max_size=60),
        st.tuples(
            st.text("wb./12345678", min_size=1, max_size=8), st.sampled_from("wb"), st.text("ah-", max_size=2)
        ).map(lambda parts: f"{parts[0]}/8/8/8/8/8/8/w6w {parts[1]} {parts[2] or '-'} -"),
    ),
    variant=st.sampled_from(VARIANTS),
)
def test_three_thousand_mutated_positions_never_meet_anything_but_a_refusal(position: str, variant: str) -> None:
    try:
        started = KATARENGA.start(board="B" * 64, position=position, variant=variant)
    except mchezo.InvalidSetup as refusal:
        assert str(refusal)  # noqa: PT017, a refusal is one of the two good ends
    else:
        again = KATARENGA.start(board="B" * 64, position=started.view()["position"], variant=variant)
        assert again.view() == started.view()

"""Records: every game survives writing and reading; everything else is refused with its line and the reason."""

import random
from dataclasses import replace
from functools import cache
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from mchezo import InvalidRecord, Record
from mchezo.games.katarenga import structs
from tests.games.kitara.positions import with_hidden_token
from tests.rotation import examples

KATARENGA = mchezo.game("katarenga")
VARIANTS = structs.VARIANTS


def random_game(seed: int, variant: str = "katarenga", most: int = 1_000) -> mchezo.Position:
    position = KATARENGA.start(seed=mchezo.new_seed() if seed % 2 else seed, variant=variant)
    return play_on(position, random.Random(seed), most)


def other_games() -> list[mchezo.Position]:
    """Return games of Kiwara and Kitara: finished and unfinished, with seeded and with manual chance."""
    games = []
    for number in range(8):
        generator = random.Random(number)
        seed, most = (mchezo.new_seed(), 1_000) if number % 2 else (number, 60)
        chance: Literal["seed", "manual"] = "manual" if number in (4, 5) else "seed"
        kiwara = mchezo.game("kiwara").start(seed=seed, chance=chance, reinforcement="pile", board="free")
        kitara = mchezo.game("kitara").start(seed=seed, chance=chance, players=2 + number % 3)
        games += [play_on(kiwara, generator, most), play_on(kitara, generator, most)]
    return games


def play_on(position: mchezo.Position, generator: random.Random, most: int) -> mchezo.Position:
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


def test_games_of_the_other_kinds_round_trip_and_a_replayed_game_gives_its_own_record_again() -> None:
    for position in [*other_games(), random_game(1), random_game(2, most=20)]:
        record = position.record()
        read = Record.parse(str(record))
        assert read == record
        again = read.replay()
        assert again.record() == record
        assert again.view(0) == position.view(0)
        if position.outcome and not position.manual:
            assert read.verify() == position.draws + len(position.drawn)
        else:
            assert record.seed is None
            assert read.verify() is None
        if position.manual:
            assert record.seed_hash is None


def test_a_replayed_game_that_goes_on_keeps_its_tags_and_claims_no_seed() -> None:
    record = replace(random_game(3, most=10).record(), tags={"Event": "Friday"})
    position = Record.parse(str(record)).replay()
    position.draw_from_seed()
    position.play(position.legal_moves[0])
    assert position.record().tags == {"Event": "Friday"}
    assert position.record().seed_hash is None
    assert position.record().moves[:10] == record.moves


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
    assert max(len(line) for line in str(record).splitlines() if not line.startswith("[")) <= 100
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


@pytest.mark.parametrize(
    ("winners", "scores", "reason", "key"),
    [
        ("7", "1 0", "resignation", "outcome-seats"),
        ("0 0", "1 0", "resignation", "outcome-seats"),
        ("0", "1", "resignation", "outcome-seats"),
        ("", "0 0", "resignation", "outcome-reason"),
        ("0", "1 0", "agreement", "outcome-reason"),
    ],
)
def test_an_end_at_the_table_must_be_possible(winners: str, scores: str, reason: str, key: str) -> None:
    tags = f'[Winners "{winners}"]\n[Scores "{scores}"]\n[Reason "{reason}"]'
    with pytest.raises(InvalidRecord) as refused:
        Record.parse(GOOD.replace("\n\n1.", f"\n{tags}\n\n1.", 1)).replay()
    assert refused.value.cause is not None
    assert refused.value.cause.key == key


@pytest.mark.parametrize("drawn", [("board", "board"), ("variant",)])
def test_what_a_record_claims_to_be_drawn_must_have_been(drawn: tuple[str, ...]) -> None:
    record = random_game(2).record()
    record.verify()
    with pytest.raises(InvalidRecord):
        replace(record, drawn=drawn).verify()


def test_a_record_with_hidden_outcomes_cannot_be_replayed_and_says_why() -> None:
    position = with_hidden_token()
    with pytest.raises(InvalidRecord) as refused:
        Record.parse(str(position.public_record())).replay()
    assert refused.value.key == "record-hidden"


@pytest.mark.parametrize(
    "wrong", [{"tags": {"My Tag": "x"}}, {"tags": {"Game": "x"}}, {"comments": {0: "a } b"}}, {"comments": {99: "x"}}]
)
def test_a_record_that_could_not_be_read_back_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecord):
        replace(random_game(4, most=10).record(), **wrong)


def test_a_record_may_begin_with_a_byte_order_mark_and_has_nothing_that_a_terminal_obeys() -> None:
    read = Record.parse("\ufeff" + GOOD.replace("1. a1-a2", "{\x1b]0;x\x07 hi} 1. a1-a2"))
    assert read.comments == {0: "]0;x hi"}
    read.replay()


def test_a_very_long_record_is_refused_at_once() -> None:
    with pytest.raises(InvalidRecord) as refused:
        Record.parse(GOOD + "a1-a2 " * 200_000)
    assert refused.value.key == "record-long"


@cache
def short_records() -> list[str]:
    """Return records of all games, to mutate."""
    return [
        *(str(random_game(seed, variant, most=60).record()) for seed, variant in enumerate(VARIANTS * 2)),
        *(str(game.record()) for game in other_games() if len(game.moves) < 100),
    ]


PIECES = st.sampled_from(
    ["[", "]", '"', "{", "}", "\\", "/", "x", "-", "@", " ", "\n", "9", "é", "\0", "1.", '[a "b"]\n']
)


@settings(max_examples=examples(7_000, shares=12))
@given(
    text=st.deferred(lambda: st.sampled_from(short_records())),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), PIECES), min_size=1, max_size=4),
)
def test_mutated_records_never_meet_anything_but_a_refusal(text: str, edits: list[tuple[float, int, str]]) -> None:
    for place, cut, piece in edits:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + cut :]
    try:
        Record.parse(text).replay()
    except mchezo.UserError as error:
        assert str(error)  # noqa: PT017, a refusal is one of the two good ends


@settings(max_examples=examples(3_000, shares=6))
@given(
    position=st.one_of(
        st.text("wb12345678/-ah. ", max_size=60),
        st.tuples(
            st.text("wb./12345678", min_size=1, max_size=8), st.sampled_from("wb"), st.text("ah-", max_size=2)
        ).map(lambda parts: f"{parts[0]}/8/8/8/8/8/8/w6w {parts[1]} {parts[2] or '-'} -"),
    ),
    variant=st.sampled_from(VARIANTS),
)
def test_mutated_positions_never_meet_anything_but_a_refusal(position: str, variant: str) -> None:
    try:
        started = KATARENGA.start(board="B" * 64, position=position, variant=variant)
    except mchezo.InvalidSetup as error:
        assert str(error)  # noqa: PT017, a refusal is one of the two good ends
    else:
        again = KATARENGA.start(board="B" * 64, position=started.view()["position"], variant=variant)
        assert again.view() == started.view()

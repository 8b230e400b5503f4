"""Kiwara in records and in a series."""

import random

import mchezo

KIWARA = mchezo.game("kiwara")
CARDS = ["okapi", "boa", "baboon", "vulture", "rhinoceros", "porcupine", "wildebeest", "hyena", "warthog", "giraffe"]


def play_out(position: mchezo.Position, seed: int) -> None:
    generator = random.Random(seed)
    while position.outcome is None:
        position.play(generator.choice(position.legal_moves))


def test_games_with_drawn_boards_and_cards_can_be_checked_against_their_seed() -> None:
    for seed in range(12):
        options = {"board": "free" if seed % 2 else "classic", "reinforcement": "pile", "handicap": (seed % 2, 2)}
        position = KIWARA.start(seed=mchezo.new_seed(), **options)  # type: ignore[arg-type]  # options
        play_out(position, seed)
        record = mchezo.Record.parse(str(position.record()))
        assert record.replay().view() == position.view()
        draws = sum(move.startswith("=") for move in position.moves) + len(record.drawn)
        assert record.verify() == draws > 2


def test_a_card_of_the_pile_appears_in_record_and_view_only_once_it_is_drawn() -> None:
    position = KIWARA.start(seed=3, reinforcement="pile")
    generator = random.Random(3)
    while "=" not in "".join(position.moves):
        told, view = str(position.record()), position.view()
        assert not [card for card in CARDS if card in told]
        assert (view["cards"], view["used"], view["drawn"], view["pile"]) == ([[], []], [], [], 10)
        position.play(generator.choice(position.legal_moves))
    assert any(position.view()["cards"])


def test_with_swap_the_handicap_stays_with_its_player() -> None:
    series = KIWARA.series(seed=1, swap=True, handicap=(0, 2))
    assert series.players == (0, 1)
    series.end(mchezo.Outcome((0,), (1.0, 0.0), "resignation"))
    following = series.next()
    assert series.players == (1, 0)
    assert following.options["handicap"] == (1, 2)

"""The length of a game of Kitara: the 7, 9 and 7 turns of the rulebook, the end of the deck, the last round."""

import pytest

import mchezo
from mchezo.core.position import Position
from mchezo.games.kitara.components import PRINTED_TURNS, turns_each
from tests.games.kitara.positions import GAME, play, start, to_start


def drafts(position: Position) -> list[tuple[int, int]]:
    """Return the seat and round of every draft in a game that always plays the first legal move."""
    made = []
    while position.outcome is None:
        view = position.view()
        if view["decision"] == "draft":
            made.append((view["round"], view["turn"]))
        position.play(position.legal_moves[0] if view["decision"] != "move" else ".")
    return made


@pytest.mark.parametrize("deck", ["blue", "red"])
@pytest.mark.parametrize(("players", "turns"), [(2, 7), (3, 9), (4, 7)])
def test_every_player_has_the_printed_number_of_turns(players: int, turns: int, deck: str) -> None:
    position = GAME.start(players=players, deck=deck, seed=1)
    assert drafts(position) == [(number, seat) for number in range(1, turns + 1) for seat in range(players)]
    assert PRINTED_TURNS[players] == turns


@pytest.mark.parametrize(("players", "turns"), [(2, 6), (3, 8), (4, 6)])
def test_the_short_game_has_one_turn_fewer(players: int, turns: int) -> None:
    assert len(drafts(GAME.start(players=players, turns="6/8", seed=1))) == players * turns


def test_the_printed_turns_mean_27_to_29_cards_in_ages_1_to_4() -> None:
    assert [early for early in range(48) if {n: turns_each(early, n) for n in PRINTED_TURNS} == PRINTED_TURNS] == [
        27,
        28,
        29,
    ]


@pytest.mark.parametrize("early", range(4, 20))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_arithmetic_agrees_with_the_game(early: int, players: int) -> None:
    ages = (" ".join(["M1"] * (early - 3)), "M1", "M1", "M1", " ".join(["M1"] * 12))
    starts, links = "a f e d", "a-b b-c c-d d-e e-f c-r d-s"
    position = start(players, ages=ages, starts=starts, links=links, starting_card="D1")
    position.manual = False
    position._play_chance()
    assert len(drafts(position)) == players * turns_each(early, players)


@pytest.mark.parametrize(("players", "turns_before"), [(2, 12), (3, 25), (4, 25)])
def test_the_deck_is_empty_after_draft_26_or_with_two_players_in_turn_13(players: int, turns_before: int) -> None:
    position = GAME.start(players=players, seed=2)
    made = 0
    while position.view()["deck_left"]:
        view = position.view()
        made += view["decision"] == "draft"
        position.play(position.legal_moves[0] if view["decision"] != "move" else ".")
    assert made == turns_before + 1


def test_once_the_deck_is_empty_the_row_shrinks_and_the_game_continues() -> None:
    position = GAME.start(players=4, seed=3)
    rows = []
    while position.outcome is None:
        view = position.view()
        if view["decision"] == "draft":
            rows.append(len(view["row"]))
        position.play(position.legal_moves[0] if view["decision"] != "move" else ".")
    assert rows == [6] * 27 + [5]


def test_an_age_5_card_in_the_draft_makes_the_next_round_the_last() -> None:
    ages = ("M1N M1N M1N M1N", "M1N", "M1N", "M1N", "M1N M1N M1N M1N")
    position = start(players=3, starts="a f e", ages=ages, starting_card="D2W3M2N")
    play(to_start(position, "1.1 1.2 1.3 1.4 2.1 3.1", "a f e"), "+1.1 =4.1 . +1.2")
    assert position.view()["last_round"] is None
    play(position, "=5.1")
    assert (position.view()["round"], position.view()["last_round"]) == (1, 2)
    play(position, ". +1.3 =5.2 . +1.4 =5.3 . +2.1 =5.4 . +3.1")
    assert position.outcome is None
    play(position, ".")
    assert position.outcome is not None


def test_with_two_players_an_age_5_card_revealed_at_the_end_of_a_turn_counts_as_well() -> None:
    ages = ("M1N M1N M1N M1N", "M1N", "M1N", "M1N", "M1N M1N M1N M1N")
    position = to_start(start(ages=ages, starting_card="D2W3M2N"), "1.1 1.2 1.3 1.4 2.1 3.1", "a f")
    play(position, "+1.1 =4.1 .")
    assert position.view()["last_round"] is None
    assert position.legal_moves == ["=5.1", "=5.2", "=5.3", "=5.4"]
    play(position, "=5.1")
    assert position.view()["last_round"] == 2


def test_an_age_5_card_in_the_first_row_makes_the_second_round_the_last() -> None:
    position = to_start(start(ages=("M1", "M1", "M1", "M1", "M1 M1 M1")), "1.1 2.1 3.1 4.1 5.1 5.2", "a f")
    assert position.view()["last_round"] == 2


def test_a_deck_smaller_than_the_row_is_dealt_completely() -> None:
    position = to_start(start(ages=("M1", "M1", "M1", "M1", "M1")), "1.1 2.1 3.1 4.1 5.1", "a f")
    assert position.view()["row"] == ["1.1", "2.1", "3.1", "4.1", "5.1"]


def test_the_short_game_divides_the_same_cards_into_other_ages() -> None:
    full, short = (mchezo.game("kitara").start(turns=turns, chance="manual") for turns in ("7/9", "6/8"))
    assert full.legal_moves == [f"=1.{place}" for place in range(1, 8)]
    assert short.legal_moves == [f"=1.{place}" for place in range(1, 7)]
    play(short, "=1.1 =1.2 =1.3 =1.4 =1.5 =1.6 @a1 @b1 +1.1")
    assert short.legal_moves[0] == "=2.1"
    play(short, "=2.1")
    assert short.view()["cards"]["2.1"] == "W1H1M1V1"  # the seventh card listed

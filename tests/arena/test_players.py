"""Players by name."""

import hashlib
from importlib.resources import files

import pytest

import mchezo
from mchezo.arena import players
from mchezo.arena.former import former_levels
from mchezo.arena.opponents import FlatMonteCarlo, Greedy
from mchezo.arena.players import Kind, find
from mchezo.core.errors import UserError
from mchezo.core.words import LANGUAGES
from mchezo.search.players import Player

WEIGHTS_2026_11 = "096eeb2587ab75a0"  # of all games together


@pytest.mark.parametrize(
    ("text", "name"),
    [("random", "random"), ("alphabeta", "alphabeta:3"), ("flat:20", "flat:20"), ("planner", "planner:200")],
)
def test_a_name_is_completed_with_the_usual_number(text: str, name: str) -> None:
    assert find(text, "kitara").name == name


def test_every_game_gets_a_player_of_its_own() -> None:
    found = find("flat:20", "kiwara", nodes=7)
    assert isinstance(found.make(), FlatMonteCarlo)
    assert found.make() is not found.make()
    assert found.nodes == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deepblue", "no player deepblue"),
        ("alphabeta:0", "from 1 to 12"),
        ("flat:many", "how many random games"),
        ("random:3", "no number"),
        ("level:9", "from 1 to 8"),
        ("level", "the level"),
        ("", "no player"),
    ],
)
def test_names_of_nobody_are_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as refused:
        find(text, "katarenga")
    assert all(refused.value.say(language) for language in LANGUAGES)


def test_players_from_elsewhere_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "KINDS", dict(players.KINDS))
    players.register("mine", Kind("mchezo.arena.opponents:Greedy"))
    players.register("lost", Kind("mchezo_that_is_not_there:Player"))
    assert isinstance(find("mine", "kiwara").make(), Greedy)
    with pytest.raises(UserError, match="not installed"):
        find("lost", "kiwara")


def test_a_level_is_asked_for_by_game_and_number_and_may_get_a_part_of_its_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def player(game: str, level: int, share: float) -> Greedy:
        asked.append((game, level, share))
        return Greedy()

    monkeypatch.setattr(mchezo, "player", player, raising=False)
    found = find("level:5", "kiwara", part=0.1)
    assert (found.name, found.nodes, found.seconds) == ("level:5", None, None)
    assert isinstance(found.make(), Greedy)
    find("level:8", "kitara", seconds=1.0).make()
    assert asked == [("kiwara", 5, 0.1), ("kitara", 8, 1.0)]
    assert find("level:8", "kitara", seconds=1.0).seconds == 1.0


def test_the_former_level_8_plays_without_a_network_and_with_its_budget() -> None:
    budgets = {"katarenga": 76_000, "kiwara": 100_000, "kitara": 300_000}
    for game, nodes in budgets.items():
        made = find("level8-2026-11", game, part=0.1).make()
        assert isinstance(made, Player)
        assert (made.nodes, made.facts.network) == (nodes, False)
    with pytest.raises(UserError, match="no player"):
        find("level8-2026-11", "breakthrough")


def test_the_former_level_8_has_the_weights_that_it_had() -> None:
    # A change of weights.toml changes this player, too: then its weights have to be kept beside it.
    texts = [
        (files(f"mchezo.games.{game}") / "weights.toml").read_bytes() for game in former_levels()["level8-2026-11"]
    ]
    assert hashlib.sha256(b"".join(texts)).hexdigest()[:16] == WEIGHTS_2026_11

"""From the start options of Kitara to a checked setup and the first state."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidSetup
from mchezo.core.options import Option, Start, one_of
from mchezo.core.structs import Structs
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import DECKS, KINDS, PAWNS_EACH, PLAYERS, TURNS, Pack
from mchezo.games.kitara.pack import IN_USE, INCLUDED, SHIPPED, Material, check_recorded, digest_of, find, id_of, select
from mchezo.games.kitara.words import WORDS


def read_players(text: str) -> object:
    """Parse a number of players from a record; anything else is returned for `prepare` to reject."""
    return int(text) if re.fullmatch("[0-9]", text) else text


OPTIONS = (
    Option("players", 2, read=read_players, values=PLAYERS),
    Option("deck", "blue", values=DECKS),
    Option("pack", SHIPPED, read_record=check_recorded),
    Option("turns", "7/9", values=TURNS),
)


def prepare(given: Mapping[str, Any], seed: Seed) -> Start:
    """Check the options and set up the game."""
    options = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    players = options["players"]
    if type(players) is not int or players not in PLAYERS:
        allowed = ", ".join(map(str, PLAYERS))
        raise InvalidSetup("not-one-of", option="players", given=players, allowed=allowed)
    deck = one_of("deck", options["deck"], DECKS)
    turns = one_of("turns", options["turns"], TURNS)
    pack = find(options["pack"])
    options["pack"] = id_of(pack)
    if players not in pack.maps:
        allowed = ", ".join(map(str, pack.maps))
        raise InvalidSetup("no-map", WORDS, option="players", pack=pack.name, given=players, allowed=allowed)
    if deck not in pack.decks:
        allowed = ", ".join(pack.decks)
        raise InvalidSetup("no-deck", WORDS, option="deck", pack=pack.name, given=deck, allowed=allowed)
    if turns != "7/9" and options["pack"] not in INCLUDED:
        raise InvalidSetup("turns-of-pack", WORDS, option="turns", pack=pack.name)
    setups = lay_out(pack, players, deck, turns).copy()
    return Start(setups, first_state(setups[0]), options, keeps=pack)


def material_of(setup: Any) -> Material:
    """Return the map and the cards of a setup."""
    pack = IN_USE[setup.pack.tobytes()]
    return select(pack, int(setup.players), DECKS[setup.deck], TURNS[setup.turns])


@lru_cache(maxsize=64)
def lay_out(pack: Pack, players: int, deck: str, turns: str) -> Structs:
    """Return the setup of a game."""
    material = select(pack, players, deck, turns)
    setups = np.zeros(1, structs.SETUP)
    setup = setups[0]
    setup.pack = np.frombuffer(digest_of(pack), np.int8)
    setup.players, setup.deck, setup.turns = players, DECKS.index(deck), TURNS.index(turns)
    setup.tokens = pack.tokens
    spaces = material.map.spaces
    setup.spaces = len(spaces)
    for number, space in enumerate(spaces):
        setup.kind[number] = KINDS.index(space.kind)
        setup.start[number] = space.start
        setup.border_count[number] = len(space.borders)
        setup.borders[number, : len(space.borders)] = [material.space_numbers[border] for border in space.borders]
        for other, distance in material.map.distances(space.id).items():
            setup.distance[number, material.space_numbers[other]] = distance
    setup.cards = len(material.cards) - 1
    setup.age[1 : len(material.cards)] = [age for age, cards in enumerate(material.ages, start=1) for _ in cards]
    for number, card in enumerate(material.cards):
        setup.draft[number] = card.draft
        setup.pawns[number] = card.pawns
        setup.moves[number] = card.moves
        setup.prosperity[number] = card.prosperity
        setup.marked[number] = card.marked
    return setups


def first_state(setup: Any) -> Structs:
    """Return the first state: all cards in the deck, all tokens in the bag, a starting card in each kingdom."""
    states = np.zeros(1, structs.STATE)
    state = states[0]
    state.phase = structs.DEALING
    state.round_number = 1
    state.unseen = (1 << int(setup.cards) + 1) - 2
    state.bag = setup.tokens
    state.crossing = structs.NOWHERE
    state.retreating = structs.NOBODY
    state.supply[: setup.players] = PAWNS_EACH
    state.kingdom_count[: setup.players] = 1
    return states

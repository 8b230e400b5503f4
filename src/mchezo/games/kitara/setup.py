"""From the start options of Kitara to a checked setup and the first state."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mchezo.core import arrays
from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidSetup
from mchezo.core.options import Option, Start, one_of
from mchezo.core.structs import Structs, plain
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import (
    ALONE,
    ALONE_NAMES,
    DECKS,
    DIFFICULTIES,
    KINDS,
    PAWNS_EACH,
    PLAYERS,
    SCENARIOS,
    SEAT_NAMES,
    TURNS,
    Pack,
)
from mchezo.games.kitara.pack import IN_USE, INCLUDED, SHIPPED, Material, check_recorded, digest_of, find, id_of, select
from mchezo.games.kitara.words import WORDS


def read_number(text: str) -> object:
    """Parse a digit from a record; anything else is returned for `prepare` to reject."""
    return int(text) if re.fullmatch("[0-9]", text) else text


OPTIONS = (
    Option("players", 2, read=read_number, values=(ALONE, *PLAYERS)),
    Option("deck", "blue", values=DECKS),
    Option("pack", SHIPPED, read_record=check_recorded),
    Option("turns", "7/9", values=TURNS),
    Option("rival", 2, read=read_number, values=tuple(DIFFICULTIES)),
    Option("scenario", "open", values=tuple(SCENARIOS)),
)


def seat_names(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the seats."""
    return ALONE_NAMES if options["players"] == ALONE else SEAT_NAMES[: options["players"]]


def rivals(options: Mapping[str, Any]) -> int:
    """Return how many seats, the last ones, the rules play."""
    return int(options["players"] == ALONE)


def prepare(given: Mapping[str, Any], seed: Seed) -> Start:
    """Check the options and set up the game."""
    options = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    alone = number_of("players", options, (ALONE, *PLAYERS)) == ALONE
    players = 2 if alone else options["players"]
    rival = number_of("rival", options, tuple(DIFFICULTIES))
    scenario = one_of("scenario", options["scenario"], tuple(SCENARIOS))
    for option in OPTIONS:
        if not alone and option.name in ("rival", "scenario") and options[option.name] != option.default:
            raise InvalidSetup("only-alone", WORDS, option=option.name, name=option.name)
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
    if alone:
        add_rival(setups[0], rival, scenario)
    return Start(setups, first_state(setups[0]), options, keeps=pack)


def number_of(option: str, options: Mapping[str, Any], allowed: tuple[int, ...]) -> int:
    """Return the number given for an option, or raise an error that lists the allowed ones."""
    given = options[option]
    if type(given) is int and given in allowed:
        return given
    raise InvalidSetup("not-one-of", option=option, given=given, allowed=", ".join(map(str, allowed)))


def add_rival(setup: Any, rival: int, scenario: str) -> None:
    """Add the rival of a player who plays alone; its deck takes of an age what there is."""
    difficulty, special = DIFFICULTIES[rival], SCENARIOS[scenario]
    ages = [
        age
        for place, age in enumerate(difficulty.ages)
        if difficulty.ages[:place].count(age) < setup.age.tolist().count(age)
    ]
    setup.rival, setup.scenario, setup.wish = rival, list(SCENARIOS).index(scenario), special.wish
    setup.rival_cards, setup.rival_ages[: len(ages)] = len(ages), ages
    setup.rival_pawns = special.pawns
    setup.first_points[:2] = difficulty.yours, difficulty.points + special.points


def material_of(setup: Any) -> Material:
    """Return the map and the cards of a setup."""
    found: Material = plain(setup).derive(find_material)
    return found


def find_material(setup: Any) -> Material:
    """Return the map and the cards of a setup; a Plain keeps them."""
    return material(bytes(number & 0xFF for number in setup.pack), setup.players, setup.deck, setup.turns)


@lru_cache(maxsize=64)
def material(digest: bytes, players: int, deck: int, turns: int) -> Material:
    """Return the map and the cards of a pack in use; to hash a digest is much faster than to hash a pack."""
    return select(IN_USE[digest], players, DECKS[deck], TURNS[turns])


@lru_cache(maxsize=64)
def lay_out(pack: Pack, players: int, deck: str, turns: str) -> Structs:
    """Return the setup of a game."""
    material = select(pack, players, deck, turns)
    setups = arrays.zeros(1, structs.SETUP)
    setup = setups[0]
    setup.pack = list(memoryview(digest_of(pack)).cast("b"))
    setup.players, setup.deck, setup.turns = players, DECKS.index(deck), TURNS.index(turns)
    setup.tokens = pack.tokens
    spaces = material.map.spaces
    setup.spaces = len(spaces)
    for number, space in enumerate(spaces):
        kind = KINDS.index(space.kind)
        setup.kind[number] = kind
        setup.start[number] = space.start
        setup.seen_map[kind * structs.SPACES + number] = 1.0
        setup.seen_map[structs.KINDS * structs.SPACES + number] = float(space.start)
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
        symbols = (card.draft, card.moves, card.prosperity, not card.marked)
        setup.sums[number] = sum(int(count) << at * structs.SUM_BITS for at, count in enumerate(symbols))
    return setups


def first_state(setup: Any) -> Structs:
    """Return the first state: all cards in the deck, all tokens in the bag, a starting card in each kingdom."""
    states = arrays.zeros(1, structs.STATE)
    state = states[0]
    state.phase = structs.DEALING
    state.round_number = 1
    state.unseen = (1 << int(setup.cards) + 1) - 2
    state.bag = setup.tokens
    state.crossing = structs.NOWHERE
    state.retreating = structs.NOBODY
    state.rival = structs.RIVAL if setup.rival else structs.NOBODY
    state.points = setup.first_points
    state.supply[: setup.players] = PAWNS_EACH
    state.kingdom_count[: setup.players] = 1
    return states

"""The view of a seat of Kitara: the whole state except the values of the other seats' hero tokens."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from mchezo.core.structs import plain
from mchezo.games.kitara import legal, rival, rules, structs
from mchezo.games.kitara.components import DECKS, PAWNS, SCENARIOS, TURNS, VALUES
from mchezo.games.kitara.pack import Material
from mchezo.games.kitara.setup import material_of

MAX_SHOWN = 4096  # cards as they lay open, kept for each map and deck

SCENARIO_NAMES = tuple(SCENARIOS)

# By phase
DECISIONS = (
    "card",
    "start",
    "draft",
    "card",
    "recruit",
    "move",
    "pawns",
    "token",
    "retreat",
    "discard",
    "remove",
    "card",
    None,
)
IN_MOVES = (structs.MOVING, structs.CHOOSING_PAWNS, structs.DRAWING_TOKEN, structs.RETREATING)
IN_CROSSING = IN_MOVES[1:]
IN_ATTACK = IN_CROSSING[1:]
IN_MANAGE = (structs.DISCARDING, structs.REMOVING)


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """Return what this seat may see, ready for JSON."""
    state, setup = plain(state), plain(setup)
    material = material_of(setup)
    phase, players, seat_to_play = state.phase, range(setup.players), state.seat
    to_choose = int(legal.draft_choices(state.struct, setup.struct)) if phase == structs.DRAFTING else None
    alone = bool(setup.rival)
    turned = int(rival.cards_turned(state.struct, setup.struct)) if alone else 0
    rival_deck = setup.rival_ages[turned : setup.rival_cards] if alone else []
    held = zip(players, state.kingdoms, state.kingdom_count, strict=False)
    kingdoms = tuple([cards[:count] for _, cards, count in held])
    lying = Lying(tuple(state.row[: state.row_count]), kingdoms, state.discarded)
    shown = material.shown.get(lying)
    if shown is None:
        if len(material.shown) >= MAX_SHOWN:
            material.shown.clear()
        shown = material.shown[lying] = show_cards(material, lying)
    kept, over = state.kept[: setup.players], phase == structs.GAME_OVER
    drawn = sum(state.drawn)
    supply = state.supply
    forecasts = int(rules.forecasts(state.struct, setup.struct))
    return {
        "decision": DECISIONS[phase],
        "pack": material.pack.name,
        "pack_id": material.id,
        "players": setup.players,
        "deck": DECKS[setup.deck],
        "turns": TURNS[setup.turns],
        "rival": {"difficulty": setup.rival, "scenario": SCENARIO_NAMES[setup.scenario], "deck": rival_deck}
        if alone
        else None,
        "round": state.round_number,
        "last_round": state.last_round or None,
        "turn": seat_to_play,
        "row": shown["row"],
        "deck_left": state.unseen.bit_count() - len(rival_deck),
        "discarded": shown["discarded"],
        "cards": shown["cards"],
        "spaces": {
            name: occupied(owner, pawns)
            for name, owner, pawns in zip(material.map.ids, state.owner, state.pawns, strict=False)
            if owner  # else it is free
        },
        "kingdoms": shown["kingdoms"],
        "supply": [by_kind(supply[player]) for player in players],
        "points": state.points[: setup.players],
        "tokens": [{"kept": sum(kept[player]), "drawn": drawn if player == seat_to_play else 0} for player in players],
        "own_tokens": None if seat is None else own_tokens(state, seat),
        "all_tokens": [values(tokens) for tokens in kept] if over or alone else None,
        "bag": sum(state.bag),
        "moves_left": state.moves_left if phase in IN_MOVES else None,
        "to_recruit": by_kind(tuple(state.pending)) if phase == structs.RECRUITING else None,
        "choices": to_choose,
        "crossing": names(material.map.ids, state.crossing) if phase in IN_CROSSING else None,
        "retreating": state.retreating if phase == structs.RETREATING else None,
        "fleeing": by_kind(tuple(state.fleeing)) if phase in IN_ATTACK else None,
        "capacity": state.capacity if phase in IN_MANAGE else None,
        "to_remove": by_kind(tuple(state.pending)) if phase == structs.REMOVING else None,
        "forecast": [forecast_of(forecasts, player) for player in players],
    }


class Lying(NamedTuple):
    """The cards that lie open, by number: the row, the kingdoms, and a bit for each that was discarded."""

    row: tuple[int, ...]
    kingdoms: tuple[tuple[int, ...], ...]
    discarded: int


def show_cards(material: Material, lying: Lying) -> dict[str, Any]:
    """Return the parts of a view that follow from the cards that lie open."""
    row = names(material.names, lying.row)
    kingdoms = [names(material.names, cards) for cards in lying.kingdoms]
    # Every seat begins with a starting card; a missing one has been discarded.
    discarded = ["0"] * sum("0" not in kingdom for kingdom in kingdoms)
    discarded += [card for number, card in enumerate(material.names) if lying.discarded >> number & 1]
    texts = {
        card: material.cards[material.card_numbers[card]].text
        for card in sorted({"0", *row, *discarded}.union(*kingdoms))
    }
    return {"row": row, "kingdoms": kingdoms, "discarded": discarded, "cards": texts}


@lru_cache(maxsize=4096)
def occupied(owner: int, pawns: tuple[int, ...]) -> dict[str, int]:
    """Return a space that somebody occupies."""
    return {"seat": owner - 1, **by_kind(pawns)}


def own(state: Any, setup: Any, seat: int) -> dict[str, Any]:
    """Return the part of a view that differs between seats."""
    return {"own_tokens": own_tokens(state, seat)}


def own_tokens(state: Any, seat: int) -> dict[str, list[int]]:
    """Return the values of a seat's hero tokens."""
    state = plain(state)
    return {"kept": values(state.kept[seat]), "drawn": values(state.drawn) if seat == state.seat else []}


def names(known: tuple[str, ...], numbers: Iterable[int]) -> list[str]:
    """Return the names of cards or spaces."""
    return [known[number] for number in numbers]


@lru_cache(maxsize=1024)
def by_kind(pawns: tuple[int, ...]) -> dict[str, int]:
    """Return counts of pawns by letter."""
    return dict(zip(PAWNS, pawns, strict=True))


def values(tokens: list[int]) -> list[int]:
    """Return the sorted values of tokens from the counts of each value."""
    return [value for value, count in zip(VALUES, tokens, strict=True) for _ in range(count)]


def forecast(state: Any, setup: Any, seat: int) -> dict[str, int]:
    """Return how many cards of a seat must be fed, and how many of them its savannas could feed now."""
    return forecast_of(int(rules.forecasts(state, setup)), seat)


def forecast_of(forecasts: int, seat: int) -> dict[str, int]:
    """Return the forecast of a seat, given those of all."""
    both = forecasts >> 2 * rules.FORECAST_BITS * seat
    return {"cards": both & 0xFF, "fed": both >> rules.FORECAST_BITS & 0xFF}

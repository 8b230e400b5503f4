"""The view of a seat of Kitara: the whole state except the values of the other seats' hero tokens."""

from typing import Any

from mchezo.core.structs import FieldCache
from mchezo.games.kitara import legal, rival, rules, structs
from mchezo.games.kitara.components import DECKS, PAWNS, SCENARIOS, TURNS, VALUES
from mchezo.games.kitara.setup import material_of

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
    material = material_of(setup)
    phase, players = int(state.phase), range(setup.players)
    to_choose = int(legal.draft_choices(state, setup)) if phase == structs.DRAFTING else None
    alone = bool(setup.rival)
    rival_deck = setup.rival_ages[rival.cards_turned(state, setup) : setup.rival_cards].tolist() if alone else []
    forecasts = [forecast(state, setup, player) for player in players]
    state, setup = FieldCache(state), FieldCache(setup)
    row = names(material.names, state.row[: state.row_count])
    kingdoms = [names(material.names, state.kingdoms[player, : state.kingdom_count[player]]) for player in players]
    # Every seat begins with a starting card; a missing one has been discarded.
    discarded = ["0"] * sum("0" not in kingdom for kingdom in kingdoms)
    discarded += [card for number, card in enumerate(material.names) if int(state.discarded) >> number & 1]
    kept, over = state.kept[: setup.players].tolist(), phase == structs.GAME_OVER
    drawn = state.drawn.tolist()
    return {
        "decision": DECISIONS[phase],
        "pack": material.pack.name,
        "pack_id": material.id,
        "players": int(setup.players),
        "deck": DECKS[setup.deck],
        "turns": TURNS[setup.turns],
        "rival": {"difficulty": int(setup.rival), "scenario": SCENARIO_NAMES[setup.scenario], "deck": rival_deck}
        if alone
        else None,
        "round": int(state.round_number),
        "last_round": int(state.last_round) or None,
        "turn": int(state.seat),
        "row": row,
        "deck_left": int(state.unseen).bit_count() - len(rival_deck),
        "discarded": discarded,
        "cards": {
            card: material.cards[material.card_numbers[card]].text
            for card in sorted({"0", *row, *discarded}.union(*kingdoms))
        },
        "spaces": {
            name: {"seat": int(state.owner[space]) - 1, **by_kind(state.pawns[space])}
            for space, name in enumerate(material.map.ids)
            if state.owner[space] != structs.FREE
        },
        "kingdoms": kingdoms,
        "supply": [by_kind(state.supply[player]) for player in players],
        "points": state.points[: setup.players].tolist(),
        "tokens": [
            {"kept": sum(kept[player]), "drawn": sum(drawn) if player == state.seat else 0} for player in players
        ],
        "own_tokens": None if seat is None else own_tokens(state, seat),
        "all_tokens": [values(tokens) for tokens in kept] if over or alone else None,
        "bag": int(state.bag.sum()),
        "moves_left": int(state.moves_left) if phase in IN_MOVES else None,
        "to_recruit": by_kind(state.pending) if phase == structs.RECRUITING else None,
        "choices": to_choose,
        "crossing": names(material.map.ids, state.crossing) if phase in IN_CROSSING else None,
        "retreating": int(state.retreating) if phase == structs.RETREATING else None,
        "fleeing": by_kind(state.fleeing) if phase in IN_ATTACK else None,
        "capacity": int(state.capacity) if phase in IN_MANAGE else None,
        "to_remove": by_kind(state.pending) if phase == structs.REMOVING else None,
        "forecast": forecasts,
    }


def own(state: Any, setup: Any, seat: int) -> dict[str, Any]:
    """Return the part of a view that differs between seats."""
    return {"own_tokens": own_tokens(state, seat)}


def own_tokens(state: Any, seat: int) -> dict[str, list[int]]:
    """Return the values of a seat's hero tokens."""
    kept, drawn = state["kept"][seat].tolist(), state["drawn"].tolist()
    return {"kept": values(kept), "drawn": values(drawn) if seat == state["seat"] else []}


def names(known: tuple[str, ...], numbers: Any) -> list[str]:
    """Return the names of cards or spaces."""
    return [known[number] for number in numbers.tolist()]


def by_kind(pawns: Any) -> dict[str, int]:
    """Return counts of pawns by letter."""
    return dict(zip(PAWNS, pawns.tolist(), strict=True))


def values(tokens: list[int]) -> list[int]:
    """Return the sorted values of tokens from the counts of each value."""
    return [value for value, count in zip(VALUES, tokens, strict=True) for _ in range(count)]


def forecast(state: Any, setup: Any, seat: int) -> dict[str, int]:
    """Return how many cards of a seat must be fed, and how many of them its savannas could feed now."""
    cards = int(rules.hungry_cards(state, setup, seat))
    return {"cards": cards, "fed": min(cards, int(rules.feeding_capacity(state, setup, seat)))}

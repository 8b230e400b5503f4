"""What one seat of Kitara may see: everything but the values of the others' hero tokens."""

from typing import Any

from mchezo.core.structs import Fields
from mchezo.games.kitara import choices, rules, structs
from mchezo.games.kitara.components import DECKS, PAWNS, TURNS, VALUES
from mchezo.games.kitara.setup import table_of

# What is decided in each step
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
IN_MOVE_PHASE = (structs.MOVE, structs.CHOOSE_PAWNS, structs.DRAW_TOKEN, structs.CHOOSE_RETREAT)
IN_CROSSING = IN_MOVE_PHASE[1:]
IN_ATTACK = IN_CROSSING[1:]
IN_MANAGE = (structs.DISCARD_CARD, structs.REMOVE_PAWN)


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """The table as this seat sees it."""
    table = table_of(setup)
    step, players = int(state.step), range(setup.players)
    to_choose = int(choices.draft_choices(state, setup)) if step == structs.DRAFT_CARD else None
    forecasts = [forecast(state, setup, player) for player in players]
    state, setup = Fields(state), Fields(setup)
    row = names(table.names, state.row[: state.row_count])
    kingdoms = [names(table.names, state.kingdoms[player, : state.kingdom_count[player]]) for player in players]
    # Every seat has had a starting card; where it is missing it was discarded.
    discarded = ["0"] * sum("0" not in kingdom for kingdom in kingdoms)
    discarded += [card for number, card in enumerate(table.names) if int(state.discarded) >> number & 1]
    kept, over = state.kept[: setup.players].tolist(), step == structs.NOTHING
    drawn = state.drawn.tolist()
    return {
        "decision": DECISIONS[step],
        "pack": table.pack.name,
        "pack_id": table.id,
        "players": int(setup.players),
        "deck": DECKS[setup.deck],
        "turns": TURNS[setup.turns],
        "round": int(state.round_number),
        "last_round": int(state.last_round) or None,
        "turn": int(state.turn),
        "row": row,
        "deck_left": int(state.unseen).bit_count(),
        "discarded": discarded,
        "cards": {
            card: table.cards[table.card_numbers[card]].text
            for card in sorted({"0", *row, *discarded}.union(*kingdoms))
        },
        "spaces": {
            name: {"seat": int(state.owner[space]) - 1, **by_kind(state.pawns[space])}
            for space, name in enumerate(table.map.ids)
            if state.owner[space] != structs.FREE
        },
        "kingdoms": kingdoms,
        "supply": [by_kind(state.supply[player]) for player in players],
        "points": state.points[: setup.players].tolist(),
        "tokens": [
            {"kept": sum(kept[player]), "drawn": sum(drawn) if player == state.turn else 0} for player in players
        ],
        "own_tokens": None
        if seat is None
        else {"kept": values(kept[seat]), "drawn": values(drawn) if seat == state.turn else []},
        "all_tokens": [values(tokens) for tokens in kept] if over else None,
        "bag": int(state.bag.sum()),
        "moves_left": int(state.moves_left) if step in IN_MOVE_PHASE else None,
        "to_recruit": by_kind(state.pending) if step == structs.RECRUIT_PAWN else None,
        "choices": to_choose,
        "crossing": names(table.map.ids, state.crossing) if step in IN_CROSSING else None,
        "retreating": int(state.retreating) if step == structs.CHOOSE_RETREAT else None,
        "fleeing": by_kind(state.fleeing) if step in IN_ATTACK else None,
        "capacity": int(state.capacity) if step in IN_MANAGE else None,
        "to_remove": by_kind(state.pending) if step == structs.REMOVE_PAWN else None,
        "forecast": forecasts,
    }


def names(known: tuple[str, ...], numbers: Any) -> list[str]:
    """The names of cards or spaces."""
    return [known[number] for number in numbers.tolist()]


def by_kind(pawns: Any) -> dict[str, int]:
    """Pawns by their letters."""
    return dict(zip(PAWNS, pawns.tolist(), strict=True))


def values(tokens: list[int]) -> list[int]:
    """The values of so many tokens of each, sorted."""
    return [value for value, count in zip(VALUES, tokens, strict=True) for _ in range(count)]


def forecast(state: Any, setup: Any, seat: int) -> dict[str, int]:
    """How many cards of a seat have to be fed, and for how many of them its savannas would do now."""
    cards = int(rules.hungry_cards(state, setup, seat))
    return {"cards": cards, "fed": min(cards, int(rules.feeding_capacity(state, setup, seat)))}

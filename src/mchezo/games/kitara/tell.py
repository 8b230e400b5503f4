"""What an action of Kitara did, what it would lead to, and where the points came from."""

from collections.abc import Iterable, Iterator
from typing import Any

from mchezo.core.deeds import Deed, Line
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import CARD_POINTS, PAWNS, VALUES
from mchezo.games.kitara.notation import read_group
from mchezo.games.kitara.pack import Table
from mchezo.games.kitara.setup import table_of
from mchezo.games.kitara.view import forecast


def tell(action: int, before: Any, after: Any, setup: Any, seen: bool) -> Iterator[Deed]:
    """What an action did, then what followed by itself: scoring, tokens, the row, the last round."""
    table, seat = table_of(setup), int(before.turn)
    yield from tell_action(action, before, table, seat, seen)
    if points := track(after, setup, seat) - int(before.points[seat]):
        symbols = sum(int(setup.prosperity[card]) for card in after.kingdoms[seat, : after.kingdom_count[seat]])
        yield Deed("scored", {"seat": seat, "points": points, "symbols": symbols, "ruins": points - symbols})
    if after.logged > before.logged:
        yield Deed("token-kept", {"seat": seat})
    left = set(after.row[: after.row_count].tolist())
    for card in before.row[: before.row_count].tolist():
        if card not in left and action != structs.DRAFT + card:
            yield Deed("row-discarded", {"card": table.names[card]})
    if after.last_round and not before.last_round:
        yield Deed("last-round", {"round": int(after.last_round)})


def tell_action(action: int, before: Any, table: Table, seat: int, seen: bool) -> Iterator[Deed]:
    """The action itself."""
    spaces, cards = table.map.ids, table.names
    if action >= structs.REMOVE:
        kind, space = divmod(action - structs.REMOVE, structs.SPACES)
        yield Deed("removed", {"seat": seat, "pawn": PAWNS[kind], "space": spaces[space]})
    elif action >= structs.DISCARD:
        yield Deed("discarded", {"seat": seat, "card": cards[action - structs.DISCARD]})
    elif action >= structs.RETREAT:
        fled = {"from": spaces[before.crossing[1]], "to": spaces[action - structs.RETREAT]}
        yield Deed("retreated", {"seat": int(before.retreating), **fled, "pawns": group_text(before.fleeing.tolist())})
    elif action >= structs.PAWNS:
        start, target = before.crossing.tolist()
        group = group_text(read_group(action - structs.PAWNS))
        yield Deed("crossed", {"seat": seat, "from": spaces[start], "to": spaces[target], "pawns": group})
        if before.owner[target] not in (structs.FREE, seat + 1):
            yield Deed("attacked", {"seat": seat, "other": int(before.owner[target]) - 1, "space": spaces[target]})
    elif action == structs.END_MOVES:
        yield Deed("moves-ended", {"seat": seat})
    elif action >= structs.CROSS:
        start, target = divmod(action - structs.CROSS, structs.SPACES)
        yield Deed("border-chosen", {"seat": seat, "from": spaces[start], "to": spaces[target]})
    elif action >= structs.RECRUIT:
        kind, space = divmod(action - structs.RECRUIT, structs.SPACES)
        yield Deed("recruited", {"seat": seat, "pawn": PAWNS[kind], "space": spaces[space]})
    elif action >= structs.DRAFT:
        yield Deed("drafted", {"seat": seat, "card": cards[action - structs.DRAFT]})
    elif action >= structs.TOKEN:
        # What is drawn is the drawer's own affair.
        yield Deed("token-drawn", {"seat": seat, **({"value": VALUES[action - structs.TOKEN]} if seen else {})})
    elif action >= structs.CARD:
        card = action - structs.CARD
        yield Deed("card-revealed", {"card": cards[card], "symbols": table.cards[card].text})
    else:
        yield Deed("started-on", {"seat": seat, "space": spaces[action - structs.START]})


def group_text(pawns: Iterable[int]) -> str:
    """Pawns by their letters, as on cards: `W2H1`."""
    return "".join(f"{kind}{count}" for kind, count in zip(PAWNS, pawns, strict=True) if count)


def foresee(action: int, before: Any, after: Any, setup: Any) -> dict[str, Any]:
    """How many cards of the mover could not be fed then."""
    fed = forecast(after, setup, int(before.turn))
    return {"unfed": fed["cards"] - fed["fed"]}


def account(state: Any, setup: Any) -> Iterator[Line]:
    """The Prosperity Track, the cards still held, the hero tokens."""
    for seat in range(setup.players):
        yield Line(seat, "track", {}, track(state, setup, seat))
        cards, tokens = held(state, seat)
        yield Line(seat, "cards", {"cards": int(state.kingdom_count[seat])}, cards)
        yield Line(seat, "tokens", {"tokens": int(state.kept[seat].sum())}, tokens)


def track(state: Any, setup: Any, seat: int) -> int:
    """The points on the Prosperity Track, without what the end adds."""
    return int(state.points[seat]) - (sum(held(state, seat)) if state.step == structs.NOTHING else 0)


def held(state: Any, seat: int) -> tuple[int, int]:
    """What the cards and the hero tokens of a seat are worth at the end."""
    tokens = sum(value * count for value, count in zip(VALUES, state.kept[seat].tolist(), strict=True))
    return CARD_POINTS * int(state.kingdom_count[seat]), tokens

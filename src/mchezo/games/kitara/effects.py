"""What an action of Kitara did, a preview of its consequences, and where the points came from."""

from collections.abc import Iterator
from typing import Any

from mchezo.core.effects import Effect, ScoreLine
from mchezo.core.structs import plain
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import CARD_POINTS, PAWNS, VALUES
from mchezo.games.kitara.notation import write_group
from mchezo.games.kitara.pack import Material
from mchezo.games.kitara.rival import decides
from mchezo.games.kitara.setup import material_of
from mchezo.games.kitara.view import forecast


def effects(action: int, before: Any, after: Any, setup: Any, seen: bool) -> Iterator[Effect]:
    """Yield what an action did, then what followed automatically: scoring, tokens, the row, the last round."""
    before, after, setup = plain(before), plain(after), plain(setup)
    material, seat = material_of(setup), before.seat
    yield from direct_effects(action, before, material, seat, seen)
    if points := track(after, setup, seat) - before.points[seat]:
        symbols = sum(setup.prosperity[card] for card in after.kingdoms[seat][: after.kingdom_count[seat]])
        yield Effect("scored", {"seat": seat, "points": points, "symbols": symbols, "ruins": points - symbols})
    if after.logged > before.logged:
        yield Effect("token-kept", {"seat": seat})
    left = after.row[: after.row_count]
    for card in before.row[: before.row_count]:
        if card not in left and action != structs.DRAFT + card:
            yield Effect("row-discarded", {"card": material.names[card]})
    if after.last_round and not before.last_round:
        yield Effect("last-round", {"round": after.last_round})


def direct_effects(action: int, before: Any, material: Material, seat: int, seen: bool) -> Iterator[Effect]:
    """Yield the effects of the action itself."""
    spaces, cards = material.map.ids, material.names
    if action >= structs.REMOVE:
        kind, space = divmod(action - structs.REMOVE, structs.SPACES)
        yield Effect("removed", {"seat": seat, "pawn": PAWNS[kind], "space": spaces[space]})
    elif action >= structs.DISCARD:
        yield Effect("discarded", {"seat": seat, "card": cards[action - structs.DISCARD]})
    elif action >= structs.RETREAT:
        fled = {"from": spaces[before.crossing[1]], "to": spaces[action - structs.RETREAT]}
        yield Effect("retreated", {"seat": int(before.retreating), **fled, "pawns": write_group(before.fleeing)})
    elif action >= structs.PAWNS:
        start, target = before.crossing
        group = write_group(structs.group_of(action - structs.PAWNS))
        yield Effect("crossed", {"seat": seat, "from": spaces[start], "to": spaces[target], "pawns": group})
        if before.owner[target] not in (structs.FREE, seat + 1):
            yield Effect("attacked", {"seat": seat, "other": int(before.owner[target]) - 1, "space": spaces[target]})
    elif action == structs.END_MOVES:
        yield Effect("moves-ended", {"seat": seat})
    elif action >= structs.CROSS:
        start, target = divmod(action - structs.CROSS, structs.SPACES)
        yield Effect("border-chosen", {"seat": seat, "from": spaces[start], "to": spaces[target]})
    elif action >= structs.RECRUIT:
        kind, space = divmod(action - structs.RECRUIT, structs.SPACES)
        yield Effect("recruited", {"seat": seat, "pawn": PAWNS[kind], "space": spaces[space]})
    elif action >= structs.DRAFT:
        yield Effect("drafted", {"seat": seat, "card": cards[action - structs.DRAFT]})
    elif action >= structs.TOKEN:
        # Only the seat that draws a token sees its value.
        yield Effect("token-drawn", {"seat": seat, **({"value": VALUES[action - structs.TOKEN]} if seen else {})})
    elif action >= structs.CARD:
        card = action - structs.CARD
        turned = {"card": cards[card], "symbols": material.cards[card].text}
        if before.phase == structs.DRAFTING:
            yield Effect("rival-card", {"seat": seat, **turned})
        else:
            yield Effect("card-revealed", turned)
    else:
        yield Effect("started-on", {"seat": seat, "space": spaces[action - structs.START]})


def rival(state: Any) -> int | None:
    """Return the rival's seat where a chance outcome is what it does; None where a card or a token is drawn."""
    return structs.RIVAL if decides(state) else None


def preview(action: int, before: Any, after: Any, setup: Any) -> dict[str, Any]:
    """Return how many cards of the mover could not be fed after an action."""
    fed = forecast(after, setup, int(before.seat))
    return {"unfed": fed["cards"] - fed["fed"]}


def score_lines(state: Any, setup: Any) -> Iterator[ScoreLine]:
    """Yield the points of the Prosperity Track, of the cards held, and of the hero tokens."""
    state, setup = plain(state), plain(setup)
    for seat in range(setup.players):
        yield ScoreLine(seat, "track", {}, track(state, setup, seat))
        cards, tokens = held(state, seat)
        yield ScoreLine(seat, "cards", {"cards": state.kingdom_count[seat]}, cards)
        yield ScoreLine(seat, "tokens", {"tokens": sum(state.kept[seat])}, tokens)


def track(state: Any, setup: Any, seat: int) -> int:
    """Return the points on the Prosperity Track, without those added at the end."""
    state = plain(state)
    return int(state.points[seat]) - (sum(held(state, seat)) if state.phase == structs.GAME_OVER else 0)


def held(state: Any, seat: int) -> tuple[int, int]:
    """Return the points of a seat's cards and of its hero tokens at the end."""
    state = plain(state)
    tokens = sum(value * count for value, count in zip(VALUES, state.kept[seat], strict=True))
    return CARD_POINTS * state.kingdom_count[seat], tokens

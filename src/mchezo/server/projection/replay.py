"""A finished game, move by move. Nothing is hidden any more: anybody may see it as a seat, a spectator or all did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from mchezo.core.chance import Seed, new_seed
from mchezo.core.position import Position
from mchezo.core.record import HIDDEN
from mchezo.core.structs import CHANCE
from mchezo.explorer.counts import Explored, shipped
from mchezo.server import messages
from mchezo.server.domain.table import Table
from mchezo.server.domain.turns import move_times
from mchezo.server.errors import TableError
from mchezo.server.projection.effects import effects_of, previews
from mchezo.server.projection.records import moment_after
from mchezo.server.projection.viewers import AUTO

MAX_VIEWS = 50  # in one response
MAX_EXPLORED = 30  # moves of a position

Viewer = int | None | str  # a seat, None for a spectator, or "all"


def parse_viewer(text: str) -> Viewer:
    """Read `0` to `3`, `none` or `all`."""
    return int(text) if text.isdigit() else None if text == "none" else text


def finished_position(table: Table) -> Position:
    """Return the end of the game; refuse if it is not over."""
    if table.position is None or not table.ending:
        raise TableError("not-running", "not-over")
    return table.position


def position_after(position: Position, moves_made: int) -> Position:
    """Return the game after its first moves."""
    if not 0 <= moves_made <= len(position.steps):
        raise TableError("not-possible", "no-such-move", last=len(position.steps))
    return position.earlier(moves_made)


def view_for(position: Position, viewer: Viewer) -> dict[str, Any]:
    """Return what this viewer sees; `all` includes what the game hides."""
    if viewer != "all":
        return position.view(cast(int | None, viewer))
    return position.view() | position.game.view.reveal([position.view(seat) for seat in range(len(position.seats))])


def replay_views(table: Table, viewer: Viewer, first: int, count: int) -> messages.ReplayViews:
    """Return the view after `first` moves and those that follow."""
    position = finished_position(table)
    end = min(first + min(count, MAX_VIEWS), len(position.steps) + 1)
    views = [cast(Any, view_for(position_after(position, made), viewer)) for made in range(first, end)]
    return messages.ReplayViews(first, views)


def replay_steps(
    position: Position, viewer: Viewer, first: int = 0, times: Sequence[int | None] = ()
) -> list[messages.ReplayStep]:
    """Return the moves from `first` on, with what each did."""
    found = []
    mover = CHANCE
    for number, step in enumerate(position.steps):
        rival = position.game.effects.rival(step.before[0]) if step.by == CHANCE else None
        by = step.by if rival is None else rival
        begins_turn = by not in (CHANCE, mover)
        mover = mover if by == CHANCE else by
        if number < first:
            continue
        after = position.steps[number + 1].before if number + 1 < len(position.steps) else position.states
        seen = viewer == "all" or step.only in (None, viewer)
        told = effects_of(position, step, after, seen)
        text = step.text if seen else HIDDEN
        took = times[number] if number < len(times) else None
        found.append(messages.ReplayStep(None if by == CHANCE else by, text, told, begins_turn, took))
    return found


def replay_game(table: Table, shown: messages.TableView, viewer: Viewer) -> messages.Replay:
    """Return the whole game."""
    return messages.Replay(shown, replay_steps(finished_position(table), viewer, times=move_times(table)))


def variation_position(table: Table, asked: messages.Vary) -> Position:
    """Return the position after other moves from some point of the game."""
    position = position_after(finished_position(table), asked.at)
    position.manual = True
    for move in asked.moves:
        position.play(move)
    return position


def explore_variation(table: Table, asked: messages.Vary) -> messages.Varied:
    """Play other moves from some point of the game; chance is drawn from a new seed."""
    viewer = parse_viewer(asked.whose)
    position = variation_position(table, asked)
    if position.to_move == CHANCE:
        position.seed = Seed(new_seed())
        position.draw_from_seed()
    legal = position.legal_moves if position.to_move is not None else []
    return messages.Varied(
        asked.at,
        position.moves[asked.at :],
        replay_steps(position, viewer, asked.at),
        cast(Any, view_for(position, viewer)),
        legal,
        previews(position, legal),
    )


def explore(table: Table, asked: messages.Vary, here: Callable[[Position], list[Explored]]) -> messages.Explored:
    """Return what was played in the position that other moves lead to; `here` looks it up in this server's games."""
    position = variation_position(table, asked)
    strong = shipped(position.game.name).of(position)
    found = ([messages.ExploredMove(*move) for move in moves[:MAX_EXPLORED]] for moves in (here(position), strong))
    return messages.Explored(*found)


def picture(table: Table, guest: str | None, viewer: str | None, moves_made: int | None) -> str:
    """Return an SVG of any point of the game: if it is over for any viewer, else as the guest may see it."""
    if table.position is None:
        raise TableError("not-running", "not-started")
    if table.ending:
        moment = position_after(table.position, len(table.position.steps) if moves_made is None else moves_made)
        return table.game.pictures.svg(view_for(moment, parse_viewer(viewer or "all")))
    if viewer == "all":
        raise TableError("not-running", "not-over")
    wanted = AUTO if viewer is None else cast(int | None, parse_viewer(viewer))
    made = table.moves_made if moves_made is None else moves_made
    return table.game.pictures.svg(cast(Any, moment_after(table, guest, wanted, made).view))

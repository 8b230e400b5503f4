"""The table as one seat, or a spectator, sees it now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from mchezo.server import messages
from mchezo.server.domain import log, playing, questions
from mchezo.server.domain.summary import fragment
from mchezo.server.domain.table import Table
from mchezo.server.projection.events import clock_view, seated_player, seed_hash
from mchezo.server.projection.game_view import current_decision, encoded_view
from mchezo.server.projection.viewers import viewing_seat

MAX_FRAGMENTS = 32  # kept of a table
NOTHING_TO_SAY = messages.Message("", {})


def project_table(
    table: Table,
    guest: str | None,
    wanted: int | None,
    now: int,
    here: Sequence[bool] = (),
    claimable: Collection[int] = (),
) -> messages.TableView:
    """Return the table as a guest sees it; `here` are the connected seats, `claimable` those absent for too long."""
    seat = viewing_seat(table, guest, wanted)
    held = table.seats_of(guest)
    to_move = table.to_move
    decides = to_move is not None and to_move in held and table.computer_level(to_move) is None
    return msgspec.structs.replace(
        seen_by_spectators(table),
        seats=seat_views(table, held, here, claimable),
        you=held,
        seat=seat,
        view=None if table.position is None else encoded_view(table, table.position.states, seat),
        legal=legal_moves(table) if decides else [],
        say=status_message(table, decides),
        may=available_commands(table, held, claimable),
        clock=clock_view(table, now),
        keys=invitation_keys(table) if guest is not None and guest == table.creation.by else {},
    )


def legal_moves(table: Table) -> Any:
    """Return the legal moves, encoded once."""
    found = table.cache.get("legal moves")
    if found is None:
        found = table.cache["legal moves"] = msgspec.Raw(messages.encode(table.legal))
    return found


def seat_views(table: Table, held: list[int], here: Sequence[bool], claimable: Collection[int]) -> Any:
    """Return the seats as their holder sees them, encoded once: they stay the same from move to move."""
    key = ("seat views", tuple(held), tuple(here), tuple(claimable), tuple(table.dropped_out.items()))
    found = table.fragments.get(key)
    if found is None:
        views = [
            messages.SeatView(
                side=side,
                player=seated_player(occupant),
                yours=number in held,
                here=occupant.kind in ("computer", "rival") or bool(here[number] if number < len(here) else False),
                out=table.dropped_out.get(number),
                claim=playing.claim_outcome(table, number) if number in claimable else None,
            )
            for number, (side, occupant) in enumerate(zip(side_names(table), table.seats, strict=True))
        ]
        if len(table.fragments) > MAX_FRAGMENTS:
            table.fragments.clear()
        found = table.fragments[key] = msgspec.Raw(messages.encode(views))
    return found


def invitation_keys(table: Table) -> dict[str, str]:
    """Return the keys of the invitation links by seat."""
    return {str(number): occupant.key for number, occupant in enumerate(table.seats) if occupant.key is not None}


def seen_by_spectators(table: Table) -> messages.TableView:
    """Return the table with the fields that are the same for all viewers, made once."""
    found: messages.TableView | None = table.cache.get("shared")
    if found is None:
        creation = table.creation
        asked = table.questions.items()
        found = table.cache["shared"] = messages.TableView(
            id=table.id,
            game=creation.game,
            status=table.status,
            number=table.number,
            options=fragment(table, "options", creation.options),
            seats=[],
            you=[],
            seat=None,
            decision=table.decision,
            to_move=table.to_move,
            made=table.moves_made,
            view=None,
            legal=[],
            touched=table.touched,
            say=NOTHING_TO_SAY,
            may=[],
            clock=None,
            asked=[messages.Asked(what, one.seat, sorted(one.agreed)) for what, one in asked],
            result=game_result(table),
            settings=fragment(table, "settings", creation.settings),
            seed_hash=None if table.start_number is None or creation.moves else seed_hash(creation.seed),
            seed=creation.seed if table.ending and not creation.moves else None,
            series=series_score(table),
            previous=creation.previous,
            next=table.next_table,
            keys={},
            tournament=creation.tournament,
        )
    return found


def side_names(table: Table) -> tuple[str, ...]:
    """Return the game's names of the seats."""
    return table.game.setup.seats(table.creation.options)


def status_message(table: Table, decides: bool) -> messages.Message:
    """Return what happens next: a decision by the game's key, anything else by the server's."""
    if table.ending:
        reason = table.ending.reason
        key = f"reason-{reason}" if reason in table.game.rules.reasons else f"outside-{reason}"
        return messages.Message(key, {"winners": list(table.ending.winners)})
    seat = table.to_move
    if seat is None:
        return messages.Message("waiting", {"open": sum(occupant.kind == "open" for occupant in table.seats)})
    if table.computer_level(seat) is not None:
        return messages.Message("thinking", {"seat": seat})
    legal = table.legal if decides else []
    example = {"example": legal[0]} if legal else {}
    return messages.Message(f"decision-{current_decision(table)}", {"seat": seat, **example})


def available_commands(table: Table, held: list[int], claimable: Collection[int]) -> list[str]:
    """Return the commands, other than moves, that are open to the holder of these seats."""
    if table.status == "open":
        return ["leave"] if held else ["join"]
    if not held:
        return []
    found = []
    own = held
    if table.dropped_out and not table.ending:
        own = [seat for seat in held if seat not in table.dropped_out]
    if table.status == "running" and own:
        found.append("resign")
        found += [f"claim-{seat}" for seat in claimable if seat not in held]
        if table.to_move in own:
            if table.creation.settings.touch_move and table.touched is None:
                found.append("touch")
            if hints_allowed(table, held):
                found.append("hint")
    kinds: tuple[log.QuestionKind, ...] = ("rematch", "revenge") if table.ending else ("draw", "takeback")
    for what in kinds:
        question = table.questions.get(what)
        if question is None:
            for seat in own:
                if questions.can_ask(table, what, seat):
                    found.append(f"ask-{what}")
                    break
        elif any(seat in table.seats_to_agree(question.seat) - question.agreed for seat in own):
            found.append(f"answer-{what}")
        elif question.seat in own:
            found.append(f"withdraw-{what}")
    return found


def hints_allowed(table: Table, held: list[int]) -> bool:
    """Return whether the table gives hints to the holder of these seats: only if no other is a person's or a bot's."""
    if not table.creation.settings.hints:
        return False
    others = [occupant.kind for seat, occupant in enumerate(table.seats) if seat not in held]
    return "person" not in others and "bot" not in others and "open" not in others


def game_result(table: Table) -> messages.GameResult | None:
    """Return how the game ended, with the score lines if it was played to its end on the board."""
    ending, position = table.ending, table.position
    if ending is None or position is None:
        return None
    lines = []
    if position.outcome is not None:
        for line in table.game.effects.score_lines(position.states[0], position.setups[0]):
            told = messages.Message(line.key, dict(line.arguments))
            lines.append(messages.ScoreLine(line.seat, told, line.points))
    return messages.GameResult(ending.winners, ending.scores, ending.reason, lines)


def series_score(table: Table) -> messages.SeriesScore | None:
    """Return the score of the series to which this game belongs."""
    so_far = table.creation.series
    if so_far is None:
        return None
    game = so_far.games + 1
    if table.ending:
        so_far = playing.add_to_series(so_far, table.ending)
    first, second = so_far.score
    winner = None if so_far.games % 2 or first == second else int(second > first)
    return messages.SeriesScore(game, [first, second], [1, 0] if so_far.swapped else [0, 1], winner)

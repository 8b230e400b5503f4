"""What players and the organiser do, as facts; an error says why not. No facts: there is nothing to change."""

from __future__ import annotations

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.running import least_players, start
from mchezo.server.domain.tournaments.tournament import Player, Tournament
from mchezo.server.errors import TableError

Entrant = log.Entrant
MAX_COMPUTERS = 16  # in one tournament, which play as fast as they can
MAX_RETURNS = 30  # of one player who withdrew, so that no log grows without end


def decide(
    tournament: Tournament, command: messages.TournamentCommands, who: Identity, entrant: Entrant | None, now: int
) -> list[log.AnyFact]:
    """Return the facts of a command; `entrant` is who would enter by it."""
    now = max(now, tournament.last_at)
    if tournament.status == "over":
        raise TableError("not-possible", "tournament-over")
    match command:
        case messages.EnterTournament():
            return enter(tournament, who, entrant, now)
        case messages.WithdrawFromTournament():
            player = tournament.player_of(who.guest)
            if player is None or not player.active:
                return []
            return [log.PlayerWithdrew(at=now, by=who.guest, player=player.number)]
    if who.guest != tournament.creation.by:
        raise TableError("not-possible", "not-organiser")
    match command:
        case messages.AddComputer():
            if not tournament.plan.computers:
                raise TableError("not-possible", "no-computers")
            require_room(tournament)
            if sum(player.entrant.kind == "computer" for player in tournament.players) >= MAX_COMPUTERS:
                raise TableError("not-possible", "too-many-computers", most=MAX_COMPUTERS)
            assert entrant is not None
            number = len(tournament.players)
            return [log.PlayerEntered(at=now, by=who.guest, player=number, entrant=entrant)]
        case messages.RemovePlayer():
            return remove(tournament, command.player, who, now)
        case messages.StartTournament():
            if tournament.status != "open":
                return []
            if len(tournament.active) < least_players(tournament):
                raise TableError("not-possible", "too-few-players", least=least_players(tournament))
            return start(tournament, now, who.guest)
        case messages.CancelTournament():
            return [log.TournamentFinished(at=now, by=who.guest, reason="cancelled")]


def enter(tournament: Tournament, who: Identity, entrant: Entrant | None, now: int) -> list[log.AnyFact]:
    """Enter, or come back."""
    if who.bot and not tournament.plan.bots:
        raise TableError("not-possible", "no-bots")
    if not who.bot and not who.has_account:
        raise TableError("not-possible", "no-account")
    player = tournament.player_of(who.guest)
    if player is not None and player.active:
        return []
    if player is not None and player.removed:
        raise TableError("not-possible", "removed-player")
    require_room(tournament)
    if player is not None:
        if player.returns >= MAX_RETURNS:
            raise TableError("not-possible", "too-many-returns")
        return [log.PlayerReturned(at=now, by=who.guest, player=player.number)]
    assert entrant is not None
    return [log.PlayerEntered(at=now, by=who.guest, player=len(tournament.players), entrant=entrant)]


def require_room(tournament: Tournament) -> None:
    """Refuse another player where there are enough, or after the start."""
    if not may_enter(tournament):
        raise TableError("not-possible", "entry-closed")
    if len(tournament.active) >= tournament.plan.most or len(tournament.players) >= 2 * tournament.plan.most:
        raise TableError("not-possible", "tournament-full", most=tournament.plan.most)


def may_enter(tournament: Tournament) -> bool:
    """Return whether somebody can still enter or come back."""
    if tournament.status == "open":
        return True
    late = tournament.plan.format == "arena" or (tournament.plan.format == "swiss" and tournament.plan.late)
    return tournament.status == "running" and late


def remove(tournament: Tournament, number: int, who: Identity, now: int) -> list[log.AnyFact]:
    """Remove a player."""
    if number >= len(tournament.players):
        raise TableError("bad-request", "unknown-entrant")
    if tournament.players[number].removed:
        return []
    return [log.PlayerWithdrew(at=now, by=who.guest, player=number, removed=True)]


def available(tournament: Tournament, who: Identity | None) -> list[str]:
    """Return the types of commands that somebody can give now."""
    if who is None or tournament.status == "over":
        return []
    found = []
    player = tournament.player_of(who.guest)
    if player is not None and player.active:
        found.append("withdraw")
    elif may_enter(tournament) and is_welcome(tournament, player, who):
        found.append("enter")
    if who.guest == tournament.creation.by:
        found += ["add-computer"] if tournament.plan.computers and may_enter(tournament) else []
        found += ["start"] if tournament.status == "open" else []
        found += ["remove", "cancel"]
    return found


def is_welcome(tournament: Tournament, player: Player | None, who: Identity) -> bool:
    """Return whether somebody who is not in the tournament may enter it."""
    allowed = tournament.plan.bots if who.bot else who.has_account
    return allowed and (player is None or not player.removed) and len(tournament.active) < tournament.plan.most

"""What the server answers about games, rules and first games: the same for everybody, so it can be kept in files."""

from __future__ import annotations

from mchezo.core import registry
from mchezo.local import api
from mchezo.server import messages
from mchezo.server.transport import guides


def written(language: str) -> bytes:
    """Return the answers in one language by the paths of their requests, as JSON."""
    answers: dict[str, object] = {"/api/games": api.infos()}
    for game in registry.names():
        answers[f"/api/rules/{game}?lang={language}"] = guides.page(game, language)
        answers[f"/api/lessons/{game}?lang={language}"] = guides.lesson(game, language)
    return messages.encode(answers)

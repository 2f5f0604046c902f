"""What a game is like, for the page."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, validate_call

from semisplit import games
from semisplit.core.work import limited
from semisplit.lab.reports.document import Document, Picture
from semisplit.lab.reports.profile import examine, report
from semisplit.ui.web.catalogue import Rules, load_game
from semisplit.ui.web.worker import Service


class Reporter(Service):
    """Plays thousands of games."""

    niceness = 15
    patient = frozenset({"report"})

    @validate_call
    def do_report(
        self, rules: Rules, seconds: Annotated[float, Field(gt=0, le=60)]
    ) -> dict[str, Any]:
        """Examine a game for some seconds."""
        with limited(2 * seconds):
            game = load_game(rules, self.limits.folders)
            profile = examine(game, seconds)
        document = report(profile, games.title(game.text) or game.name)
        return {**document_json(document), "html": document.html}


def document_json(document: Document) -> dict[str, Any]:
    """A document in parts that a page can show."""
    return {
        "title": document.title,
        "paragraphs": list(document.paragraphs),
        "parts": [
            {"title": part.title, "picture": part.svg}
            if isinstance(part, Picture)
            else {"title": part.title, "header": part.header, "rows": part.rows, "note": part.note}
            for part in document.parts
        ],
    }

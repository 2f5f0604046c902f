"""What `semisplit ggp` shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from semisplit.agents import Thought
from semisplit.net.ggp import host, player
from semisplit.net.ggp.messages import Start
from semisplit.net.ggp.records import MatchRecord
from semisplit.ui.cli.errors import harmless
from semisplit.ui.cli.terminal.drawing import describe_effort, draw_thought


class _Display:
    """Prints what has happened; below it is what happens at the moment."""

    def __init__(self, console: Console):
        self._console = console
        self._live = Live(console=console, transient=True, auto_refresh=False)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def _print(self, line: str) -> None:
        self._console.print(harmless(line), markup=False, soft_wrap=True)


class PlayerDisplay(_Display, player.Observer):
    """Shows the matches of a player."""

    def __init__(self, console: Console):
        super().__init__(console)
        # Elsewhere what is shown for a moment is not shown at all.
        self.wants_thoughts = console.is_terminal
        self._thoughts: dict[str, Thought] = {}

    def begins(self, start: Start) -> None:
        """A match begins."""
        clocks = f"{start.start_clock:g} s to get ready, {start.play_clock:g} s for each move"
        self._print(f"{start.match}: {start.role}, {clocks}")

    def thinks(self, match: str, thought: Thought) -> None:
        """What the agent thinks of its move, so far."""
        self._thoughts[match] = thought
        self._show()

    def moves(self, match: str, number: int, move: str, thought: Thought | None) -> None:
        """The agent has answered."""
        self._thoughts.pop(match, None)
        self._show()
        effort = f"   ({describe_effort(thought)})" if thought else ""
        self._print(f"{match}: {number}. {move}{effort}")

    def ends(self, match: str, scores: tuple[int, ...] | None) -> None:
        """A match is over, with scores if it was played to its end."""
        self._thoughts.pop(match, None)
        self._show()
        told = " ".join(map(str, scores)) if scores else "broken off"
        self._print(f"{match}: the match is over, {told}")

    def _show(self) -> None:
        shown = (
            Text.assemble(f"{harmless(match)}\n", draw_thought(thought, str))
            for match, thought in self._thoughts.items()
        )
        self._live.update(Group(*shown), refresh=True)


class HostDisplay(_Display, host.Observer):
    """Shows the matches of a host, and the score."""

    def begins(self, record: MatchRecord) -> None:
        """A game begins."""
        self._print(f"{record.match_id}: {', '.join(record.player_names_from_host)}")

    def steps(self, record: MatchRecord) -> None:
        """All roles have moved."""
        moves = " | ".join(record.moves[-1])
        self._live.update(Text(harmless(f"{len(record.moves)}. {moves}")), refresh=True)

    def ends(self, finished: Sequence[MatchRecord]) -> None:
        """A game is over, the last of those that are; also called for those of an earlier run."""
        self._live.update("", refresh=True)
        last = finished[-1]
        errors = sum(bool(error) for step in last.errors for error in step)
        replaced = f", {errors} moves replaced" if errors else ""
        goals = " ".join(map(str, last.goal_values))
        self._print(f"{last.match_id}: {goals} after {len(last.moves)} steps{replaced}")
        games = "1 game" if len(finished) == 1 else f"{len(finished)} games"
        self._print(f"{games}: {_standing(finished)}")


def _standing(finished: Sequence[MatchRecord]) -> str:
    """The mean score of each player."""
    names: dict[int, str] = {}
    scores: dict[int, list[int]] = {}
    for record in finished:
        for seat, name, goal in zip(
            record.seats, record.player_names_from_host, record.goal_values
        ):
            if seat >= 0:
                names[seat] = name
                scores.setdefault(seat, []).append(goal)
    means = ((names[seat], sum(scores[seat]) / len(scores[seat])) for seat in sorted(scores))
    return ", ".join(f"{name} {mean:.1f}" for name, mean in means)

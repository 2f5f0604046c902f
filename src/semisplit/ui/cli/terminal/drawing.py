"""Drawing states and thoughts, for the verbs that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.text import Text

from semisplit.game import Game, Move, State
from semisplit.ui.render.terminal import board, piece_styles

if TYPE_CHECKING:
    # Drawing boards needs no search.
    from semisplit.agents import Thought
    from semisplit.search.result import PolicyStatistics

_LONGEST_VARIATION = 8
_MOST_POLICIES = 3


@cache
def styles(game: Game) -> dict[str, str]:
    """How to show the symbol of each piece of a game."""
    appearance = game.rules.appearance
    return piece_styles(appearance.symbols, game.players, appearance.owners) if appearance else {}


def draw_state(state: State, since: State | None = None, *, turned: bool = False) -> Text:
    """The board of a state in colours, and the scores if the game is over.

    Args:
        state: The state.
        since: An earlier state; squares that have changed since then are marked.
        turned: Whether to show the board from the other side.
    """
    game, appearance = state.game, state.game.rules.appearance
    if appearance is None:
        text = Text(f"{state}\n")
    else:
        geometry, symbols = appearance.geometry.on_a_grid(), appearance.symbols
        pairs = zip(since.pieces, state.pieces) if since else ()
        changed = [place for place, (before, now) in enumerate(pairs) if before != now]
        shown = [symbols[piece] for piece in state.pieces]
        text = board(geometry, shown, styles(game), marked=changed, turned=turned)
        if beside := game.rules.beside_board(state.position):
            text.append(f"{beside}\n", style="dim")
    if state.is_terminal:
        scores = ", ".join(map("{} {}".format, game.players, state.scores))
        text.append(f"the game is over: {scores}\n", style="bold")
    return text


def sits_above(state: State, player: str) -> bool:
    """Whether all pieces of a player lie above those of the others."""
    appearance = state.game.rules.appearance
    return appearance is not None and appearance.sits_above(state.pieces, player)


def draw_moves(moves: Iterable[Move], behind: Mapping[str, int]) -> Columns:
    """A list of moves; or of squares, with the number of moves behind each, if there are any."""
    counted = [f"{square} ({count:,})" for square, count in behind.items()]
    shown = counted or map(str, moves)
    return Columns([Text(one, overflow="fold") for one in shown], padding=(0, 2))


def draw_thought(thought: Thought, write: Callable[[Move], str]) -> Text:
    """What an agent thinks of the best moves, and how it expects the game to go on.

    Args:
        thought: What it thinks.
        write: Gives the text of a move.
    """
    text = Text(write(thought.move), style="bold")
    text.append(f"   {describe_effort(thought)}\n", style="not bold")
    if thought.result is not None:
        for one in thought.result.moves:
            line = f"  {one.score:.2f} {write(one.move)} ({one.visits:,} visits)\n"
            text.append(line, style="not bold")
        variation = thought.result.variation[:_LONGEST_VARIATION]
        line = " ".join(write(one) if one == thought.move else str(one) for one in variation)
        text.append(f"  expects {line}\n", style="dim")
        for line in _describe_policies(thought.result.policies):
            text.append(f"  {line}\n", style="dim")
    return text


def _describe_policies(policies: Sequence[PolicyStatistics]) -> Iterator[str]:
    """What each player followed in simulations, if that were policies: those it followed most."""
    for player in dict.fromkeys(one.player for one in policies):
        own = sorted((one for one in policies if one.player == player), key=_by_simulations)
        best = own[:_MOST_POLICIES]
        told = (f"{one.policy} {one.score:.2f} ({one.simulations:,})" for one in best)
        yield f"player {player} follows {', '.join(told)}"


def _by_simulations(one: PolicyStatistics) -> int:
    return -one.simulations


def describe_effort(thought: Thought) -> str:
    """What a thought was based on, and the score the agent expects, in a few words."""
    if thought.score is None:
        return "at random"
    given_up = f", {thought.abandoned:,} given up" if thought.abandoned else ""
    return f"expects {thought.score:.2f} after {thought.simulations:,} simulations{given_up}"

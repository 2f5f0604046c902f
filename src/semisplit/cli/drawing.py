"""Drawing states and thoughts, for the verbs that show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.text import Text

from semisplit.game import Move, State
from semisplit.render.terminal import board, piece_styles

if TYPE_CHECKING:
    from semisplit.agent import Thought  # Who only draws boards need not load a search.

_LONGEST_VARIATION = 8


def draw_state(state: State) -> Text:
    """The board of a state in colours, and the scores if the game is over."""
    game = state.game
    text = board(game.description.board.geometry, state.symbols, piece_styles(game.symbols))
    if state.is_terminal:
        scores = ", ".join(map("{} {}".format, game.players, state.scores))
        text.append(f"the game is over: {scores}\n", style="bold")
    return text


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
        variation = " ".join(map(str, thought.result.variation[:_LONGEST_VARIATION]))
        text.append(f"  expects {variation}\n", style="dim")
    return text


def describe_effort(thought: Thought) -> str:
    """What a thought was based on, and the score the agent expects, in a few words."""
    if thought.score is None:
        return "at random"
    return f"expects {thought.score:.2f} after {thought.simulations:,} simulations"

"""Drawing states, for the verbs that show one."""

from __future__ import annotations

from rich.text import Text

from semisplit.game import State
from semisplit.render.terminal import board, piece_styles


def draw_state(state: State) -> Text:
    """The board of a state in colours, and the scores if the game is over."""
    game = state.game
    text = board(game.description.board.geometry, state.symbols, piece_styles(game.symbols))
    if state.is_terminal:
        scores = ", ".join(map("{} {}".format, game.players, state.scores))
        text.append(f"the game is over: {scores}\n", style="bold")
    return text

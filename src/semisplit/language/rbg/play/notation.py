"""Moves as people write them.

A move is written as the squares it touches, `b2-b3`. Where several legal moves touch the same
squares, more is said until they differ: the pieces put down (`a7-a8=Q`), then the number of the
last modifier (`c3-b5#7`), then the numbers of all. A semimove that leaves the move unfinished ends
in `-`, or in `.` at a dot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from semisplit.language.rbg.check.printer import print_arithmetic
from semisplit.language.rbg.play.automaton import Automaton
from semisplit.language.rbg.play.interpret import Steps
from semisplit.language.rbg.text.ast import Assign, Off, Switch

_LEVELS = 4


class Notation:
    """Writes moves and semimoves of one game."""

    def __init__(self, automaton: Automaton, vertices: Sequence[str], empty: str | None):
        self._modifiers = [edge.action for edge in automaton.modifiers]
        self._vertices = vertices
        self._empty = empty

    def write(self, moves: Sequence[Steps]) -> dict[Steps, str]:
        """The shortest texts that tell apart all the moves, which are those legal in one state."""
        texts: dict[Steps, str] = {}
        rest = list(moves)
        for level in range(_LEVELS):
            candidates = {move: self._text(move, level) for move in rest}
            uses = Counter([*texts.values(), *candidates.values()])
            texts |= {move: text for move, text in candidates.items() if uses[text] == 1}
            rest = [move for move in rest if move not in texts]
        return texts

    def _text(self, move: Steps, level: int) -> str:
        unfinished = "" if move[-1].number < 0 or self._is_switch(move[-1].number) else "-"
        if level == _LEVELS - 1:
            words = [f"{self._vertices[step.vertex]}#{step.number}" for step in move]
            return "-".join(words) + unfinished
        words = []
        assignments: list[str] = []
        offs = False
        for step in move:
            name = self._vertices[step.vertex]
            action = self._modifiers[step.number - 1] if step.number > 0 else None
            if isinstance(action, Assign):
                assignments.append(f"{action.variable}={print_arithmetic(action.value)}")
                continue
            if isinstance(action, Off):
                offs = True
                if level == 1 and action.piece != self._empty:
                    name += f"={action.piece}"
            elif step.number < 0:
                name += "."
            elif words and words[-1].partition("=")[0] == name:
                continue
            words.append(name)
        if assignments and not offs:
            # A move that only sets variables, like a pass, is best told by what it sets.
            words = words + assignments if level == 1 else assignments
        text = "-".join(words)
        return (f"{text}#{move[-1].number}" if level == 2 else text) + unfinished

    def _is_switch(self, number: int) -> bool:
        return isinstance(self._modifiers[number - 1], Switch)

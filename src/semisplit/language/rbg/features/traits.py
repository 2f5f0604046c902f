"""What can be said about moves, to group them."""

from __future__ import annotations

from semisplit.core.board.diagram import empty_piece
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.automaton import Automaton
from semisplit.language.rbg.play.interpret import Step
from semisplit.language.rbg.text.ast import Off, Shift
from semisplit.language.rules import Trait


def traits(description: Description, automaton: Automaton) -> dict[str, Trait]:
    """What each step tells.

    A step tells a square if it puts a piece there (taking one away is putting the empty one), or if
    the rules went there since the last step. It is not always the player who puts a piece on the
    last square of his move, but the move always ends there. A pass tells no square.
    """
    empty = empty_piece(description.pieces)
    actions = [edge.action for edge in automaton.modifiers]
    put = [action.piece if isinstance(action, Off) else empty for action in actions]
    places = _shifted(automaton) | {
        number for number, action in enumerate(actions, 1) if isinstance(action, Off)
    }
    names = description.board.geometry.names

    def piece(step: Step) -> int:
        found = put[step.number - 1] if step.changes else empty
        return -1 if found in (None, empty) else description.pieces.index(found)

    def square(step: Step) -> int:
        return step.vertex if step.number in places else -1

    instructions = [f"instruction {number}" for number in range(1, len(actions) + 1)]
    return {
        "instruction": Trait(instructions, lambda step: max(step.number, 0) - 1),
        "put": Trait(description.pieces, piece),
        "start": Trait(names, square),
        "target": Trait(names, square, last=True),
    }


def _shifted(automaton: Automaton) -> set[int]:
    """The modifiers to which a way with a shift leads from the start or from another modifier."""
    found: set[int] = set()
    starts = [0, *(edge.target for edge in automaton.modifiers)]
    seen = {(node, False) for node in starts}
    stack = list(seen)
    while stack:
        node, shifted = stack.pop()
        for edge in automaton.edges[node]:
            if edge.number > 0:
                found |= {edge.number} if shifted else set()
                continue
            onward = edge.target, shifted or isinstance(edge.action, Shift)
            if onward not in seen:
                seen.add(onward)
                stack.append(onward)
    return found

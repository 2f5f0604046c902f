"""A game while it is being compiled: the module, and the functions that all its parts share."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.language.rbg.native.analysis.facts import GameFacts, GraphFacts
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.evaluate.patterns import Patterns
from semisplit.language.rbg.native.evaluate.regions import Regions
from semisplit.language.rbg.native.evaluate.shared import Shared

MAX_SIZE = {
    Bundle.GAME: 1_000_000,
    Bundle.GUIDED: 60_000,
    Bundle.NUMBERED: 60_000,
    Bundle.THREADS: 1_000_000,
}
"""Instructions above which a part is not compiled: a game would take minutes, and the others, which
searches can do without, as long again as the game, some seconds."""


class Program:
    """What is emitted for a game."""

    def __init__(
        self,
        game: GameFacts,
        bundle: Bundle,
        emit_pattern: Callable[[Program, GraphFacts, ir.Function], None],
        *,
        pdep: bool,
        checked: bool,
        levels: int = MAX_MOVE_LENGTH,
    ):
        """Set up an empty program.

        Args:
            game: What is known about the game.
            bundle: Which of its functions will be emitted.
            emit_pattern: Emits the body of a function for a pattern with modifiers.
            pdep: Whether there is an instruction of that name.
            checked: Whether code checks every index into a table.
            levels: Frames for which there is room in each machine, beyond those of known depth.
        """
        self.game = game
        self.lockstep = bundle == Bundle.THREADS
        """Whether many threads run in lockstep, like those of a GPU, with little memory each."""
        self.levels = levels
        """Frames for which there is room in each machine, beyond those of known depth."""
        self.module = BoardModule(
            game.description.source.name,
            MAX_SIZE[bundle],
            game.squares,
            game.layout,
            pdep=pdep,
            checked=checked,
            gpu=self.lockstep,
        )
        self.shared = Shared(game, self.module)
        self.patterns = Patterns(
            game, self.module, lambda rules, function: emit_pattern(self, rules, function)
        )
        self.regions = Regions(self.module, self.patterns)
        self.frame_bytes = 0
        """Memory for frames that is enough for everything but patterns inside patterns."""

    def need_frames(self, size: int) -> None:
        """See to it that callers provide that many bytes for frames."""
        if self.lockstep:
            # A machine's frames may lie on those of another one.
            self.frame_bytes += size
        else:
            self.frame_bytes = max(self.frame_bytes, size)

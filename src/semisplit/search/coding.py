"""How a search codes moves: the functions of the compiled game that it calls, and what codes mean.

Kernels know a move as a sequence of codes. Usually these are the codes of its steps. But searches
that know nothing but whole moves are faster, in games whose moves have numbers, if each move is one
code, its number; kernels take it for a single step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from semisplit.compiler.runtime.compiled import Codes, CompiledGame
from semisplit.core.errors import CompileError, CompileLimit
from semisplit.game import Game
from semisplit.search.features.mast.settings import Policy
from semisplit.search.features.submoves.records import KnownSubmoves
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.settings import Settings, Simulation, Tree

MAX_DENSE = 1 << 22
"""Codes, times players, up to which each has its place in an array instead of the table."""


class Known(NamedTuple):
    """What MAST or RAVE know."""

    split: bool
    """Whether that is single steps."""
    submoves: KnownSubmoves


class Functions(NamedTuple):
    """The addresses of functions of the compiled game; see `RulesRecord`."""

    apply: int
    list_actions: int
    list_semimoves: int
    list_tree: int
    list_simulation: int
    playouts: int
    batch_playouts: int


class StepCoding:
    """Codes of steps, as compiled games use them."""

    def __init__(self, game: CompiledGame, settings: Settings, guided: CompiledGame | None = None):
        """Prepare for a search.

        Args:
            game: The game.
            settings: What will be done.
            guided: Guided playouts, if there are any.
        """
        self.game = game
        self.codes = game.facts.codes
        """The number of codes."""
        self.silent = game.facts.silent
        """Codes below it change nothing."""
        self.frame_bytes = max(each.facts.frame_bytes for each in (game, guided) if each)
        """Memory that functions work in."""
        self._settings = settings
        self._guided = guided

    @property
    def functions(self) -> Functions:
        """What is called."""
        address, settings, mast = self.game.addresses, self._settings, self._settings.mast
        actions = address.get("list_actions", 0)
        semimoves = actions or address.get("list_semimoves", 0)
        orthodox_tree = settings.tree == Tree.ORTHODOX
        orthodox_simulation = settings.simulation == Simulation.ORTHODOX
        joint = self.game.facts.simultaneous
        playouts = 0
        if settings.policies:
            from semisplit.search.features.policies.compiling import address_of_playouts

            playouts = address_of_playouts()
        elif not settings.follows_moves:
            playouts = address["orthodox_playouts" if orthodox_simulation else "semisplit_playouts"]
        elif self._guided and mast and mast.policy == Policy.EPSILON_GREEDY:
            playouts = self._guided.addresses["guided_playouts"]
        return Functions(
            apply=address["apply"],
            list_actions=actions,
            list_semimoves=semimoves,
            list_tree=address["list_moves"] if orthodox_tree and not joint else semimoves,
            list_simulation=(
                address["list_moves"] if orthodox_simulation and not joint else semimoves
            ),
            playouts=playouts,
            batch_playouts=(
                address.get("batch_playouts", 0)
                if orthodox_simulation and not settings.policies
                else 0
            ),
        )

    @property
    def is_dense(self) -> bool:
        """Whether there are so few codes that statistics of each fit into an array."""
        return self.game.facts.players * self.codes <= MAX_DENSE

    def known(self, variant: Variant) -> Known:
        """What a variant of MAST or RAVE knows."""
        if self.game.facts.simultaneous:
            return Known(True, KnownSubmoves.NONE)
        return _known(self._settings, variant)

    def encode(self, steps: Sequence[int]) -> Codes:
        """What kernels know a move as, given the codes of its steps."""
        return tuple(steps)

    def decode(self, codes: Sequence[int]) -> Codes:
        """The codes of the steps of what kernels know as some codes."""
        return tuple(codes)


class NumberCoding(StepCoding):
    """Numbers of whole moves, each like the code of a single step."""

    def __init__(self, game: CompiledGame, settings: Settings, numbered: CompiledGame):
        super().__init__(game, settings, numbered)
        self.codes = numbered.facts.numbers
        self._numbered = numbered

    @property
    def functions(self) -> Functions:
        """What is called."""
        apply, lists = (self._numbered.addresses[name] for name in ("apply_number", "list_numbers"))
        return super().functions._replace(
            apply=apply, list_actions=lists, list_tree=lists, list_simulation=lists
        )

    def known(self, variant: Variant) -> Known:
        """Single steps, whatever the variant: that is what moves are."""
        return Known(True, KnownSubmoves.NONE)

    def encode(self, steps: Sequence[int]) -> Codes:
        """The number of a move."""
        return (self._numbered.codec.number(steps),)

    def decode(self, codes: Sequence[int]) -> Codes:
        """The steps of the only move; those of groups, which have none."""
        return tuple(step for code in codes for step in self._numbered.codec.number_codes(code))


def choose_coding(game: Game, settings: Settings) -> StepCoding:
    """The fastest coding for a search, with functions that are compiled for the purpose."""
    compiled, mast = game.compiled, settings.mast
    coding = StepCoding(compiled, settings)
    variants = {known.variant for known in (mast, settings.rave) if known}
    moves_only = {_known(settings, variant) for variant in variants} == {
        Known(False, KnownSubmoves.MOVES)
    }
    if compiled.facts.simultaneous:
        return coding
    if not settings.splits and moves_only:
        numbered = _special(lambda: game.numbered)
        if numbered and numbered.facts.numbers:
            numbers = NumberCoding(compiled, settings, numbered)
            return numbers if numbers.is_dense else coding
    elif (
        mast
        and mast.policy == Policy.EPSILON_GREEDY
        and settings.simulation == Simulation.SEMISPLIT
        and compiled.facts.mod
        and coding.known(mast.variant) == Known(True, KnownSubmoves.NONE)
        and coding.is_dense
    ):
        return StepCoding(compiled, settings, _special(lambda: game.guided))
    return coding


def _special(compile_it: Callable[[], CompiledGame]) -> CompiledGame | None:
    """Functions without which a search is slower, if they can be compiled."""
    try:
        return compile_it()
    except CompileLimit:
        return None  # They would be too large.
    except CompileError as error:
        error.warn("searches do without, more slowly")
        return None


def _known(settings: Settings, variant: Variant) -> Known:
    if variant == Variant.SPLIT:
        return Known(True, KnownSubmoves.NONE)
    if variant == Variant.JOIN:
        return Known(False, KnownSubmoves.MOVES)
    if variant == Variant.STANDARD:
        if not settings.splits:
            return Known(False, KnownSubmoves.MOVES)
        is_mod = settings.split is not None and settings.split.mod
        if is_mod:
            return Known(True, KnownSubmoves.NONE)
        return Known(False, KnownSubmoves.SEMIMOVES)
    # Without semimoves whole moves are all that is ever looked up.
    submoves = KnownSubmoves.PREFIXES if settings.splits else KnownSubmoves.MOVES
    return Known(variant == Variant.MIX, submoves)

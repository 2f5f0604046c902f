"""From rules to LLVM IR: all functions of a game."""

from __future__ import annotations

from dataclasses import dataclass

from semisplit.compiler.emit.large import spare_large_functions
from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.target import Target
from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.native.analysis.facts import GameFacts
from semisplit.language.rbg.native.analysis.graph import Graph
from semisplit.language.rbg.native.board.module import BoardModule
from semisplit.language.rbg.native.board.squares import Squares
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.interface.apply import emit_apply, emit_play
from semisplit.language.rbg.native.interface.list_actions import emit_list_actions
from semisplit.language.rbg.native.interface.list_moves import Ends, emit_list
from semisplit.language.rbg.native.interface.list_nodal import emit_nodal_list
from semisplit.language.rbg.native.machine.pattern import emit_pattern
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site_tables import SiteTables
from semisplit.language.rbg.native.machine.tables import has_many_sites
from semisplit.language.rbg.native.machine.transitions import emit_transitions
from semisplit.language.rbg.native.playout.guided import emit_guided_playout
from semisplit.language.rbg.native.playout.listed import emit_listed_playout
from semisplit.language.rbg.native.playout.numbered import Group, emit_numbered
from semisplit.language.rbg.native.playout.orthodox import orthodox_play
from semisplit.language.rbg.native.playout.playout import (
    emit_playout,
    emit_playouts,
    semisplit_play,
)
from semisplit.language.rbg.native.playout.threads import emit_listed_thread, emit_play_thread
from semisplit.language.rbg.text.ast import Rule


@dataclass(frozen=True)
class Emitted:
    """The functions of a game, and what has to be known to call them."""

    program: Program
    groups: tuple[Group, ...] = ()
    """The kinds of moves that have numbers, see `numbered`."""

    @property
    def module(self) -> BoardModule:
        """The functions."""
        return self.program.module

    @property
    def description(self) -> Description:
        """The game."""
        return self.program.game.description

    @property
    def squares(self) -> Squares:
        """Which bit stands for which vertex."""
        return self.program.game.squares

    @property
    def graph(self) -> Graph:
        """The modifiers and dots."""
        return self.program.game.graph

    @property
    def forgetful(self) -> list[int]:
        """The steps after which the current square makes no difference."""
        return self.program.game.forgetful

    @property
    def frame_bytes(self) -> int:
        """The memory to work in that callers provide."""
        return self.program.frame_bytes


def emit(
    description: Description,
    rules: Rule,
    split: SplitStrategy | None,
    *,
    bundle: Bundle = Bundle.GAME,
    checked: bool = False,
    pdep: bool | None = None,
    levels: int = MAX_MOVE_LENGTH,
) -> Emitted:
    """Emit all functions of a game.

    Args:
        description: The game.
        rules: Its rules with the dots of the split strategy.
        split: The split strategy.
        bundle: Which of its functions.
        checked: Whether code checks every index into a table.
        pdep: Whether there is an instruction of that name; None asks the processor.
        levels: Frames for which there is room in each machine, beyond those of known depth.
    """
    if bundle == Bundle.THREADS:
        return Emitted(_emit_threads(description, rules, split, levels))
    pdep = Target.host().has("bmi2") if pdep is None else pdep
    game = GameFacts(description, rules)
    program = Program(game, bundle, emit_pattern, pdep=pdep, checked=checked)
    groups = _emit_functions(program, split, bundle)
    spare_large_functions(program.module.ir)
    return Emitted(program, tuple(groups))


def _emit_threads(
    description: Description, rules: Rule, split: SplitStrategy | None, levels: int
) -> Program:
    game = GameFacts(description, rules, keeps_sets=True)
    program = Program(game, Bundle.THREADS, emit_pattern, pdep=False, checked=False, levels=levels)
    transitions = emit_transitions(program)
    stride = GameFacts(description, rules).layout.bytes
    if split is None:
        emit_play_thread(program, orthodox_play(program, transitions), stride)
    elif split.mod:
        emit_play_thread(program, semisplit_play(program, transitions), stride)
    else:
        sites = SiteTables(program, Until.MODIFIER)
        dotted = SiteTables(program, Until.DOT) if game.graph.dots else sites
        play = emit_play(program, transitions, sites, dotted)
        listing = emit_list(program, transitions, "list_semimoves", dotted, Ends.SWITCH_OR_DOT)
        playout = emit_listed_playout(program, transitions, listing, play)
        emit_listed_thread(program, playout, stride)
    return program


def _emit_functions(program: Program, split: SplitStrategy | None, bundle: Bundle) -> list[Group]:
    transitions = emit_transitions(program)
    if bundle == Bundle.GUIDED:
        emit_playouts(program, "guided", emit_guided_playout(program, transitions))
        return []
    if bundle == Bundle.NUMBERED:
        return emit_numbered(program, transitions)
    sites = SiteTables(program, Until.MODIFIER)
    dotted = SiteTables(program, Until.DOT) if program.game.graph.dots else sites
    play = emit_play(program, transitions, sites, dotted)
    emit_apply(program, transitions)
    # Where sites are many or merged, the code for all of them would take long to compile.
    numbered = program.game.numbered
    is_large = has_many_sites(numbered) or numbered is not program.game.merged
    nodal = None if is_large else emit_nodal_list(program)
    emit_list(program, transitions, "list_moves", sites, Ends.SWITCH, nodal)
    orthodox = orthodox_play(program, transitions)
    emit_playouts(program, "orthodox", emit_playout(program, orthodox))
    if split is None:
        return []
    ends = Ends.ANYTHING if split.mod else Ends.SWITCH_OR_DOT
    listing = emit_list(program, transitions, "list_semimoves", dotted, ends)
    if split.mod:
        emit_list_actions(program, dotted)
        semisplit = emit_playout(program, semisplit_play(program, transitions))
    else:
        semisplit = emit_listed_playout(program, transitions, listing, play)
    emit_playouts(program, "semisplit", semisplit)
    return []

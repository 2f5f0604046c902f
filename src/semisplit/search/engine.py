"""The engine of a search, seen from Python: it allocates the memory that kernels work on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from semisplit.core.errors import CompileError, CompileLimit, InputError
from semisplit.core.limits import MAX_MOVE_LENGTH, MAX_MOVES
from semisplit.game import Game
from semisplit.runtime.abi import Part
from semisplit.runtime.compiled import CompiledGame
from semisplit.runtime.scratch import Scratch
from semisplit.search.kernels.lanes import LANES
from semisplit.search.kernels.load import load_kernels
from semisplit.search.kernels.memory import (
    EDGE,
    ENGINE,
    LEVEL,
    LOGARITHMS,
    MERIT,
    PATH,
    ROOT,
    SAMPLES,
    SUBMOVE,
    TRACE,
    Chain,
    Kind,
)
from semisplit.search.kernels.reroot import copy_subtree
from semisplit.search.kernels.samples import forget_samples
from semisplit.search.kernels.select import fill_root_logarithms
from semisplit.search.kernels.submoves import copy_submoves
from semisplit.search.settings import Decay, Policy, Settings, Simulation, Tree, Variant
from semisplit.search.spare import give_back, take
from semisplit.search.ticking import first_reading

_MAX_WORK = 10_000_000
"""Failures after which a search for moves is given up."""
_MAX_LIST = 1 << 26
"""Room for lists of moves, in steps."""
_MAX_PATH = 1 << 20
"""Room for the way through the tree, in edges."""
_MAX_TRACE = 1 << 24
"""Room for what happens in an iteration, in steps."""
_MAX_DENSE = 1 << 22
"""Steps, times players, up to which each has its place in an array instead of the table."""
_BEHIND_SCORES = 64
"""Room that compiled games need behind the scores of steps."""
_FIRST_SUBMOVES = 1 << 16
"""Submoves that have room at first."""
_OF_SUBMOVES = {"submove_samples": SAMPLES, "submove_scores": "f4", "submove_stamps": "i8"}
"""What is known about each submove."""


class Engine:
    """The record that kernels get, and the arrays it points to.

    Arrays are as long as they may ever become: what is not used is not there. Only the table of
    submoves grows, between calls of kernels.
    """

    def __init__(self, game: Game, settings: Settings, seed: int, max_bytes: int):
        load_kernels()
        first_reading()
        self._record = np.zeros(1, ENGINE).view(np.recarray)
        self.s: Any = self._record[0]
        """The record."""
        self._arrays: dict[str, NDArray[Any]] = {}
        self._tree: dict[str, NDArray[Any]] = {}
        finalize(self, give_back, self._tree)
        self.game = game.compiled
        """The functions it calls."""
        self._special = _special(game, settings)
        """Other functions for the same, if they are faster."""
        programs = (self.game, self._special or self.game)
        frame_bytes = max(program.facts.frame_bytes for program in programs)
        self._scratch = Scratch(frame_bytes, self.game.facts.group_bytes)
        self.s.seed = seed % 2**64
        self.s.max_bytes = max_bytes
        self.s.scale = 1.0
        self._set_game(game, settings)
        self._set_variant(settings)
        self._allocate_work(game)
        self.clear_tree()

    def _set_game(self, game: Game, settings: Settings) -> None:
        s, facts, address = self.s, self.game.facts, self.game.addresses
        special = self._special.addresses if self._special else {}
        s.state_bytes = facts.state_bytes
        s.players = facts.players
        s.words = facts.codes
        s.apply = address["apply"]
        s.list_actions = address.get("list_actions", 0)
        semimoves = s.list_actions or address.get("list_semimoves", 0)
        s.list_semimoves = semimoves
        s.list_tree = address["list_moves"] if settings.tree == Tree.ORTHODOX else semimoves
        orthodox = settings.simulation == Simulation.ORTHODOX
        s.list_simulation = address["list_moves"] if orthodox else semimoves
        if settings.mast is None and settings.rave is None:
            s.playouts = address["orthodox_playouts" if orthodox else "semisplit_playouts"]
        elif settings.mast and settings.mast.policy == Policy.EPSILON_GREEDY:
            s.playouts = special.get("guided_playouts", 0)
        if self._special and self._is_numbered:
            s.words = self._special.facts.numbers
            s.apply = special["apply_number"]
            s.list_actions = s.list_tree = s.list_simulation = special["list_numbers"]
        s.first_modifier = facts.silent
        s.max_length, s.max_moves, s.max_work = MAX_MOVE_LENGTH, MAX_MOVES, _MAX_WORK

    def _set_variant(self, settings: Settings) -> None:
        s = self.s
        s.nodal = settings.nodal
        s.overhead, s.max_semidepth = settings.overhead, settings.max_semidepth
        s.rolls_up = settings.tree == Tree.ROLLUP
        s.exploration = settings.exploration
        s.msf = settings.min_simulations_factor
        s.min_difference = settings.min_score_difference
        if mast := settings.mast:
            s.mast_in_simulation = True
            s.mast_in_expansion = mast.in_expansion
            s.mast_split, s.mast_chain = self._kept(settings, mast.variant)
            s.mast_policy = mast.policy
            s.mast_epsilon, s.mast_temperature = mast.epsilon, mast.temperature
            s.mast_threshold, s.mast_tree_only = mast.threshold, mast.tree_only
            s.mast_decay = mast.decay_factor
            s.mast_batch = {Decay.MOVE: 0, Decay.BATCH: mast.batch, Decay.SIMULATION: 1}[mast.decay]
        if rave := settings.rave:
            s.rave_split, s.rave_chain = self._kept(settings, rave.variant)
            s.rave_records = bool(s.rave_split) + bool(s.rave_chain)
            s.rave_equivalence, s.rave_threshold = rave.equivalence, rave.threshold
            s.rave_reference = rave.reference
        s.traced = settings.mast is not None or settings.rave is not None
        s.contexts = Chain.PREFIX in (s.mast_chain, s.rave_chain)

    def _kept(self, settings: Settings, variant: Variant) -> tuple[bool, Chain]:
        # A move that is a number is a single step.
        return (True, Chain.NONE) if self._is_numbered else _kept(settings, variant)

    def _allocate_work(self, game: Game) -> None:
        s, facts = self.s, self.game.facts
        bounds = list(game.rules.players.values())
        self._set("bounds", np.array(bounds, "f8"))
        self._allocate("root_logarithms", LOGARITHMS, "f4")
        fill_root_logarithms(s.root_logarithms)
        self._allocate("scores", facts.players, "f8")
        self._allocate("spare", max(16, facts.players), "i8")
        self._allocate("root", s.state_bytes, "u1")
        self._allocate("stack", (2 * MAX_MOVE_LENGTH + 4) * s.state_bytes, "u1")
        self._allocate("levels", 2 * MAX_MOVE_LENGTH + 4, LEVEL)
        self._allocate("buffer", _MAX_LIST, "i4")
        for name, kind in (("candidates", "i4"), ("values", "f4"), ("guesses", "f4")):
            self._allocate(name, _MAX_LIST // 2 + int(s.words) + 2 * LANES, kind)
        self._allocate("path", _MAX_PATH, PATH)
        # Behind the limit there is room for the longest move that can be found.
        self._allocate("trace", _MAX_TRACE + 3 * MAX_MOVE_LENGTH, TRACE)
        s.buffer_size, s.candidate_size = _MAX_LIST, _MAX_LIST // 2 + s.words
        s.path_size, s.trace_size = _MAX_PATH, _MAX_TRACE
        self._scratch.reset()
        self._scratch.context.max_work = _MAX_WORK
        s.context = self._scratch.address
        self._scratch.context.buffer_end = int(s.buffer) + 4 * _MAX_LIST
        is_dense = s.players * s.words <= _MAX_DENSE
        if s.mast_split and is_dense:
            self._allocate("split_samples", s.players * s.words, SAMPLES)
            self._allocate("split_scores", s.players * s.words + _BEHIND_SCORES, "f4")
            forget_samples(s.split_samples, s.split_scores, s.players * s.words)
        context = self._scratch.context
        context.scores = int(s.split_scores)
        context.epsilon = int(s.mast_epsilon * 2**53)
        context.trace_end = int(s["trace"]) + TRACE.itemsize * int(s.trace_size)
        if s.rave_split and is_dense:
            self._allocate("split_stamps", s.players * s.words, "i8")
        s.submove_count = 1  # the empty one
        uses_singles = not is_dense and (s.mast_split or s.rave_split)
        uses_table = s.mast_chain or s.rave_chain or uses_singles
        if uses_table and s.words < _FIRST_SUBMOVES // 4:
            s.single_submoves = s.words
            s.submove_count += s.words
        entry = 2 * SUBMOVE.itemsize + int(s.players) * (SAMPLES.itemsize + 4 + 8)
        s.submove_limit = max(_FIRST_SUBMOVES, int(s.max_bytes) // entry) if uses_table else 1
        first = min(_FIRST_SUBMOVES, 1 << (4 * int(s.submove_count)).bit_length())
        self._allocate_submoves(first if uses_table else 1)

    def _allocate(self, name: str, count: int, kind: Any) -> None:
        try:
            self._set(name, np.zeros(count, kind))
        except MemoryError:
            raise InputError(f"there is no room to search: {name} would take too much") from None

    def _set(self, name: str, array: NDArray[Any]) -> None:
        self._arrays[name] = array
        self.s[name] = array.ctypes.data

    @property
    def _is_numbered(self) -> bool:
        """Whether moves are numbers."""
        return self._special is not None and self._special.facts.part == Part.NUMBERED

    # Submoves

    def _allocate_submoves(self, capacity: int) -> None:
        s, old, arrays = self.s, self._record.copy()[0], dict(self._arrays)
        for name, kind in _OF_SUBMOVES.items():
            self._allocate(name, capacity * s.players, kind)
        forget_samples(s.submove_samples, s.submove_scores, capacity * s.players)
        for name in _OF_SUBMOVES.keys() & arrays.keys():
            self._arrays[name][: len(arrays[name])] = arrays[name]
        self._allocate("submoves", 2 * capacity, SUBMOVE)
        s.submove_capacity, s.submove_mask = capacity, 2 * capacity - 1
        if "submoves" in arrays:
            copy_submoves(old, s)

    def grow_submoves(self) -> None:
        """Make room for more submoves if many have come in, up to the limit."""
        s = self.s
        needed = max(2 * int(s.submove_count), int(s.submove_needed))
        if s.submove_capacity < min(needed, int(s.submove_limit)):
            most = min(2 * needed, int(s.submove_limit))
            self._allocate_submoves(1 << (most - 1).bit_length())

    # The tree

    def clear_tree(self) -> None:
        """Begin a tree that is nothing but a root."""
        if not self._tree:
            self._install_tree(self._new_tree())
        s = self.s
        s.step_count = s.full = s.deepest = 0
        s.node_count = s.edge_count = 1
        self.edges[ROOT] = (0.0, 0, 0, -1, 0, 0, Kind.NODAL)

    def _new_tree(self) -> dict[str, NDArray[Any]]:
        """Arrays as large as the memory limit allows."""
        s = self.s
        # One leads to the root, and vectors may reach beyond the last.
        count = int(s.max_bytes) // (EDGE.itemsize + MERIT.itemsize) + 1 + LANES
        try:
            arrays = {
                "edges": take(count, EDGE),
                "merits": take(count, MERIT),
                "steps": take(int(s.max_bytes) // 4 + 1, "i4"),
            }
            if s.rave_records:
                arrays["amaf"] = take(count * int(s.rave_records), SAMPLES)
                arrays["estimates"] = take(count * int(s.rave_records), "f4")
            if s.rave_chain:
                arrays["elements"] = take(count, "i4")
        except MemoryError:
            raise InputError(
                f"there is no room for a tree of {s.max_bytes / 2**20:.0f} MiB;"
                " give the search less memory"
            ) from None
        return arrays

    def _install_tree(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._tree.update(arrays)
        for name, array in arrays.items():
            self.s[name] = array.ctypes.data

    def keep_subtree(self, node: int) -> None:
        """Make a node the root and forget all that is not below it.

        While it is copied there are two trees. If there is no room for that, all is forgotten.
        """
        try:
            new = self._new_tree()
        except InputError:
            self.clear_tree()
            return
        old, arrays = self._record.copy()[0], dict(self._tree)
        depths = np.empty(old.edge_count, "i4")
        self._install_tree(new)
        self.clear_tree()
        copy_subtree(old, self.s, node, depths.ctypes.data)
        give_back(arrays)

    @property
    def edges(self) -> NDArray[Any]:
        """The edges of the tree, and the nodes they lead to."""
        return self._tree["edges"]

    @property
    def amaf(self) -> NDArray[Any]:
        """RAVE's samples, one or two for each edge."""
        return self._tree["amaf"]

    def edge_words(self, number: int) -> list[int]:
        """The steps of an edge, as words."""
        steps, several = int(self.edges[number]["steps"]), self._tree["steps"]
        if self._special and self._is_numbered:
            return self._special.codec.number_codes(steps)
        if steps >= 0:
            return [steps]
        place = -1 - steps
        words: list[int] = several[place + 1 : place + 1 + several[place]].tolist()
        return words

    def known_words(self, codes: Sequence[int]) -> list[int]:
        """The codes of steps as kernels know them."""
        if self._special and self._is_numbered:
            return [self._special.codec.number(codes)]
        return list(codes)

    def set_root_state(self, state: bytes) -> None:
        """Let iterations begin in a state."""
        self._arrays["root"][:] = np.frombuffer(state, "u1")


def _special(game: Game, settings: Settings) -> CompiledGame | None:
    """Functions that are compiled for the purpose, because searches with them are much faster.

    There are guided playouts for those who prefer the best single steps, and moves as numbers, with
    guided playouts, for those who know whole moves, in games that have them.
    """
    variants = {known.variant for known in (settings.mast, settings.rave) if known}
    kept = {_kept(settings, variant) for variant in variants}
    try:
        if not settings.splits and kept == {(False, Chain.MOVE)}:
            numbers = game.numbered.facts.players * game.numbered.facts.numbers
            return game.numbered if 0 < numbers <= _MAX_DENSE else None
        facts, mast = game.compiled.facts, settings.mast
        is_split = settings.simulation == Simulation.SEMISPLIT and facts.mod
        if mast and is_split and _kept(settings, mast.variant) == (True, Chain.NONE):
            return game.guided if facts.players * facts.codes <= _MAX_DENSE else None
    except CompileLimit:
        pass  # Where they would be too large to compile, searches do without them.
    except CompileError as error:
        error.warn("searches do without, more slowly")
    return None


def _kept(settings: Settings, variant: Variant) -> tuple[bool, Chain]:
    """Whether single steps are known, and which chains of steps."""
    assert settings.split is not None or not settings.splits
    if variant == Variant.SPLIT:
        return True, Chain.NONE
    if variant == Variant.JOIN:
        return False, Chain.MOVE
    if variant == Variant.STANDARD:
        if not settings.splits:
            return False, Chain.MOVE
        is_mod = settings.split is not None and settings.split.mod
        return (True, Chain.NONE) if is_mod else (False, Chain.SEMIMOVE)
    # Without semimoves whole moves are all that is ever looked up.
    return variant == Variant.MIX, Chain.PREFIX if settings.splits else Chain.MOVE

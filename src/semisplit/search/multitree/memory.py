"""Making the records of a search in several trees, and memory for their arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semisplit.compiler.runtime.compiled import transpose_masks
from semisplit.compiler.runtime.scratch import Scratch
from semisplit.game import Game
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.cycle_clock import first_reading
from semisplit.search.engine.toolkit.record import Array, fill_record, i4, size_of
from semisplit.search.multitree.kernels.line import replay
from semisplit.search.multitree.kernels.load import load_kernels
from semisplit.search.multitree.kernels.memory import (
    ForestRecord,
    LabelRecord,
    MemoRecord,
    MoveRecord,
    NodeRecord,
    PositionRecord,
    RulesRecord,
    TransitionRecord,
    WorkerRecord,
    Workplace,
)
from semisplit.search.multitree.kernels.trees import copy_labels, fill_node_table
from semisplit.search.multitree.settings import MultiTreeSettings

MOST_TREES = 62
"""Sub-games, as many as there are bits in what contradictions are noted down in."""
_MOST_MOVES = 4096
_MAX_DEPTH = 1000
_MAX_WORK = 10_000_000
_PAGE = 1 << 12
_MEMO = 1 << 28
"""Bytes for positions that need not be worked out again."""


class Memory:
    """The records of a search, and the arrays that they point to."""

    def __init__(
        self,
        game: Game,
        masks: Sequence[int],
        settings: MultiTreeSettings,
        random: int,
        max_bytes: int,
    ):
        """Make empty trees.

        Args:
            game: The game.
            masks: The sub-games, as bits of states that are read as little-endian integers.
            settings: What to do.
            random: The state of random numbers.
            max_bytes: How much memory the trees may take.
        """
        load_kernels()
        first_reading()
        self.game = game.compiled
        self.rules, self.forest, self.memo = RulesRecord(), ForestRecord(), MemoRecord()
        self.worker = WorkerRecord()
        self.of_rules, self.of_forest = Arrays(self.rules), Arrays(self.forest)
        self._of_memo, self.of_worker = Arrays(self.memo), Arrays(self.worker)
        self._max_bytes = max_bytes
        self._set_rules(game, masks, settings)
        self._allocate_forest()
        self._allocate_memo()
        self._allocate_worker(random)

    @property
    def workplace(self) -> Workplace:
        """What kernels get."""
        return Workplace(self.rules, self.forest, self.memo, self.worker)

    def _set_rules(self, game: Game, masks: Sequence[int], settings: MultiTreeSettings) -> None:
        rules, arrays, facts = self.rules, self.of_rules, self.game.facts
        address = self.game.addresses
        rules.apply, rules.look_ahead = address["apply"], address["look_ahead"]
        rules.playouts = address["orthodox_playouts"]
        rules.bounds = address["bounds"] if len(masks) > 1 else 0
        rules.state_words, rules.first_bits = facts.state_bytes // 8, facts.bits // 8
        rules.bit_words = rules.state_words - rules.first_bits
        rules.players, rules.base, rules.trees = facts.players, facts.codes + 1, len(masks)
        states = b"".join(mask.to_bytes(facts.state_bytes, "little") for mask in masks)
        words = np.frombuffer(states, "i8").reshape(len(masks), -1)[:, rules.first_bits :]
        arrays.put("masks", words.copy())
        arrays.put("known", transpose_masks(masks, facts))
        arrays.put("highest", np.array([*game.rules.players.values()], "i4"))
        arrays.put("step_ends", np.cumsum(facts.steps, dtype="i4"))
        fill_record(rules.parameters, settings)
        rules.prunes = facts.players == 1
        rules.most_moves = min(facts.codes, _MOST_MOVES) if rules.prunes else _MOST_MOVES
        rules.max_depth, rules.max_work = _MAX_DEPTH, _MAX_WORK

    def _allocate_forest(self) -> None:
        rules, forest, arrays = self.rules, self.forest, self.of_forest
        trees, players = rules.trees, rules.players
        forest.room = (rules.most_moves + rules.max_depth + 2) * trees
        size = size_of(NodeRecord) + 8 * rules.bit_words + size_of(TransitionRecord)
        size += 16 * players + size_of(i4) * trees
        # One half for these, the other one for tables.
        forest.capacity = self._max_bytes // 2 // size + forest.room
        for name in ("nodes", "transitions"):
            arrays.allocate(name, forest.capacity)
        arrays.allocate("substates", forest.capacity * rules.bit_words)
        for name in ("scores", "potentials"):
            arrays.allocate(name, forest.capacity * players)
        arrays.allocate("situations", forest.capacity * trees)
        tables = 1 << (4 * forest.room).bit_length()
        arrays.allocate("node_table", tables)
        arrays.allocate("labels", tables)
        forest.node_mask = forest.label_mask = tables - 1
        arrays.allocate("explored", trees)
        arrays.allocate("limits", trees * players)
        arrays.allocate("doubts", trees)
        others = [(1 << trees) - 1 - (1 << tree) for tree in range(trees)]
        arrays.put("suspects", np.array(others, "i8"))
        arrays.allocate("root", rules.state_words)
        arrays.allocate("root_visits", rules.most_moves)
        arrays.allocate("root_scores", rules.most_moves * players)
        arrays.allocate("best_moves", rules.max_depth + 1)
        arrays.allocate("best_state", rules.state_words)
        forest.best_score = -1

    def _allocate_memo(self) -> None:
        rules, memo, arrays = self.rules, self.memo, self._of_memo
        trees = rules.trees
        in_position = size_of(PositionRecord) + 8 * rules.state_words + 16 * trees + 8
        in_move = size_of(MoveRecord) + 12 * trees + 4
        # Most positions have fewer moves than there are codes.
        moves = min(rules.base, 64)
        memo.position_size = _MEMO // (in_position + moves * in_move)
        memo.move_size = moves * memo.position_size + rules.most_moves
        arrays.allocate("positions", memo.position_size)
        arrays.allocate("states", memo.position_size * rules.state_words)
        arrays.allocate("moves", memo.move_size)
        for name in ("nodes", "seen", "open_kinds", "all_kinds"):
            arrays.allocate(name, memo.position_size * trees)
        arrays.allocate("options", memo.move_size)
        for name in ("transitions", "kinds", "kind_of"):
            arrays.allocate(name, memo.move_size * trees)
        size = 1 << (2 * memo.position_size).bit_length()
        arrays.allocate("table", size)
        # To touch a page for the first time takes longer than to work out a position.
        memo.table_mask = min(size, _PAGE // size_of(i4)) - 1

    def _allocate_worker(self, random: int) -> None:
        rules, worker, arrays = self.rules, self.worker, self.of_worker
        trees, players, most = rules.trees, rules.players, rules.most_moves
        setattr(worker, "random", random % 2**64)  # noqa: B010
        for name in ("state", "tried", "final"):
            arrays.allocate(name, rules.state_words)
        listed = (most + 1) * (players + 1)
        arrays.allocate("buffer", listed)
        arrays.allocate("outcomes", (most + 1) * players)
        for name in ("steps", "sums"):
            arrays.allocate(name, players)
        for name in ("bounds", "scores", "potentials"):
            arrays.allocate(name, trees * players)
        arrays.allocate("path_moves", rules.max_depth + 1)
        for name in ("path_nodes", "path_transitions"):
            arrays.allocate(name, (rules.max_depth + 1) * trees)
        arrays.allocate("revised", trees)
        for name in ("unknown", "first_moves", "last_moves", "next_moves", "counted"):
            arrays.allocate(name, most)
        for name in ("merits", "explored", "votes", "earnings"):
            arrays.allocate(name, most)
        arrays.allocate("means", most * trees)
        self._scratch = Scratch(self.game.facts.frame_bytes, self.game.facts.group_bytes)
        self._scratch.reset()
        context = self._scratch.context
        context.max_work = rules.max_work
        context.buffer_end = arrays["buffer"].ctypes.data + size_of(i4) * listed
        setattr(worker, "context", self._scratch.address)  # noqa: B010

    def set_root(self, state: bytes, depth: int) -> None:
        """Let the next iterations begin in a state, so many moves after the beginning."""
        arrays = self.of_forest
        arrays["root"][:] = np.frombuffer(state, "i8")
        self.forest.root_depth = depth
        for name in ("root_visits", "root_scores", "explored"):
            arrays[name][:] = 0
        self.forest.best_score = -1

    def make_room(self) -> None:
        """Enlarge tables that may become too full; when memory is, the trees stay as they are."""
        forest, arrays = self.forest, self.of_forest
        used = max(forest.node_count, forest.transition_count, forest.situation_count)
        if used + forest.room > forest.capacity:
            forest.full = 1
        if 2 * (forest.node_count + forest.room) > forest.node_mask:
            forest.node_mask = 2 * forest.node_mask + 1
            arrays.allocate("node_table", forest.node_mask + 1)
            fill_node_table(self.workplace)
        if 2 * (forest.label_count + forest.room) > forest.label_mask:
            size = forest.label_mask + 1
            if 2 * size * size_of(LabelRecord) > self._max_bytes:
                forest.full = 1
                return
            old = arrays["labels"]
            forest.label_mask = 2 * size - 1
            arrays.allocate("labels", 2 * size)
            copy_labels(self.workplace, Array[LabelRecord](old), size)

    def best_line(self) -> list[int]:
        """The moves of the best line that was found, as numbers."""
        forest, arrays = self.forest, self.of_forest
        length = forest.best_length + forest.best_playout
        if length > len(arrays["best_moves"]):
            arrays.enlarge("best_moves", length)
        replay(self.workplace)
        moves: list[int] = arrays["best_moves"][:length].tolist()
        return moves

    @property
    def used_bytes(self) -> int:
        """The memory that the trees take."""
        forest, rules = self.forest, self.rules
        per_node = size_of(NodeRecord) + 8 * rules.bit_words
        per_transition = size_of(TransitionRecord) + 16 * rules.players
        tables = (forest.node_mask + 1) * size_of(i4)
        tables += (forest.label_mask + 1) * size_of(LabelRecord)
        return int(
            forest.node_count * per_node
            + forest.transition_count * per_transition
            + forest.situation_count * rules.trees * size_of(i4)
            + tables
        )

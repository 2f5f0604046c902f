"""The records of a proof, and memory for their arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from semisplit.compiler.runtime.abi import SCORES
from semisplit.compiler.runtime.compiled import Codes, CompiledGame
from semisplit.compiler.runtime.scratch import Scratch
from semisplit.core.errors import CompileError, CompileLimit
from semisplit.game import Game
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.engine.toolkit.record import size_of
from semisplit.search.proof.kernels.load import load_kernels
from semisplit.search.proof.kernels.memory import (
    SLOTS,
    EntryRecord,
    GameRecord,
    GoalRecord,
    TableRecord,
    WorkerRecord,
    Workspace,
)
from semisplit.search.proof.settings import ProofSettings

_MOST_LEVELS = 1 << 13
_MOST_CHILDREN = 1 << 20
_BUFFER = 1 << 22
"""Room for lists of moves, in steps."""
_FIRST_GROUPS = 1 << 14
"""Groups of entries of the table with which a search begins."""
_MAX_WORK = 10_000_000
_PATH = 1 << 12


class Memory:
    """The records of a search for proofs in one game."""

    def __init__(self, game: Game, settings: ProofSettings, table_bytes: int, objective: int):
        """Make an empty table.

        Args:
            game: The game, with its moves split as they are to be.
            settings: How to search.
            table_bytes: The size of the table.
            objective: The player whose score counts, by number.
        """
        load_kernels()
        self.compiled = game.compiled
        self._numbered = _numbered(game)
        self.game, self.goal = GameRecord(), GoalRecord()
        self.table, self.worker = TableRecord(), WorkerRecord()
        self._of_game, self._of_table = Arrays(self.game), Arrays(self.table)
        self._of_worker = Arrays(self.worker)
        self._set_functions(game)
        self._set_states(objective)
        self.game.epsilon, self.game.breadth = int(256 * settings.epsilon), settings.breadth
        self._allocate(table_bytes)

    @property
    def workspace(self) -> Workspace:
        """What kernels get."""
        return Workspace(self.game, self.goal, self.table, self.worker)

    def _set_functions(self, game: Game) -> None:
        record, address, facts = self.game, self.compiled.addresses, self.compiled.facts
        record.apply, record.lanes = address["apply"], facts.lanes
        if game.split is not None:
            record.list = address["list_actions" if facts.mod else "list_semimoves"]
            record.flat = facts.mod
        elif self._numbered:
            numbers = self._numbered.addresses
            record.list, record.apply, record.flat = (
                numbers["list_numbers"],
                numbers["apply_number"],
                1,
            )
        else:
            record.list = address["list_moves"]
        # Who has lanes is told of the end of a game by the state.
        record.apply_each = address.get("apply_each", 0)
        if not record.apply_each:
            record.list_whole = record.list if self._numbered else address["list_moves"]
            record.writes_whole = self._is_numbered
        record.max_work = _MAX_WORK

    def _set_states(self, objective: int) -> None:
        record, facts = self.game, self.compiled.facts
        record.state_words = facts.state_bytes // 8
        record.key_words = (facts.key_bytes or facts.state_bytes) // 8
        record.objective = SCORES // 4 + objective - 1
        record.other_score = SCORES // 4 + 2 - objective
        record.first_step = max([0, *(-step for step in facts.forgetful)])
        record.steps = record.first_step + max(facts.forgetful, default=-1) + 1
        forgetful = np.zeros(record.steps + 1, "i4")
        forgetful[[step + record.first_step for step in facts.forgetful]] = 1
        self._of_game.put("forgetful", forgetful)

    def _allocate(self, table_bytes: int) -> None:
        record, worker, arrays = self.game, self.worker, self._of_worker
        record.most_levels, record.most_children = _MOST_LEVELS, _MOST_CHILDREN
        numbers = self._numbered.facts.numbers if self._numbered else 0
        # A list of codes may have all of them, and there are two.
        record.buffer_size = max(_BUFFER, 4 * max(numbers, self.compiled.facts.codes))
        arrays.allocate("frames", _MOST_LEVELS + 1)
        arrays.allocate("children", _MOST_CHILDREN + 2)
        arrays.allocate("states", (_MOST_CHILDREN + 2) * record.state_words)
        arrays.allocate("buffer", record.buffer_size)
        arrays.allocate("on_path", _PATH)
        groups = table_bytes // (SLOTS * size_of(EntryRecord))
        groups = 1 << max(0, groups.bit_length() - 1)
        self._of_table.allocate("entries", groups * SLOTS)
        self.table.whole_mask = groups - 1
        self.table.mask = min(groups, _FIRST_GROUPS) - 1
        frame_bytes = max(c.facts.frame_bytes for c in (self.compiled, self._numbered) if c)
        self._scratch = Scratch(frame_bytes, self.compiled.facts.group_bytes)
        self._scratch.reset()
        setattr(worker, "context", self._scratch.address)  # noqa: B010

    @property
    def entries(self) -> int:
        """The entries for which the table has room."""
        return (int(self.table.whole_mask) + 1) * SLOTS

    def set_root(self, state: bytes) -> None:
        """Begin with another position; what the table has stays."""
        worker, arrays = self.worker, self._of_worker
        words = np.frombuffer(state, "i8")
        arrays["states"][: len(words)] = words
        arrays["on_path"][:] = 0
        worker.level = worker.failure = 0
        self._scratch.context.status = 0

    def forget(self) -> None:
        """Empty the table."""
        self._of_table["entries"][: (int(self.table.mask) + 1) * SLOTS] = 0
        self.table.used = 0

    def state_of(self, child: int) -> bytes:
        """The state of a child of the root."""
        words = self.game.state_words
        begin = (child + 1) * words
        return bytes(self._of_worker["states"][begin : begin + words].tobytes())

    @property
    def table_bytes(self) -> int:
        """The size of the table."""
        return self.entries * size_of(EntryRecord)

    def children(self, count: int) -> Sequence[np.void]:
        """The first children that were made."""
        return [*self._of_worker["children"][:count]]

    def moves(self, count: int) -> list[Codes]:
        """The first moves that were listed for the root, as the codes of their steps."""
        buffer, place, moves = self._of_worker["buffer"], 0, []
        for _ in range(count):
            length = 1 if self.game.flat else int(buffer[place])
            place += not self.game.flat
            codes = tuple(map(int, buffer[place : place + length]))
            place += length
            if self.game.flat and self._is_numbered:
                codes = tuple(self._number_codes(codes[0]))
            moves.append(codes)
        return moves

    @property
    def _is_numbered(self) -> bool:
        return self._numbered is not None

    def _number_codes(self, number: int) -> list[int]:
        assert self._numbered is not None
        return self._numbered.codec.number_codes(number)


def _numbered(game: Game) -> CompiledGame | None:
    """The game with moves as numbers, if they have some: it is faster."""
    if game.split is not None:
        return None
    try:
        numbered = game.numbered
    except CompileLimit:
        return None
    except CompileError as error:
        error.warn("positions are proven without, more slowly")
        return None
    return numbered if numbered.facts.numbers else None

"""What all trees and workers of a search have in common: the game and the settings."""

from __future__ import annotations

import numpy as np

from semisplit.core.limits import MAX_MOVE_LENGTH, MAX_MOVES
from semisplit.game import Game
from semisplit.runtime.gpu.game import GpuGame
from semisplit.search.coding import choose_coding
from semisplit.search.kernels.load import load_kernels
from semisplit.search.kernels.memory import (
    LOGARITHMS,
    KnownSubmoves,
    RulesRecord,
    SettingsRecord,
    Sharing,
)
from semisplit.search.kernels.record import Array, f4, fill_record
from semisplit.search.kernels.select import fill_root_logarithms
from semisplit.search.memory.arrays import Arrays
from semisplit.search.memory.groups import GroupMemory
from semisplit.search.parallel import Method
from semisplit.search.settings import Decay, Settings, Simulation, Tree
from semisplit.search.ticking import first_reading

_MAX_WORK = 10_000_000
"""Failures after which a search for moves is given up."""


class Common:
    """The records of the game and of the settings."""

    def __init__(self, game: Game, settings: Settings):
        load_kernels()
        first_reading()
        self.coding = choose_coding(game, settings)
        """What the codes of moves mean."""
        self.rules = RulesRecord()
        self.settings = SettingsRecord()
        self.arrays = Arrays(self.rules), Arrays(self.settings)
        """Those of both records."""
        self.game, self.simulation = game, settings.simulation
        self.policies, self.note = settings.policies, ""
        if settings.policies:
            from semisplit.search.policies.memory import usable

            self.policies, self.note = usable(settings.policies, game.rules)
        self._set_rules(game)
        self.on_gpu = self._on_gpu(game, settings) if settings.parallel.gpu else None
        """The game on a GPU, if playouts are made there."""
        self._set_variant(settings)
        self._set_parallel(settings)
        self._set_mast(settings)
        self._set_rave(settings)
        known = self.settings.mast.submoves, self.settings.rave.submoves
        self.settings.contexts = KnownSubmoves.PREFIXES in known
        self.groups = GroupMemory(self, game, settings.groups) if settings.groups else None
        """What is needed for groups."""

    def _set_rules(self, game: Game) -> None:
        rules, coding = self.rules, self.coding
        for name, address in coding.functions._asdict().items():
            setattr(rules, name, address)
        rules.state_bytes = coding.game.facts.state_bytes
        rules.players = coding.game.facts.players
        rules.chance = game.rules.chance
        rules.codes, rules.silent = coding.codes, coding.silent
        rules.choosers = rules.players - 1 if coding.game.facts.simultaneous else 0
        bounds = list(game.rules.players.values())
        self.arrays[0].put("bounds", np.array(bounds, "f8"))

    def _on_gpu(self, game: Game, settings: Settings) -> GpuGame:
        is_split = settings.simulation == Simulation.SEMISPLIT
        return GpuGame(game.rules if is_split else game.rules.split(None))

    def _set_variant(self, settings: Settings) -> None:
        record = self.settings
        fill_record(record, settings)
        table = self.arrays[1].allocate("root_logarithms", LOGARITHMS)
        fill_root_logarithms(Array[f4](table))
        record.rolls_up = settings.tree == Tree.ROLLUP
        learns = settings.mast is not None or settings.rave is not None
        # In games of one player the best line is kept.
        record.traced = learns or self.rules.players == 1
        record.dense = self.coding.is_dense
        record.max_length, record.max_moves, record.max_work = MAX_MOVE_LENGTH, MAX_MOVES, _MAX_WORK

    def _set_parallel(self, settings: Settings) -> None:
        record, parallel = self.settings.parallel, settings.parallel
        fill_record(record, parallel)
        several = parallel.threads > 1 and parallel.method == Method.TREE
        forgets = settings.mast is not None and settings.mast.decay != Decay.MOVE
        # What moves edges around or changes all samples is done by one at a time.
        needs_lock = settings.groups or self.rules.choosers or forgets
        if several and not parallel.locked and not needs_lock:
            record.sharing = Sharing.FREE
        elif several or parallel.batch > 1:
            record.sharing = Sharing.LOCKED
        else:
            record.sharing = Sharing.ALONE

    def _set_mast(self, settings: Settings) -> None:
        record, mast = self.settings.mast, settings.mast
        if mast is None:
            return
        fill_record(record, mast)
        record.in_simulation, record.in_rest = True, settings.mast_in_rest
        record.split, record.submoves = self.coding.known(mast.variant)
        record.interval = {Decay.MOVE: 0, Decay.BATCH: mast.batch, Decay.SIMULATION: 1}[mast.decay]

    def _set_rave(self, settings: Settings) -> None:
        record, rave = self.settings.rave, settings.rave
        if rave is None:
            return
        fill_record(record, rave)
        record.split, record.submoves = self.coding.known(rave.variant)
        record.records = bool(record.split) + bool(record.submoves)

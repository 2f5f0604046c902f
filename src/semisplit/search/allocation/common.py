"""What all trees and workers of a search have in common: the game and the settings."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from semisplit.core.limits import MAX_MOVE_LENGTH, MAX_MOVES
from semisplit.game import Game
from semisplit.search.allocation.arrays import Arrays
from semisplit.search.coding import choose_coding
from semisplit.search.cycle_clock import first_reading
from semisplit.search.engine.layout import LOGARITHMS, RulesRecord, SettingsRecord
from semisplit.search.engine.load import load_kernels
from semisplit.search.engine.select import fill_root_logarithms
from semisplit.search.engine.toolkit.record import Array, f4, fill_record
from semisplit.search.features.feature import Feature
from semisplit.search.settings import Settings

F = TypeVar("F", bound=Feature)
_MAX_WORK = 10_000_000
"""Failures after which a search for moves is given up."""


class Common:
    """The records of the game and of the settings, and the features of the search."""

    def __init__(self, game: Game, settings: Settings):
        load_kernels()
        first_reading()
        # They need this module.
        from semisplit.search.features.registry import FEATURES

        self.coding = choose_coding(game, settings)
        """What the codes of moves mean."""
        self.rules = RulesRecord()
        self.settings = SettingsRecord()
        self.arrays = Arrays(self.rules), Arrays(self.settings)
        """Those of both records."""
        self.game, self.variant = game, settings
        self.note = ""
        """What results say about what the search does otherwise than it was asked to."""
        self._set_rules(game)
        self._set_variant(settings)
        self._features = {kind: kind(self) for kind in FEATURES}

    @property
    def features(self) -> tuple[Feature, ...]:
        """All features, in the order in which they are prepared."""
        return tuple(self._features.values())

    def feature(self, kind: type[F]) -> F:
        """A feature."""
        found = self._features[kind]
        assert isinstance(found, kind)
        return found

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

    def _set_variant(self, settings: Settings) -> None:
        record = self.settings
        fill_record(record, settings)
        table = self.arrays[1].allocate("root_logarithms", LOGARITHMS)
        fill_root_logarithms(Array[f4](table))
        # In games of one player the best line is kept.
        record.traced = settings.follows_moves or self.rules.players == 1
        record.dense = self.coding.is_dense
        record.max_length, record.max_moves, record.max_work = MAX_MOVE_LENGTH, MAX_MOVES, _MAX_WORK

"""Records of matches, as hosts of General Game Playing write them, and what is kept besides.

Each step is on the disk before the next one begins.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from semisplit.core.errors import InputError
from semisplit.core.system import sync_folder


class MatchRecord(BaseModel):
    """One match. Roles are in the order of the rules, times in milliseconds since 1970."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    match_id: str
    random_token: str
    start_time: int
    game_meta_url: str = Field(alias="gameMetaURL")
    """The name of the game."""
    start_clock: int
    play_clock: int
    preview_clock: int = -1
    player_names_from_host: list[str]
    is_player_human: list[bool]
    tournament_name_from_host: str = ""
    scrambled: bool
    is_completed: bool = False
    is_aborted: bool = False
    states: list[list[str]] = []
    """The sentences that are true in each state, the first one included."""
    state_times: list[int] = []
    moves: list[list[str]] = []
    errors: list[list[str]] = []
    """For each step what was wrong with the answer of each role: empty if nothing was."""
    goal_values: list[int] = []

    # What other hosts do not write
    game_number: int
    """From 0."""
    percepts: list[list[list[str]]] = []
    """For each state what each role saw of the move before, if players do not see all."""
    rules_digest: str
    player_addresses: list[str]
    """Of all players, in the order in which they were given."""
    seats: list[int]
    """Which of them has each role, counted from 0; -1 is the host itself."""

    @property
    def series(self) -> tuple[object, ...]:
        """What matches that belong together have in common."""
        clocks = self.start_clock, self.play_clock
        return self.rules_digest, tuple(self.player_addresses), clocks, self.scrambled


class Records:
    """A folder with a file for each match."""

    def __init__(self, folder: Path):
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder {folder}: {error.strerror}") from error

    def __iter__(self) -> Iterator[MatchRecord]:
        """All records there are."""
        for path in sorted(self._folder.glob("*.json")):
            try:
                yield MatchRecord.model_validate_json(path.read_bytes())
            except OSError as error:
                raise InputError(f"cannot read {path}: {error.strerror}") from error
            except ValidationError as error:
                raise InputError(f"{path} is not the record of a match of ours") from error

    def write(self, record: MatchRecord) -> None:
        """Keep a record as it is now, for good: what was kept before is there until then."""
        path = self._folder / f"{record.match_id}.json"
        unfinished = path.with_suffix(".new")
        text = json.dumps(record.model_dump(by_alias=True), indent=1)
        try:
            with unfinished.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
            sync_folder(self._folder)
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from error

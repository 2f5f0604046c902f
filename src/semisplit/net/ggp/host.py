"""The host: lets players play matches, checks their moves and keeps the records."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from random import Random

from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.lab.matches.play import MAX_PLIES
from semisplit.lab.matches.seating import seating
from semisplit.language.gdl.percepts import is_percept, percepts
from semisplit.language.gdl.play.interpret import State
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.keywords import CHANCE
from semisplit.language.gdl.text.notation import write_term
from semisplit.net.ggp.apart import HostStepper
from semisplit.net.ggp.client import Address, PlayerFailed, ask
from semisplit.net.ggp.messages import (
    BUSY,
    INFO,
    READY,
    find_move,
    read_info,
    spaced,
    write_abort,
    write_percepts,
    write_play,
    write_start,
)
from semisplit.net.ggp.records import MatchRecord, Records
from semisplit.net.ggp.scramble import Spelling
from semisplit.net.shared.messages import show

_NOBODY = -1
_GRACE = 1.0
"""Seconds after the clock for which a move is waited for."""
_POLL = 1.0
"""Seconds for an answer to `INFO`, and until it is asked for again."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Terms:
    """On what terms matches are played; times are in seconds."""

    start_clock: int = 30
    play_clock: int = 10
    games: int = 1
    scramble: bool = False
    """Whether players get other names than those of the rules."""
    patience: float = 60.0
    """How long a player that is busy or cannot be reached is waited for."""


class Observer:
    """Is told how matches go."""

    def begins(self, record: MatchRecord) -> None:
        """A game begins."""

    def steps(self, record: MatchRecord) -> None:
        """All roles have moved."""

    def ends(self, finished: Sequence[MatchRecord]) -> None:
        """A game is over, the last of those that are; also called for those of an earlier run."""


class Host:
    """Plays games between players, who exchange their roles from game to game."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Address],
        terms: Terms,
        records: Records | None = None,
        observer: Observer | None = None,
        seed: int | None = None,
    ):
        """Prepare a series of games.

        Args:
            game: The game, in GDL.
            players: Where they are, as many as there are roles besides `random`.
            terms: The terms.
            records: Where to keep what is played, and what was played before.
            observer: Who wants to know how it goes.
            seed: For random moves and names.
        """
        if not isinstance(game.rules, GdlRules):
            raise InputError(f"{game.name} is not in GDL, the language of General Game Playing")
        self._rules = game.rules
        self._stepper = HostStepper(game.rules)
        self._roles = [role.name for role in game.rules.description.roles]
        self._played = [place for place, role in enumerate(self._roles) if role != CHANCE]
        addresses = [*map(str, players)]
        if len(addresses) != len(self._played):
            needed = f"{len(self._played)} player{'s' if len(self._played) > 1 else ''}"
            raise InputError(f"{game.name} needs {needed}, not {len(addresses)}")
        if len({*addresses}) < len(addresses):
            raise InputError("a player cannot have two roles of a match")
        self._name = game.name
        self._players = players
        self._terms = terms
        self._records = records
        self._observer = observer or Observer()
        self._random = Random(seed)
        text = "\n".join(Spelling(game.rules.description).rules())
        self._digest = hashlib.sha256(text.encode()).hexdigest()

    async def play(self) -> list[MatchRecord]:
        """Play all games that have not been played; returns the records of all.

        Raises:
            InputError: If a player is missing for too long, or a record cannot be kept.
        """
        finished = await self._resume()
        if finished:
            self._observer.ends([*finished.values()])
        try:
            for number in range(self._terms.games):
                if number not in finished:
                    finished[number] = await self._play_game(number)
                    self._observer.ends([*finished.values()])
        finally:
            self._stepper.close()
        return [finished[number] for number in sorted(finished)]

    async def _resume(self) -> dict[int, MatchRecord]:
        """The games that are over; one that was interrupted is broken off, and played again."""
        finished: dict[int, MatchRecord] = {}
        ours = self._record(0, [*map(str, self._players)])
        for record in self._records or ():
            if record.series != ours.series:
                raise InputError(
                    f"the folder has records of other games, like {record.match_id};"
                    " matches of other rules, players or clocks need a folder of their own"
                )
            if record.is_completed:
                finished[record.game_number] = record
            elif not record.is_aborted:
                _log.info("match %s was interrupted; it is played again", record.match_id)
                await self._abort(record)
        return finished

    async def _play_game(self, number: int) -> MatchRecord:
        names = await asyncio.gather(*map(self._await_player, self._players))
        record = self._record(number, names)
        self._observer.begins(record)
        try:
            await self._play_match(record)
        except BaseException:
            if not record.is_completed:
                await self._abort(record)
            raise
        return record

    def _record(self, number: int, names: Sequence[str]) -> MatchRecord:
        """The record of a game that begins, between players of some names."""
        terms, now = self._terms, _now()
        seats = [_NOBODY] * len(self._roles)
        for place, player in zip(
            self._played, seating(len(self._players), len(self._played), number)
        ):
            seats[place] = player
        game = re.sub(r"\W+", "_", PurePath(self._name).stem)
        return MatchRecord(
            match_id=f"{game}.{number + 1}.{now}",
            random_token=secrets.token_hex(16),
            start_time=now,
            gameMetaURL=self._name,
            start_clock=terms.start_clock,
            play_clock=terms.play_clock,
            player_names_from_host=[CHANCE if seat == _NOBODY else names[seat] for seat in seats],
            is_player_human=[False] * len(self._roles),
            scrambled=terms.scramble,
            game_number=number,
            rules_digest=self._digest,
            player_addresses=[*map(str, self._players)],
            seats=seats,
        )

    async def _await_player(self, address: Address) -> str:
        """Wait until a player is available; returns its name."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._terms.patience
        while True:
            try:
                said = read_info(await ask(address, "", INFO, _POLL))
                if said.status != BUSY:
                    return said.name or str(address)
                reason = "is busy"
            except PlayerFailed as failure:
                reason = str(failure)
            if loop.time() >= end:
                raise InputError(f"the player {address} {reason}")
            await asyncio.sleep(_POLL)

    async def _abort(self, record: MatchRecord) -> None:
        """Break off a match."""
        record.is_aborted = True
        self._keep(record)
        message = write_abort(record.match_id)
        await asyncio.gather(*(self._tell(one, message, _POLL) for one in self._players))

    async def _tell(self, address: Address, message: str, seconds: float, name: str = "") -> str:
        """Say something whose answer does not matter, but should come."""
        try:
            return await ask(address, name, message, seconds)
        except PlayerFailed as failure:
            _log.info("%s %s", address, failure)
            return ""

    def _keep(self, record: MatchRecord) -> None:
        if self._records is not None:
            self._records.write(record)

    # One match

    async def _play_match(self, record: MatchRecord) -> None:
        stepper = self._stepper
        spelling = Spelling(self._rules.description, self._random if self._terms.scramble else None)
        state = self._rules.interpreter.initial
        self._note(record, state)
        await self._start(record, spelling)
        told: list[str] = []
        while legal := await stepper.legal(state):
            if len(record.moves) == MAX_PLIES:
                raise InputError(f"match {record.match_id} has no end after {MAX_PLIES} moves")
            messages = self._messages(record, state, told, spelling, "PLAY")
            answers = [
                self._move(record, role, may, message, spelling)
                for role, (may, message) in enumerate(zip(legal, messages))
            ]
            joint, errors = zip(*await asyncio.gather(*answers))
            state = await stepper.next_state(state, joint)
            record.moves.append([self._write(move) for move in joint])
            record.errors.append([*errors])
            told = [spaced(spelling.theirs(write_term(move))) for move in joint]
            self._note(record, state)
            self._observer.steps(record)
        record.goal_values = [*await stepper.scores(state)]
        record.is_completed = True
        self._keep(record)
        messages = self._messages(record, state, told, spelling, "STOP")
        await self._tell_all(record, messages, self._terms.play_clock)

    def _messages(
        self, record: MatchRecord, state: State, told: list[str], spelling: Spelling, word: str
    ) -> list[str]:
        """What each role is told of the last move: all of it, or what it sees and has done."""
        if not self._rules.hides:
            return [write_play(record.match_id, told, word)] * len(self._roles)

        def seen(role: Term) -> list[str]:
            return [spaced(spelling.theirs(write_term(one))) for one in percepts(state, role)]

        number = len(record.moves)
        return [
            write_percepts(record.match_id, number, own, seen(role), word)
            for role, own in zip(self._rules.description.roles, told or [""] * len(self._roles))
        ]

    def _note(self, record: MatchRecord, state: State) -> None:
        fluents = [fluent for fluent in sorted(state) if not is_percept(fluent)]
        record.states.append([f"( true {self._write(fluent)} )" for fluent in fluents])
        if self._rules.hides:
            record.percepts.append(
                [[*map(self._write, percepts(state, r))] for r in self._rules.description.roles]
            )
        record.state_times.append(_now())
        self._keep(record)

    def _write(self, term: Term) -> str:
        return spaced(write_term(term, self._rules.description.spelling))

    async def _start(self, record: MatchRecord, spelling: Spelling) -> None:
        terms, rules = self._terms, spelling.rules()
        clocks = terms.start_clock, terms.play_clock
        messages = [
            write_start(record.match_id, spelling.theirs(role), rules, *clocks)
            for role in self._roles
        ]
        for address, answer in await self._tell_all(record, messages, terms.start_clock):
            if answer and answer.lower() != READY:
                _log.info("%s answered %s to START", address, show(answer.encode()))

    async def _tell_all(
        self, record: MatchRecord, messages: Sequence[str], seconds: float
    ) -> list[tuple[Address, str]]:
        """Tell each role something; returns what the players have answered."""
        told = [
            (self._players[seat], message, name)
            for seat, message, name in zip(record.seats, messages, record.player_names_from_host)
            if seat != _NOBODY
        ]
        answers = await asyncio.gather(
            *(self._tell(address, message, seconds, name) for address, message, name in told)
        )
        return [(address, answer) for (address, _, _), answer in zip(told, answers)]

    async def _move(
        self, record: MatchRecord, role: int, legal: list[Term], message: str, spelling: Spelling
    ) -> tuple[Term, str]:
        """The move of a role, and what was wrong with its answer; any move if it has none."""
        instead = self._random.choice(legal)
        seat = record.seats[role]
        if seat == _NOBODY:
            return instead, ""
        address, name = self._players[seat], record.player_names_from_host[role]
        try:
            answer = await ask(address, name, message, self._terms.play_clock + _GRACE)
        except PlayerFailed as failure:
            _log.info("%s %s; a random move is made", address, failure)
            return instead, failure.code
        move = find_move(spelling.ours(answer), legal, self._rules.description.names.name)
        if move is not None:
            return move, ""
        shown = show(answer.encode())
        _log.info("%s answered %s, which is not legal; a random move is made", address, shown)
        return instead, f"IL {shown[1:-1]}"


def _now() -> int:
    return time.time_ns() // 1_000_000

"""A game between a person and an agent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from semisplit.agents import Agent, AgentConfig, Thought, Watch, make_agent
from semisplit.core.errors import UnknownName
from semisplit.game import Game, Move, State
from semisplit.search import Budget
from semisplit.ui.play.entry import splitting


class Session:
    """The moves made so far, and who makes the next one. The agent plays all other sides."""

    def __init__(self, game: Game, config: AgentConfig, side: str, budget: Budget):
        """Begin a game.

        Args:
            game: The game.
            config: The agent.
            side: The name of the player who is the person.
            budget: What the agent has for each move.
        """
        if side not in game.seats:
            raise UnknownName("player", side, game.seats)
        self.person = game.players.index(side) + 1
        self.game = splitting(game)
        self._config = config
        self._budget = budget
        self._random = Random()
        self._begin = self.game.initial_state()
        self._turns: list[tuple[Move, State]] = []
        """Each move, and where it has led."""
        self._agent: Agent | None = self._make_agent()

    @property
    def moves(self) -> list[Move]:
        """The moves made so far."""
        return [move for move, _ in self._turns]

    @property
    def states(self) -> list[State]:
        """Where the game has been, and at the end where it is."""
        return [self._begin, *(state for _, state in self._turns)]

    @property
    def state(self) -> State:
        """Where the game is."""
        return self._turns[-1][1] if self._turns else self._begin

    @property
    def seconds(self) -> float:
        """How long the agent may think about a move."""
        return math.inf if self._budget.seconds is None else self._budget.seconds

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move."""
        return self.state.player == self.person

    @property
    def is_drawn(self) -> bool:
        """Whether the next move is one of chance."""
        return self.state.player == self.game.rules.chance and not self.state.is_terminal

    def draw(self) -> Move:
        """Any move of chance, each equally likely."""
        return self.state.random_move(self._random)

    def play(self, move: Move) -> None:
        """Make a move."""
        following = self.state.apply(move)
        with self._borrowed_agent() as agent:
            agent.play(move)
            self._turns.append((move, following))

    def think(self, watch: Watch, best: int = 0) -> Thought:
        """What the agent would play in the place of whoever is to move.

        Args:
            watch: Is called with thoughts on the way.
            best: Of so many of the best moves it shall tell what it thinks.
        """
        with self._borrowed_agent() as agent:
            return agent.think(self._budget, best=best, watch=watch)

    def undo(self) -> bool:
        """Go back to the person's last decision; returns whether there is one."""
        before = self.states[:-1]
        turns = [at for at, state in enumerate(before) if state.player == self.person]
        if not turns:
            return False
        del self._turns[turns[-1] :]
        # Agents only know how to go on.
        self._agent = None
        return True

    @contextmanager
    def _borrowed_agent(self) -> Iterator[Agent]:
        """The agent, where the game is. Who interrupts it gets another one the next time."""
        agent, self._agent = self._agent, None
        if agent is None:
            agent = self._make_agent()
            for move in self.moves:
                agent.play(move)
        yield agent
        self._agent = agent

    def _make_agent(self) -> Agent:
        return make_agent(
            self._config, self.game, self._random.getrandbits(32), budget=self._budget
        )

"""A game between a person and an agent."""

from __future__ import annotations

import math
from random import Random

from semisplit.agent import Agent, AgentConfig, Thought, Watch, make_agent
from semisplit.core.errors import UnknownName
from semisplit.game import Game, Move, State
from semisplit.play.entry import splitting
from semisplit.search import Budget


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
        if side not in game.players:
            raise UnknownName("player", side, game.players)
        self.person = game.players.index(side) + 1
        self.game = splitting(game)
        self._config = config
        self._budget = budget
        self._random = Random()
        self.moves: list[Move] = []
        self._states = [self.game.initial_state()]
        self._agent = self._make_agent()

    @property
    def state(self) -> State:
        """Where the game is."""
        return self._states[-1]

    @property
    def seconds(self) -> float:
        """How long the agent may think about a move."""
        return math.inf if self._budget.seconds is None else self._budget.seconds

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move."""
        return self.state.player == self.person

    def play(self, move: Move) -> None:
        """Make a move."""
        self._agent.play(move)
        self.moves.append(move)
        self._states.append(self.state.apply(move))

    def think(self, watch: Watch) -> Thought:
        """What the agent would play in the place of whoever is to move."""
        return self._agent.think(self._budget, details=True, watch=watch)

    def undo(self) -> bool:
        """Go back to the person's last decision; returns whether there is one."""
        turns = [at for at, state in enumerate(self._states[:-1]) if state.player == self.person]
        if not turns:
            return False
        del self.moves[turns[-1] :], self._states[turns[-1] + 1 :]
        # Agents only know how to go on.
        self._agent.close()
        self._agent = self._make_agent()
        for move in self.moves:
            self._agent.play(move)
        return True

    def _make_agent(self) -> Agent:
        return make_agent(self._config, self.game, self._random.getrandbits(32))

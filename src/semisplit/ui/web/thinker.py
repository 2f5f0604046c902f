"""The process that thinks for a tab: an agent that plays, or shows its thoughts live.

Requests are looked for every few milliseconds while it thinks. Questions about its tree are
answered on the way; whatever else comes ends the thinking.
"""

from __future__ import annotations

from random import Random
from typing import Annotated, Any

from pydantic import Field, validate_call

from semisplit.agents import Agent, AgentConfig, Look, Thought, make_agent, parse_agent
from semisplit.agents.agent import SearchAgent
from semisplit.agents.report import Reporter
from semisplit.core.child import leave
from semisplit.core.errors import InputError
from semisplit.core.work import doing, limited
from semisplit.game import Game, Move, State
from semisplit.search import Budget
from semisplit.ui.play.entry import splitting
from semisplit.ui.web.board import Moves
from semisplit.ui.web.catalogue import Rules, load_game
from semisplit.ui.web.record import Record, changing_wire, names_of
from semisplit.ui.web.worker import PageChannel, PageLimits, Service, answer

_MEMORY = 128 << 20
"""Bytes of a tree."""
_LONGEST = 600.0
"""Seconds of thinking."""
_SHOWN = 12
"""Moves that are sent with visits and scores."""
_LONGEST_LINE = 16
_ON_THE_WAY = ("branches",)
"""Requests that are answered while thinking."""


class Thinker(Service):
    """One agent in one game."""

    niceness = 15
    patient = frozenset({"think", "branches"})

    def __init__(self, page: PageChannel, limits: PageLimits):
        super().__init__(page, limits)
        self._agent: Agent | None = None
        self._made_for: object = None
        self._start: State | None = None
        self._moves: list[str] = []
        """Where the agent is: so many moves after the start."""

    @validate_call
    def do_think(
        self,
        rules: Rules,
        agent: str,
        seconds: Annotated[float, Field(gt=0, le=_LONGEST)],
        position: str,
        moves: Moves,
        player: int | None = None,
    ) -> dict[str, Any] | None:
        """Think about a position until the time is up; None if there was something else to do.

        What the agent thinks so far is sent some times a second.

        Args:
            rules: The game.
            agent: The name of the agent that thinks.
            seconds: How long.
            position: Where the game began, if not as usual.
            moves: What was played since.
            player: For whom the agent chooses, if several decide at once.
        """
        with limited(), doing(f"preparing {agent} for {rules.name}"):
            thinker = self._prepare(rules, agent, position, moves, player, seconds)
        reporter = Reporter(lambda thought: self.page.tell("thought", self._json(thought)), _SHOWN)

        has_news = False

        def watch(look: Look) -> None:
            nonlocal has_news
            if has_news := self._has_news():
                thinker.stop()
            else:
                reporter.watch(look)

        if thinker.state.player == thinker.state.game.rules.chance:
            return self._json(Thought(thinker.state.random_move(Random()), None, 0, 0, 0.0))
        thought = thinker.think(Budget(seconds=seconds), best=_SHOWN, watch=watch)
        return None if has_news else self._json(thought)

    @validate_call
    def do_stop(self) -> None:
        """Stop thinking, which this request has already done."""

    @validate_call
    def do_branches(self, path: list[str]) -> list[dict[str, Any]]:
        """What grows out of a node of the tree."""
        if not isinstance(self._agent, SearchAgent):
            raise InputError("this agent has no tree")
        return [vars(branch) for branch in self._agent.search.tree.branches(path)]

    def _has_news(self) -> bool:
        """Answer what can be answered on the way; whether there is something else to do."""
        while (request := self.page.peek()) is not None:
            if request["do"] not in _ON_THE_WAY:
                return True
            answer(self, self.page.take(), lambda reached: leave())
        return False

    def _prepare(
        self,
        rules: Rules,
        name: str,
        position: str,
        moves: list[str],
        player: int | None,
        seconds: float,
    ) -> Agent:
        """Return the agent in the position; its tree is kept if the game has just gone on."""
        game, config = load_game(rules, self.limits.folders), safe_agent(name)
        if game.rules.hides:
            raise InputError(
                f"in {game.name} players do not see all, and a page shows it: agents play it with"
                f" `semisplit play {game.name}`"
            )
        # An agent that plays all sides keeps its tree when sides change.
        player = player if game.rules.simultaneous else None
        made_for = (game, name, position, player)
        goes_on = self._made_for == made_for and moves[: len(self._moves)] == self._moves
        if self._made_for != made_for:
            start = _begin(game, position)
            seed, budget = Random().getrandbits(32), Budget(seconds=seconds)
            self._agent = make_agent(config, game, seed, player, _MEMORY, budget)
            self._start, self._made_for = start, made_for
        assert self._agent is not None
        assert self._start is not None
        record = Record(self._start)
        for move in moves:
            record.add_wire(move)
        states = [state for _, state in record.turns]
        # Parts of a move that others have chosen are not for the agent to know.
        while states and not states[-1].is_nodal:
            states.pop()
        if goes_on and all(state.is_nodal for state in states):
            for made, _ in record.turns[len(self._moves) : len(states)]:
                self._agent.play(made)
        else:
            self._agent.begin(states[-1] if states else self._start)
        self._moves = moves[: len(states)]
        return self._agent

    def _json(self, thought: Thought) -> dict[str, Any]:
        """What an agent thinks, for the page."""
        assert self._agent is not None
        state = self._agent.state
        told: dict[str, Any] = {
            "player": state.player,
            "score": thought.score,
            "simulations": thought.simulations,
            "abandoned": thought.abandoned,
            "seconds": thought.seconds,
            **self._move_json(thought.move),
            "parts": {
                one: changing_wire(Move(state.game.rules.part(thought.move.steps, one), ""))
                for one in state.deciders
            },
            "moves": [],
            "line": [],
        }
        if (result := thought.result) is not None:
            line = result.variation or result.line
            told |= {
                "nodes": result.nodes,
                "depth": result.depth,
                "note": result.note,
                "moves": [
                    {**self._move_json(one.move), "visits": one.visits, "score": one.score}
                    for one in result.moves[:_SHOWN]
                ],
                "line": [self._move_json(move) for move in line[:_LONGEST_LINE]],
            }
        return told

    def _move_json(self, move: Move) -> dict[str, Any]:
        assert self._agent is not None
        game = self._agent.state.game
        names, places = names_of(game), game.rules.places(move.steps)
        return {
            "text": game.write_move(move.steps),
            "wire": changing_wire(move),
            "squares": [names[place] for place in places],
        }


def safe_agent(name: str) -> AgentConfig:
    """The agent with a name; agents in files and on clusters are not for pages."""
    if ".json" in name:
        raise InputError("a page cannot use agents in files; any notation of an agent will do")
    config = parse_agent(name)
    if config.on_cluster:
        # What rules do is to be felt in a process of the tab and nowhere else.
        raise InputError("a page cannot use a cluster; the same agent without it will do")
    return config


def _begin(game: Game, position: str) -> State:
    split = splitting(game)
    return split.parse_state(position) if position.strip() else split.initial_state()

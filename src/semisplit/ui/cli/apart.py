"""The conversation of `semisplit play` where players do not see the same, or move with chance.

Everybody sits apart: each seat has an agent of its own, which is told what its player sees, and so
is the person.
"""

from __future__ import annotations

from random import Random

from rich.console import Console

from semisplit.agents import Agent, AgentConfig, make_agent
from semisplit.core.errors import IllegalMove, UnknownName
from semisplit.core.steps import Steps
from semisplit.core.work import doing, limited
from semisplit.game import Game, Move, State
from semisplit.search import Budget
from semisplit.ui.cli.terminal.drawing import describe_effort, draw_moves, draw_state

_HELP = """\
Type a move as it is written.
  moves      what is possible
  quit       leave the game"""


class ApartDialogue:
    """Asks the person for moves, and shows what the person sees."""

    def __init__(
        self, game: Game, config: AgentConfig, side: str, budget: Budget, console: Console
    ):
        """Begin a game, in which the person has a side, and agents the others."""
        if side not in game.seats:
            raise UnknownName("player", side, game.seats)
        self._game = game
        self._person = game.players.index(side) + 1
        self._budget = budget
        self._console = console
        self._random = Random()
        self._state = game.initial_state()
        self._agents: dict[int, Agent] = {
            player: make_agent(config, game, self._random.getrandbits(32), player, budget=budget)
            for player in game.rules.seats
            if player != self._person
        }

    def run(self) -> None:
        """Play until the game is over or the person has had enough."""
        self._print(f"You are {self._game.player_name(self._person)}; 'help' explains.")
        while not self._state.is_terminal:
            if not self._game.rules.hides:
                self._console.print(draw_state(self._state), end="")
            if not self._move():
                return
        self._console.print(draw_state(self._state), end="")

    def _move(self) -> bool:
        """Let all who have a part in the next move choose it; returns whether the game goes on."""
        following, told = self._state, list[str]()
        steps: Steps = ()
        for player in self._state.deciders:
            name = self._game.player_name(player)
            if player == self._person:
                move = self._ask(following)
                if move is None:
                    return False
            elif player == self._game.rules.chance:
                move = self._part(self._state.random_move(self._random), player)
                told.append(f"{name} draws {move}")
            else:
                with self._console.status(f"{name} is thinking"), limited(self._seconds):
                    thought = self._agents[player].think(self._budget)
                move = self._part(thought.move, player)
                told.append(f"{name} plays {move} ({describe_effort(thought)})")
            steps += move.steps
            following = following.apply(move)
        with limited(), doing("looking for the position after it"):
            for agent in self._agents.values():
                agent.play(Move(steps, self._game.write_move))
        self._state = following
        if self._game.rules.hides:
            seen = self._game.rules.write_view(following.position, self._person)
            told = [f"you see {seen}"] if seen else []
        for line in told:
            self._print(line)
        return True

    @property
    def _seconds(self) -> float:
        return self._budget.clock

    def _part(self, move: Move, player: int) -> Move:
        return Move(self._game.rules.part(move.steps, player), self._game.write_move)

    def _ask(self, state: State) -> Move | None:
        """What the person does, who decides next in a state; None to leave."""
        options = {str(self._part(move, self._person)): move for move in state.semimoves()}
        if len(options) == 1:
            return next(iter(options.values()))
        while True:
            try:
                line = " ".join(input(f"{state.player_name}: ").split())
            except EOFError:
                return None
            match line:
                case "quit":
                    return None
                case "help":
                    self._print(_HELP)
                case "moves":
                    self._console.print(draw_moves(options.values(), {}))
                case _ if line in options:
                    return options[line]
                case _:
                    try:
                        return state.parse_move(line)
                    except IllegalMove as error:
                        self._print(str(error))

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False)

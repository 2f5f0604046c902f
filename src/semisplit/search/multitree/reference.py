"""MT-MCTS as its paper writes it down, in plain Python: the specification of the compiled one.

The algorithms have the names and the order they have in "Exploiting Game Decompositions in Monte
Carlo Tree Search" by Hufschmitt, Vittaut and Jouandeau. A sub-game is a set of bits of a state, and
a sub-state what these bits are. Each sub-game has a tree; its edges are labelled with all moves
that were seen to cause them. With a single tree, over all bits, this is UCT with transpositions and
with pruning of explored branches, to which the paper compares.

Given the same seed, the compiled search makes the same decisions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from semisplit.compiler.runtime.compiled import Codes, CompiledGame
from semisplit.search.multitree.settings import MultiTreeSettings, merge_masks
from semisplit.search.reference.random import KernelRandom

Scores: TypeAlias = tuple[float, ...]
"""Of each player, from 0 to 1."""
Potentials: TypeAlias = Callable[[bytes, Sequence[int]], Sequence[Sequence[int]]]
"""lmax: from a final state and sub-games to the score that each player may have, in each of the
sub-games, whatever the rest of the state is."""
ENOUGH_DOUBTS = 10
"""Contradictions after which sub-games are merged that may have to do with them."""


class Transition:
    """An edge of a tree: from one sub-state to another."""

    def __init__(self, target: int, players: int):
        self.target = target
        """The sub-state it leads to."""
        self.visits = 0
        self.scores = [0.0] * players
        """w: the sum of the scores of each player."""
        self.potentials = [0.0] * players
        """w max: the same for potential scores."""
        self.ends = False
        """Whether all its moves ended the game when they were last looked at."""
        self.explored = False
        """Whether there is nothing left to explore behind it."""


class Label(NamedTuple):
    """A move as it is known in a sub-state."""

    transition: Transition
    nodes: Nodes
    """The whole situation in which that was seen."""


class Node:
    """A sub-state at some depth."""

    def __init__(self) -> None:
        self.visits = 0
        self.transitions: dict[int, Transition] = {}
        """By the sub-state they lead to."""
        self.labels: dict[Codes, Label] = {}

    def transition(self, move: Codes) -> Transition:
        """The transition that a move causes."""
        return self.labels[move].transition


Nodes: TypeAlias = tuple[Node, ...]
"""The node of each tree."""


class Value(NamedTuple):
    """The evaluation of an iteration in one sub-game."""

    scores: Sequence[float]
    potentials: Sequence[float]


class Line(NamedTuple):
    """A way to the end of the game."""

    score: int
    moves: tuple[Codes, ...]
    """The moves in the trees."""
    state: bytes
    """The state after them."""
    seed: int | None
    """The playout from there; None if the game is over."""


class ReferenceMultiTree:
    """A search from one state at a time."""

    def __init__(
        self,
        game: CompiledGame,
        masks: Sequence[int],
        settings: MultiTreeSettings,
        *,
        bounds: Sequence[int],
        potentials: Potentials,
        seed: int,
        logarithm: Callable[[float], float] = math.log,
    ):
        """Prepare a search from the initial state.

        Args:
            game: The game.
            masks: The sub-games, as bits of states that are read as little-endian integers.
            settings: What to do.
            bounds: The highest score of each player.
            potentials: Evaluates sub-states.
            seed: Of all random choices.
            logarithm: Kernels have one of their own, which differs in last digits.
        """
        self._game = game
        self._settings = settings
        self._bounds = tuple(bounds)
        self._evaluate = potentials
        self._logarithm = logarithm
        self._random = KernelRandom(seed)
        self._prunes = len(bounds) == 1
        self.masks = tuple(masks)
        self.root = b""
        self.root_depth = 0
        self.playouts = 0
        self.root_visits: Counter[Codes] = Counter()
        """How often each move was made at the root."""
        self.best: Line | None = None
        """The best line found, if one player plays alone."""
        self._plant()

    def set_root(self, state: bytes, depth: int = 0) -> None:
        """Search from a nodal state, so many moves after the beginning."""
        self.root, self.root_depth = state, depth
        self.explored = [False] * len(self.masks)
        self.root_visits.clear()
        self.best = None

    def _plant(self) -> None:
        """Begin with new trees."""
        players, trees = len(self._bounds), len(self.masks)
        self.trees: list[dict[tuple[int, int], Node]] = [{} for _ in self.masks]
        self.explored = [False] * trees
        """e: whether trees are fully explored."""
        self._limits = [[False] * players for _ in self.masks]
        """Whether a sub-game has ever kept a player from the highest score."""
        self._doubts = [0] * trees
        """Contradictions that were seen in each tree."""
        self._suspects = [frozenset(range(trees)) - {tree} for tree in range(trees)]
        """The sub-games on which each may depend, by all contradictions so far."""
        self.consistent = True
        """False if a sub-game depends on what belongs to none."""

    # Algorithm 1

    def mt_mcts(self, playouts: int) -> None:
        """Iterate."""
        for _ in range(playouts):
            self.state = self.root
            self.path: list[tuple[Nodes, Codes]] = []
            """The moves of this iteration, each with the nodes before it."""
            self.revised = [0] * len(self.masks)
            """d: so many moves of the path, the first ones, are not explored in each tree."""
            self.explored_trees = 0
            """How many are fully explored in the current state."""
            values = self.selection_with_expansion()
            self.simulation_with_back_prop(values)
            self.playouts += 1
            self._repair()

    # Algorithm 2

    def selection_with_expansion(self) -> list[Value] | None:
        """Go down the trees; the evaluation, or None if the state that was reached has none yet."""
        while True:
            nodes = self._nodes()
            legal = self._game.moves(self.state)
            if self.expansion(nodes, legal):
                return None
            ends = self.filter_terminal_moves(legal)
            if self._prunes:
                self.check_not_fully_explored(nodes, legal, ends)
            score, best = self.get_best_moves(ends)
            if score == self._bounds[self._player() - 1] and len(best[0]) == 1:
                self._advance(nodes, self._draw(best))
                return None
            if self._prunes:
                legal = [move for move in legal if move not in ends]
                self.explored_trees = self.flag_explored(nodes, legal)
                if self.explored_trees == len(nodes) and not all(self.explored):
                    return [self.mean_evaluation(node) for node in nodes]
                if not legal:
                    self._advance(nodes, self._draw(best))
                    return None
            self._advance(nodes, self.select(nodes, legal))
            if self._is_over():
                return None

    def filter_terminal_moves(self, legal: list[Codes]) -> dict[Codes, int]:
        """The moves that end the game, with the score of the player who moves."""
        player, ends = self._player(), {}
        for move in legal:
            after = self._follow(move)
            if self._game.player(after) == 0:
                ends[move] = self._game.scores(after)[player - 1]
        return ends

    def check_not_fully_explored(
        self, nodes: Nodes, legal: list[Codes], ends: Iterable[Codes]
    ) -> None:
        """Flag transitions that end the game here, and revise flags of those that do not."""
        for tree, node in enumerate(nodes):
            going = [node.transition(move) for move in legal if move not in ends]
            for transition in going:
                if transition.ends:
                    transition.ends = False
                    self.revised[tree] = len(self.path)
            for move in ends:
                if node.transition(move) not in going:
                    node.transition(move).ends = True

    def get_best_moves(self, ends: dict[Codes, int]) -> tuple[int, list[Codes]]:
        """The moves with the highest score among those that end the game, and the score."""
        best = max(ends.values(), default=-1)
        return best, [move for move, score in ends.items() if score == best]

    def flag_explored(self, nodes: Nodes, going: list[Codes]) -> int:
        """Flag what leads here in trees in which nothing is left; how many these are."""
        number = 0
        for tree, node in enumerate(nodes):
            explored = all(node.transition(move).explored for move in going)
            number += explored
            if not self.path:
                self.explored[tree] = explored
            elif explored:
                before, move = self.path[-1]
                before[tree].transition(move).explored = True
        return number

    def mean_evaluation(self, node: Node) -> Value:
        """The mean of all that was seen behind a node."""
        transitions, players = node.transitions.values(), range(len(self._bounds))
        visits = sum(one.visits for one in transitions)
        return Value(
            [sum(one.scores[player] for one in transitions) / visits for player in players],
            [sum(one.potentials[player] for one in transitions) / visits for player in players],
        )

    # Algorithm 3

    def expansion(self, nodes: Nodes, legal: list[Codes]) -> bool:
        """Make a move that adds a transition to some tree, if there is one.

        Moves that have labels in all trees are known, so they need not be made.
        """
        unknown = [move for move in legal if any(move not in node.labels for node in nodes)]
        while unknown:
            number = self._random.below(len(unknown))
            move, unknown[number] = unknown[number], unknown[-1]
            unknown.pop()
            if self.update(nodes, move, self._follow(move)):
                self._advance(nodes, move)
                return True
        return False

    def update(self, nodes: Nodes, move: Codes, after: bytes) -> bool:
        """Label transitions with a move; whether there is a new one."""
        is_new = False
        for tree, (node, target) in enumerate(zip(nodes, self._substates(after))):
            label = node.labels.get(move)
            if label and label.transition.target == target:
                continue
            if label:
                self._doubt(tree, label, nodes)
            if target not in node.transitions:
                node.transitions[target] = Transition(target, len(self._bounds))
                self.revised[tree] = len(self.path)
                is_new = True
            node.labels[move] = Label(node.transitions[target], nodes)
        return is_new

    # Algorithm 4

    def simulation_with_back_prop(self, values: list[Value] | None) -> None:
        """Evaluate the state that was reached, unless that is done, and pass on the evaluation."""
        if values is None:
            seed = None if self._is_over() else self._random.draw()
            final = self.state
            if seed is not None:
                final = self._game.playouts(self.state, seed).final
            values = self._values(final, seed)
        self.root_visits.update(move for _, move in self.path[:1])
        for place, (nodes, move) in enumerate(self.path):
            for tree, (node, value) in enumerate(zip(nodes, values)):
                transition = node.transition(move)
                if place < self.revised[tree]:
                    transition.explored = False
                node.visits += 1
                transition.visits += 1
                for player in range(len(self._bounds)):
                    transition.scores[player] += value.scores[player]
                    transition.potentials[player] += value.potentials[player]

    def _values(self, final: bytes, seed: int | None) -> list[Value]:
        """{global score, max score for sub-game i with 3-valued logic}."""
        bounds, points = self._bounds, self._game.scores(final)
        if self._prunes and (self.best is None or points[0] > self.best.score):
            moves = tuple(move for _, move in self.path)
            self.best = Line(points[0], moves, self.state, seed)
        scores = [score / bound for score, bound in zip(points, bounds)]
        values = []
        for tree, possible in enumerate(self._potentials(final)):
            for player, bound in enumerate(bounds):
                self._limits[tree][player] |= possible[player] < bound
            values.append(Value(scores, [one / bound for one, bound in zip(possible, bounds)]))
        return values

    def _potentials(self, final: bytes) -> Sequence[Sequence[int]]:
        if len(self.masks) == 1:
            # There is nothing besides that could be better or worse.
            return [self._game.scores(final)]
        return self._evaluate(final, self.masks)

    # Policies

    def select(self, nodes: Nodes, going: list[Codes]) -> Codes:
        """Let each player who decides choose a step; there is usually one."""
        chosen = []
        for place, step in enumerate(going[0]):
            player = self._player() if len(going[0]) == 1 else self._game.owner(step)
            options: dict[int, list[Codes]] = {}
            for move in going:
                options.setdefault(move[place], []).append(move)
            selected = [self.local_select_policy(node, options, player) for node in nodes]
            chosen.append(self.global_select_policy(nodes, options, selected, player))
        return tuple(chosen)

    def local_select_policy(
        self, node: Node, options: dict[int, list[Codes]], player: int
    ) -> set[int]:
        """The best options of a player in one sub-game: (1), without what is fully explored."""
        known = {option: _transitions(node, moves) for option, moves in options.items()}
        left = [option for option in known if not all(one.explored for one in known[option])]
        merits = {option: self._merit(node, known[option], player) for option in left or known}
        best = max(merits.values())
        return {option for option, merit in merits.items() if merit == best}

    def _merit(self, node: Node, transitions: list[Transition], player: int) -> float:
        alpha, visits = self._settings.alpha, sum(one.visits for one in transitions)
        if visits == 0:
            return math.inf
        score = sum(one.scores[player - 1] for one in transitions)
        potential = sum(one.potentials[player - 1] for one in transitions)
        mean = alpha * (score / visits) + (1.0 - alpha) * (potential / visits)
        rarity = math.sqrt(self._logarithm(float(max(1, node.visits))) / visits)
        return mean + self._settings.exploration * rarity

    def global_select_policy(
        self,
        nodes: Nodes,
        options: dict[int, list[Codes]],
        selected: Sequence[set[int]],
        player: int,
    ) -> int:
        """Of the options that most sub-games vote for, one with the highest expected earnings.

        If nothing is left to explore in a sub-game that expects much, these would always be its
        own, and lead to nothing new; so then all that have most votes are as good.
        """
        votes = {option: sum(option in some for some in selected) for option in options}
        most = max(votes.values())
        earnings = {
            option: 0.0 if self.explored_trees else self.expected_earnings(nodes, moves, player)
            for option, moves in options.items()
            if votes[option] == most
        }
        best = max(earnings.values())
        return self._draw([option for option in earnings if earnings[option] == best])

    def expected_earnings(self, nodes: Nodes, moves: list[Codes], player: int) -> float:
        """The product of the scores in all sub-games if each is needed, otherwise their sum."""
        needed = all(limits[player - 1] for limits in self._limits)
        earnings = 1.0 if needed else 0.0
        for node in nodes:
            transitions = _transitions(node, moves)
            visits = sum(one.visits for one in transitions)
            mean = sum(one.scores[player - 1] for one in transitions) / max(1, visits)
            earnings = earnings * mean if needed else earnings + mean
        return earnings

    # Contradictions

    def _doubt(self, tree: int, label: Label, nodes: Nodes) -> None:
        """The same sub-state and move give two results: it depends on what differs besides."""
        differs = {j for j, (a, b) in enumerate(zip(label.nodes, nodes)) if a is not b}
        self._suspects[tree] &= differs
        self._doubts[tree] += 1

    def _repair(self) -> None:
        """Merge sub-games that depend on each other, and begin again."""
        for tree, doubts in enumerate(self._doubts):
            suspects = self._suspects[tree]
            if doubts and not suspects:
                self.consistent = False
            elif doubts >= ENOUGH_DOUBTS or (doubts and len(suspects) == 1):
                self.masks = merge_masks(self.masks, suspects | {tree})
                self._plant()
                return

    # The state of an iteration

    def _player(self) -> int:
        return self._game.player(self.state)

    def _is_over(self) -> bool:
        return self._player() == 0

    def _substates(self, state: bytes) -> list[int]:
        bits = int.from_bytes(state, "little")
        return [bits & mask for mask in self.masks]

    def _nodes(self) -> Nodes:
        depth = self.root_depth + len(self.path)
        return tuple(
            tree.setdefault((depth, substate), Node())
            for tree, substate in zip(self.trees, self._substates(self.state))
        )

    def _follow(self, move: Codes) -> bytes:
        after = self._game.play(self.state, move)
        assert after is not None
        return after

    def _advance(self, nodes: Nodes, move: Codes) -> None:
        after = self._follow(move)
        self.update(nodes, move, after)
        self.path.append((nodes, move))
        self.state = after

    def _draw(self, among: Sequence[Any]) -> Any:
        return among[self._random.below(len(among))]


def _transitions(node: Node, moves: list[Codes]) -> list[Transition]:
    """The transitions of some moves, each once."""
    return list(dict.fromkeys(node.transition(move) for move in moves))

"""The search as the papers write it down, on the interpreter: the specification of fast engines.

The algorithms have the names they have in chapter 2 of Wojciech Pawlik's thesis, "A General Game
Playing agent using Monte-Carlo Tree Search with split moves". They serve all designs: orthodox is
semisplit with whole moves for semimoves, which never lead to dead states.

Where several players decide at once the search is decoupled UCT: a move is a way of one step for
each of them, but each chooses by what is known about his own steps alone.

Group nodes are those of J.-T. Saito, M. Winands, J. Uiterwijk and J. van den Herik, "Grouping Nodes
for Monte-Carlo Tree Search": steps of no player, between a nodal node and what can be done there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from semisplit.core.settings.parameters import BadSettings
from semisplit.core.steps import Position, Steps
from semisplit.game import Game
from semisplit.search.features.chance.settings import check_chance
from semisplit.search.features.decoupled.settings import UNIFORM_EXPLORATION, check_simultaneous
from semisplit.search.features.groups.reference import (
    GroupLayers,
    drop_dead_groups,
    members,
    threshold,
)
from semisplit.search.features.mast.reference import MastTables
from semisplit.search.features.mast.settings import Decay, Policy
from semisplit.search.features.rave.reference import RaveRecords
from semisplit.search.features.rollup.reference import roll_up
from semisplit.search.features.solver.reference import Proofs
from semisplit.search.features.solver.settings import check_game
from semisplit.search.features.submoves.settings import Variant
from semisplit.search.reference.node import Node, find_arm, with_nodal, without_dots
from semisplit.search.settings import Final, Settings, Simulation, Tree

Walk = list[tuple[Node, list[Node]]]
"""A (rest of a) move: each node with its siblings, itself and no dead ones among them."""


class _Phase(NamedTuple):
    """How a part of the search plays."""

    split: bool
    """Whether it draws semimoves of the split strategy, not whole moves."""
    mast: MastTables | None
    """What chooses; without it all are equally likely."""


class ReferenceSearch:
    """A search from one position at a time; only MAST's statistics outlive a change of position.

    Args:
        game: Loaded with the split strategy of the settings.
        settings: What to do.
        seed: Decides all random choices.
    """

    def __init__(self, game: Game, settings: Settings, seed: int):
        mast, rave, simultaneous = settings.mast, settings.rave, game.rules.simultaneous
        if simultaneous:
            check_simultaneous(settings)
            mast = mast and replace(mast, variant=Variant.SPLIT)
            rave = rave and replace(rave, variant=Variant.SPLIT)
        if game.rules.chance:
            check_chance(settings)
        if settings.splits and game.split != settings.split:
            raise BadSettings("the game is loaded with another split strategy than the settings'")
        self.settings = settings
        self.mast = MastTables(mast) if mast else None
        self.rave = RaveRecords(rave) if rave else None
        self._proves = settings.solver is not None
        if self._proves:
            check_game(len(game.rules.players), simultaneous=simultaneous)
        self.states = 0
        """Nodal states reached in all simulations so far, dead ends and the keeper's left out."""
        self.simulations = 0
        """Iterations made so far."""
        self._rules = game.rules
        self._chance = game.rules.chance
        self._interpreter = game.rules.interpreter
        self._mod = settings.split is not None and settings.split.mod
        self._bounds = tuple(game.rules.players.values())
        self._random = Random(seed)
        self._iterate = self.decoupled_iteration if simultaneous else self.mcts_iteration
        split_tree = simultaneous or settings.tree != Tree.ORTHODOX
        split_simulation = simultaneous or settings.simulation == Simulation.SEMISPLIT
        in_expansion = settings.mast is not None and settings.mast.in_expansion
        self._expansion = _Phase(split_tree, self.mast if in_expansion else None)
        self._rest = _Phase(split_tree, self.mast if settings.mast_in_rest else None)
        self._simulation = _Phase(split_simulation, self.mast)
        self._completion = _Phase(split_tree, None)
        self._groups = GroupLayers(game.rules, settings.groups) if settings.groups else None
        self.set_root(self._interpreter.start)

    # What users do.

    def set_root(self, position: Position, previous: Steps = ()) -> None:
        """Start a new tree at a nodal position; the keeper moves at once.

        Args:
            position: The position.
            previous: The steps of the move that led there, if it is known, for groups.
        """
        self._previous = previous
        self.proofs = Proofs(len(self._bounds)) if self._proves else None
        self.root = Node((), self._interpreter.run_keeper(position), nodal=True, context=())
        self.root.children = self.grouped([self.root], self.semimoves(self.root, self._expansion))

    def played(self) -> None:
        """A move is played on the board, by whomever: let MAST forget."""
        if self.mast:
            self.mast.decay(Decay.MOVE)

    def run(self, simulations: int) -> None:
        """Make so many iterations."""
        for _ in range(simulations):
            self._iterate()

    def group(self, node: Node) -> str | None:
        """The name of a group, if a node is one."""
        return self._groups.name(node.group) if self._groups and node.group else None

    def semimove_statistics(self) -> dict[Steps, tuple[int, float]]:
        """Visits and average score of the root's visited children, or of those in its groups."""
        children = _tried(members(self.root.children or ()))
        return {child.steps: (child.visits, child.mean) for child in children}

    def move_statistics(self) -> dict[Steps, tuple[int, float]]:
        """Visits and average score of the last edge of each move from the root in the tree."""
        moves = _moves(self.root, lambda child: True)
        return {_steps(move): (move[-1].visits, move[-1].mean) for move in moves}

    def player_statistics(self) -> dict[int, dict[Steps, tuple[int, float]]]:
        """Visits and average score of the visited steps of each player who decides at the root."""
        return {
            player: {arm.steps: (arm.visits, arm.mean) for arm in _tried(members(arms))}
            for player, arms in self._choosers().items()
        }

    # Algorithms 1 and 5: simulation, with MAST if it is switched on.

    def semisplit_simulation(self, node: Node) -> list[Node]:
        """Play from a nodal node until no player can move; give the nodes on the way.

        If there are none, the node is known to be terminal afterwards.
        """
        passed: list[Node] = []
        while (move := self.semisplit_random_move(node, self._simulation)) is not None:
            passed += [child for child, _ in move]
            node = passed[-1]
        if not passed:
            node.children = []
        return passed

    def semisplit_random_move(self, node: Node, phase: _Phase) -> Walk | None:
        """Draw semimoves up to a nodal state, with backtracking; None if there is no move."""
        semimoves = self.semimoves(node, phase)
        while semimoves:
            child = self.choose(node, semimoves, phase)
            move = self.complete(child, phase)
            if move is not None:
                return [(child, semimoves), *move]
            semimoves.remove(child)
        return None

    def complete(self, child: Node, phase: _Phase) -> Walk | None:
        """A random rest of the move that begins with a semimove; None if it is dead."""
        if not child.nodal:
            return self.semisplit_random_move(child, phase)
        child.position = self._interpreter.run_keeper(child.position)
        return []

    def semimoves(self, node: Node, phase: _Phase) -> list[Node]:
        """All (semi)moves of a node, as children; those of a keeper who is stuck are all dead."""
        if phase.split:
            found = self._interpreter.semimoves(node.position, mod=self._mod)
        else:
            found = self._interpreter.moves(node.position)
        return [self._child(node, steps, position) for steps, position in found]

    def _child(self, node: Node, steps: Steps, position: Position) -> Node:
        nodal = self._interpreter.is_nodal(position)
        return Node(steps, position, nodal, () if nodal else node.context + without_dots(steps))

    def choose(self, node: Node, semimoves: Sequence[Node], phase: _Phase) -> Node:
        """Draw one of some children of a node."""
        if phase.mast and node.player != self._chance:
            return self.choose_semimove_with_mast(node, semimoves, phase.mast)
        return self._random.choice(semimoves)

    def choose_semimove_with_mast(
        self, node: Node, semimoves: Sequence[Node], mast: MastTables
    ) -> Node:
        """Draw one of some children of a node by MAST's policy."""
        policy, temperature = mast.settings.policy, mast.settings.temperature
        values = [mast.score(node, child) for child in semimoves]
        best = max(values)
        if policy == Policy.GIBBS:
            # A common factor changes nothing and keeps small temperatures from overflowing.
            weights = [math.exp((value - best) / temperature) for value in values]
        elif policy == Policy.ROULETTE:
            weights = values if best > 0 else [1.0 for _ in values]
        elif self._random.random() >= mast.settings.epsilon:
            weights = [float(value == best) for value in values]
        else:
            weights = [1.0 for _ in values]
        return self._random.choices(semimoves, weights)[0]

    # Algorithm 2: an iteration, and algorithm 3: the nodal expansion.

    def mcts_iteration(self) -> None:
        """Descend, expand, simulate, and take the result back to the root."""
        path = [self.root]
        while not (node := path[-1]).is_terminal:
            if self.stays_leaf(node):
                self.backpropagation(path, self.expand(path, path.pop()) or [])
                return
            if node.children is None:
                node.children = self.grouped(path, self.semimoves(node, self._expansion))
            if node.has_groups:
                path.append(self.choose_group(path))
                continue
            if node.fully_expanded:
                path.append(self.uct(path))
                continue
            untried = [child for child in node.children if not child.visits]
            child = self.choose(node, untried, self._expansion)
            expand = self.expand_nodal if self.settings.nodal else self.expand
            simulated = expand(path, child)
            if simulated is None:
                node.children.remove(child)
                drop_dead_groups(path)
                continue
            self.backpropagation(path, simulated)
            return
        self.backpropagation(path, [])

    def stays_leaf(self, node: Node) -> bool:
        """Whether what follows a node is still drawn at random, as it has too few visits."""
        if node is self.root or node.children is not None:
            return False
        threshold = self.settings.expansion_threshold
        if threshold is None:
            threshold = len(self.semimoves(node, self._expansion))
        return node.visits < threshold

    # Group nodes: Alternating-Layer UCT.

    def grouped(self, path: Sequence[Node], semimoves: list[Node]) -> list[Node]:
        """What can be done at the last node of a path, in groups if it is nodal."""
        if self._groups is None or not path[-1].nodal:
            return semimoves
        return self._groups.divide(path[-1], self.previous_move(path), semimoves)

    def previous_move(self, path: Sequence[Node]) -> Steps:
        """The move that leads to the last node of a path, which is nodal."""
        begin = max((i for i, node in enumerate(path[:-1]) if node.nodal), default=None)
        return self._previous if begin is None else _steps(path[begin + 1 :])

    def choose_group(self, path: Sequence[Node]) -> Node:
        """The group to go on with: by equal probability at first, then by UCT."""
        node, groups = path[-1], path[-1].children or []
        if node.visits < threshold(groups):
            return self._random.choice(groups)
        if untried := [group for group in groups if not group.visits]:
            return self._random.choice(untried)
        return self.uct(path)

    def uct(self, path: Sequence[Node]) -> Node:
        """The most promising child of the last node of a path, and any one if chance decides."""
        node = path[-1]
        if node.player == self._chance:
            return self._random.choice(node.children or ())
        return self._uct(path, self.proofs.open(node) if self.proofs else node.children or ())

    def _uct(self, path: Sequence[Node], children: Sequence[Node]) -> Node:
        node = path[-1]

        def priority(child: Node) -> float:
            value = self.rave.blend(path, child) if self.rave else child.mean
            exploration = math.sqrt(math.log(node.visits) / child.visits)
            return value + self.settings.exploration * exploration

        return self._best(children, priority)

    # Decoupled UCT.

    def decoupled_iteration(self) -> None:
        """An iteration of games in which several players may decide at once.

        There are no dead states in them.
        """
        path = [self.root]
        while not path[-1].is_terminal:
            nodal, node = path[-1], path[-1]
            while node is nodal or not node.nodal:
                path += self.decide(path, nodal, node)
                node = path[-1]
            if not node.visits or self.stays_leaf(node):
                self.backpropagation(path, self.semisplit_simulation(node))
                return
        self.backpropagation(path, [])

    def decide(self, path: Sequence[Node], nodal: Node, node: Node) -> list[Node]:
        """The child that a player chooses, not knowing how others choose.

        Args:
            path: The way to the node.
            nodal: Where the move begins.
            node: A node on the way of the move.

        Returns:
            It, after its groups if they are a part of the way: those of the first player.
        """
        if node.children is None:
            semimoves = self.semimoves(node, self._expansion)
            node.children = self.grouped(path, semimoves) if node is nodal else semimoves
        arms = self.arms(path, nodal, node)
        chosen: list[Node] = []
        chooser = nodal
        explores_uniformly = bool(arms[0].group) and self._explores_uniformly(nodal)
        while arms[0].group:
            drawn = self._random.choice(arms) if explores_uniformly else None
            above = Node((), node.position, False, (), visits=chooser.visits, children=arms)
            chooser = drawn or self.choose_group([above])
            chosen.append(chooser)
            arms = chooser.children or []
        if untried := [arm for arm in arms if not arm.visits]:
            arm = self.choose(node, untried, self._expansion)
        elif (
            explores_uniformly
            or (not chosen and self._explores_uniformly(nodal))
            or node.player == self._chance
        ):
            arm = self._random.choice(arms)
        else:
            arm = self._uct([chooser], arms)
        if node is nodal:
            return [*chosen, arm]
        return [next(child for child in node.children if child.steps == arm.steps)]

    def _explores_uniformly(self, nodal: Node) -> bool:
        """Whether a player draws at random, where he is not the only one to decide."""
        if not nodal.arms or not nodal.visits:
            return False
        return self._random.random() < UNIFORM_EXPLORATION / math.sqrt(nodal.visits)

    def arms(self, path: Sequence[Node], nodal: Node, node: Node) -> list[Node]:
        """By what the player in control at a node chooses; in groups, if there are any."""
        if node is nodal:
            return node.children or []
        if node.player not in nodal.arms:
            before = path[: path.index(nodal) + 1]
            arms = self.grouped(before, self.semimoves(node, self._expansion))
            nodal.arms[node.player] = arms
        return nodal.arms[node.player]

    def _choosers(self) -> dict[int, list[Node]]:
        """The players who decide at the root, each with what it chooses by."""
        return {self.root.player: self.root.children or [], **self.root.arms}

    def expand(self, path: list[Node], child: Node) -> list[Node] | None:
        """Add an untried child to the tree and the path.

        Returns:
            The nodes of the simulation, to which the rest of the move belongs; None if the child is
            dead.
        """
        move = self.complete(child, self._rest)
        if move is None:
            return None
        path.append(child)
        rest = [node for node, _ in move]
        return rest + self.semisplit_simulation([child, *rest][-1])

    def expand_nodal(self, path: list[Node], child: Node) -> list[Node] | None:
        """Add an untried child and a random rest of its move to the tree and the path.

        Returns:
            The nodes of the simulation; None if the child is dead.
        """
        move = self.complete(child, self._rest)
        if move is None:
            return None
        path.append(child)
        for node, siblings in move:
            path[-1].children = siblings
            path.append(node)
        return self.semisplit_simulation(path[-1])

    # Algorithm 6: backpropagation.

    def backpropagation(self, path: Sequence[Node], simulated: Sequence[Node]) -> None:
        """Count an iteration: its path in the tree and what follows outside."""
        whole = [*path, *simulated]
        scores = self.scores(whole[-1].position)
        self.simulations += 1
        self.states += sum(node.nodal for node in whole[1:])
        for nodal, parent, node in with_nodal(path):
            _count(node, scores[nodal.player - 1])
            for arm in find_arm(nodal.arms.get(parent.player, ()), node):
                _count(arm, scores[parent.player - 1])
        self.root.visits += 1
        if self.mast:
            self.mast.update(path if self.mast.settings.tree_only else whole, scores)
            self.mast.decay(Decay.SIMULATION)
            if self.simulations % self.mast.settings.batch == 0:
                self.mast.decay(Decay.BATCH)
        if self.rave:
            self.rave.update(path, simulated, scores)
        if self.proofs:
            self.proofs.update(path, scores)
        if self.settings.tree == Tree.ROLLUP:
            for node in reversed(path[:-1]):
                roll_up(node, self.settings)

    def scores(self, position: Position) -> tuple[float, ...]:
        """The score of each player, from 0 to 1."""
        scores = self._rules.scores(position)
        return tuple(score / bound for score, bound in zip(scores, self._bounds))

    # The final selection.

    def select_final(self) -> Steps:
        """The move to play, without dots; empty if there is none.

        Where several players decide at once, it is the step that each of them should play.
        """
        if self.root.arms:
            return _steps([self._final_arm(arms) for arms in self._choosers().values()])
        path = self._final_path()
        if not (path and path[-1].nodal):
            # The tree is left before the move is complete.
            rest = self.semisplit_random_move([self.root, *path][-1], self._completion)
            return _steps([*path, *(node for node, _ in rest or ())])
        if self.settings.final == Final.ROLLUP:
            path = self._final_rollup(path)
        return _steps(path)

    def _final_arm(self, arms: Sequence[Node]) -> Node:
        """The arm that a player prefers; where there are groups, in the preferred group."""
        arm = self._best(_tried(arms), self._final_preference)
        return self._final_arm(arm.children or ()) if arm.group else arm

    def _final_path(self) -> list[Node]:
        """The children preferred at each node, up to a nodal one or the border of the tree."""
        path: list[Node] = []
        node = self.root
        while (children := _visited(node)) and not (path and node.nodal):
            if self.proofs:
                children = self.proofs.best(node, children)
            node = self._best(children, self._final_preference)
            path.append(node)
        return path

    def _final_preference(self, child: Node) -> tuple[float, float]:
        mean = self.proofs.score(child, self.root.player) if self.proofs else child.mean
        if self.settings.final == Final.ROBUST:
            return child.visits, mean
        return mean, child.visits

    def _final_rollup(self, greedy: list[Node]) -> list[Node]:
        """The best of the moves that are visited often enough, if it is better than the greedy."""
        enough = greedy[-1].visits * self.settings.final_rollup_factor
        moves = list(_moves(self.root, lambda child: child.visits >= enough))
        best = max(moves, key=lambda move: (move[-1].mean, move[-1].visits), default=greedy)
        return best if best[-1].mean > greedy[-1].mean else greedy

    def _best(
        self, nodes: Sequence[Node], preference: Callable[[Node], float | tuple[float, float]]
    ) -> Node:
        """A node of the highest preference, each of them equally likely."""
        preferences = [preference(node) for node in nodes]
        best = max(preferences)
        return self._random.choice([node for node, p in zip(nodes, preferences) if p == best])


def _count(node: Node, score: float) -> None:
    node.visits += 1
    node.score_sum += score


def _visited(node: Node) -> list[Node]:
    return _tried(node.children or ())


def _tried(nodes: Sequence[Node]) -> list[Node]:
    return [node for node in nodes if node.visits]


def _moves(node: Node, enter: Callable[[Node], bool]) -> Iterator[list[Node]]:
    """All paths over visited nodes that `enter` accepts from below a node to a nodal one."""
    for child in filter(enter, _visited(node)):
        if child.nodal:
            yield [child]
        else:
            for rest in _moves(child, enter):
                yield [child, *rest]


def _steps(path: Sequence[Node]) -> Steps:
    """The steps of a path below the root, without dots."""
    return without_dots(tuple(step for node in path for step in node.steps))

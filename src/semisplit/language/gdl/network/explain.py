"""What became of a game's rules: the sizes of its network, its depth and its recursion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.network.circuit import Circuit, build_circuit
from semisplit.language.gdl.network.schedule import Schedule, children, make_schedule
from semisplit.language.gdl.network.turns import Turns, find_turns
from semisplit.language.gdl.text.notation import write_term

_RULES = 5
"""So many of the rules with the most instances are named."""


@dataclass(frozen=True)
class Explanation:
    """A game as a network."""

    circuit: Circuit
    schedule: Schedule
    turns: Turns

    @property
    def data(self) -> dict[str, int]:
        """What there is how many of."""
        program = self.circuit.program
        sections = {
            f"gates for {name}": sum(len(block.gates) for block in blocks)
            for name, blocks in zip(("moves", "next", "goals"), self.schedule)
        }
        return {
            "fluents": len(program.fluents),
            "moves": len(program.moves),
            "ground rules": len(program.rules),
            "gates": self.circuit.network.size,
            **sections,
            "depth": int(self.circuit.network.depths.max(initial=0)),
            "recursive parts": len(self.circuit.network.loops),
            "recursive atoms": sum(map(len, self.circuit.network.loops)),
        }

    @property
    def largest_rules(self) -> list[tuple[str, int]]:
        """The rules with the most instances: where they are and what for, and how many."""
        program = self.circuit.program
        numbers = np.bincount(
            program.rules.origins[program.rules.origins >= 0], minlength=len(program.clauses)
        )
        largest = np.argsort(-numbers, kind="stable")[:_RULES]
        return [
            (f"{rule.head.name}{_line(getattr(rule, 'span', None))}", number)
            for rule, number in (
                (program.clauses[i].rule or program.clauses[i], int(numbers[i])) for i in largest
            )
            if number
        ]

    def __str__(self) -> str:
        lines = [f"{name:16} {number:9,}" for name, number in self.data.items()]
        proven = "never" if self.turns.exclusive else "for all that is proven"
        lines += ["", f"several roles have a choice at once: {proven}"]
        lines += ["", "gates after each pass"]
        lines += [f"  {name:14} {number:9,}" for name, number in self.circuit.history]
        lines += ["", "rules with the most instances"]
        lines += [f"  {number:9,}  {name}" for name, number in self.largest_rules]
        return "\n".join(lines)

    def dot(self) -> str:
        """The network in the language of Graphviz; dashed edges negate."""
        circuit, program = self.circuit, self.circuit.program
        network = circuit.network
        names = [write_term(fluent) for fluent in program.fluents]
        names += [f"{program.roles[role].name}: {write_term(move)}" for role, move in program.moves]
        names += [f"loop {number}" for number, loop in enumerate(network.loops) for _ in loop]
        lines = ["digraph {", "  rankdir=BT;", '  0 [label="false", shape=box];']
        lines += [f'  {node} [label="{name}", shape=box];' for node, name in enumerate(names, 1)]
        first = 1 + network.inputs
        for gate, sides in enumerate(children(network), first):
            lines.append(f'  {gate} [label="and", shape=circle];')
            lines += [_edge(side, str(gate)) for side in sides]
        outputs = [
            *(
                (f"legal {name}", x)
                for name, x in zip(names[len(program.fluents) :], circuit.legal)
            ),
            ("terminal", circuit.terminal),
            *((f"next {name}", x) for name, x in zip(names, circuit.next)),
            *(
                (f"goal {program.roles[role].name} {value}", x)
                for (role, value, _), x in zip(program.goals, circuit.goals)
            ),
            *((f"becomes loop variable {i}", x) for i, x in enumerate(circuit.definitions)),
        ]
        for number, (name, literal) in enumerate(outputs):
            lines.append(f'  out{number} [label="{name}", shape=plaintext];')
            lines.append(_edge(int(literal), f"out{number}"))
        return "\n".join([*lines, "}"])


def _edge(literal: int, target: str) -> str:
    return f"  {literal >> 1} -> {target}{' [style=dashed]' if literal & 1 else ''};"


def _line(span: object) -> str:
    position = getattr(span, "position", None)
    return f" in line {position[0]}" if position else ""


def explain(description: Description) -> Explanation:
    """Ground a description, reduce it, and tell about it."""
    circuit = build_circuit(ground(description))
    return Explanation(circuit, make_schedule(circuit), find_turns(circuit))

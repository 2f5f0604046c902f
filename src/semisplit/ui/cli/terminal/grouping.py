"""The groups of a position, for `semisplit show --groups`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from semisplit.game import Game, Move, State
from semisplit.language.rules import Trait
from semisplit.search.features.groups import Partition
from semisplit.search.notation import parse_layers
from semisplit.ui.cli.terminal.drawing import styles
from semisplit.ui.render.terminal import board

_COLOURS = ("green", "yellow", "cyan", "magenta", "red", "blue")
_SEVERAL = "*"
_MOST_EXAMPLES = 8


def show_groups(game: Game, after: Sequence[str], layers: str, console: Console) -> None:
    """Draw the board with the number of a group where each move ends, and tell what groups are.

    Args:
        game: The game.
        after: Moves made before.
        layers: The groupings, as in the brackets of an agent's name.
        console: Where to print.
    """
    partition = Partition(game.rules, parse_layers(layers))
    state, previous = game.initial_state(), ()
    for text in after:
        move = state.parse_move(text)
        state, previous = state.apply(move), move.steps
    moves = state.moves()
    labels = partition.divide(
        state.position,
        previous,
        [move.steps for move in moves],
        lambda steps: state.apply(state.move(steps)).position,
    )
    groups = {label: str(number) for number, label in enumerate(sorted(set(labels)), 1)}
    numbers = [groups[label] for label in labels]
    colours = {
        number: f"not dim bold {_COLOURS[(int(number) - 1) % len(_COLOURS)]}"
        for number in groups.values()
    }
    if game.rules.appearance:
        console.print(_draw(state, moves, numbers, colours), end="")
    console.print(f"{state.player_name} to move, {len(moves):,} moves", markup=False)
    for label, number in groups.items():
        members = [str(move) for move, other in zip(moves, numbers) if other == number]
        names = (names[place] for names, place in zip(partition.names, label))
        more = " ..." if len(members) > _MOST_EXAMPLES else ""
        line = Text(f"{number:>3} ", style=colours[number])
        line.append(f"{' / '.join(names)}: {len(members):,}", style="not dim not bold default")
        line.append(f"  {' '.join(members[:_MOST_EXAMPLES])}{more}", style="not bold dim")
        console.print(line, soft_wrap=True)


def _draw(
    state: State, moves: Sequence[Move], numbers: Sequence[str], colours: dict[str, str]
) -> Text:
    """The board, with a number where moves end; or start, if only that is unambiguous."""
    rules = state.game.rules
    appearance = rules.appearance
    assert appearance
    ends, starts = (_places(rules.traits[name], moves, numbers) for name in ("target", "start"))
    places = starts if _SEVERAL in ends.values() and _SEVERAL not in starts.values() else ends
    cells = [appearance.symbols[piece] for piece in state.pieces]
    shown = [places.get(place, cell) for place, cell in enumerate(cells)]
    return board(appearance.geometry.on_a_grid(), shown, styles(state.game) | colours)


def _places(trait: Trait, moves: Sequence[Move], numbers: Sequence[str]) -> dict[int, str]:
    """The number of the group at each place that moves tell by a trait."""
    found: dict[int, str] = {}
    for move, number in zip(moves, numbers):
        values = [value for step in move.steps if (value := trait.of(step)) >= 0]
        if values:
            place = values[-1 if trait.last else 0]
            found[place] = number if found.get(place, number) == number else _SEVERAL
    return found

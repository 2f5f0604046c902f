"""`semisplit show`: a game at a glance."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.core.errors import InputError
from semisplit.core.work import limited
from semisplit.ui.cli.options import Game, Json

if TYPE_CHECKING:
    from rich.console import Console

    import semisplit
    from semisplit.language.answers import BoardDetails
    from semisplit.language.rules import Appearance


@limited()
def show(
    game: Game,
    after: Annotated[
        list[str] | None, typer.Argument(help="Moves made before, with --groups or --svg.")
    ] = None,
    groups: Annotated[
        str, typer.Option(help="Groups of the moves of a position: proximity,border ...")
    ] = "",
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the board into this file; '-' is standard output."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the rules in words, players, pieces and the board; or groups of moves, or a picture."""
    from rich.console import Console
    from rich.text import Text

    import semisplit
    from semisplit.ui.cli.terminal.drawing import draw_state

    loaded = semisplit.load(game)
    console = Console(highlight=False)
    if after and not groups and not svg:
        raise typer.BadParameter("moves can be given only with --groups or --svg")
    if bool(groups) + bool(svg) + json > 1:
        raise typer.BadParameter("--groups, --svg and --json show different things; choose one")
    if json:
        print(json_module.dumps(_data(loaded)))
        return
    if svg:
        _write_picture(loaded, after or (), svg)
        return
    if groups:
        from semisplit.ui.cli.terminal.grouping import show_groups

        show_groups(loaded, after or (), groups, console)
        return
    for comment in _top_comment(loaded.text):
        console.print(Text(comment))
    rules = loaded.rules
    _show_names("players", {name: rules.players[name] for name in loaded.seats}, console)
    if rules.chance:
        console.print(f"chance:    {loaded.player_name(rules.chance)}", markup=False)
    if rules.hides:
        console.print("hidden:    players see only what the rules tell them")
    details, appearance = rules.language.details(rules), rules.appearance
    if details and appearance:
        _show_board(loaded, details, appearance, console)
    else:
        console.print()
        console.print(draw_state(loaded.initial_state()), end="")


def _data(game: semisplit.Game) -> dict[str, Any]:
    """A game for programs: names, and the board with what stands on it at the start."""
    from semisplit.games import title

    rules = game.rules
    data: dict[str, Any] = {
        "game": game.name,
        "language": rules.language.title,
        "title": title(game.text),
        "about": [paragraph for paragraph in _top_comment(game.text)[1:] if paragraph],
        "players": dict(rules.players),
    }
    if rules.appearance:
        geometry, pieces = rules.appearance.geometry, game.initial_state().pieces
        vertices = [{"name": name, "piece": piece} for name, piece in zip(geometry.names, pieces)]
        data["symbols"] = dict(rules.appearance.symbols)
        data["board"] = {"shape": geometry.shape, "vertices": vertices}
        if details := rules.language.details(rules):
            data["variables"] = dict(details.variables)
            data["board"]["edges"] = [
                {label: geometry.names[target] for label, target in edges.items()}
                for edges in details.edges
            ]
    return data


def _write_picture(game: semisplit.Game, moves: Iterable[str], file: Path) -> None:
    """Write the picture of the position after some moves, in which the last one is marked."""
    from semisplit.ui.render.svg import draw

    before = state = game.initial_state()
    for move in moves:
        before, state = state, state.apply(move)
    picture = draw(game.rules, state.position, since=before.position)
    if str(file) == "-":
        print(picture, end="")
        return
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from error


def _show_names(kind: str, bounds: Mapping[str, int], console: Console) -> None:
    if bounds:
        ranges = (f"{name} (0..{bound})" for name, bound in bounds.items())
        console.print(f"{kind + ':':<10} {', '.join(ranges)}", markup=False)


def _show_board(
    game: semisplit.Game, details: BoardDetails, appearance: Appearance, console: Console
) -> None:
    """Show what a game with a board has besides players."""
    from rich.text import Text

    from semisplit.ui.cli.terminal.drawing import styles
    from semisplit.ui.render.terminal import board

    _show_names("variables", details.variables, console)
    pieces = game.rules.pieces(game.rules.start)
    style = styles(game)
    legend = Text("pieces:    ")
    for piece, symbol in appearance.symbols.items():
        count = pieces.count(piece)
        legend.append(symbol, style=style.get(symbol, ""))
        legend.append(f"{'' if symbol == piece else f' {piece}'} x{count}  ")
    console.print(legend)
    console.print()
    geometry = appearance.geometry
    symbols = [appearance.symbols[piece] for piece in pieces]
    layout = geometry.on_a_grid()
    if layout.shape != "graph":
        console.print(board(layout, symbols, style), end="")
    if geometry.shape != "graph":
        return
    width = max(len(name) for name in geometry.names)
    for name, symbol, edges in zip(geometry.names, symbols, details.edges):
        line = Text(f"{name:<{width}} ")
        line.append(symbol, style=style.get(symbol, ""))
        line.append("  " + "  ".join(f"{k} {geometry.names[v]}" for k, v in edges.items()), "dim")
        console.print(line)


def _top_comment(text: str) -> list[str]:
    """The paragraphs and list entries of the comment at the top of a description."""
    paragraphs = [""]
    for line in text.splitlines():
        if not line.startswith(("//", ";")):
            break
        words = line.lstrip("/;").strip()
        if not words or not paragraphs[-1] or words.startswith("- "):
            paragraphs.append(words)
        else:
            paragraphs[-1] += f" {words}"
    return [*paragraphs[1:], ""] if len(paragraphs) > 1 else []

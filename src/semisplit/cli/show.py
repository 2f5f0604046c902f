"""`semisplit show`: a game at a glance."""

from __future__ import annotations

from semisplit.cli.options import Game


def show(game: Game) -> None:
    """Show the rules in words, the players, the pieces and the board."""
    from rich.console import Console
    from rich.text import Text

    import semisplit
    from semisplit.cli.drawing import styles
    from semisplit.cli.rbg import rbg_rules
    from semisplit.render.terminal import board

    loaded = semisplit.load(game)
    description, appearance = rbg_rules(loaded).description, loaded.rules.appearance
    assert appearance is not None
    console = Console(highlight=False)
    for comment in _top_comment(description.source.text):
        console.print(Text(comment))
    for kind, bounds in (("players", description.players), ("variables", description.variables)):
        if bounds:
            ranges = (f"{name} (0..{bound})" for name, bound in bounds.items())
            console.print(f"{kind + ':':<10} {', '.join(ranges)}")
    style = styles(loaded)
    legend = Text("pieces:    ")
    for piece, symbol in appearance.symbols.items():
        count = description.board.pieces.count(piece)
        legend.append(symbol, style=style.get(symbol, ""))
        legend.append(f"{'' if symbol == piece else f' {piece}'} x{count}  ")
    console.print(legend)
    console.print()
    geometry = description.board.geometry
    symbols = [appearance.symbols[piece] for piece in description.board.pieces]
    layout = geometry.on_a_grid()
    if layout.shape != "graph":
        console.print(board(layout, symbols, style), end="")
    if geometry.shape != "graph":
        return
    width = max(len(name) for name in geometry.names)
    for name, symbol, edges in zip(geometry.names, symbols, description.board.edges):
        line = Text(f"{name:<{width}} ")
        line.append(symbol, style=style.get(symbol, ""))
        line.append("  " + "  ".join(f"{k} {geometry.names[v]}" for k, v in edges.items()), "dim")
        console.print(line)


def _top_comment(text: str) -> list[str]:
    """The paragraphs and list entries of the comment at the top of a description."""
    paragraphs = [""]
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        words = line.removeprefix("//").strip()
        if not words or not paragraphs[-1] or words.startswith("- "):
            paragraphs.append(words)
        else:
            paragraphs[-1] += f" {words}"
    return [*paragraphs[1:], ""] if len(paragraphs) > 1 else []

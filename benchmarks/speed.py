"""How fast compiled games are, beside a program that was written for one game.

Machines differ and so does their mood, so speed is given as a ratio to a yardstick: a C program
that plays breakthrough and amazons at random for some seconds and prints `breakthrough N` and
`amazons N`, nodal states per second. In every round it runs next to all games. The reference is a
table (CSV) of another player's ratios with the columns game, mode and ratio_to_yardstick, taken on
the same kind of processor.

Run from the root of the repository; writes a table in Markdown:

    python -m benchmarks.speed --yardstick yardstick.c [GAMES...]
        [--reference reference.csv --reference-processor 'Intel Xeon']
"""

import argparse
import csv
import os
import platform
import shlex
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean, median

import llvmlite

from benchmarks.yardstick import Yardstick, add_reference, cpu_name, incomparable, is_comparable
from semisplit import games, load, read_description
from semisplit.core.strategy import SplitStrategy
from semisplit.lab.bench.measuring import measure_compiling, measure_speed

SPLIT = SplitStrategy(mod=True)
MODES = (str(SPLIT), "orthodox")
THESIS = (
    "amazons",
    "breakthrough",
    "breakthru",
    "chess",
    "chess_king_capture",
    "english_draughts",
    "fox_and_hounds",
    "go",
    "gomoku_standard",
    "hex",
    "knightthrough",
    "pentago",
    "reversi",
    "skirmish",
    "the_mill_game",
)
"""The games that literature compares."""


class Measured:
    """A game, ready to be measured, and the nodal states per second of each round."""

    def __init__(self, name: str):
        text, _ = read_description(name)
        self.name = Path(name).stem
        self.rates: dict[str, list[float]] = {mode: [] for mode in MODES}
        self._rules = load(name).rules
        divided, self.times = measure_compiling(text, name, SPLIT)
        self._compiled = {MODES[0]: divided, MODES[1]: load(name).compiled}

    def measure(self, seconds: float) -> None:
        """Add a round."""
        for mode, compiled in self._compiled.items():
            speed = measure_speed(compiled, self._rules, seconds, semisplit=mode != "orthodox")
            self.rates[mode].append(speed.nodal_states_per_s)

    def ratios(self, mode: str, yardstick: Sequence[float]) -> list[float]:
        """The ratio to the yardstick in each round."""
        return [rate / figure for rate, figure in zip(self.rates[mode], yardstick)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAMES")
    parser.add_argument("--yardstick", type=Path, required=True, help="its source in C")
    add_reference(parser, required=False)
    parser.add_argument("--runs", type=int, default=5, help="rounds")
    parser.add_argument("--seconds", type=float, default=0.5, help="per game and mode in a round")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results/speed.md"))
    arguments = parser.parse_args()
    # Moving to another core costs time, and cores need not be alike.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    reference = read_reference(arguments.reference) if is_comparable(arguments) else {}
    measured = []
    for name in arguments.games or games.names("rbg"):
        measured.append(Measured(name))
        print(f"{name}: compiled in {measured[-1].times.compile_s_cold:.2f} s", flush=True)
    yardstick: dict[str, list[float]] = {"breakthrough": [], "amazons": []}
    program = Yardstick(arguments.yardstick)
    for run in range(arguments.runs):
        figures = program.run(arguments.seconds)
        for name, past in yardstick.items():
            past.append(figures[name])
        shown = {name: f"{figure:.0f}" for name, figure in figures.items()}
        print(f"round {run + 1} of {arguments.runs}: yardstick {_list(shown)}", flush=True)
        for game in measured:
            game.measure(arguments.seconds)
    lines = report(measured, yardstick, reference)
    if arguments.reference and not reference:
        lines.append(f"- {incomparable(arguments)}")
    text = "\n".join([*facts(arguments), *lines]) + "\n"
    arguments.output.write_text(text, encoding="utf-8")
    print(text, end="")


def read_reference(path: Path) -> dict[tuple[str, str], float]:
    """The reference's ratio for each game, by its plain name, and mode."""
    with path.open(newline="", encoding="utf-8") as file:
        return {
            (_plain(row["game"]), row["mode"]): float(row["ratio_to_yardstick"])
            for row in csv.DictReader(file)
        }


def facts(arguments: argparse.Namespace) -> list[str]:
    """The top of the report: where and how it was made."""
    # Only names: where files are on this computer concerns nobody else.
    command = f"python -m benchmarks.speed --yardstick {arguments.yardstick.name}"
    if arguments.reference:
        command += f" --reference {arguments.reference.name}"
    if arguments.reference_processor:
        command += f" --reference-processor {shlex.quote(arguments.reference_processor)}"
    command += f" --runs {arguments.runs} --seconds {arguments.seconds}"
    names = [Path(game).name for game in arguments.games]
    return [
        "# Speed",
        "",
        f"`{' '.join([command, *map(shlex.quote, names)])}`",
        f"on one core of {cpu_name()}, Python {platform.python_version()},"
        f" llvmlite {llvmlite.__version__}.",
        "",
        "Random play from the initial state. Ratios are to the yardstick's nodal states per second",
        "in breakthrough: the median of the rounds, in brackets least and most. Compile times are",
        "those with Mod, from text to functions that can be called, without and with the cache.",
        "",
    ]


def report(
    measured: list[Measured],
    yardstick: dict[str, list[float]],
    reference: dict[tuple[str, str], float],
) -> list[str]:
    """The table, and what it comes down to."""
    titles = ["game"]
    for mode in MODES:
        titles += [f"{mode}, M nodal states/s", "ratio", "reference", "times the reference"]
    titles += ["compile, s", "cached, ms"]
    lines = [_row(titles), "|---" + "|---:" * (len(titles) - 1) + "|"]
    summary: dict[str, list[tuple[float, float]]] = {mode: [] for mode in MODES}
    for game in measured:
        cells = [game.name]
        for mode in MODES:
            ratios = game.ratios(mode, yardstick["breakthrough"])
            cells += [f"{median(game.rates[mode]) / 1e6:.3g}", _spread(ratios)]
            known = reference.get((_plain(game.name), mode))
            if known is None:
                cells += ["-", "-"]
                continue
            times = median(ratios) / known
            cells += [f"{known:.3g}", f"{times:.1f}"]
            if game.name in THESIS:
                summary[mode].append((median(ratios), times))
        cold, cached = game.times
        lines.append(_row([*cells, f"{cold:.2f}", f"{1000 * cached:.1f}"]))
    medians = {name: f"{median(figures) / 1e6:.1f} M" for name, figures in yardstick.items()}
    lines += ["", f"- yardstick, nodal states/s: {_list(medians)}"]
    for game in measured:
        if game.name == "amazons":
            ratios = game.ratios(MODES[0], yardstick["amazons"])
            lines.append(f"- amazons, {MODES[0]}, to the yardstick's amazons: {_spread(ratios)}")
    for mode, pairs in summary.items():
        if pairs:
            ratio, times = (geometric_mean(column) for column in zip(*pairs))
            lines.append(
                f"- geometric mean over {len(pairs)} of the {len(THESIS)} games of the thesis,"
                f" {mode}: ratio {ratio:.3g}, {times:.1f} times the reference"
            )
    return lines


def _plain(name: str) -> str:
    """A name without what differs between ways to write it: theMillGame, the_mill_game."""
    return name.replace("_", "").lower()


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _spread(sample: list[float]) -> str:
    return f"{median(sample):.3g} ({min(sample):.3g} to {max(sample):.3g})"


def _list(figures: dict[str, str]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in figures.items())


if __name__ == "__main__":
    main()

"""How fast the search is on the first move, beside another player's agents.

As in `benchmarks.speed`, speed is a ratio to the yardstick that runs in the same minutes. The
reference is a table (CSV) with the columns game, agent and states_ratio_to_yardstick; its games and
agents are those that are measured, and its ratios are shown on the same kind of processor.

Run from the root of the repository; writes a table in Markdown:

    python -m benchmarks.search_speed --yardstick yardstick.c --reference reference.csv
        --reference-processor 'Intel Xeon'
"""

import argparse
import csv
import os
import platform
from pathlib import Path
from statistics import median

import numba

import semisplit
from benchmarks.yardstick import Yardstick, add_reference, cpu_name, incomparable, is_comparable
from semisplit.lab.bench.measuring import SearchSpeed, measure_search
from semisplit.search import Budget, Search
from semisplit.search.notation import parse_settings

LONG = ("breakthrough", "semisplit-nodal@Mod")
"""What is searched for long, to see whether the tree slows down as it grows."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yardstick", type=Path, required=True, help="its source in C")
    add_reference(parser, required=True)
    parser.add_argument("--runs", type=int, default=5, help="rounds")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each search")
    parser.add_argument("--long", type=int, default=60, help="seconds of a long search")
    parser.add_argument("--memory", type=int, default=8, help="GiB for its tree")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results/search.md"))
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with arguments.reference.open(newline="", encoding="utf-8") as file:
        reference = {
            (row["game"], row["agent"]): float(row["states_ratio_to_yardstick"])
            for row in csv.DictReader(file)
        }
    comparable = is_comparable(arguments)
    # At first, as all of its memory is new, and not only that of the later seconds.
    grown = growth(arguments)
    yardstick = Yardstick(arguments.yardstick)
    figures: list[float] = []
    measured: dict[tuple[str, str], list[SearchSpeed]] = {pair: [] for pair in reference}
    for run in range(arguments.runs):
        figures.append(yardstick.run(0.5)["breakthrough"])
        print(f"round {run + 1} of {arguments.runs}: yardstick {figures[-1] / 1e6:.1f} M")
        for (game, agent), past in measured.items():
            past.append(measure_search(game, agent, arguments.seconds))
    known = reference if comparable else {}
    text = "\n".join([*facts(arguments), *table(measured, known, figures), "", *grown])
    if not comparable:
        text += f"\n\n{incomparable(arguments)}."
    arguments.output.write_text(text + "\n", encoding="utf-8")
    print(text)


def facts(arguments: argparse.Namespace) -> list[str]:
    """The top of the report: where and how it was made."""
    command = f"--yardstick {arguments.yardstick.name} --reference {arguments.reference.name}"
    if arguments.reference_processor:
        command += f" --reference-processor '{arguments.reference_processor}'"
    return [
        "# Speed of the search",
        "",
        f"`python -m benchmarks.search_speed {command} --runs {arguments.runs}"
        f" --seconds {arguments.seconds:g} --long {arguments.long} --memory {arguments.memory}`",
        f"on one core of {cpu_name()}, Python {platform.python_version()},"
        f" Numba {numba.__version__}.",
        "",
        "First move, tree growing from empty, in memory that an earlier search has used; medians",
        "of the rounds. Ratios are to the yardstick's nodal states per second in breakthrough.",
        "",
    ]


def table(
    measured: dict[tuple[str, str], list[SearchSpeed]],
    reference: dict[tuple[str, str], float],
    yardstick: list[float],
) -> list[str]:
    """A line for each game and agent."""
    lines = [
        "| game | agent | k simulations/s | M nodal states/s | ratio | reference"
        " | times the reference | tree's share of time |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for (game, agent), runs in measured.items():
        rates = [run.nodal_states_per_s for run in runs]
        ratios = [rate / figure for rate, figure in zip(rates, yardstick)]
        spread = f"{median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})"
        simulations = median(run.simulations_per_s for run in runs)
        known = reference.get((game, agent))
        compared = f"{known:.3g} | {median(ratios) / known:.1f}" if known else "- | -"
        lines.append(
            f"| {game} | {agent} | {simulations / 1e3:.1f} | {median(rates) / 1e6:.2f} | {spread}"
            f" | {compared} | {median(run.tree_share for run in runs):.0%} |"
        )
    return lines


def growth(arguments: argparse.Namespace) -> list[str]:
    """Simulations in the first and in the last second of a long search."""
    game, agent = LONG
    memory = arguments.memory << 30
    search = Search(semisplit.load(game), parse_settings(agent), memory=memory)
    search.run(Budget(simulations=1))
    search.set_state(search.state)
    seconds = [search.run(Budget(seconds=1), details=False) for _ in range(arguments.long)]
    first, last = (each.simulations for each in (seconds[0], seconds[-1]))
    return [
        f"{game}, {agent}, {arguments.long} seconds: {first:,} simulations in the first second,"
        f" {last:,} in the last, {last / first:.2f} of that; {seconds[-1].nodes:,} nodes,"
        f" {seconds[-1].bytes / 2**30:.2f} GiB."
    ]


if __name__ == "__main__":
    main()

"""What synchronising a cluster costs, and what that means for more machines than there are here.

Run from the root of the repository, with a cluster that has room for 16 workers:

    semisplit cluster start --workers 16
    python -m benchmarks.cluster

It prints Markdown: see docs/results/cluster.md. Messages, hubs, processes and tables are real; the
workers do not search, so that two cores are enough to measure what the messages take.
"""

import pickle
import statistics
import time
from typing import Any

import semisplit
from semisplit.search import Budget, Search
from semisplit.search.cluster.actors import HubActor, caller
from semisplit.search.cluster.machines import connect
from semisplit.search.cluster.messages import Place, Plan, Report, Start
from semisplit.search.cluster.relay import Link, Relay
from semisplit.search.cluster.settings import ClusterSettings
from semisplit.search.parallel.exchange import ROOT_CHILD, Child, Counts, Table, add_tables
from semisplit.search.settings import Settings

ACTIONS = (20, 100, 1000)
USUAL = 100
"""Actions at the root, for messages."""
WORKERS = (2, 4, 8, 16)
REPEATS = 20
SLICE = 0.010
"""Seconds that a search may take before it looks whether somebody asks something."""
LAN = 0.0005
"""Seconds that a message takes between machines besides what it takes here; that is assumed."""
CLOCK = 10.0


def table_of(actions: int) -> Table:
    children = (Child(0, (code, code + 1), ()) for code in range(actions))
    return {ROOT_CHILD: Counts(10**6, 0.0)} | {
        child: Counts(10**4 + place, place / 3) for place, child in enumerate(children)
    }


class Silent:
    """A worker that has always the same to tell."""

    def __init__(self, number: int, actions: int):
        self._report = Report(table_of(actions), frozenset({number}))

    def begin(self, session: str, start: Start) -> None:
        pass

    def first(self, session: str, place: Place, plan: Plan) -> Report:
        time.sleep(plan.first)
        return self._report

    def second(self, session: str, place: Place, others: Report, seconds: float) -> Report:
        time.sleep(seconds)
        return self._report

    def end(self, session: str) -> None:
        pass


def best(function: Any) -> float:
    """The shortest time of a call: what it takes if nobody is in the way."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def print_tables() -> float:
    """What tables cost by themselves; returns the time to take and add one of the usual size."""
    print("| actions | bytes | unpack in µs | add in µs | export in µs | import in µs |")
    print("|---|---|---|---|---|---|")
    usual = 0.0
    for actions in ACTIONS:
        report = Report(table_of(actions), frozenset({1}))
        packed = pickle.dumps(report, protocol=5)
        unpack = best(lambda packed=packed: pickle.loads(packed))
        add = best(lambda table=report.table: add_tables([table, table])) / 2
        export, receive = exchange_times(actions)
        cells = (unpack, add, export, receive)
        times = " | ".join(f"{1e6 * one:.0f}" for one in cells)
        print(f"| {actions} | {len(packed):,} | {times} |")
        if actions == USUAL:
            usual = unpack + add
    print()
    return usual


def exchange_times(actions: int) -> tuple[float, float]:
    """What a search takes to tell and to hear about about so many actions."""
    game = {20: "breakthrough", 100: "hex", 1000: "amazons"}[actions]
    search = Search(semisplit.load(game), Settings(), memory=1 << 28)
    search.run(Budget(simulations=20_000), details=False)
    own = search.exchange.own()
    scale = actions / (len(own) - 1)
    export = best(search.exchange.own)
    receive = best(lambda: search.exchange.receive(own))
    return scale * export, scale * receive


def gather_time(workers: int, layers: int) -> float:
    """How long after they should tell something all workers have been heard of, and summed up."""
    ray = connect()
    cluster = ClusterSettings(workers=workers, layers=layers)
    options = {"num_cpus": 0, "max_concurrency": 4}
    nodes: list[Any] = [
        ray.remote(Silent).options(**options).remote(number, USUAL) for number in range(workers)
    ]
    everybody = list(nodes)
    for height, sizes in enumerate(cluster.groups[:-1], 1):
        above = []
        for size in sizes:
            children, nodes = nodes[:size], nodes[size:]
            named = [(f"node {place}", child) for place, child in enumerate(children)]
            above.append(ray.remote(HubActor).options(**options).remote(named, height))
        nodes = above
        everybody += above
    links = [Link(f"node {place}", caller(node)) for place, node in enumerate(nodes)]
    start = Start(semisplit.load("tic_tac_toe"), Settings(), cluster, 1, 0)
    for node in everybody:
        ray.get(node.begin.remote("benchmark", start))
    relay = Relay(links, "benchmark", start, layers + 1, print)
    times = []
    for number in range(REPEATS):
        place, plan = Place(number, ()), Plan(0.1, 0.1, 20.0)
        begin = time.perf_counter()
        report = relay.first(place, plan)
        times.append(time.perf_counter() - begin - plan.first)
        assert len(report.workers) == workers
    for node in everybody:
        ray.kill(node)
    # The first time includes getting to know each other.
    return statistics.median(sorted(times[1:])[: REPEATS // 2])


def main() -> None:
    taking = print_tables()
    measured = {(workers, 0): gather_time(workers, 0) for workers in WORKERS}
    measured |= {(workers, 1): gather_time(workers, 1) for workers in (4, 16)}
    base, each = fit({workers: measured[workers, 0] for workers in (2, 8)})
    print(f"A layer of f children: {1e3 * base:.1f} ms + f * {1e3 * each:.2f} ms, of which")
    print(f"{1e3 * taking:.2f} ms are for unpacking and adding; fitted to 2 and 8 workers.\n")
    print("| workers | hub layers | measured in ms | model, one machine | model, many machines |")
    print("|---|---|---|---|---|")
    for (workers, layers), seconds in measured.items():
        models = [modelled(workers, layers, base, each, here) for here in (True, False)]
        cells = " | ".join(f"{1e3 * one:.1f}" for one in (seconds, *models))
        print(f"| {workers} | {layers} | {cells} |")
    print(
        "\n| workers | hub layers | children of a node | margin in ms | all margins in ms |", end=""
    )
    print(f" of a clock of {CLOCK:g} s in % | messages per move | bytes at the master per move |")
    print("|---|---|---|---|---|---|---|---|")
    size = len(pickle.dumps(Report(table_of(USUAL), frozenset({1})), protocol=5))
    for workers in (16, 100, 1000):
        for layers in range(4):
            print_prediction(workers, layers, base, each, size)


def fit(times: dict[int, float]) -> tuple[float, float]:
    (few, short), (many, long) = times.items()
    each = max(0.0, (long - short) / (many - few))
    return short - few * each, each


def modelled(workers: int, layers: int, base: float, each: float, here: bool) -> float:
    """A layer waits for its slowest child, then adds up; so layers add to each other.

    On machines of their own, nodes of a layer do so at the same time; on this one, in turn.
    """
    groups = ClusterSettings(workers=workers, layers=layers).groups
    return sum(base + (sum(sizes) if here else max(sizes)) * each for sizes in groups)


def print_prediction(workers: int, layers: int, base: float, each: float, size: int) -> None:
    groups = ClusterSettings(workers=workers, layers=layers).groups
    widest = max(max(sizes) for sizes in groups)
    # Twice what it takes, as others are in the way now and then.
    margin = 2 * (base + LAN + widest * each) + SLICE
    kept = (layers + 1) * margin
    links = workers + sum(len(sizes) for sizes in groups[:-1])
    at_master = 4 * groups[-1][0] * size
    print(
        f"| {workers:,} | {layers} | {widest} | {1e3 * margin:.0f} | {1e3 * kept:.0f} |"
        f" {100 * kept / CLOCK:.1f} | {4 * links:,} | {at_master:,} |"
    )


if __name__ == "__main__":
    main()

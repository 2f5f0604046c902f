"""Nodes of a cluster in this process, each with threads of its own, and the time of agents."""

import pickle
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from semisplit.agents import Agent, Thought
from semisplit.search import Budget
from semisplit.search.cluster.nodes import Hub, Worker
from semisplit.search.cluster.relay import Link
from semisplit.search.cluster.settings import ClusterSettings

HOST = "127.0.0.2"
"""An address of this machine, but not that of clusters which nobody can join."""


class LocalNode:
    """A node that can be made to fail."""

    def __init__(self, name: str, node: Worker | Hub):
        self.name = name
        self.node = node
        self.is_dead = False
        self.calls: list[str] = []
        self._threads = ThreadPoolExecutor(16)

    def call(self, method: str, *arguments: Any) -> Future[Any]:
        self.calls.append(method)
        sent = pickle.dumps(arguments)
        return self._threads.submit(self._answer, method, sent)

    def _answer(self, method: str, sent: bytes) -> Any:
        if self.is_dead:
            raise ConnectionError(self.name)
        answer = getattr(self.node, method)(*pickle.loads(sent))
        if self.is_dead:
            raise ConnectionError(self.name)
        return answer


class LocalCluster:
    """All of them."""

    def __init__(self, cluster: ClusterSettings):
        self.workers = [LocalNode(f"worker {i}", Worker(i)) for i in range(cluster.workers)]
        self.hubs: list[LocalNode] = []
        below = list(self.workers)
        for height, sizes in enumerate(cluster.groups[:-1], 1):
            above = []
            for size in sizes:
                children, below = below[:size], below[size:]
                above.append(LocalNode(f"hub {len(self.hubs)}", make_hub(children, height)))
                self.hubs.append(above[-1])
            below = above
        self.top = below

    @property
    def links(self) -> list[Link]:
        return links_to(self.top)


def make_hub(children: list[LocalNode], height: int) -> Hub:
    return Hub(lambda: links_to(children), height)


def links_to(nodes: list[LocalNode]) -> list[Link]:
    return [Link(node.name, node.call) for node in nodes]


def think_timed(agent: Agent, seconds: float) -> tuple[Thought, float]:
    """Think; also by how much it was late, but for what others have kept it from a core."""
    begin, before = time.monotonic(), waited_for_cores()
    thought = agent.think(Budget(seconds=seconds))
    late = time.monotonic() - begin - seconds
    return thought, late - (waited_for_cores() - before)


def waited_for_cores() -> float:
    """Seconds for which threads of this process could have run, but others did."""
    nanoseconds = 0
    for told in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):
            nanoseconds += int(told.read_text().split()[1])
    return nanoseconds / 1e9

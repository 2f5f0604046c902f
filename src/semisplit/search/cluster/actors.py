"""Workers and hubs as actors of Ray.

They are known by name, and stay when whoever has asked for them is gone, so that the next game need
not wait until they are ready. One that dies is started again by Ray. A worker for which there is no
place yet begins when a machine joins.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from semisplit.search.cluster.machines import PLACE, connect
from semisplit.search.cluster.nodes import Hub, Worker
from semisplit.search.cluster.relay import Call, Link
from semisplit.search.cluster.settings import ClusterSettings

_AT_A_TIME = 16
"""Messages that a node can be busy with; most of them wait for the right moment."""


class HubActor(Hub):
    """A hub, given by the names and the handles of its children."""

    def __init__(self, children: Sequence[tuple[str, Any]], height: int):
        super().__init__(lambda: [Link(name, caller(actor)) for name, actor in children], height)


def caller(actor: Any) -> Call:
    """What calls methods of an actor."""

    def call(method: str, *arguments: Any) -> Future[Any]:
        try:
            answer: Future[Any] = getattr(actor, method).remote(*arguments).future()
        except Exception as error:
            answer = Future()
            answer.set_exception(error)
        return answer

    return call


def find_nodes(cluster: ClusterSettings) -> list[tuple[str, Any]]:
    """The names and handles of the nodes right below the master; who is not there is started."""
    ray = connect()
    options = {
        "lifetime": "detached",
        "get_if_exists": True,
        "max_restarts": -1,
        "max_task_retries": 0,
        "max_concurrency": _AT_A_TIME,
        "num_cpus": 0,
    }

    def find(kind: type, name: str, *arguments: Any, **more: Any) -> tuple[str, Any]:
        actor = ray.remote(kind).options(name=name, **options, **more).remote(*arguments)
        return name, actor

    nodes = [
        find(Worker, f"worker {number}", number, resources={PLACE: 1})
        for number in range(cluster.workers)
    ]
    for height, sizes in enumerate(cluster.groups[:-1], 1):
        above = []
        for number, size in enumerate(sizes):
            children, nodes = nodes[:size], nodes[size:]
            name = f"hub {number} of layer {height} over {cluster.workers} workers"
            above.append(find(HubActor, name, children, height))
        nodes = above
    return nodes

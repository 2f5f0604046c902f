"""`semisplit cluster`: machines that search and play together."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    name="cluster", help="Machines that search and play together.", no_args_is_help=True
)


@app.command()
def start(
    workers: Annotated[
        int, typer.Option(min=0, max=10_000, help="Workers this machine has room for.")
    ] = 1,
    join: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Join the cluster that was started there."),
    ] = None,
    token: Annotated[str, typer.Option(help="The cluster's token, to join it.")] = "",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Where others can join; 0 takes one that is free."),
    ] = 6380,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="This machine's address for other machines; if it is not given, none can join.",
        ),
    ] = None,
) -> None:
    """Start a cluster on this machine, or join one; it goes on until it is stopped."""
    from semisplit.search.cluster import machines

    address = machines.start(workers, port, join, token, host)
    rooms = f"room for {_count(workers, 'worker')}"
    if join:
        print(f"joined the cluster at {address}, with {rooms}")
        return
    print(f"a cluster runs at {address}, with {rooms}; ", end="")
    if machines.is_open(address):
        print("others join with")
        print(f"  semisplit cluster start --join {address} --token {machines.token()}")
    else:
        print("others can join if it is started with --host ADDRESS")


@app.command()
def status() -> None:
    """Show the machines of the cluster, and who has been started on them."""
    from semisplit.search.cluster import machines

    known = machines.status()
    print(f"the cluster at {known.address}")
    for machine in known.machines:
        state = "" if machine.is_alive else ", gone"
        rooms = _count(machine.places, "worker")
        cores = _count(machine.cores, "core")
        print(f"  {machine.address}: {cores}, room for {rooms}{state}")
    print("\n".join(f"  {name}" for name in known.nodes) or "  no workers have been needed yet")


@app.command()
def stop() -> None:
    """Stop all that belongs to the cluster on this machine."""
    from semisplit.search.cluster import machines

    print("stopped" if machines.stop() else "no cluster runs on this machine")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"

"""The machines of a cluster: starting Ray on this one, connecting to it, stopping it.

All that belongs to the cluster of a user on a machine is in one folder: the address of its first
machine, the token without which nobody is let in, and what Ray writes. So several can be on the
same machine, and stopping one leaves alone what else runs there on Ray.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from semisplit.core.errors import InputError

FOLDER = "SEMISPLIT_CLUSTER"
"""The environment variable that names the folder, if it is not the usual one."""
NAMESPACE = "semisplit"
PLACE, BOARD = "semisplit_worker", "semisplit_board"
"""What Ray is told each machine has: room for so many workers, or else for as many games. Workers
keep their places when nobody needs them, so games have others."""
DEFAULT_PORT = 6380
LOOPBACK = "127.0.0.1"
"""Where a cluster of one machine is, which nobody else can reach."""
_OBJECTS = 100 << 20
"""Bytes for what is too large for a message, which hardly anything is; Ray would take far more."""
_STARTING, _STOPPING, _GENTLE = 60.0, 10.0, 1.5
"""Seconds to wait for Ray's processes; the last is after how many they are killed."""
_MAX_PORT = 65535
_REACHING = 10.0
"""Seconds in which the first machine has to be reached."""


@dataclass(frozen=True)
class Machine:
    """A machine of a cluster."""

    address: str
    is_alive: bool
    places: int
    """For workers."""
    cores: int


@dataclass(frozen=True)
class Status:
    """What there is of a cluster."""

    address: str
    machines: tuple[Machine, ...]
    nodes: tuple[str, ...]
    """The workers and hubs that have been started."""


def folder() -> Path:
    """Where the cluster of this user on this machine is."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    # Not in a longer path: there are sockets below it, whose paths have at most 107 bytes.
    return Path(tempfile.gettempdir()) / f"semisplit-{os.getuid()}"


def require_ray() -> None:
    """Refuse to go on if there is no Ray."""
    if not hasattr(os, "killpg"):
        raise InputError("clusters need Linux or macOS")
    if find_spec("ray") is None:
        raise InputError(
            "clusters need Ray, which is not installed: pip install 'semisplit[cluster]'"
        )


def is_running() -> bool:
    """Whether a cluster has been started here, and not been stopped."""
    return (folder() / "address").exists()


def start(
    places: int,
    port: int = DEFAULT_PORT,
    join: str | None = None,
    token: str = "",
    host: str | None = None,
) -> str:
    """Start a cluster on this machine, or join one.

    Args:
        places: How many workers this machine has room for.
        port: Where others can join, if it is the first machine.
        join: The address of the first machine, if this is not it.
        token: The token of the cluster, if this is not its first machine.
        host: The address of this machine at which others reach it. Without one the first machine
            cannot be reached, and one that joins takes that from which it reaches the first.

    Returns:
        The address of the first machine.
    """
    require_ray()
    place = folder()
    if is_running():
        raise InputError(f"a cluster runs here already; its folder is {place}")
    if place.exists() and place.stat().st_uid != os.getuid():
        raise InputError(f"{place} belongs to somebody else; set {FOLDER} to another folder")
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if join and not token:
        raise InputError("to join a cluster its token is needed; its first machine has shown it")
    if join:
        _reach(join)
    if host or not join:
        host = _address_of(host or LOOPBACK)
    _write(place / "token", token or secrets.token_hex(32))
    rooms = json.dumps({PLACE: places, BOARD: places})
    limits = [f"--resources={rooms}", f"--object-store-memory={_OBJECTS}"]
    where = [f"--address={join}"] if join else ["--head", f"--port={port}"]
    where += [] if join else ["--include-dashboard=false", f"--temp-dir={place / 'ray'}"]
    where += [f"--node-ip-address={host}"] if host else []
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--disable-usage-stats"]
    try:
        done = subprocess.run(
            [*command, *where, *limits],
            env=os.environ | _variables(host == LOOPBACK),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=_STARTING,
        )
    except subprocess.TimeoutExpired:
        _kill_all()
        raise InputError(f"Ray did not start within {_STARTING:g} s") from None
    if done.returncode:
        _kill_all()
        raise InputError(f"Ray did not start: {_last_line(done.stdout + done.stderr)}")
    address = join or (place / "ray" / "ray_current_cluster").read_text(encoding="utf-8").strip()
    _write(place / "address", address)
    return address


def is_open(address: str) -> bool:
    """Whether other machines can join the cluster at an address."""
    return address.rpartition(":")[0] != LOOPBACK


def _address_of(host: str) -> str:
    """The address of a machine that may be given by name; `localhost` is loopback, too."""
    try:
        return socket.gethostbyname(host)
    except OSError as error:
        raise InputError(f"'{host}' is no address of a machine ({error})") from None


def _reach(address: str) -> None:
    """Refuse to join where nobody lets others in."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _MAX_PORT:
        raise InputError(f"the address of a cluster is HOST:PORT, not '{address}'")
    trouble = "it is for its own machine alone"
    if is_open(address):
        try:
            socket.create_connection((host, int(port)), _REACHING).close()
            return
        except OSError as error:
            trouble = f"it cannot be reached ({error})"
    raise InputError(
        f"the cluster at {address} cannot be joined, as {trouble};"
        " its first machine lets others in by `semisplit cluster start --host ADDRESS`"
    )


def token() -> str:
    """What others need to join."""
    return (folder() / "token").read_text(encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def _variables(on_loopback: bool) -> dict[str, str]:
    """What tells Ray who may connect, to talk less, and to leave processes their time."""
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(folder() / "token"),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        "RAY_DISABLE_FAILURE_SIGNAL_HANDLER": "1",
        # Workers would give way to whatever else wants a core, and not be heard in time.
        "RAY_worker_niceness": "0",
        # While a worker has no place, all processes would collect garbage every 10 s, the master's
        # in the middle of a move, and nothing else goes on in Python meanwhile.
        "RAY_local_gc_min_interval_s": "86400",
        # Ray lets machines join, on any system, or else it keeps to loopback.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": str(int(not on_loopback)),
    }


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def connect() -> Any:
    """Ray, connected to the cluster of this machine."""
    require_ray()
    if not is_running():
        raise InputError("no cluster runs on this machine; `semisplit cluster start` starts one")
    address = (folder() / "address").read_text(encoding="utf-8")
    # Ray reads them when it is imported.
    os.environ.update(_variables(not is_open(address)))
    import ray

    if ray.is_initialized():
        return ray
    try:
        ray.init(
            address=address,
            namespace=NAMESPACE,
            log_to_driver=False,
            configure_logging=False,
            logging_level=logging.ERROR,
        )
    except Exception as error:
        raise InputError(
            f"the cluster at {address} does not answer ({type(error).__name__});"
            " `semisplit cluster stop` clears away what is left of it"
        ) from error
    return ray


def status() -> Status:
    """What there is of the cluster."""
    ray = connect()
    machines = tuple(
        Machine(
            one["NodeManagerAddress"],
            one["Alive"],
            int(one["Resources"].get(PLACE, 0)),
            int(one["Resources"].get("CPU", 0)),
        )
        for one in ray.nodes()
    )
    nodes = tuple(sorted(ray.util.list_named_actors()))
    return Status((folder() / "address").read_text(encoding="utf-8"), machines, nodes)


def stop() -> bool:
    """Stop what runs on this machine; returns whether there was anything."""
    require_ray()
    was_running = is_running()
    found = _kill_all()
    with suppress(FileNotFoundError):
        (folder() / "address").unlink()
    return found or was_running


def _kill_all() -> bool:
    """End all processes of Ray that belong to the folder, gently at first."""
    begin = time.monotonic()
    found = False
    while processes := _processes():
        found = True
        gone_by = time.monotonic() - begin
        if gone_by > _STOPPING:
            raise InputError(f"processes {processes} of the cluster do not end")
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM if gone_by < _GENTLE else signal.SIGKILL)
        time.sleep(0.2)
    return found


def _processes() -> list[int]:
    """Ray's processes that have the folder in their command line; others end with these.

    On a machine that has joined, what Ray writes is in the folder of the first machine.
    """
    listed = subprocess.run(
        ["ps", "-axwwo", "pid=,command="], capture_output=True, text=True, check=True
    )
    lines = [line.strip().partition(" ") for line in listed.stdout.splitlines()]
    ours = [f"{folder() / 'ray'}/"]
    with suppress(FileNotFoundError):
        address = (folder() / "address").read_text(encoding="utf-8")
        ours.append(f"--gcs-address={address} ")
    return [
        int(number)
        for number, _, command in lines
        if "/ray/" in command and any(one in f"{command} " for one in ours)
    ]

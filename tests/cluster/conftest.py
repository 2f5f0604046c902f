"""One Ray for all tests of this folder, whoever runs them."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from semisplit.cluster import machines

WORKERS = 3


@contextmanager
def locked(folder: Path) -> Iterator[Path]:
    """Alone with a file that counts who uses the cluster."""
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / "users").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield folder / "users"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """A cluster with room for three workers; gives its folder."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:8]
    # The path has to be short: there are sockets below it.
    folder = Path(f"/tmp/semisplit-test-{run}")
    before = os.environ.get(machines.FOLDER)
    os.environ[machines.FOLDER] = str(folder)
    with locked(folder) as users:
        if not machines.is_running():
            machines.start(WORKERS, port=0)
        users.write_text(users.read_text() + "x")
    machines.connect()
    try:
        yield folder
    finally:
        import ray

        ray.shutdown()
        with locked(folder) as users:
            users.write_text(users.read_text()[1:])
            if not users.read_text():
                machines.stop()
        if before is None:
            del os.environ[machines.FOLDER]
        else:
            os.environ[machines.FOLDER] = before

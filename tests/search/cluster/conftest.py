"""One Ray for all tests of this folder, whoever runs them, and one test at a time."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from semisplit.search.cluster import machines
from tests.support.cluster import HOST

WORKERS = 3


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Alone with a file."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def shared() -> Iterator[Path]:
    """A cluster with room for three workers; gives its folder."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:8]
    # The path has to be short: there are sockets below it.
    folder = Path(f"/tmp/semisplit-test-{run}")
    folder.mkdir(mode=0o700, exist_ok=True)
    users, change = folder / "users", pytest.MonkeyPatch()
    change.setenv(machines.FOLDER, str(folder))
    with locked(users):
        if not machines.is_running():
            machines.start(WORKERS, port=0, host=HOST)
        users.write_text(users.read_text() + "x")
    machines.connect()
    yield folder
    import ray

    ray.shutdown()
    with locked(users):
        users.write_text(users.read_text()[1:])
        is_last = not users.read_text()
        if is_last:
            machines.stop()
    if is_last:
        shutil.rmtree(folder)
    change.undo()


@pytest.fixture
def cluster(shared: Path) -> Iterator[Path]:
    """The same, for one test at a time: some kill what others need."""
    with locked(shared / "turn"):
        yield shared

"""How processes that run tests are set up."""

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what tests/golden expects anew; read the changes before you commit them",
    )


def pytest_sessionstart() -> None:
    """Hear Ctrl-C, even where whoever started the tests does not; children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)

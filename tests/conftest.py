"""How processes that run tests are set up."""

import signal


def pytest_sessionstart() -> None:
    """Hear Ctrl-C, even where whoever started the tests does not; children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)

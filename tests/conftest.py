"""How processes that run tests are set up."""

import signal
from pathlib import Path

import pytest

SLOW = (
    # Browsers, machines, and programs that talk to each other.
    "cluster",
    "ggp",
    "manager",
    "web",
    # Matches, and commands as processes.
    "agent/test_auto.py",
    "cli",
    "core/test_system.py",
    "core/test_work.py",
    "lab/test_match.py",
    "lab/test_profile.py",
    "lab/test_reproduce.py",
    "lab/test_seats.py",
    "lab/test_simultaneous.py",
    "lab/test_tournament.py",
    "play/test_terminal.py",
    "runtime",
    "test_docs.py",
    # Large games compiled, or counted by the interpreter.
    "games/test_arimaa.py",
    "games/test_games.py",
    "games/test_gdl_games.py",
    "gdl/decompose",
    "gdl/ground",
    "gdl/native",
    "gdl/network/test_explain.py",
    "gdl/network/test_passes.py",
    "gdl/network/test_turns.py",
    "gdl/test_commands.py",
    "gdl/test_generated.py",
    "gdl/test_limits.py",
    "rbg/native/machine",
    "rbg/native/test_agreement.py",
    "rbg/native/test_cases.py",
    "rbg/native/test_compile_errors.py",
    "rbg/native/test_facts.py",
    "rbg/native/test_guided.py",
    "rbg/test_limits.py",
    "rbg/test_split.py",
    "test_game_api.py",
    # Thousands of searches.
    "search",
)
"""What takes more than a second or two: folders and files, below this one."""
QUICK = (
    "search/multitree/test_search.py",
    "search/test_exchange.py",
    "search/test_line.py",
    "search/test_memory.py",
    "search/test_narrowing.py",
    "search/test_parallel.py",
    "search/test_records.py",
    "search/test_reference.py",
    "search/test_simultaneous.py",
)
"""What does not, though it is among those."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what tests/golden expects anew; read the changes before you commit them",
    )


def pytest_sessionstart() -> None:
    """Hear Ctrl-C, even where whoever started the tests does not; children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    slow, quick = ({here / name for name in names} for names in (SLOW, QUICK))
    for item in items:
        if slow & {item.path, *item.path.parents} and item.path not in quick:
            item.add_marker("slow")

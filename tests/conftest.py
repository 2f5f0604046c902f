"""How processes that run tests are set up."""

import signal
from pathlib import Path

import pytest

SLOW = (
    # Browsers, machines, and programs that talk to each other.
    "search/cluster",
    "net/ggp",
    "net/manager",
    "ui/web",
    # Matches, and commands as processes.
    "agents/test_auto.py",
    "ui/cli",
    "core/test_system.py",
    "core/test_work.py",
    "lab/test_match.py",
    "lab/test_profile.py",
    "lab/test_reproduce.py",
    "lab/test_seats.py",
    "lab/test_simultaneous.py",
    "lab/test_tournament.py",
    "ui/play/test_terminal.py",
    "compiler/gpu",
    "compiler/runtime",
    "test_docs.py",
    # Large games compiled, or counted by the interpreter.
    "games/test_arimaa.py",
    "games/test_games.py",
    "games/test_gdl_games.py",
    "language/gdl/decompose",
    "language/gdl/ground",
    "language/gdl/native",
    "language/gdl/network/test_explain.py",
    "language/gdl/network/test_passes.py",
    "language/gdl/network/test_turns.py",
    "language/gdl/test_commands.py",
    "language/gdl/test_generated.py",
    "language/gdl/test_limits.py",
    "language/rbg/native/machine",
    "language/rbg/native/test_agreement.py",
    "language/rbg/native/test_cases.py",
    "language/rbg/native/test_compile_errors.py",
    "language/rbg/native/test_facts.py",
    "language/rbg/native/test_guided.py",
    "language/rbg/test_limits.py",
    "language/rbg/test_split.py",
    "test_game_api.py",
    # Thousands of searches.
    "search",
)
"""What takes more than a second or two: folders and files, below this one."""
QUICK = (
    "search/multitree/test_search.py",
    "search/parallel/test_exchange.py",
    "search/features/test_line.py",
    "search/engine/test_memory.py",
    "search/features/test_narrowing.py",
    "search/parallel/test_parallel.py",
    "search/engine/test_records.py",
    "search/test_reference.py",
    "search/features/test_simultaneous.py",
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

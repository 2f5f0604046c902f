"""The house is as docs/architecture.md draws it."""

from collections import Counter

from tests.support.imports import (
    DIVIDED,
    FILES,
    ROOT,
    TOUR,
    allowed,
    arrows,
    files_up_to_date,
    modules,
    package_of,
    tour_up_to_date,
)


def test_every_arrow_is_allowed_and_every_allowed_arrow_is_there() -> None:
    inner = {
        (one, other) for one, other in arrows() if one not in ("", "ui.cli") and other != "core"
    }
    assert inner == allowed(TOUR.read_text())


def test_core_and_games_import_nothing_else() -> None:
    assert not {other for one, other in arrows() if one == "core"}
    assert {other for one, other in arrows() if one == "games"} <= {"core"}


def test_every_package_is_in_the_table() -> None:
    page = TOUR.read_text().partition("```")[0]
    for package in {package_of(module) for module in modules()} - {"", *DIVIDED} | {"language"}:
        assert f"| `{package}` |" in page


def test_every_module_is_on_its_page_in_its_room() -> None:
    """If not: python -m tests.support.imports"""
    tour, files = TOUR.read_text(), FILES.read_text()
    assert (tour, files) == (tour_up_to_date(tour), files_up_to_date(files))


def test_the_tour_is_short() -> None:
    assert len(TOUR.read_text().splitlines()) <= 200


def test_folders_are_small() -> None:
    """A dozen files can be seen at one look; more want rooms."""
    folders = Counter(path.parent for path in ROOT.rglob("*.py") if path.stem != "__init__")
    # Policies are still to be divided.
    large = {place.relative_to(ROOT).as_posix() for place, files in folders.items() if files > 14}
    assert large <= {"search/features/policies"}


def test_only_the_command_line_prints() -> None:
    """And nothing is printed on the way, by whatever name."""
    for path in ROOT.rglob("*.py"):
        if "cli" not in path.parts:
            assert "print(" not in path.read_text().replace("fingerprint(", ""), path

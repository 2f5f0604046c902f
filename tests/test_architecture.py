"""The house is as docs/architecture.md draws it."""

from tests.support.imports import PAGE, allowed, arrows, modules, package_of, up_to_date


def test_every_arrow_is_allowed_and_every_allowed_arrow_is_there() -> None:
    inner = {(one, other) for one, other in arrows() if one not in ("", "cli") and other != "core"}
    assert inner == allowed(PAGE.read_text())


def test_core_and_games_import_nothing_else() -> None:
    assert not {other for one, other in arrows() if one == "core"}
    assert {other for one, other in arrows() if one == "games"} <= {"core"}


def test_every_package_is_in_the_table() -> None:
    page = PAGE.read_text().partition("```")[0]
    for package in {package_of(module) for module in modules()} - {""}:
        assert f"| `{package}` |" in page


def test_every_module_is_on_the_page_in_its_room() -> None:
    """If not: python -m tests.support.imports"""
    page = PAGE.read_text()
    assert page == up_to_date(page)


def test_only_the_command_line_prints() -> None:
    """And nothing is printed on the way, by whatever name."""
    for path in (PAGE.parent.parent / "src" / "semisplit").rglob("*.py"):
        if "cli" not in path.parts:
            assert "print(" not in path.read_text().replace("fingerprint(", ""), path

"""Each term of the glossary leads to where it is defined or explained."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "glossary.md"
ROWS = re.findall(r"(?m)^\| ([^|]+) \| ([^|]+) \| \[([^]]+)\]\(([^)]+)\) \|$", PAGE.read_text())


def definitions(source: str) -> set[str]:
    """The names that a module defines."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef() | ast.FunctionDef():
                found.add(node.name)
            case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
                found.add(name)
    return found


def anchors(page: str) -> set[str]:
    """The headings of a page, as addresses name them."""
    headings = re.findall(r"(?m)^#+ (.*)$", page)
    return {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


def test_terms_are_sorted_and_each_is_there_once() -> None:
    terms = [term.lower() for term, *_ in ROWS]
    assert terms == sorted(set(terms))
    # No row is overlooked for its shape.
    assert len(terms) == len(re.findall(r"(?m)^\| (?!term )", PAGE.read_text()))
    assert len(terms) >= 40


@pytest.mark.parametrize(("term", "meaning", "text", "link"), ROWS)
def test_a_term_is_where_its_link_leads(term: str, meaning: str, text: str, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = (PAGE.parent / path).resolve()
    content = target.read_text()
    if text.startswith("`"):
        assert text.strip("`") in definitions(content)
    else:
        assert path == text
        assert not anchor or anchor in anchors(content)
        words = re.sub(r"[*\s_]+", " ", content).lower()
        assert term.lower().split()[0] in words


def test_readers_find_the_glossary() -> None:
    assert "(docs/glossary.md)" in (ROOT / "README.md").read_text()
    assert "(glossary.md)" in (ROOT / "docs" / "architecture.md").read_text()

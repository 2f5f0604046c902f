"""The page of all parameters, made from their declarations.

Run from the root of the repository: python -m tests.support.parameter_page
"""

from pathlib import Path

from semisplit.agents.catalogue import COMPONENTS, rows

PAGE = Path(__file__).parents[2] / "docs" / "parameters.md"
_HEAD = """# Parameters

What can be set about agents, by component. The name is that of the
[notation](search.md#notation), as in `orthodox+mast,C=0.7,epsilon=0.2`, the key that of
[configuration files](matches.md#agents). Values are those of the notation; in files
`min_score_diff` is from 0 to 100, and times are in milliseconds. The usual C is 0.2 with RAVE.
`semisplit agents --parameters` prints the same. This page is generated from the declarations, by
`python -m tests.support.parameter_page`.
"""


def page() -> str:
    """The text of the page."""
    parts = [_HEAD]
    for kind, (title, _) in COMPONENTS.items():
        lines = [
            f"## {title}",
            "",
            "| name | key | values | usual | meaning |",
            "|---|---|---|---|---|",
        ]
        for row in rows(kind):
            notation, key = (f"`{name}`" if name else "" for name in (row.notation, row.key))
            lines.append(f"| {notation} | {key} | {row.values} | {row.usual} | {row.meaning} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())

"""The Game Description Language: from rules text to checked clauses. See docs/architecture.md."""

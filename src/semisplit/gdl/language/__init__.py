"""The Game Description Language as the rest sees it. See docs/architecture.md."""

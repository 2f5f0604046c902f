"""Regular Boardgames as the rest sees it. See docs/architecture.md."""

"""Playing without seeing the position. See docs/architecture.md."""

"""The best line found, in games of one player."""

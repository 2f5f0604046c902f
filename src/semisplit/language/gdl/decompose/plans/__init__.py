"""Plans: solving a puzzle by solving its sub-games."""

"""What every part of semisplit shares: errors, source positions, board geometry, diagrams."""

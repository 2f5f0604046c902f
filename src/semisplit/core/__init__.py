"""What every part of semisplit shares: errors, source positions, board geometry, diagrams.

What is in which file: docs/files.md.
"""

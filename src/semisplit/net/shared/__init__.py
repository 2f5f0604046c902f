"""What all servers, players and managers have in common.

What is in which file: docs/files.md.
"""

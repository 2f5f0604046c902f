"""What a description tells about a game: its board, its goals.

What is in which file: docs/files.md.
"""

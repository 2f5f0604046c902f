"""What a description tells about a game: sides, traits, features.

What is in which file: docs/files.md.
"""

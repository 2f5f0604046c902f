"""What a rules language gives to the rest, and which languages there are.

What is in which file: docs/files.md.
"""

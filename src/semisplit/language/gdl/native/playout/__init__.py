"""The emitter of random play, in all lanes at once.

What is in which file: docs/files.md.
"""

"""Games over the network.

What is in which file: docs/files.md.
"""

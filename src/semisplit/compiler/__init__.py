"""What compiles games and calls what was compiled, in any language of rules.

What is in which file: docs/files.md.
"""

"""The functions of a compiled game, and compiling it."""

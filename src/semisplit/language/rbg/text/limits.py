"""Limits that keep hostile or mistaken descriptions from eating time and memory.

Each limit has a message of its own where it is checked. They are far above what real games need:
chess expands to some ten thousand tokens and its automaton has a few thousand actions.
"""

from __future__ import annotations

MAX_EXPANSION = 200_000
"""Tokens and macro calls produced while expanding macros, over all sections together."""
MAX_MACRO_DEPTH = 100
"""Macro calls inside each other."""
MAX_NESTING = 100
"""Brackets inside each other, in rules and in arithmetic."""
MAX_OPERATORS = 200
"""Operators in one arithmetic expression."""
MAX_NAME = 200
"""Characters of a name."""
MAX_NUMBER = 2**31 - 1
"""Largest number literal."""
MAX_VERTICES = 10_000
"""Vertices of the board."""
MAX_ACTIONS = 100_000
"""Actions of the rules after repetition with `^` has been carried out."""
MAX_VISITS = 100_000_000
"""Pairs of node and vertex that are visited while looking for the moves of one position."""
MAX_INTEGER = 2**63 - 1
"""Largest magnitude in arithmetic during play; an expression that leaves it fails."""
MAX_SPLIT_WORK = 250_000_000
"""Words of 64 vertices that the analysis of split points may calculate with: a few seconds."""

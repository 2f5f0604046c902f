"""Limits that keep hostile or mistaken descriptions from eating time and memory.

Each limit has a message of its own where it is checked. They are far above what real games need.
"""

from __future__ import annotations

MAX_NAME = 200
"""Characters of a name."""
MAX_NESTING = 50
"""Parentheses inside each other."""
MAX_ARITY = 60
"""Arguments of a predicate or a function."""
MAX_RULES = 50_000
"""Rules and facts."""
MAX_LITERALS = 300
"""Conditions side by side."""
MAX_EXPANSION = 64
"""Clauses that one rule becomes by expanding `or`; above that, alternatives become predicates."""
MAX_NORMAL_FORM = 500_000
"""Literals and terms of all clauses together."""
MAX_TERM_SIZE = 1_000
"""Names in a term that follows from the rules."""
MAX_TERM_DEPTH = 100
"""Functions inside each other in such a term."""
MAX_WORK = 10_000_000
"""Rows of relations that are looked at to evaluate one position: some ten seconds."""
MAX_SEPARATED = 20_000
"""Clauses that are looked at to stratify rules by atoms."""

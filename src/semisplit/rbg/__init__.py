"""Regular Boardgames: from rules text to a playable automaton.

The stages, in order: `tokens`, `macros`, `declarations`, `boards`, `rules` (the parser), `ast` (its
result, always in normal form), `automaton`, `interpret`. `split` and `dots` place the split points.
"""

"""Small descriptions in GDL, shared by tests."""

GAME = (
    "(role you) (init s) (legal you go) (<= (next s) (true s)) (goal you 50)"
    " (<= terminal (true t)) "
)
"""The smallest game, on one line, to which rules can be added."""

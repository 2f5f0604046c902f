"""Grounding: from clauses with variables to a finite program of rules about numbered atoms."""

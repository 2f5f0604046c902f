"""The search as the papers' pseudocode has it, on the interpreter."""

"""Simulation policies: how the moves of simulations are chosen, other than at random.

These are the seven of MINI-Player (M. Swiechowski, J. Mandziuk). docs/policies.md says what each of
them does; here each has a file, with a class in Python that says so exactly and a kernel that does
the same.
"""

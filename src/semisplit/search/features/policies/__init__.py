"""Simulations that follow policies, instead of drawing moves.

A policy is a file in `kinds/`, a member of `SimulationPolicy` and a row of `compiling.FUNCTIONS`.
"""

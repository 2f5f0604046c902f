"""Emitting code that follows the rules from modifier to modifier."""

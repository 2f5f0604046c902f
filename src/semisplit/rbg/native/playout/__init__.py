"""Emitting random games."""

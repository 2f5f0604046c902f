"""Depth-first proof-number search on compiled games."""

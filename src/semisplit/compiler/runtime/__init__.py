"""Compiled games from outside, whatever language their rules are in.

What is in which file: docs/files.md.
"""

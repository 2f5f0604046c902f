"""Compiled games from outside, whatever language their rules are in."""

"""Rapid Action Value Estimation, and GRAVE."""

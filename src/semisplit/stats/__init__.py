"""Statistics of matches: scores, intervals, verdicts and ratings.

What is in which file: docs/files.md.
"""

"""General Game Playing over HTTP: agents as players, and the host of matches.

What is in which file: docs/files.md. What is said to whom: docs/ggp.md.
"""

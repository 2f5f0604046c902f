"""General Game Playing over HTTP: agents as players, and the host of matches.

What is in which file: docs/architecture.md. What is said to whom: docs/ggp.md.
"""

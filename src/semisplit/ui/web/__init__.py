"""In the browser: play, analyse, design, watch.

What is in which file: docs/files.md.
"""

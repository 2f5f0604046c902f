"""Reports: tables, pictures and pages about results.

What is in which file: docs/files.md.
"""

"""What users may set: parameters, their JSON, and what is wrong with it.

What is in which file: docs/files.md.
"""

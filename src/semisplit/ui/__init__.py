"""What people see: the command line, the browser, boards, play.

What is in which file: docs/files.md.
"""

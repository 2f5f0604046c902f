"""What emitters of LLVM IR need, whatever they compile.

What is in which file: docs/files.md.
"""

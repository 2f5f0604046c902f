"""Processes that work for this one, and that it may end at any moment.

What is in which file: docs/files.md.
"""

from semisplit.core.child.channel import Channel
from semisplit.core.child.inside import Parent, leave
from semisplit.core.child.process import Child, ready
from semisplit.core.child.program import Program

__all__ = ["Channel", "Child", "Parent", "Program", "leave", "ready"]

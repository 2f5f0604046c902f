"""Agents: who plays, how it is configured, and its life during a game.

What is in which file: docs/files.md.
"""

from semisplit.agents.agent import Agent, Look, Thought, Watch, make_agent
from semisplit.agents.config import AgentConfig
from semisplit.agents.names import parse_agent
from semisplit.agents.report import Reporter

__all__ = [
    "Agent",
    "AgentConfig",
    "Look",
    "Reporter",
    "Thought",
    "Watch",
    "make_agent",
    "parse_agent",
]

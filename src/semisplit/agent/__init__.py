"""Agents: who plays, how it is configured, and its life during a game.

What is in which file: docs/architecture.md.
"""

from semisplit.agent.agent import Agent, Look, Thought, Watch, make_agent
from semisplit.agent.config import AgentConfig
from semisplit.agent.names import parse_agent
from semisplit.agent.report import Reporter

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

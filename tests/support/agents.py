"""Configurations of agents of one kind."""

from semisplit.agents import AgentConfig
from semisplit.agents.config import AutoConfig, MctsConfig


def mcts(config: AgentConfig) -> MctsConfig:
    """A configuration that has to be that of a search in a tree."""
    assert isinstance(config, MctsConfig), config
    return config


def auto(config: AgentConfig) -> AutoConfig:
    """A configuration that has to be that of an agent that chooses how to search."""
    assert isinstance(config, AutoConfig), config
    return config

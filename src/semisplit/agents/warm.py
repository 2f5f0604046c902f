"""What an agent needs whatever the game is, loaded, or compiled once, before there is one."""

from __future__ import annotations

from semisplit.agents.config import AgentConfig, AutoConfig, MctsConfig, MultiTreeConfig
from semisplit.search.notation import parse_settings


def warm_up(config: AgentConfig) -> None:
    """Load all kernels that an agent may use; the first time on a machine they are compiled."""
    if not config.searches:
        return
    # Numba takes a while to load.
    from semisplit.search.engine.load import load_kernels

    load_kernels()
    settings = []
    if isinstance(config, MultiTreeConfig | AutoConfig):
        # An agent that chooses how to search takes several trees for puzzles.
        from semisplit.search.multitree.kernels import load

        load.load_kernels()
    match config:
        case MctsConfig(settings=own):
            settings.append(own)
        case AutoConfig():
            from semisplit.agents.auto.prior import load_prior

            settings += map(parse_settings, load_prior().candidates)
    among = {policy for one in settings if one.policies for policy in one.policies.among}
    if among:
        from semisplit.search.features.policies.compiling import load_policies

        load_policies(among)

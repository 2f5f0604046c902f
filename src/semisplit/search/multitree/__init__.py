"""Search in several trees: MT-MCTS, for games that fall into sub-games (docs/multitree.md)."""

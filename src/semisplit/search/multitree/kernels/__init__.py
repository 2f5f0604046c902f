"""The search in several trees, compiled."""

"""semisplit: a general game player that splits moves."""

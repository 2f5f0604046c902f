"""What is found out about the rules before code is emitted."""

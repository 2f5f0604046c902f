"""What can be known about the rules before any code is emitted."""

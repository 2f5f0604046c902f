"""The compiler of Regular Boardgames: from rules to LLVM IR, on sets of squares."""

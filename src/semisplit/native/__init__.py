"""Rules to machine code: games compiled through LLVM, on sets of squares."""

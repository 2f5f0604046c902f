"""What emitters of LLVM IR need, whatever they compile."""

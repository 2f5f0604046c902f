"""The compiler of Regular Boardgames: from rules to LLVM IR.

docs/compiler.md tells how it works, and docs/files.md what is in each file. The rooms, each
of which imports only those before it: `board`, `analysis` (no LLVM in it), `evaluate`, `machine`,
`playout`, `interface`.
"""

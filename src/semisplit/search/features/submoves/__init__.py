"""Statistics of submoves, which MAST and RAVE share: their numbers, and samples."""

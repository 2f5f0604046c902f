"""The Move-Average Sampling Technique."""

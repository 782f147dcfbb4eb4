//! `ConSE` and `DP-ConSE` (paper 001), to the letter: baselines to compare with.

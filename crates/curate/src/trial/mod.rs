//! `private-trial`: an adaptive trial under pure differential privacy.

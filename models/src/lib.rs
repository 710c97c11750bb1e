//! Everything that links libtorch.

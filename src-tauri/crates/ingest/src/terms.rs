//! To come in this module: terms.

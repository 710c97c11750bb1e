//! To come in this module: definitions.

//! To come in this module: mentions.

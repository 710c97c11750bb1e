//! Metrics and their significance, as pure functions.

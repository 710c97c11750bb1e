//! Similarity join, sentence graph, candidate sets, leak check.

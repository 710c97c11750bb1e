//! Bytes to pages, sections, sentences and term candidates.

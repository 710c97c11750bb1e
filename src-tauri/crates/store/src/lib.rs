//! The SQLite workspace: tables, full text, audit chain.

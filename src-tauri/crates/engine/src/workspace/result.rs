//! The result of a use case, and failures that all use cases share.

/// The result of a use case, or a failure that says what happened, why, and what to do now.
pub type Result<T> = std::result::Result<T, lexforge_domain::Failure>;

/// Seed of split, shuffles and resamples where the user names none.
pub const DEFAULT_SEED: u64 = 42;

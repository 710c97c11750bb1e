//! What a use case returns, and what all of them share.

/// What a use case returns: its result, or a failure that says what happened, why, and what to do now.
pub type Result<T> = std::result::Result<T, lexforge_domain::Failure>;

/// Seed of split, shuffles and resamples where the user names none.
pub const DEFAULT_SEED: u64 = 42;

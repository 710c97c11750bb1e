//! How much goes into the log.

use lexforge_domain::api::LogLevel;
use std::sync::atomic::{AtomicU8, Ordering};
use tracing::{Level, Metadata};

/// The variable that says how much goes into the log, whatever the setting says.
pub const LEVEL_ENV: &str = "LEXFORGE_LOG";
/// The beginning of our crates' names. Messages of other libraries are left out, because they may repeat their input.
const OURS: &str = "lexforge";

static NOW: AtomicU8 = AtomicU8::new(LogLevel::Info as u8);

/// How much goes into the log of this program now.
pub fn level() -> LogLevel {
    let now = NOW.load(Ordering::Relaxed);
    LogLevel::ALL
        .into_iter()
        .find(|level| *level as u8 == now)
        .unwrap_or_default()
}

/// From now on so much goes into it.
pub fn set_level(level: LogLevel) {
    NOW.store(level as u8, Ordering::Relaxed);
    // Whether its lines are logged is remembered for each place in the code that logs.
    tracing::callsite::rebuild_interest_cache();
}

/// The level in the environment variable; `None` if the variable is not set.
///
/// # Errors
/// The value of the variable, if it is not the name of a level.
pub fn level_of_variable() -> Result<Option<LogLevel>, String> {
    match std::env::var(LEVEL_ENV) {
        Ok(word) if !word.is_empty() => LogLevel::of_tag(&word).map(Some).ok_or(word),
        _ => Ok(None),
    }
}

/// Whether a line goes into the log.
pub(crate) fn wanted(line: &Metadata<'_>) -> bool {
    line.target().starts_with(OURS) && from(*line.level()) <= level()
}

fn from(level: Level) -> LogLevel {
    match level {
        Level::ERROR => LogLevel::Error,
        Level::WARN => LogLevel::Warn,
        Level::INFO => LogLevel::Info,
        Level::DEBUG => LogLevel::Debug,
        Level::TRACE => LogLevel::Trace,
    }
}

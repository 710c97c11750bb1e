//! The options that a caller can give to the parser, and the limits within which it works.

use crate::tesseract;
use std::path::PathBuf;
use std::time::Duration;

/// How a document is to be read.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Read every page with the second reader too and compare.
    pub second_reader: bool,
    /// Password of a locked PDF, its user or its owner password; an empty user password needs none.
    pub password: Option<String>,
    /// A document of more pages is refused.
    pub max_pages: u32,
    /// The Tesseract program that reads pages without a text layer; none leaves them unread.
    pub ocr: Option<PathBuf>,
    /// Seconds that the recognition of a page may take.
    pub ocr_page_seconds: u64,
    /// The parser program, through which Tesseract is started behind limits; none starts it without.
    pub guard: Option<PathBuf>,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            second_reader: true,
            password: None,
            max_pages: 10_000,
            ocr: tesseract::locate(),
            ocr_page_seconds: tesseract::PAGE_SECONDS,
            guard: None,
        }
    }
}

/// The limits for one document.
#[derive(Clone, Copy, Debug)]
pub struct ParseLimits {
    /// The time for all of it: processor time where the system reports it, so that no file fails on a busy machine.
    pub wall: Duration,
    /// Address space of the parser.
    pub memory_bytes: u64,
    /// Size of the file.
    pub file_bytes: u64,
}

/// Time that a file is given however small it is. What is read in practice takes milliseconds.
const SMALLEST_WALL: Duration = Duration::from_secs(60);
/// Time for each further MiB.
const WALL_A_MIB: Duration = Duration::from_secs(10);

impl ParseLimits {
    /// The time limit for a file with this number of bytes. A larger file gets more time. A small file that takes long
    /// is hostile or broken.
    pub(crate) fn wall_for(&self, bytes: usize) -> Duration {
        let mebibytes = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        self.wall
            .min(SMALLEST_WALL + WALL_A_MIB.saturating_mul(mebibytes))
    }
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(600),
            memory_bytes: 3 << 30,
            file_bytes: 512 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_is_given_a_minute_and_none_more_than_the_limit() {
        let limits = ParseLimits::default();
        for (mebibytes, seconds) in [(0, 60), (1, 70), (10, 160), (500, 600)] {
            assert_eq!(
                limits.wall_for(mebibytes << 20),
                Duration::from_secs(seconds),
                "{mebibytes} MiB"
            );
        }
        let short = ParseLimits {
            wall: Duration::from_secs(2),
            ..limits
        };
        assert_eq!(short.wall_for(100), Duration::from_secs(2));
    }
}

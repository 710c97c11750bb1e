//! When the page's process ended, and what is done about it.

use crate::lock::held;
use lexforge_domain::api::PageEnd;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Ends nearer to each other than this are explained.
const SOON: Duration = Duration::from_secs(60);

/// What is done about a page that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The page is loaded again.
    LoadAgain,
    /// A page without the program explains.
    Explain,
    /// Not even the explanation lives.
    ExplainWithoutAPage,
}

impl Remedy {
    /// What is done, for the log.
    pub fn said(self) -> &'static str {
        match self {
            Self::LoadAgain => "The page's process has ended. The page is loaded again.",
            Self::Explain => "The page's process has ended twice within a minute. It is explained.",
            Self::ExplainWithoutAPage => {
                "The process of the explaining page has ended too. A dialog explains."
            }
        }
    }
}

/// When the page's process ended, and what the next page has to be told about it.
#[derive(Default)]
pub struct PageEnds {
    last: Mutex<Option<Instant>>,
    untold: Mutex<Option<PageEnd>>,
    explained: Mutex<bool>,
}

impl PageEnds {
    /// Records that the process ended, and says what must be done about it.
    pub fn ended(&self, how: PageEnd, now: Instant) -> Remedy {
        *held(&self.untold) = Some(how);
        let before = held(&self.last).replace(now);
        let soon = before.is_some_and(|before| now.saturating_duration_since(before) < SOON);
        let explained = std::mem::replace(&mut *held(&self.explained), soon);
        match (soon, explained) {
            (false, _) => Remedy::LoadAgain,
            (true, false) => Remedy::Explain,
            (true, true) => Remedy::ExplainWithoutAPage,
        }
    }

    /// How the page before this one ended, once.
    pub fn told(&self) -> Option<PageEnd> {
        *held(&self.explained) = false;
        held(&self.untold).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_end_within_a_minute_is_explained() {
        let ends = PageEnds::default();
        let begun = Instant::now();
        let check = |seconds: u64, expected: Remedy| {
            let now = begun + Duration::from_secs(seconds);
            assert_eq!(
                ends.ended(PageEnd::Crashed, now),
                expected,
                "after {seconds} s"
            );
        };
        check(0, Remedy::LoadAgain);
        check(59, Remedy::Explain);
        check(100, Remedy::ExplainWithoutAPage);
        assert_eq!(
            ends.told(),
            Some(PageEnd::Crashed),
            "the page was loaded again"
        );
        check(150, Remedy::Explain);
        check(211, Remedy::LoadAgain);
    }

    #[test]
    fn an_end_is_told_once() {
        let ends = PageEnds::default();
        assert_eq!(ends.told(), None);
        ends.ended(PageEnd::OutOfMemory, Instant::now());
        assert_eq!(ends.told(), Some(PageEnd::OutOfMemory));
        assert_eq!(ends.told(), None);
    }
}

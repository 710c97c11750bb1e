//! How fast an asking goes, and when it will be done.

use lexforge_domain::endpoint::AskProgress;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Time over which the rate is taken.
const WINDOW: Duration = Duration::from_secs(30);
/// Shortest time between two reports.
const BETWEEN: Duration = Duration::from_millis(250);

/// Follows an asking.
pub(crate) struct Pace {
    progress: AskProgress,
    began: Instant,
    recent: VecDeque<Instant>,
    told: Option<Instant>,
}

impl Pace {
    /// An asking of `of` prompts begins.
    pub(crate) fn new(host: &str, of: u64) -> Self {
        let progress = AskProgress {
            host: host.to_owned(),
            of,
            ..AskProgress::default()
        };
        Self {
            progress,
            began: Instant::now(),
            recent: VecDeque::new(),
            told: None,
        }
    }

    /// An answer arrived. Counts the questions that pass, and the rejected ones by their reason.
    pub(crate) fn answered(&mut self, (accepted, rejected): (u64, BTreeMap<String, u64>)) {
        self.progress.answered += 1;
        self.progress.done += 1;
        self.progress.accepted += accepted;
        for (reason, n) in rejected {
            *self.progress.rejected.entry(reason).or_default() += n;
        }
        self.recent.push_back(Instant::now());
    }

    /// A request failed; `last` = its prompt is given up.
    pub(crate) fn failed(&mut self, uncertain: bool, last: bool) {
        if last {
            self.progress.done += 1;
        } else if uncertain {
            self.progress.possibly_billed_twice += 1;
        }
    }

    /// A report, if one is due.
    pub(crate) fn due(&mut self) -> Option<AskProgress> {
        if self.told.is_some_and(|at| at.elapsed() < BETWEEN)
            && self.progress.done < self.progress.of
        {
            return None;
        }
        self.told = Some(Instant::now());
        Some(self.progress())
    }

    /// How it is going now.
    pub(crate) fn progress(&mut self) -> AskProgress {
        while self.recent.front().is_some_and(|at| at.elapsed() > WINDOW) {
            self.recent.pop_front();
        }
        let over = self.began.elapsed().min(WINDOW).as_secs_f64().max(0.001);
        let rate = self.recent.len() as f64 / over;
        let left = self.progress.of.saturating_sub(self.progress.done);
        let seconds_left = (rate > 0.0).then(|| left as f64 / rate);
        AskProgress {
            per_second: rate,
            seconds_left,
            ..self.progress.clone()
        }
    }
}

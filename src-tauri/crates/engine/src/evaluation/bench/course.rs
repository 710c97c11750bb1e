//! The course of a bench: it measures how long each part takes, and tells how far the whole is and how long the rest
//! takes.

use super::pace::{Paces, Sample};
use crate::workspace::{Result, Watcher, tell};
use lexforge_domain::api::{BenchTime, Progress, Stage};
use lexforge_domain::endpoint::AskProgress;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Open questions of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    /// The name under which its pace is kept.
    pub(super) pace: String,
    /// The questions.
    pub(super) n: u64,
    /// The model is loaded for every so many of them.
    pub(super) at_once: u64,
}

impl Open {
    /// All at once.
    pub(super) fn at_once(pace: String, n: usize) -> Self {
        Self {
            pace,
            n: n as u64,
            at_once: u64::MAX,
        }
    }
}

/// What a system has to score, and how many answers of it are stored.
#[derive(Debug, Default)]
pub(super) struct Stand {
    pub(super) open: Vec<Open>,
    pub(super) kept: u64,
}

impl Stand {
    pub(super) fn of(open: Open, kept: usize) -> Self {
        Self {
            open: vec![open],
            kept: kept as u64,
        }
    }

    /// Of what is computed anew each time.
    pub(super) fn anew(pace: String, n: usize) -> Self {
        Self::of(Open::at_once(pace, n), 0)
    }

    /// Adds what a further run has.
    pub(super) fn take_in(&mut self, further: Self) {
        self.open.extend(further.open);
        self.kept += further.kept;
    }
}

/// What is open of each system, in the order in which they are measured.
type Ahead = Vec<Vec<Open>>;

/// A bench that is running.
pub(super) struct Course<'a> {
    watcher: &'a dyn Watcher,
    paces: Paces,
    place: Mutex<Place>,
}

/// Where it is.
#[derive(Default)]
struct Place {
    /// Questions that were open at the beginning; 0 = this is not known, and each part tells of itself.
    of: u64,
    /// What is open still: the system that is measured now is the first.
    ahead: Ahead,
    /// The name of the system that is measured now.
    name: String,
    /// When the part began that is measured now.
    since: Option<Instant>,
}

impl Place {
    fn left(&self) -> u64 {
        self.ahead.iter().flatten().map(|open| open.n).sum()
    }

    /// Takes questions that are scored away from the system that is measured now.
    fn scored(&mut self, pace: &str, mut n: u64) {
        for open in self.ahead.first_mut().into_iter().flatten() {
            if open.pace == pace {
                let taken = n.min(open.n);
                (open.n, n) = (open.n - taken, n - taken);
            }
        }
    }
}

impl<'a> Course<'a> {
    /// A part of some other work: its pace is kept, and nothing is told of a whole.
    pub(super) fn of(watcher: &'a dyn Watcher) -> Self {
        Self::through(watcher, Paces::of_user(), Vec::new())
    }

    /// A bench of systems, each of which stands as `stand` says. One that cannot be measured has nothing open.
    pub(super) fn of_systems<S>(
        watcher: &'a dyn Watcher,
        systems: &[S],
        stand: impl Fn(&S) -> Result<Stand>,
    ) -> Self {
        let open = systems.iter().map(|system| {
            // Each model is looked at, which takes a while. Measuring notices itself that it was cancelled.
            if watcher.cancelled() {
                return Vec::new();
            }
            stand(system).unwrap_or_default().open
        });
        Self::through(watcher, Paces::of_user(), open.collect())
    }

    /// A bench of systems of which this is open.
    pub(super) fn through(watcher: &'a dyn Watcher, paces: Paces, ahead: Ahead) -> Self {
        let mut place = Place {
            ahead,
            ..Place::default()
        };
        place.of = place.left();
        Self {
            watcher,
            paces,
            place: Mutex::new(place),
        }
    }

    /// Who watches.
    pub(super) fn watcher(&self) -> &'a dyn Watcher {
        self.watcher
    }

    /// Whether anything is known of the pace of such a system.
    pub(super) fn knows(&self, pace: &str) -> bool {
        self.paces.knows(pace)
    }

    /// A system is measured now: the next, or the first.
    pub(super) fn begin(&self, name: &str, (done, count): (u64, u64)) {
        let (of, left) = {
            let mut place = self.place();
            name.clone_into(&mut place.name);
            (place.of, place.left())
        };
        self.say_time();
        match of {
            0 => tell(self.watcher, Stage::Evaluate, name, done, count),
            of => tell(self.watcher, Stage::Evaluate, name, of - left, of),
        }
    }

    /// The system that was measured is done with, whatever is open of it still.
    pub(super) fn end(&self) {
        let mut place = self.place();
        if !place.ahead.is_empty() {
            place.ahead.remove(0);
        }
    }

    /// Nothing is left to score.
    pub(super) fn scored_all(&self, count: u64) {
        let of = self.place().of;
        let all = if of > 0 { of } else { count };
        self.watcher.ahead(None);
        tell(self.watcher, Stage::Evaluate, "statistics", all, all);
    }

    /// Scores `n` questions of a system. The time is kept if it succeeds.
    ///
    /// # Errors
    /// Those of `score`.
    pub(super) fn part<T>(
        &self,
        pace: &str,
        n: u64,
        score: impl FnOnce(&dyn Watcher) -> Result<T>,
    ) -> Result<T> {
        let began = Instant::now();
        self.place().since = Some(began);
        let part = Part {
            course: self,
            n,
            began,
            first: Mutex::new(None),
        };
        let scored = score(&part);
        self.place().since = None;
        let scored = scored?;
        let all = began.elapsed().as_secs_f64();
        let start = part.start().min(all);
        let seconds = all - start;
        self.paces.add(pace, Sample { n, start, seconds });
        self.place().scored(pace, n);
        self.say_time();
        Ok(scored)
    }

    /// How long the rest takes. `None` if this is a part of some other work.
    fn time(&self) -> Option<BenchTime> {
        let place = self.place();
        if place.of == 0 {
            return None;
        }
        let now = place.ahead.first().map(Vec::as_slice).unwrap_or_default();
        let mut time = time(&self.paces, place.ahead.get(1..).unwrap_or_default());
        let since = place.since.map(|since| since.elapsed().as_secs_f64());
        let gone = since.unwrap_or_default();
        let left = seconds_of(&self.paces, now).map(|range| range.map(|seconds| seconds - gone));
        // If it takes longer than was expected, nothing is known of it any more.
        let left = left.filter(|[_, most]| *most > 0.0);
        take_in(
            &mut time,
            now,
            left.map(|[least, most]| [least.max(0.0), most]),
        );
        time.seconds = time.seconds.map(rounded);
        Some(time)
    }

    fn say_time(&self) {
        if let Some(time) = self.time() {
            self.watcher.ahead(Some(&time));
        }
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time of these systems, to the second.
pub(super) fn time(paces: &Paces, ahead: &[Vec<Open>]) -> BenchTime {
    let mut time = BenchTime::default();
    for open in ahead {
        take_in(&mut time, open, seconds_of(paces, open));
    }
    time
}

/// Adds a system that takes so long, `None` = this is not known or nothing of it is open.
fn take_in(time: &mut BenchTime, open: &[Open], seconds: Option<[f64; 2]>) {
    match seconds {
        Some([least, most]) => {
            let [before, after] = time.seconds.unwrap_or_default();
            time.seconds = Some([before + least, after + most]);
        }
        None if open.iter().any(|open| open.n > 0) => time.unknown += 1,
        None => {}
    }
}

/// The time of one system; `None` if nothing of it is open, or the pace of a part of it is not known.
pub(super) fn seconds_of(paces: &Paces, open: &[Open]) -> Option<[f64; 2]> {
    let open = open.iter().filter(|open| open.n > 0);
    let each = open.map(|open| paces.expects(&open.pace, open.n, open.at_once));
    let each: Vec<[f64; 2]> = each.collect::<Option<_>>()?;
    each.into_iter().reduce(|a, b| [a[0] + b[0], a[1] + b[1]])
}

/// A range that says no more than is known: seconds below a minute by fives, minutes below an hour, then by five
/// minutes. The lower end is rounded down and the upper end up.
pub(super) fn rounded([least, most]: [f64; 2]) -> [f64; 2] {
    let step = |seconds: f64| match seconds {
        s if s < 60.0 => 5.0,
        s if s < 3_600.0 => 60.0,
        _ => 300.0,
    };
    let (down, up) = (step(least), step(most));
    [(least / down).floor() * down, (most / up).ceil() * up]
}

/// A part that is being scored.
struct Part<'c> {
    course: &'c Course<'c>,
    n: u64,
    began: Instant,
    /// The seconds until it said for the first time how far it is.
    first: Mutex<Option<f64>>,
}

impl Part<'_> {
    fn start(&self) -> f64 {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.unwrap_or_default()
    }
}

impl Watcher for Part<'_> {
    fn progress(&self, progress: Progress) {
        let gone = self.began.elapsed().as_secs_f64();
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(gone);
        drop(first);
        let (of, left, name) = {
            let place = self.course.place();
            (place.of, place.left(), place.name.clone())
        };
        if of == 0 || progress.of == 0 {
            return self.course.watcher.progress(progress);
        }
        // A decoder reads each question several times: so many questions' worth of the part is done.
        let worth = self.n * progress.done.min(progress.of) / progress.of;
        let done = (of - left + worth).min(of);
        self.course.say_time();
        tell(self.course.watcher, Stage::Evaluate, name, done, of);
    }

    fn cancelled(&self) -> bool {
        self.course.watcher.cancelled()
    }

    fn asking(&self, so_far: AskProgress) {
        self.course.watcher.asking(so_far);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

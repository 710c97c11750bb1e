//! Work on several pages at a time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// How many threads can work at a time. The system is asked once: later its files may be out of reach.
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Calls `work` for each of `jobs`, on as many threads as there are processors. Each result is passed to `take` with
/// the index of its job, in the order in which the jobs finish.
pub(super) fn side_by_side<Job: Sync, Outcome: Send>(
    jobs: &[Job],
    work: impl Fn(&Job) -> Outcome + Sync,
    mut take: impl FnMut(usize, Outcome),
) {
    let workers = processors().min(jobs.len());
    let next = AtomicUsize::new(0);
    let (sender, outcomes) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { return };
                    if sender.send((at, work(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (at, outcome) in outcomes {
            take(at, outcome);
        }
    });
}

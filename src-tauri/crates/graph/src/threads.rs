//! Work on all cores.

use std::thread::ScopedJoinHandle;

/// How many threads a computation may use.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The result of a thread. If the thread panicked, this function panics as well. Otherwise a part of the result would
/// be missing and nobody would notice.
pub(crate) fn joined<T>(worker: ScopedJoinHandle<'_, T>) -> T {
    worker
        .join()
        .unwrap_or_else(|cause| std::panic::resume_unwind(cause))
}

/// What `work` gives for each item, in order, on all cores.
pub(crate) fn in_chunks<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let (size, work) = (items.len().div_ceil(threads()).max(1), &work);
    std::thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(size)
            .map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<T>>()))
            .collect();
        workers.into_iter().flat_map(joined).collect()
    })
}

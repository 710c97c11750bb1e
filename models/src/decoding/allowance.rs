//! Limits on memory and time for code that others wrote. For example, a chat template is a program: a template that
//! doubles a text in a loop needs more memory than any machine has.
//!
//! The work runs on its own thread, and the allocations of this thread are counted. An allocation beyond the limit is
//! never made. Instead the thread stops there forever, keeps its memory, and the caller gets an error. (An allocator
//! can neither fail nor unwind without ending the whole process, so stopping is the only way.) The caller does not
//! repeat the same work. A stopped thread keeps at most the allowed memory.
//!
//! The limit on time is the processor time of the thread, if the system reports it. Time by the clock would be unfair:
//! on a busy machine, or after the machine was suspended, harmless work would take long, too.

use crate::platform::ThreadClock;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Work that waits for a processor is given this many times its own time by the clock.
const WAITED: u32 = 60;

/// Why work was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// It asked for more memory than it may have.
    Memory,
    /// It took longer than it may.
    Time,
    /// It panicked, or no thread could be started.
    Failed,
}

/// The counters of the thread's allocations.
struct Account {
    overdrawn: Sender<Beyond>,
    /// Nobody waits any more.
    given_up: Arc<AtomicBool>,
}

thread_local! {
    /// Bytes that the thread may still allocate; `None` = no limit.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    static ACCOUNT: OnceCell<Account> = const { OnceCell::new() };
}

/// Runs `work` within a limit of bytes and of time.
///
/// # Errors
/// The reason why the work did not finish.
pub fn within<T: Send + 'static>(
    bytes: usize,
    time: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Beyond> {
    let (overdrawn, ends) = channel::<Beyond>();
    let (result, results) = channel::<T>();
    let (begun, begins) = channel::<Option<ThreadClock>>();
    let given_up = Arc::new(AtomicBool::new(false));
    let account = Account {
        overdrawn,
        given_up: given_up.clone(),
    };
    let started = std::thread::Builder::new()
        .name("allowance".to_owned())
        .spawn(move || {
            drop(begun.send(ThreadClock::of_this_thread()));
            ACCOUNT.with(|own| drop(own.set(account)));
            LEFT.set(Some(bytes));
            let done = work();
            LEFT.set(None);
            drop(result.send(done));
        });
    if started.is_err() {
        return Err(Beyond::Failed);
    }
    let since = Instant::now();
    let mut clock = None;
    loop {
        // The thread's end closes the channel, after the result was sent.
        match ends.recv_timeout(time) {
            Ok(beyond) => return Err(beyond),
            Err(RecvTimeoutError::Disconnected) => {
                return results.try_recv().map_err(|_| Beyond::Failed);
            }
            Err(RecvTimeoutError::Timeout) => {
                clock = clock.or_else(|| begins.try_recv().ok());
                let waits = match &clock {
                    // It has not begun.
                    None => true,
                    Some(clock) => clock
                        .as_ref()
                        .and_then(ThreadClock::elapsed)
                        .is_some_and(|used| used < time),
                };
                if !waits || since.elapsed() >= time.saturating_mul(WAITED) {
                    given_up.store(true, Ordering::Relaxed);
                    return results.try_recv().map_err(|_| Beyond::Time);
                }
            }
        }
    }
}

/// The system's allocator, which counts for threads that have an allowance.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

impl Counting {
    /// Charges bytes to this thread, if it has an allowance. If the allowance is exceeded, the function does not
    /// return.
    fn charge(bytes: usize) {
        // A thread that is ending has no account any more.
        let Ok(Some(left)) = LEFT.try_with(Cell::get) else {
            return;
        };
        let given_up = || {
            ACCOUNT
                .try_with(|own| {
                    own.get()
                        .is_some_and(|a| a.given_up.load(Ordering::Relaxed))
                })
                .unwrap_or(false)
        };
        if bytes <= left && !given_up() {
            LEFT.set(Some(left - bytes));
            return;
        }
        // Telling may allocate: that is not counted any more.
        LEFT.set(None);
        let _ = ACCOUNT.try_with(|own| own.get().map(|a| a.overdrawn.send(Beyond::Memory)));
        loop {
            std::thread::park();
        }
    }

    /// Gives bytes back to this thread's allowance.
    fn credit(bytes: usize) {
        if let Ok(Some(left)) = LEFT.try_with(Cell::get) {
            LEFT.set(Some(left.saturating_add(bytes)));
        }
    }
}

#[allow(unsafe_code)]
// SAFETY: every call is passed to the system's allocator with unchanged arguments. The allocations are counted in two
// thread-local values that need no allocation. Counting may stop the thread, but it never unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::charge(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::charge(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::credit(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it moves, both are there.
        Self::charge(size);
        Self::credit(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn what_fits_comes_back_however_often_it_is_given_back() {
        let work = || {
            (0..1_000)
                .map(|n| vec![n as u8; 4_000].len())
                .sum::<usize>()
        };
        assert_eq!(within(100_000, MINUTE, work), Ok(4_000_000));
    }

    #[test]
    fn doubling_ends_at_the_allowance() {
        let doubling = || {
            let mut text = "a".to_owned();
            while text.len() < 1 << 40 {
                text = [text.as_str(), text.as_str()].concat();
            }
            text.len()
        };
        assert_eq!(within(1 << 20, MINUTE, doubling), Err(Beyond::Memory));
    }

    #[test]
    fn growing_in_place_is_counted_too() {
        let growing = || {
            let mut bytes = Vec::new();
            while bytes.len() < 1 << 34 {
                bytes.push(1u8);
            }
            bytes.len()
        };
        assert_eq!(within(1 << 20, MINUTE, growing), Err(Beyond::Memory));
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        let endless = || {
            loop {
                std::hint::black_box(vec![0u8; 64]);
            }
        };
        assert_eq!(
            within::<()>(1 << 20, Duration::from_millis(50), endless),
            Err(Beyond::Time)
        );
    }

    /// Work that sleeps stands for work that gets no processor: both take time by the clock alone.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_waits_for_a_processor_is_waited_for() {
        let waits = || {
            std::thread::sleep(Duration::from_millis(700));
            7
        };
        assert_eq!(within(1 << 20, Duration::from_millis(200), waits), Ok(7));
    }

    #[test]
    fn other_threads_are_not_counted() {
        let beside =
            || std::thread::scope(|s| s.spawn(|| vec![0u8; 8 << 20].len()).join().unwrap_or(0));
        assert_eq!(within(1 << 20, MINUTE, beside), Ok(8 << 20));
        assert_eq!(vec![0u8; 8 << 20].len(), 8 << 20);
    }
}

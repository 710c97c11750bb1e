//! Sends many prompts, several at a time. The ledger records each request before it is sent, and gets each answer
//! before it is used.

use crate::endpoint::answer::Answer;
use crate::endpoint::client::Client;
use crate::endpoint::failure::CallFailure;
use crate::endpoint::prompt::{Prompt, PromptKey};
use crate::endpoint::retry;
use lexforge_domain::{Code, Failure};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

/// After this many failed prompts in a row the rest is not tried. Fewer are enough if there never was an answer.
const IN_A_ROW: u32 = 12;
const IN_A_ROW_AT_FIRST: u32 = 3;
/// Most entries that are committed together.
const TOGETHER: usize = 256;
/// How often the wish to end is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// An entry of the ledger. Entries are in the order of the events.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A request for this prompt is about to leave.
    Asked(PromptKey),
    /// Its answer is here, whole.
    Answered(PromptKey, Answer),
    /// It has none.
    Failed(PromptKey, CallFailure),
}

/// Stores the requests and the answers.
pub trait Ledger {
    /// Stores all entries, or none. Stored entries are not lost, even if the program crashes right after this call.
    ///
    /// # Errors
    /// If the entries cannot be stored. Then no further request is sent.
    fn commit(&mut self, entries: &[Entry]) -> Result<(), Failure>;
}

/// An event that the caller is told; answers and failures after they were committed.
#[derive(Clone, Copy, Debug)]
pub enum AskEvent<'a> {
    /// The prompt of this index has its answer.
    Answered(usize, &'a Answer),
    /// More text of an answer that is still being written. The text is not stored. If the request fails, the text is
    /// not part of any answer.
    Text(usize, &'a str),
    /// A request for the prompt of this index failed; `last` = it is given up.
    Failed {
        /// Index of the prompt.
        prompt: usize,
        /// What went wrong.
        failure: &'a CallFailure,
        /// No further request is made for it.
        last: bool,
    },
}

enum Told {
    /// An entry, and who waits for its commit.
    Entry {
        index: usize,
        entry: Entry,
        last: bool,
        written: oneshot::Sender<()>,
    },
    /// More text of an answer.
    Text(usize, String),
}

impl Told {
    fn entry(&self) -> Option<&Entry> {
        match self {
            Self::Entry { entry, .. } => Some(entry),
            Self::Text(..) => None,
        }
    }
}

struct Shared {
    client: Arc<Client>,
    prompts: Vec<(PromptKey, Prompt)>,
    /// The text of answers is passed on as it arrives.
    streams: bool,
    next: AtomicUsize,
    /// Set when no further request may be sent.
    over: AtomicBool,
    ended: Notify,
    in_a_row: AtomicU32,
    answered: AtomicBool,
    /// Why all was given up.
    fatal: Mutex<Option<CallFailure>>,
    /// The endpoint asked not to be called before this time.
    pause: Mutex<Option<Instant>>,
    told: mpsc::Sender<Told>,
}

/// Sends all prompts. Returns when each prompt has an answer or was given up, when the caller cancels, or when the
/// endpoint cannot be used at all. If the caller cancels, running requests are dropped. In the ledger they stay open,
/// because the endpoint may have answered them.
///
/// # Errors
/// The ledger's failure, [`Code::Cancelled`], or a failure of the endpoint that every further request would have, too.
pub fn ask_all(
    client: &Arc<Client>,
    prompts: Vec<(PromptKey, Prompt)>,
    ledger: &mut dyn Ledger,
    on_event: &mut dyn FnMut(AskEvent<'_>),
    cancelled: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    put(client, (prompts, false), ledger, on_event, cancelled)
}

/// As [`ask_all`]; `on_event` also gets the text of the answers as it arrives ([`AskEvent::Text`]). If a request fails,
/// the prompt is asked again for its answer as a whole.
///
/// # Errors
/// As [`ask_all`].
pub fn ask_streamed(
    client: &Arc<Client>,
    prompts: Vec<(PromptKey, Prompt)>,
    ledger: &mut dyn Ledger,
    on_event: &mut dyn FnMut(AskEvent<'_>),
    cancelled: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    put(client, (prompts, true), ledger, on_event, cancelled)
}

fn put(
    client: &Arc<Client>,
    (prompts, streams): (Vec<(PromptKey, Prompt)>, bool),
    ledger: &mut dyn Ledger,
    on_event: &mut dyn FnMut(AskEvent<'_>),
    cancelled: &dyn Fn() -> bool,
) -> Result<(), Failure> {
    if prompts.is_empty() {
        return Ok(());
    }
    let (told, heard) = mpsc::channel();
    let shared = Arc::new(Shared {
        client: Arc::clone(client),
        prompts,
        streams,
        next: AtomicUsize::new(0),
        over: AtomicBool::new(false),
        ended: Notify::new(),
        in_a_row: AtomicU32::new(0),
        answered: AtomicBool::new(false),
        fatal: Mutex::new(None),
        pause: Mutex::new(None),
        told,
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| {
            Failure::new(
                Code::Internal,
                format!("No thread can be had: {e}."),
                "Close other programs.",
            )
        })?;
    let workers = Arc::clone(&shared);
    let thread = std::thread::spawn(move || runtime.block_on(work(workers)));
    let outcome = keep(&heard, ledger, on_event, cancelled, || thread.is_finished());
    shared.end();
    // A thread that panicked sends no further entries. The entries that it sent are kept.
    let _ = thread.join();
    let late = keep_what_came(&heard, ledger);
    outcome.and(late)?;
    match lock(&shared.fatal).take() {
        Some(failure) => Err(failure.into()),
        None => Ok(()),
    }
}

/// Commits what the workers tell, many entries at a time where many wait, until they are done.
fn keep(
    heard: &mpsc::Receiver<Told>,
    ledger: &mut dyn Ledger,
    on_event: &mut dyn FnMut(AskEvent<'_>),
    cancelled: &dyn Fn() -> bool,
    finished: impl Fn() -> bool,
) -> Result<(), Failure> {
    loop {
        if cancelled() {
            return Err(Failure::new(
                Code::Cancelled,
                "Cancelled.",
                "The answers are kept. Run the step again to go on.",
            ));
        }
        // Check first whether all is finished, so that no message sent before the end is missed.
        let over = finished();
        let Ok(first) = heard.recv_timeout(if over { Duration::ZERO } else { LOOK }) else {
            if over {
                return Ok(());
            }
            continue;
        };
        let mut waiting = vec![first];
        waiting.extend(heard.try_iter().take(TOGETHER - 1));
        let entries: Vec<Entry> = waiting.iter().filter_map(Told::entry).cloned().collect();
        if !entries.is_empty() {
            ledger.commit(&entries)?;
        }
        for told in waiting {
            let (index, entry, last, written) = match told {
                Told::Entry {
                    index,
                    entry,
                    last,
                    written,
                } => (index, entry, last, written),
                Told::Text(index, text) => {
                    on_event(AskEvent::Text(index, &text));
                    continue;
                }
            };
            match &entry {
                Entry::Asked(_) => {}
                Entry::Answered(_, answer) => on_event(AskEvent::Answered(index, answer)),
                Entry::Failed(_, failure) => {
                    on_event(AskEvent::Failed {
                        prompt: index,
                        failure,
                        last,
                    });
                }
            }
            // A worker that no longer waits was ended.
            let _ = written.send(());
        }
    }
}

/// Commits what came while all was ended: it is paid for. A request that was only about to leave has not left.
fn keep_what_came(heard: &mpsc::Receiver<Told>, ledger: &mut dyn Ledger) -> Result<(), Failure> {
    let came: Vec<Entry> = heard
        .try_iter()
        .filter_map(|told| told.entry().cloned())
        .filter(|entry| !matches!(entry, Entry::Asked(_)))
        .collect();
    if came.is_empty() {
        return Ok(());
    }
    ledger.commit(&came)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn work(shared: Arc<Shared>) {
    let count = (shared.client.settings.concurrency.max(1) as usize).min(shared.prompts.len());
    let mut workers = tokio::task::JoinSet::new();
    for number in 0..count {
        let shared = Arc::clone(&shared);
        workers.spawn(async move {
            let mut rng = ChaCha8Rng::from_os_rng();
            rng.set_stream(number as u64);
            loop {
                let index = shared.next.fetch_add(1, Ordering::Relaxed);
                if index >= shared.prompts.len() || !shared.settle(index, &mut rng).await {
                    return;
                }
            }
        });
    }
    tokio::select! {
        () = async { while workers.join_next().await.is_some() {} } => {}
        // Dropping the workers closes their connections.
        () = shared.ended.notified() => {}
    }
}

impl Shared {
    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.ended.notify_one();
    }

    /// Asks until the prompt is answered or given up; false where all is over.
    async fn settle(&self, index: usize, rng: &mut ChaCha8Rng) -> bool {
        let Some((key, prompt)) = self.prompts.get(index) else {
            return false;
        };
        let began = Instant::now();
        let total = Duration::from_secs(self.client.settings.total_s.max(1).into());
        let most = self.client.settings.attempts.max(1);
        for attempt in 0..most {
            self.wait_for_leave().await;
            if self.over.load(Ordering::Relaxed)
                || !self.tell(index, Entry::Asked(*key), false).await
            {
                return false;
            }
            // A stream that failed may fail again: then the whole answer is waited for.
            let answered = if self.streams && attempt == 0 {
                self.streamed(index, prompt).await
            } else {
                self.client.complete(prompt).await
            };
            let failure = match answered {
                Ok(answer) => {
                    self.in_a_row.store(0, Ordering::Relaxed);
                    self.answered.store(true, Ordering::Relaxed);
                    return self.tell(index, Entry::Answered(*key, answer), true).await;
                }
                Err(failure) => failure,
            };
            let (code, status) = (failure.fault.tag(), failure.status);
            tracing::warn!(code, status, attempt, "a request failed");
            let wait = failure
                .retry_after
                .unwrap_or_else(|| retry::pause(attempt, rng));
            let again = failure.fault.may_pass()
                && attempt + 1 < most
                && wait <= retry::LONGEST_ASKED
                && began.elapsed() + wait < total;
            if !self
                .tell(index, Entry::Failed(*key, failure.clone()), !again)
                .await
            {
                return false;
            }
            if !again {
                return self.go_on_after(failure);
            }
            // If the endpoint asks one request to wait, all requests wait. Clients that do not wait are shut out.
            if failure.retry_after.is_some() {
                let until = Instant::now() + wait;
                let mut pause = lock(&self.pause);
                *pause = Some(pause.map_or(until, |known| known.max(until)));
            }
            tokio::time::sleep(wait).await;
        }
        true
    }

    /// The answer to a prompt, whose text is passed on as it arrives.
    async fn streamed(&self, index: usize, prompt: &Prompt) -> Result<Answer, CallFailure> {
        let told = self.told.clone();
        // Nobody hears any more where all was ended.
        let mut pass = move |text: &str| drop(told.send(Told::Text(index, text.to_owned())));
        self.client.stream(prompt, &mut pass).await
    }

    /// Whether the other prompts are worth trying after one was given up.
    fn go_on_after(&self, failure: CallFailure) -> bool {
        let in_a_row = self.in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
        let enough = if self.answered.load(Ordering::Relaxed) {
            IN_A_ROW
        } else {
            IN_A_ROW_AT_FIRST
        };
        if failure.fault.ends_all() || in_a_row >= enough.max(self.client.settings.concurrency) {
            lock(&self.fatal).get_or_insert(failure);
            self.end();
            return false;
        }
        true
    }

    async fn wait_for_leave(&self) {
        loop {
            let until = *lock(&self.pause);
            match until.map(|until| until.saturating_duration_since(Instant::now())) {
                Some(left) if !left.is_zero() => tokio::time::sleep(left).await,
                _ => return,
            }
        }
    }

    /// Returns once the ledger has committed it; false where the ledger is gone.
    async fn tell(&self, index: usize, entry: Entry, last: bool) -> bool {
        let (written, committed) = oneshot::channel();
        self.told
            .send(Told::Entry {
                index,
                entry,
                last,
                written,
            })
            .is_ok()
            && committed.await.is_ok()
    }
}

#[cfg(test)]
mod tests;

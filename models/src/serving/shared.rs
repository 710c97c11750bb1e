//! The state that the HTTP side and the model's thread share.

use crate::serving::refusal::Refusal;
use crate::serving::work::Job;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The state of a server.
#[derive(Debug)]
pub struct Shared {
    /// Name of the base model.
    pub model: String,
    /// Names of the adapters.
    pub adapters: Vec<String>,
    /// The device that computes, and what is to be said of it.
    pub device: (String, Option<String>),
    /// How long a request may take.
    pub time_limit: Duration,
    /// Answers that are written together at most.
    pub most_answers: usize,
    /// Tokens that all answers under way may come to hold.
    pub most_tokens: usize,
    /// When the server began, in seconds of the Unix clock.
    pub began: u64,
    places: Arc<Semaphore>,
    place_count: usize,
    work: Mutex<Option<Sender<Job>>>,
    draining: AtomicBool,
    ending: AtomicBool,
    running: AtomicUsize,
    waiting: AtomicUsize,
    written: AtomicU64,
    change: Mutex<Option<String>>,
}

/// Limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long a request may take.
    pub time: Duration,
    /// Answers that are written together at most.
    pub answers: usize,
    /// Requests under way at most, those that wait included.
    pub places: usize,
    /// Tokens that all answers under way may come to hold.
    pub tokens: usize,
}

impl Shared {
    /// The state of a server that has just begun.
    pub fn new(
        model: String,
        adapters: Vec<String>,
        device: (String, Option<String>),
        limits: Limits,
        work: Sender<Job>,
    ) -> Self {
        let began = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            model,
            adapters,
            device,
            time_limit: limits.time,
            most_answers: limits.answers,
            most_tokens: limits.tokens,
            began: began.as_secs(),
            places: Arc::new(Semaphore::new(limits.places)),
            place_count: limits.places,
            work: Mutex::new(Some(work)),
            draining: AtomicBool::new(false),
            ending: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            written: AtomicU64::new(0),
            change: Mutex::new(None),
        }
    }

    /// Takes a place in the queue.
    ///
    /// # Errors
    /// If the queue is full, or the server is about to end.
    pub fn place(&self) -> Result<Arc<OwnedSemaphorePermit>, Refusal> {
        if self.is_draining() {
            return Err(Refusal::ending());
        }
        let place = Arc::clone(&self.places).try_acquire_owned();
        place
            .map(Arc::new)
            .map_err(|_| Refusal::full(self.place_count))
    }

    /// Gives a job to the model's thread.
    ///
    /// # Errors
    /// If the thread has ended.
    pub fn submit(&self, job: Job) -> Result<(), Refusal> {
        let sender = lock(&self.work);
        let gone = || {
            Refusal::new(
                500,
                "internal",
                "The model's thread has ended. Start the server again.",
            )
        };
        sender
            .as_ref()
            .ok_or_else(Refusal::ending)?
            .send(job)
            .map_err(|_| gone())
    }

    /// When a request that begins now must be done.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.time_limit
    }

    /// Which model a request names: the base or an adapter.
    ///
    /// # Errors
    /// If the name is neither that of the base nor that of an adapter.
    pub fn named(&self, name: &str) -> Result<Option<usize>, Refusal> {
        if name == self.model {
            return Ok(None);
        }
        self.adapters
            .iter()
            .position(|adapter| adapter == name)
            .map(Some)
            .ok_or_else(|| {
                let names = std::iter::once(&self.model)
                    .chain(&self.adapters)
                    .map(String::as_str)
                    .collect::<Vec<_>>();
                let message = format!(
                    "The model {name:?} is not served here. Ask one of: {}.",
                    names.join(", ")
                );
                Refusal::new(404, "model_not_found", message)
            })
    }

    /// Takes no new requests any more.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether no new requests are taken.
    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Whether no request is under way.
    pub fn is_idle(&self) -> bool {
        self.places.available_permits() == self.place_count
    }

    /// Breaks off what is under way.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// Whether what is under way must be broken off.
    pub(crate) fn must_end(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// Lets the model's thread end once it has nothing to do.
    pub fn close(&self) {
        lock(&self.work).take();
    }

    /// Reports the number of jobs of the model's thread.
    pub fn report(&self, running: usize, waiting: usize) {
        self.running.store(running, Ordering::Relaxed);
        self.waiting.store(waiting, Ordering::Relaxed);
    }

    /// How many answers run and wait, as the model's thread last reported.
    pub fn under_way(&self) -> (usize, usize) {
        (
            self.running.load(Ordering::Relaxed),
            self.waiting.load(Ordering::Relaxed),
        )
    }

    /// Counts tokens that were written.
    pub fn count(&self, tokens: usize) {
        self.written.fetch_add(tokens as u64, Ordering::Relaxed);
    }

    /// Tokens written since the server began.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// The model's files have changed.
    pub(crate) fn tell_change(&self, what: &str) {
        lock(&self.change).get_or_insert_with(|| what.to_owned());
    }

    /// The change of the model's files, if there was one.
    pub fn change(&self) -> Option<String> {
        lock(&self.change).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The content is consistent after every statement.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

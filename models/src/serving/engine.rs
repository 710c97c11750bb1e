//! The model's thread. All running answers are written together, one token of each in every step. An answer can begin
//! or end between any two steps.
//!
//! Every answer has its own cache, so nothing is moved when another answer begins or ends. New questions are read as
//! one packed batch, long ones in pieces, so that running answers never wait long. Vectors and scores are computed
//! between the steps, one batch at a time.

mod asked;
mod together;

use crate::Result;
use crate::architectures::cache::Cache;
use crate::architectures::encoder;
use crate::architectures::packing::{by_length, within_budget};
use crate::decoding::language::{Compared, LanguageModel};
use crate::error::all_finite;
use crate::serving::constraint::Constraints;
use crate::serving::refusal::Refusal;
use crate::serving::served::{Served, decoder_of};
use crate::serving::shared::Shared;
use crate::serving::watch::Watch;
use crate::serving::work::{Embedded, Job, Said, Work};
use crate::serving::writing::{Next, Writing};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};
use tch::Device;
use together::{next_tokens, read_together};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// How long an idle thread waits before it looks at its files.
const IDLE: Duration = Duration::from_millis(250);
/// The number of tokens of questions and texts that are read between two steps. It is large enough to use the matrix
/// products well, and small enough not to delay running answers.
const READ_TOKENS: usize = 1024;
/// Tokens of questions and texts that are read between two steps on a GPU.
const GPU_READ_TOKENS: usize = 8192;

/// Texts on their way to vectors.
struct Embedding {
    adapter: Option<usize>,
    deadline: Instant,
    texts: Vec<Compared>,
    batches: VecDeque<Vec<usize>>,
    vectors: Vec<Vec<f32>>,
    reply: oneshot::Sender<std::result::Result<Embedded, Refusal>>,
    _place: Arc<OwnedSemaphorePermit>,
}

/// The model and all that is under way.
pub struct Engine {
    served: Served,
    shared: Arc<Shared>,
    watch: Watch,
    jobs: Receiver<Job>,
    /// Answers whose questions are not read yet.
    waiting: VecDeque<Writing>,
    running: Vec<Writing>,
    embedding: VecDeque<Embedding>,
    budget: usize,
    /// Made when the first answer must have a form.
    constraints: Option<Constraints>,
}

impl Engine {
    /// One for a model, whose jobs come from a channel.
    pub fn new(served: Served, shared: Arc<Shared>, watch: Watch, jobs: Receiver<Job>) -> Self {
        let on_cpu = crate::device::device() == Device::Cpu;
        Self {
            served,
            shared,
            watch,
            jobs,
            waiting: VecDeque::new(),
            running: Vec::new(),
            embedding: VecDeque::new(),
            budget: if on_cpu { READ_TOKENS } else { GPU_READ_TOKENS },
            constraints: None,
        }
    }

    /// Works until nobody can ask any more.
    pub fn run(mut self) {
        let _no_grad = tch::no_grad_guard();
        while self.take_in() {
            self.clear();
            self.read_newcomers();
            self.step();
            self.embed_some();
            self.shared.report(
                self.running.len(),
                self.waiting.len() + self.embedding.len(),
            );
        }
    }

    /// Takes in the jobs that have come, and waits if there is nothing to do. False once no more jobs can come.
    fn take_in(&mut self) -> bool {
        if self.waiting.is_empty() && self.running.is_empty() && self.embedding.is_empty() {
            match self.jobs.recv_timeout(IDLE) {
                Ok(job) => self.begin_safely(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        loop {
            match self.jobs.try_recv() {
                Ok(job) => self.begin_safely(job),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => {
                    return !self.running.is_empty() || !self.waiting.is_empty();
                }
            }
        }
    }

    /// Begins a job. Tokenizers and templates are other people's programs; if one of them panics on a text, only that
    /// request fails.
    fn begin_safely(&mut self, job: Job) {
        // If the job panics, its sender is dropped, and this tells the client that there is no answer.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.begin(job)));
    }

    fn begin(&mut self, job: Job) {
        if job.work.is_forsaken() {
            return;
        }
        if let Some(change) = self.watch.change() {
            return job.work.refuse(Refusal::changed(change));
        }
        let Job {
            adapter,
            deadline,
            work,
            place,
        } = job;
        match work {
            Work::Write(asked, reply) => {
                let made = self
                    .question(&asked.messages)
                    .and_then(|prompt| Ok((prompt, self.constraint(&asked.form)?)));
                match made {
                    Ok((prompt, constraint)) => {
                        // The last token that is written need not be read again.
                        let room = self.served.positions - prompt.len() + 1;
                        let _ = reply.send(Said::Read(prompt.len()));
                        for answer in 0..asked.count {
                            let job = (adapter, deadline, Arc::clone(&place));
                            let begun = (prompt.clone(), room);
                            let writing = Writing::new(
                                &asked,
                                answer,
                                begun,
                                constraint.clone(),
                                job,
                                reply.clone(),
                            );
                            self.waiting.push_back(writing);
                        }
                    }
                    Err(refusal) => drop(reply.send(Said::Refused(refusal))),
                }
            }
            Work::Embed(asked, reply) => match self.texts(adapter, &asked) {
                Ok(texts) => {
                    let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
                    let batches = within_budget(&by_length(&lengths), &lengths, self.budget).into();
                    let vectors = vec![Vec::new(); texts.len()];
                    self.embedding.push_back(Embedding {
                        adapter,
                        deadline,
                        texts,
                        batches,
                        vectors,
                        reply,
                        _place: place,
                    });
                }
                Err(refusal) => drop(reply.send(Err(refusal))),
            },
            Work::Choices(asked, reply) => drop(reply.send(self.choices(adapter, &asked))),
        }
    }

    /// Drops jobs that no client waits for and jobs that are overdue, and all jobs if the server must end now.
    fn clear(&mut self) {
        let limit = self.shared.time_limit.as_secs();
        if let Some(change) = self.watch.change() {
            self.shared.tell_change(change);
        }
        // Answers that were begun with weights in memory can be finished. Answers that read mapped files stop.
        let refusal = match self.shared.must_end() {
            true => Some(Refusal::ending()),
            false => self
                .watch
                .change()
                .filter(|_| self.served.is_mapped)
                .map(Refusal::changed),
        };
        let now = Instant::now();
        let verdict = |forsaken: bool, deadline: Instant| match &refusal {
            _ if forsaken => Some(None),
            Some(refusal) => Some(Some(refusal.clone())),
            None if deadline <= now => Some(Some(Refusal::overdue(limit))),
            None => None,
        };
        let keep = |writing: Writing| match verdict(writing.is_forsaken(), writing.deadline) {
            None => Some(writing),
            Some(why) => {
                if let Some(refusal) = why {
                    writing.refuse(refusal);
                }
                None
            }
        };
        self.waiting = std::mem::take(&mut self.waiting)
            .into_iter()
            .filter_map(keep)
            .collect();
        self.running = std::mem::take(&mut self.running)
            .into_iter()
            .filter_map(keep)
            .collect();
        let keep = |job: Embedding| match verdict(job.reply.is_closed(), job.deadline) {
            None => Some(job),
            Some(why) => {
                if let Some(refusal) = why {
                    let _ = job.reply.send(Err(refusal));
                }
                None
            }
        };
        self.embedding = std::mem::take(&mut self.embedding)
            .into_iter()
            .filter_map(keep)
            .collect();
    }

    /// Reads questions that wait, as far as there is space.
    fn read_newcomers(&mut self) {
        let held: usize = self.running.iter().map(Writing::size).sum();
        let fits = |held: usize, writing: &Writing| {
            held == 0 || held + writing.size() <= self.shared.most_tokens
        };
        let room = self.shared.most_answers.saturating_sub(self.running.len());
        let Some(first) = self
            .waiting
            .front()
            .filter(|first| room > 0 && fits(held, first))
        else {
            return;
        };
        let adapter = first.adapter;
        if first.prompt.len() > self.budget {
            self.read_piece();
            return;
        }
        let (mut held, mut tokens) = (held, 0);
        let mut newcomers = Vec::new();
        while let Some(next) = self.waiting.front() {
            tokens += next.prompt.len();
            let together =
                next.adapter == adapter && tokens <= self.budget && newcomers.len() < room;
            if !together || !fits(held, next) {
                break;
            }
            held += next.size();
            newcomers.extend(self.waiting.pop_front());
        }
        newcomers.sort_by_key(|writing| writing.prompt.len());
        let mut read = |newcomers: &mut [Writing]| {
            let model = decoder_of(self.served.with(adapter))?;
            let decoder = model.decoder.as_ref();
            let lasts = read_together(decoder, newcomers)?;
            next_tokens(decoder, &lasts, newcomers)
        };
        let nexts = read(&mut newcomers);
        self.go_on(newcomers, nexts);
    }

    /// Reads a piece of the first question, which is a long one.
    fn read_piece(&mut self) {
        let Some(mut first) = self.waiting.pop_front() else {
            return;
        };
        let mut read = |first: &mut Writing| -> Result<Option<Vec<Next>>> {
            let decoder = decoder_of(self.served.with(first.adapter))?
                .decoder
                .as_ref();
            let from = first.cache.length() as usize;
            let to = first.prompt.len().min(from + self.budget);
            let hidden = decoder.follow(&first.prompt[from..to], &mut first.cache)?;
            if to < first.prompt.len() {
                return Ok(None);
            }
            let last = hidden.f_narrow(0, hidden.size()[0] - 1, 1)?;
            next_tokens(decoder, &last, std::slice::from_ref(first)).map(Some)
        };
        match read(&mut first) {
            Ok(None) => self.waiting.push_front(first),
            Ok(Some(nexts)) => self.go_on(vec![first], Ok(nexts)),
            Err(error) => self.go_on(vec![first], Err(error)),
        }
    }

    /// One token more of every answer under way, those of an adapter together.
    fn step(&mut self) {
        let mut left = std::mem::take(&mut self.running);
        while let Some(adapter) = left.first().map(|writing| writing.adapter) {
            let (mut together, others): (Vec<Writing>, Vec<Writing>) = left
                .into_iter()
                .partition(|writing| writing.adapter == adapter);
            left = others;
            let mut step = |together: &mut [Writing]| {
                let decoder = decoder_of(self.served.with(adapter))?.decoder.as_ref();
                let ids: Vec<u32> = together.iter().map(|writing| writing.last).collect();
                let mut caches: Vec<&mut Cache> = together
                    .iter_mut()
                    .map(|writing| &mut writing.cache)
                    .collect();
                let hidden = decoder.step_each(&ids, &mut caches)?;
                next_tokens(decoder, &hidden, together)
            };
            let nexts = step(&mut together);
            self.go_on(together, nexts);
        }
    }

    /// Gives each answer its next token; those that go on are running.
    fn go_on(&mut self, writings: Vec<Writing>, nexts: Result<Vec<Next>>) {
        let nexts = match nexts {
            Ok(nexts) => nexts,
            Err(error) => {
                let refusal = Refusal::from(error);
                for writing in writings {
                    writing.refuse(refusal.clone());
                }
                return;
            }
        };
        self.shared.count(writings.len());
        for (mut writing, next) in writings.into_iter().zip(nexts) {
            let taken = self
                .served
                .decoder()
                .and_then(|model| writing.take(&model.language, next));
            match taken {
                Ok(true) => self.running.push(writing),
                Ok(false) => {}
                Err(error) => writing.refuse(error.into()),
            }
        }
    }

    /// Vectors of one batch of texts.
    fn embed_some(&mut self) {
        let Some(mut job) = self.embedding.pop_front() else {
            return;
        };
        let Some(batch) = job.batches.pop_front() else {
            let tokens = job.texts.iter().map(|text| text.ids.len()).sum();
            let _ = job.reply.send(Ok(Embedded {
                vectors: job.vectors,
                tokens,
            }));
            return;
        };
        let texts: Vec<encoder::Text<'_>> = batch
            .iter()
            .map(|&text| encoder::Text::part(&job.texts[text].ids, job.texts[text].pooled.clone()))
            .collect();
        let rows = self.served.vectors(job.adapter, &texts).and_then(|rows| {
            let rows = Vec::<Vec<f32>>::try_from(rows)?;
            rows.iter().try_for_each(|row| all_finite(row))?;
            Ok(rows)
        });
        match rows {
            Ok(rows) => {
                for (text, row) in batch.into_iter().zip(rows) {
                    job.vectors[text] = row;
                }
                // The others have their turn; the last batch's answer goes out at once.
                if job.batches.is_empty() {
                    let tokens = job.texts.iter().map(|text| text.ids.len()).sum();
                    let _ = job.reply.send(Ok(Embedded {
                        vectors: job.vectors,
                        tokens,
                    }));
                } else {
                    self.embedding.push_back(job);
                }
            }
            Err(error) => drop(job.reply.send(Err(error.into()))),
        }
    }
}

/// Bytes of keys and values of a token.
pub(crate) fn token_bytes(model: &LanguageModel) -> usize {
    let config = model.decoder.config();
    let width = crate::device::kind(
        lexforge_domain::protocol::Precision::Auto,
        model.decoder.device(),
    );
    2 * config.layers * (config.key_heads * config.head) as usize * width.elt_size_in_bytes()
}

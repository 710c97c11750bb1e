//! One answer while it is written.

use crate::architectures::cache::Cache;
use crate::decoding::language::Language;
use crate::serving::constraint::Constraint;
use crate::serving::pieces::{Pieces, Stops};
use crate::serving::refusal::Refusal;
use crate::serving::sampling::{Sampler, log_sum, most_likely};
use crate::serving::work::{Asked, Said, TokenLog};
use crate::{Error, Result};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// The model's result for the next token.
pub enum Next {
    /// The likeliest token.
    Likeliest(u32),
    /// The logits of all.
    Logits(Vec<f32>),
}

/// An answer under way.
pub struct Writing {
    /// The adapter that writes it.
    pub adapter: Option<usize>,
    /// The tokens of the question.
    pub prompt: Vec<u32>,
    /// Keys and values of what has been read.
    pub cache: Cache,
    /// The token that was chosen last and has not been read yet.
    pub last: u32,
    /// When it must be done.
    pub deadline: Instant,
    answer: usize,
    most: usize,
    least: usize,
    tokens: usize,
    sampler: Sampler,
    pieces: Pieces,
    stops: Stops,
    logprobs: Option<usize>,
    logs: Vec<TokenLog>,
    constraint: Option<Constraint>,
    reply: mpsc::UnboundedSender<Said>,
    _place: Arc<OwnedSemaphorePermit>,
}

impl Writing {
    /// An answer's beginning, with the tokens of the question and how many may follow them.
    pub fn new(
        asked: &Asked,
        answer: usize,
        (prompt, room): (Vec<u32>, usize),
        constraint: Option<Constraint>,
        job: (Option<usize>, Instant, Arc<OwnedSemaphorePermit>),
        reply: mpsc::UnboundedSender<Said>,
    ) -> Self {
        let (adapter, deadline, place) = job;
        Self {
            adapter,
            prompt,
            cache: Cache::new(),
            last: 0,
            deadline,
            answer,
            most: asked.most.unwrap_or(room).min(room),
            least: asked.least,
            tokens: 0,
            sampler: Sampler::new(asked.sampling, asked.seed.wrapping_add(answer as u64)),
            pieces: Pieces::default(),
            stops: Stops::new(asked.stops.clone()),
            logprobs: asked.logprobs,
            logs: Vec::new(),
            constraint,
            reply,
            _place: place,
        }
    }

    /// Whether nobody waits for it any more.
    pub(crate) fn is_forsaken(&self) -> bool {
        self.reply.is_closed()
    }

    /// Tokens that it may come to hold.
    pub fn size(&self) -> usize {
        self.prompt.len() + self.most
    }

    /// Whether the likeliest token is not enough to go on.
    pub(crate) fn needs_logits(&self) -> bool {
        !self.sampler.sampling().is_plain()
            || self.logprobs.is_some()
            || self.tokens < self.least
            || self.constraint.is_some()
    }

    /// Says that nothing more will come.
    pub fn refuse(self, refusal: Refusal) {
        let _ = self.reply.send(Said::Refused(refusal));
    }

    /// Chooses the next token and sends its text to the client; returns whether further tokens may follow.
    ///
    /// # Errors
    /// If the tokenizer fails, or no token can follow.
    pub fn take(&mut self, language: &Language, next: Next) -> Result<bool> {
        let (token, log) = match next {
            Next::Likeliest(token) => (token, None),
            Next::Logits(logits) => self.choose(language, logits)?,
        };
        if language.ends().contains(&token) {
            self.end(language, false)?;
            return Ok(false);
        }
        self.last = token;
        self.tokens += 1;
        self.logs.extend(log);
        let more = self
            .constraint
            .as_mut()
            .map_or(Ok(true), |constraint| constraint.take(token))?;
        let text = self.pieces.push(language, token)?;
        let (free, stopped) = self.stops.push(&text);
        if stopped {
            self.logs.clear();
            self.tell(free);
            self.tell_end(false);
            return Ok(false);
        }
        self.tell(free);
        if !more || self.tokens >= self.most {
            self.end(language, more)?;
            return Ok(false);
        }
        Ok(true)
    }

    fn choose(
        &mut self,
        language: &Language,
        mut logits: Vec<f32>,
    ) -> Result<(u32, Option<TokenLog>)> {
        let whole = self
            .logprobs
            .map(|top| (log_sum(&logits), most_likely(&logits, top), logits.clone()));
        if let Some(constraint) = &mut self.constraint {
            // If there is a schema, only the schema decides when an answer may end, and not the least number of tokens.
            constraint.rule_out(&mut logits)?;
        } else if self.tokens < self.least {
            for &end in language.ends() {
                if let Some(logit) = logits.get_mut(end as usize) {
                    *logit = f32::NEG_INFINITY;
                }
            }
        }
        let token = self.sampler.choose(&mut logits).ok_or_else(no_token)?;
        let log = match whole {
            None => None,
            Some((sum, top, before)) => {
                let log_of = |token: u32| f64::from(before[token as usize]) - sum;
                let text = |token: u32| language.decode_whole(&[token]);
                let top = top
                    .into_iter()
                    .map(|t| Ok((text(t)?, log_of(t))))
                    .collect::<Result<_>>()?;
                Some(TokenLog {
                    token: text(token)?,
                    log: log_of(token),
                    top,
                })
            }
        };
        Ok((token, log))
    }

    /// Sends the text that was held back, and the end.
    fn end(&mut self, language: &Language, cut: bool) -> Result<()> {
        let rest = self.pieces.rest(language)?;
        let (mut free, stopped) = self.stops.push(&rest);
        if stopped {
            self.logs.clear();
        } else {
            free.push_str(&self.stops.rest());
        }
        self.tell(free);
        self.tell_end(cut && !stopped);
        Ok(())
    }

    /// Sends text. The tokens' logs wait as long as text is held back that may belong to them.
    fn tell(&mut self, text: String) {
        let logs = if self.stops.holds() {
            Vec::new()
        } else {
            std::mem::take(&mut self.logs)
        };
        if !text.is_empty() || !logs.is_empty() {
            // A client that has gone is noticed at the next step.
            let _ = self.reply.send(Said::More {
                answer: self.answer,
                text,
                logs,
            });
        }
    }

    fn tell_end(&mut self, cut: bool) {
        let _ = self.reply.send(Said::End {
            answer: self.answer,
            cut,
            tokens: self.tokens,
        });
    }
}

fn no_token() -> Error {
    Error::Shim("no token can follow".into())
}

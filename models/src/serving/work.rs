//! The messages between the HTTP side and the model's thread.

use crate::decoding::chat::Message;
use crate::serving::refusal::Refusal;
use crate::serving::sampling::Sampling;
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

/// One request on its way through the model. Its place in the queue is free again when all of it is dropped.
pub struct Job {
    /// Which model: the base, or one of its adapters.
    pub adapter: Option<usize>,
    /// The time by which it must be done.
    pub deadline: Instant,
    /// The work that is asked for.
    pub work: Work,
    /// Its place.
    pub place: Arc<OwnedSemaphorePermit>,
}

/// The kinds of work that a client can ask for.
pub enum Work {
    /// An answer to a conversation.
    Write(Box<Asked>, mpsc::UnboundedSender<Said>),
    /// Vectors of texts.
    Embed(EmbedAsked, oneshot::Sender<Result<Embedded, Refusal>>),
    /// Scores of a question's choices.
    Choices(ChoicesAsked, oneshot::Sender<Result<Scored, Refusal>>),
}

impl Work {
    /// Whether nobody waits for the answer any more.
    pub(crate) fn is_forsaken(&self) -> bool {
        match self {
            Self::Write(_, reply) => reply.is_closed(),
            Self::Embed(_, reply) => reply.is_closed(),
            Self::Choices(_, reply) => reply.is_closed(),
        }
    }

    /// Says that there will be no answer.
    pub fn refuse(self, refusal: Refusal) {
        // If the client is gone, the message is not needed any more.
        match self {
            Self::Write(_, reply) => drop(reply.send(Said::Refused(refusal))),
            Self::Embed(_, reply) => drop(reply.send(Err(refusal))),
            Self::Choices(_, reply) => drop(reply.send(Err(refusal))),
        }
    }
}

/// A conversation to be answered.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The conversation.
    pub messages: Vec<Message>,
    /// Answers, each by itself; the seed of each is one larger than that before it.
    pub count: usize,
    /// Tokens at most; `None` = as many as the model's positions allow.
    pub most: Option<usize>,
    /// Tokens before which the model may not end.
    pub least: usize,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// Seed of the first answer.
    pub seed: u64,
    /// Texts at which an answer ends; they are no part of it.
    pub stops: Vec<String>,
    /// How many alternatives are told with each token and its log-probability; `None` = not even that.
    pub logprobs: Option<usize>,
    /// The form that the answer must have.
    pub form: Form,
}

/// The form that an answer must have.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Any text.
    Free,
    /// JSON that follows a schema.
    Schema(Value),
}

/// The log-probability of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenLog {
    /// Its text.
    pub token: String,
    /// ln p under the model, before temperature and the like.
    pub log: f64,
    /// Alternatives, likeliest first.
    pub top: Vec<(String, f64)>,
}

/// The messages to a client while an answer is written.
#[derive(Clone, Debug)]
pub enum Said {
    /// The question was read; so many tokens.
    Read(usize),
    /// More of an answer.
    More {
        /// The index of the answer among those to one request.
        answer: usize,
        /// Its text.
        text: String,
        /// Tokens whose text is in it.
        logs: Vec<TokenLog>,
    },
    /// An answer's end; after that of the last one nothing comes.
    End {
        /// The index of the answer among those to one request.
        answer: usize,
        /// The limit ended it, and not the model or a stop string.
        cut: bool,
        /// Its tokens.
        tokens: usize,
    },
    /// There will be no answer, or no further part of it.
    Refused(Refusal),
}

/// Texts for which a client asks vectors.
#[derive(Clone, Debug)]
pub struct EmbedAsked {
    /// The texts.
    pub texts: Vec<String>,
    /// Whether they ask something: the adapter's instruction then stands before them.
    pub asking: Vec<bool>,
    /// Whether a text that is too long is cut rather than refused.
    pub cut: bool,
}

/// Vectors of texts.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// One of unit length for each text.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens read.
    pub tokens: usize,
}

/// A question whose choices are scored.
#[derive(Clone, Debug)]
pub struct ChoicesAsked {
    /// The question.
    pub question: String,
    /// Its choices.
    pub choices: Vec<String>,
}

/// Scores of choices.
#[derive(Clone, Debug)]
pub struct Scored {
    /// In the order of the choices.
    pub scores: Vec<crate::decoding::score::ChoiceScore>,
    /// Tokens read; what the choices share counts once.
    pub tokens: usize,
}

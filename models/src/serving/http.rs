//! HTTP on loopback: receives requests and sends answers.
//!
//! The body of a request is never logged.

use crate::serving::admission::Admission;
use crate::serving::answers::{self, Chat};
use crate::serving::refusal::Refusal;
use crate::serving::shared::Shared;
use crate::serving::wire::{ChatRequest, EmbedRequest, ScoreRequest, ToScore, parsed};
use crate::serving::work::{ChoicesAsked, EmbedAsked, Embedded, Job, Said, Work};
use bytes::Bytes;
use http_body_util::{BodyExt, Either, Full, LengthLimitError, Limited};
use hyper::body::{Body, Frame, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::Value;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

/// Bytes of a request at most.
const LARGEST_BODY: usize = 8 << 20;
/// How long a request may take to come in.
const BODY_TIME: Duration = Duration::from_secs(30);

/// An answer's body: whole, or in pieces.
pub type AnswerBody = Either<Full<Bytes>, Events>;
type Answer = Response<AnswerBody>;
type Place = Arc<OwnedSemaphorePermit>;

/// The data that a connection needs.
pub struct Door {
    /// The server's state.
    pub shared: Arc<Shared>,
    admission: Admission,
}

impl Door {
    /// A door that admits clients that know the token.
    pub fn new(shared: Arc<Shared>, port: u16, token: &str) -> Self {
        Self {
            shared,
            admission: Admission::new(port, token),
        }
    }

    /// Answers a request; every failure is an answer too.
    pub async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Infallible> {
        let began = Instant::now();
        let method = named(request.method());
        let route = Route::of(request.uri().path());
        let answer = match self.routed(&route, request).await {
            Ok(answer) => answer,
            Err(refusal) => refused(&refusal),
        };
        eprintln!(
            "{method} {} {} {} ms",
            route.name(),
            answer.status().as_u16(),
            began.elapsed().as_millis()
        );
        Ok(answer)
    }

    async fn routed(&self, route: &Route, request: Request<Incoming>) -> Result<Answer, Refusal> {
        self.admission.check(request.headers())?;
        let wanted = match route {
            Route::Chat | Route::Embeddings | Route::Score => Method::POST,
            Route::Models | Route::Model(_) | Route::Health => Method::GET,
            Route::None => {
                let message = "There is nothing at this address. Ask /v1/models, /v1/chat/completions, /v1/embeddings, \
                    /v1/score or /health.";
                return Err(Refusal::new(404, "not_found", message));
            }
        };
        if request.method() != wanted {
            let mut answer = refused(&Refusal::new(
                405,
                "method_not_allowed",
                format!("Use {wanted} here."),
            ));
            if let Ok(value) = HeaderValue::from_str(wanted.as_str()) {
                answer.headers_mut().insert(ALLOW, value);
            }
            return Ok(answer);
        }
        match route {
            Route::Models => Ok(json_answer(StatusCode::OK, &answers::models(&self.shared))),
            Route::Model(name) => {
                self.shared.named(name)?;
                Ok(json_answer(
                    StatusCode::OK,
                    &answers::model(&self.shared, name),
                ))
            }
            Route::Health => Ok(self.health()),
            Route::Chat => self.chat(&body(request).await?).await,
            Route::Embeddings => self.embeddings(&body(request).await?).await,
            Route::Score => self.score(&body(request).await?).await,
            Route::None => Err(Refusal::new(
                404,
                "not_found",
                "There is nothing at this address.",
            )),
        }
    }

    fn health(&self) -> Answer {
        let bad = self.shared.change().is_some() || self.shared.is_draining();
        let status = if bad {
            StatusCode::SERVICE_UNAVAILABLE
        } else {
            StatusCode::OK
        };
        json_answer(status, &answers::health(&self.shared))
    }

    async fn chat(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let request: ChatRequest = parsed(body)?;
        let adapter = self.shared.named(&request.model)?;
        let (model, streamed) = (request.model.clone(), request.stream.unwrap_or(false));
        let usage = request.wants_usage();
        let asked = request.asked()?;
        let chat = Chat::new(model, asked.count, asked.logprobs.is_some(), usage);
        let place = self.shared.place()?;
        let (sender, mut receiver) = mpsc::unbounded_channel();
        self.submit(adapter, Work::Write(Box::new(asked), sender), &place)?;
        let mut said = Vec::new();
        // A refusal before the first token has a status of its own, streamed or not.
        while let Some(next) = receiver.recv().await {
            if let Said::Refused(refusal) = next {
                return Err(refusal);
            }
            let first = matches!(next, Said::More { .. } | Said::End { .. });
            said.push(next);
            if first && streamed {
                let mut events = Events::new(chat, receiver, place);
                events.take(&said);
                return Ok(event_answer(events));
            }
            let ends = said
                .iter()
                .filter(|said| matches!(said, Said::End { .. }))
                .count();
            if ends > 0 && chat.answers() == ends {
                return Ok(json_answer(StatusCode::OK, &chat.whole(&said)));
            }
        }
        Err(broken_off())
    }

    async fn embeddings(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let request: EmbedRequest = parsed(body)?;
        let adapter = self.shared.named(&request.model)?;
        let (model, cut, dimensions) =
            (request.model.clone(), request.truncate, request.dimensions);
        let wanted = request.texts()?;
        let asking = vec![wanted.asking; wanted.texts.len()];
        let embedded = self
            .embedded(
                adapter,
                EmbedAsked {
                    texts: wanted.texts,
                    asking,
                    cut,
                },
            )
            .await?;
        let numbers = embedded.vectors.first().map_or(0, Vec::len);
        if dimensions.is_some_and(|dimensions| dimensions != numbers) {
            let message = format!(
                "The model's vectors have {numbers} numbers. Leave dimensions out, or ask for {numbers}."
            );
            return Err(Refusal::invalid("unsupported_parameter", message));
        }
        Ok(json_answer(
            StatusCode::OK,
            &answers::embeddings(&model, &embedded, wanted.base64),
        ))
    }

    async fn embedded(
        &self,
        adapter: Option<usize>,
        asked: EmbedAsked,
    ) -> Result<Embedded, Refusal> {
        let place = self.shared.place()?;
        let (sender, receiver) = oneshot::channel();
        self.submit(adapter, Work::Embed(asked, sender), &place)?;
        receiver.await.unwrap_or_else(|_| Err(broken_off()))
    }

    async fn score(&self, body: &[u8]) -> Result<Answer, Refusal> {
        let request: ScoreRequest = parsed(body)?;
        let adapter = self.shared.named(&request.model)?;
        let (model, cut) = (request.model.clone(), request.truncate);
        match request.wanted()? {
            ToScore::Choices { question, choices } => {
                let place = self.shared.place()?;
                let (sender, receiver) = oneshot::channel();
                self.submit(
                    adapter,
                    Work::Choices(ChoicesAsked { question, choices }, sender),
                    &place,
                )?;
                let scored = receiver.await.unwrap_or_else(|_| Err(broken_off()))?;
                Ok(json_answer(
                    StatusCode::OK,
                    &answers::choices(&model, &scored),
                ))
            }
            ToScore::Pairs { first, second } => {
                let firsts = first.len();
                let asking = (0..firsts + second.len())
                    .map(|text| text < firsts)
                    .collect();
                let texts = first.into_iter().chain(second).collect();
                let embedded = self
                    .embedded(adapter, EmbedAsked { texts, asking, cut })
                    .await?;
                Ok(json_answer(
                    StatusCode::OK,
                    &answers::cosines(&model, &embedded, firsts),
                ))
            }
        }
    }

    fn submit(&self, adapter: Option<usize>, work: Work, place: &Place) -> Result<(), Refusal> {
        self.shared.submit(Job {
            adapter,
            deadline: self.shared.deadline(),
            work,
            place: Arc::clone(place),
        })
    }
}

fn broken_off() -> Refusal {
    Refusal::new(
        500,
        "internal",
        "The model's thread gave no answer. Start the server again.",
    )
}

/// The addresses at which the server answers.
#[derive(Debug, PartialEq, Eq)]
enum Route {
    Chat,
    Embeddings,
    Score,
    Models,
    Model(String),
    Health,
    None,
}

impl Route {
    fn of(path: &str) -> Self {
        match path {
            "/v1/chat/completions" => Self::Chat,
            "/v1/embeddings" => Self::Embeddings,
            "/v1/score" | "/score" => Self::Score,
            "/v1/models" => Self::Models,
            "/health" => Self::Health,
            _ => match path.strip_prefix("/v1/models/") {
                Some(name) if !name.is_empty() => Self::Model(name.to_owned()),
                _ => Self::None,
            },
        }
    }

    /// Its name in the log, without anything that the client chose.
    fn name(&self) -> &'static str {
        match self {
            Self::Chat => "/v1/chat/completions",
            Self::Embeddings => "/v1/embeddings",
            Self::Score => "/v1/score",
            Self::Models => "/v1/models",
            Self::Model(_) => "/v1/models/…",
            Self::Health => "/health",
            Self::None => "…",
        }
    }
}

/// A method's name in the log. The client may have invented it, and made it as long as a head may be.
fn named(method: &Method) -> &'static str {
    let usual = [
        (Method::GET, "GET"),
        (Method::POST, "POST"),
        (Method::HEAD, "HEAD"),
        (Method::OPTIONS, "OPTIONS"),
    ];
    let found = usual.into_iter().find(|(known, _)| known == method);
    found.map_or("…", |(_, name)| name)
}

/// A request's body, bounded in bytes and time.
async fn body(request: Request<Incoming>) -> Result<Bytes, Refusal> {
    let limited = Limited::new(request.into_body(), LARGEST_BODY).collect();
    match tokio::time::timeout(BODY_TIME, limited).await {
        Err(_) => Err(Refusal::new(
            408,
            "body_too_slow",
            "The request's body did not come in time. Send it again.",
        )),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let message = format!(
                "The body has more than {} MiB. Send less at a time.",
                LARGEST_BODY >> 20
            );
            Err(Refusal::new(413, "body_too_large", message))
        }
        Ok(Err(_)) => Err(Refusal::invalid(
            "body_broken",
            "The request's body broke off. Send it again.",
        )),
    }
}

fn json_answer(status: StatusCode, value: &Value) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(Bytes::from(value.to_string()))));
    *answer.status_mut() = status;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn refused(refusal: &Refusal) -> Answer {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = json_answer(status, &refusal.body());
    if let Some(seconds) = refusal.retry_after {
        answer
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    answer
}

fn event_answer(events: Events) -> Answer {
    let mut answer = Response::new(Either::Right(events));
    let headers = answer.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream; charset=utf-8"),
    );
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

/// An answer as server-sent events. When the client goes, this is dropped, and the model's thread sees it.
pub struct Events {
    chat: Chat,
    receiver: mpsc::UnboundedReceiver<Said>,
    ready: VecDeque<Bytes>,
    done: bool,
    _place: Place,
}

impl Events {
    fn new(chat: Chat, receiver: mpsc::UnboundedReceiver<Said>, place: Place) -> Self {
        Self {
            chat,
            receiver,
            ready: VecDeque::new(),
            done: false,
            _place: place,
        }
    }

    fn take(&mut self, said: &[Said]) {
        for said in said {
            let events = self.chat.events(said);
            self.ready.extend(
                events
                    .iter()
                    .map(|event| Bytes::from(format!("data: {event}\n\n"))),
            );
            if matches!(said, Said::Refused(_)) {
                self.done = true;
            }
        }
        if self.chat.is_done() && !self.done {
            self.done = true;
            self.ready
                .push_back(Bytes::from_static(b"data: [DONE]\n\n"));
        }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(Frame::data(bytes))));
            }
            if self.done {
                return Poll::Ready(None);
            }
            match self.receiver.poll_recv(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(said)) => self.take(&[said]),
                Poll::Ready(None) => self.take(&[Said::Refused(broken_off())]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_openai() {
        assert_eq!(Route::of("/v1/chat/completions"), Route::Chat);
        assert_eq!(
            Route::of("/v1/models/lexforge-demo"),
            Route::Model("lexforge-demo".into())
        );
        for none in [
            "",
            "/",
            "/v1",
            "/v1/models/",
            "/v1/completions",
            "/v1/chat/completions/",
        ] {
            assert_eq!(Route::of(none), Route::None, "{none}");
        }
    }
}

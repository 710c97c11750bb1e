//! The server's reader of HTTP: heads, lengths, chunks and the requests that follow each other on one connection. An
//! input is what a client sends on a connection; the one behind it is the server's own code from there on.
//!
//! The connection is a pipe within the process, and fixed answers stand for the model's, so that an input takes less
//! than a millisecond and is answered the same each time. Only the limits of time never pass here.

use lexforge_models::decoding::score::ChoiceScore;
use lexforge_models::serving::connection;
use lexforge_models::serving::http::Door;
use lexforge_models::serving::shared::{Limits, Shared};
use lexforge_models::serving::work::{Embedded, Job, Said, Scored, Work};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;

const PORT: u16 = 8080;
/// Stands in no input that was not made of one that has it.
const TOKEN: &str = "a-token-of-the-tests";
/// Bytes that a connection holds in either direction.
const PIPE: usize = 1 << 20;
/// Pieces of an input at most.
const PIECES: usize = 200;
/// Turns of the server after a piece, and after the last one: enough to answer what has come.
const TURNS: (usize, usize) = (4, 64);
/// Turns in which a server that was left must have ended.
const PATIENCE: usize = 100_000;

thread_local! {
    static BEHIND: Behind = Behind::new();
}

/// What a client sends, and in which manner: the first byte's lower seven bits say of how many bytes a piece is (0 =
/// all at once), and its highest bit that the client hangs up at once.
///
/// # Panics
/// The server panics, does not end when the client has left, keeps a place in its queue, sends what is no answer,
/// answers without the token, or does not answer the next client.
pub fn framing(bytes: &[u8]) -> String {
    let (manner, sent) = bytes.split_first().unwrap_or((&0, &[]));
    let piece = match usize::from(manner & 0x7f) {
        0 => sent.len().max(1),
        some => some.max(sent.len() / PIECES),
    };
    BEHIND.with(|behind| {
        let statuses = statuses(&behind.answered(sent, piece, manner & 0x80 == 0));
        let admitted = sent
            .windows(TOKEN.len())
            .any(|part| part == TOKEN.as_bytes());
        assert!(
            admitted || !statuses.contains(&200),
            "answered without the token"
        );
        let next = format!(
            "GET /health HTTP/1.1\r\nHost: localhost:{PORT}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        );
        let next = behind.answered(next.as_bytes(), PIPE, true);
        assert!(next.starts_with(b"HTTP/1.1 200 OK\r\n"), "the next client");
        let kinds: Vec<String> = statuses.iter().take(4).map(u16::to_string).collect();
        kinds.join(" ")
    })
}

/// The server behind the connections.
struct Behind {
    runtime: Runtime,
    door: Arc<Door>,
    jobs: Receiver<Job>,
}

impl Behind {
    fn new() -> Self {
        let limits = Limits {
            time: Duration::from_secs(600),
            answers: 4,
            places: 8,
            tokens: 1000,
        };
        let (sender, jobs) = channel();
        let device = ("CPU".to_owned(), None);
        let shared = Shared::new("m".into(), vec!["other".into()], device, limits, sender);
        Self {
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .build()
                .unwrap(),
            door: Arc::new(Door::new(Arc::new(shared), PORT, TOKEN)),
            jobs,
        }
    }

    /// What comes back to a client that sends these bytes in such pieces and, if it waits, hears the server out.
    fn answered(&self, sent: &[u8], piece: usize, waits: bool) -> Vec<u8> {
        let answer = self.runtime.block_on(async {
            let (client, server) = tokio::io::duplex(PIPE);
            let serving = tokio::spawn(connection(server, Arc::clone(&self.door)));
            let (mut from, mut to) = tokio::io::split(client);
            let reader = tokio::spawn(async move {
                let mut answer = Vec::new();
                let _ = from.read_to_end(&mut answer).await;
                answer
            });
            for part in sent.chunks(piece) {
                // A server that has heard enough ends the connection.
                if to.write_all(part).await.is_err() {
                    break;
                }
                self.turns(TURNS.0).await;
            }
            if waits {
                self.turns(TURNS.1).await;
            }
            let _ = to.shutdown().await;
            for _ in 0..PATIENCE {
                if serving.is_finished() {
                    break;
                }
                self.turns(1).await;
            }
            assert!(serving.is_finished(), "served on after the client left");
            serving.await.unwrap();
            reader.await.unwrap()
        });
        self.jobs.try_iter().for_each(work);
        assert!(self.door.shared.is_idle(), "a place is not free again");
        answer
    }

    /// Lets the server go on, and does what it asks of the model.
    async fn turns(&self, turns: usize) {
        for _ in 0..turns {
            tokio::task::yield_now().await;
            self.jobs.try_iter().for_each(work);
        }
    }
}

/// Stands for the model's thread. Who asked may be gone.
fn work(job: Job) {
    match job.work {
        Work::Write(asked, reply) => {
            let _ = reply.send(Said::Read(3));
            for answer in 0..asked.count {
                let text = "a duty".to_owned();
                let logs = Vec::new();
                let _ = reply.send(Said::More { answer, text, logs });
                let (cut, tokens) = (false, 2);
                let end = Said::End {
                    answer,
                    cut,
                    tokens,
                };
                let _ = reply.send(end);
            }
        }
        Work::Embed(asked, reply) => {
            let vectors = vec![vec![0.6, 0.8]; asked.texts.len()];
            drop(reply.send(Ok(Embedded { vectors, tokens: 3 })));
        }
        Work::Choices(asked, reply) => {
            let score = ChoiceScore {
                likelihood: -1.0,
                per_byte: -0.1,
                pmi: 0.5,
            };
            let scores = vec![score; asked.choices.len()];
            drop(reply.send(Ok(Scored { scores, tokens: 3 })));
        }
    }
}

/// The statuses of the answers that stand one behind the other; the last may be cut off.
fn statuses(mut rest: &[u8]) -> Vec<u16> {
    let mut statuses = Vec::new();
    while !rest.is_empty() {
        let Some(end) = rest.windows(4).position(|four| four == b"\r\n\r\n") else {
            break;
        };
        let head = std::str::from_utf8(&rest[..end]).unwrap();
        let status = head.strip_prefix("HTTP/1.").and_then(|head| head.get(2..5));
        let status: u16 = status.and_then(|s| s.parse().ok()).expect("a status line");
        statuses.push(status);
        rest = &rest[end + 4..];
        let field = |name: &str| {
            let mut fields = head
                .lines()
                .skip(1)
                .filter_map(|line| line.split_once(": "));
            fields.find_map(|(n, value)| n.eq_ignore_ascii_case(name).then_some(value))
        };
        // An answer to HEAD tells a length and has no body.
        if rest.starts_with(b"HTTP/1.") {
            continue;
        }
        let length = match field("content-length") {
            Some(length) => length.parse().unwrap(),
            None if field("transfer-encoding") == Some("chunked") => chunked(rest),
            None if status == 100 => 0,
            None => rest.len(),
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    statuses
}

/// Bytes of a body in chunks, as far as it has come.
fn chunked(body: &[u8]) -> usize {
    let mut at = 0;
    while let Some(end) = body[at..].windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&body[at..at + end]).unwrap();
        let size = usize::from_str_radix(size, 16).expect("a chunk's size");
        at += end + 2 + size + 2;
        if size == 0 || at > body.len() {
            break;
        }
    }
    at.min(body.len())
}

#[test]
fn a_connection_is_answered_request_by_request() {
    let from = format!("Host: 127.0.0.1:{PORT}\r\nAuthorization: Bearer {TOKEN}\r\n");
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\n{from}\r\n");
    let body = r#"{"model":"m","input":["a"]}"#;
    let embed = format!("POST /v1/embeddings HTTP/1.1\r\n{from}");
    let counted = format!("{embed}Content-Length: {}\r\n\r\n{body}", body.len());
    let chunks = format!(
        "{embed}Transfer-Encoding: chunked\r\n\r\n5\r\n{}\r\n{:x};x=y\r\n{}\r\n0\r\n\r\n",
        &body[..5],
        body.len() - 5,
        &body[5..]
    );
    let heads = |bytes: usize| {
        format!(
            "GET /health HTTP/1.1\r\n{from}X-Long: {}\r\n\r\n",
            "a".repeat(bytes)
        )
    };
    let many = |fields: usize| {
        format!(
            "GET /health HTTP/1.1\r\n{from}{}\r\n",
            "X: y\r\n".repeat(fields)
        )
    };
    let cases: [(&str, String, &str); 16] = [
        (
            "one after the other",
            get("/health") + &get("/v1/models") + &counted,
            "200 200 200",
        ),
        (
            "in chunks, and one behind them",
            chunks.clone() + &get("/health"),
            "200 200",
        ),
        (
            "a head that ends too early",
            get("/health")[..40].to_owned(),
            "",
        ),
        (
            "a body that ends too early",
            counted[..counted.len() - 3].to_owned(),
            "400",
        ),
        (
            "no size of a chunk",
            chunks.replace("5\r\n", "5g\r\n"),
            "400",
        ),
        (
            "a chunk larger than numbers are",
            chunks.replace("5\r\n", "fffffffffffffffff\r\n"),
            "400",
        ),
        (
            "two lengths that differ",
            counted.replace("\r\n\r\n", "\r\nContent-Length: 3\r\n\r\n"),
            "400",
        ),
        (
            "a length that is no number",
            counted.replace("Length: ", "Length: +"),
            "400",
        ),
        (
            "chunks under another coding",
            chunks.replace("chunked", "chunked, gzip"),
            "400",
        ),
        (
            "a field that is folded",
            get("/health").replace("Host: ", "Host:\r\n "),
            "400",
        ),
        (
            "a space before the colon",
            get("/health").replace("Host:", "Host :"),
            "400",
        ),
        (
            "two hosts",
            get("/health").replace("Host", "Host: localhost\r\nHost"),
            "403",
        ),
        (
            "another protocol",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
            "",
        ),
        ("a head beyond measure", heads(600_000), "431"),
        ("more fields than anybody sends", many(101), "431"),
        (
            "a long head, and one behind it",
            heads(60_000) + &get("/health"),
            "200 200",
        ),
    ];
    for (what, sent, expected) in cases {
        for manner in [0, 0x7f] {
            let bytes = [&[manner], sent.as_bytes()].concat();
            assert_eq!(framing(&bytes), expected, "{what}, pieces of {manner}");
        }
    }
}

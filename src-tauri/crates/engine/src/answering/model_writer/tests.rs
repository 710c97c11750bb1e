//! Tests of `model_writer`: answers that are followed while a scripted endpoint writes them.

use super::*;
use crate::Engine;
use lexforge_domain::AskingId;
use lexforge_domain::api::{Answer, AnswerSoFar, Inquiry, Progress};
use lexforge_ingest::ParseOptions;
use lexforge_parser::read::read;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;

const RULES: &str = "# Rules on breaches

## Article 1

A controller shall keep a register of its processing activities.

## Article 2

A controller shall notify the supervisory authority of a personal data breach within 72 hours.

## Article 3

A processor shall not disclose a personal data breach at its “café” to the press.
";
const NOTIFY: &str = "Within how many hours shall a controller notify the supervisory authority of a personal data breach?";
const RIGHT: &str = "A controller shall notify the supervisory authority of a personal data breach within 72 hours.";

/// How the endpoint answers a request. For a stream, the first number is how many characters of the text are in one
/// piece. The second is how many bytes are sent at a time.
#[derive(Clone, Copy)]
enum Reply {
    Whole,
    Stream(usize, usize),
    /// The stream ends after the first statement.
    Breaks,
    /// The stream stops after the first statement, and the connection stays.
    Stops,
}

/// The model's answer, with two statements that hold, three that do not, and one that is none.
fn said(user: &str) -> String {
    let clause = |words: &str| {
        (1..9)
            .find(|n| fenced(user, &n.to_string()).is_some_and(|text| text.contains(words)))
            .unwrap()
    };
    let (one, two) = (clause("to the press"), clause("72 hours"));
    // An escape stands where a cut may go through it.
    let right = RIGHT.replacen("controller", "\\u0063ontroller", 1);
    let statement = |text: &str, clause: i32, quote: &str| {
        format!(r#"{{"text": "{text}", "cites": [{{"clause": {clause}, "quote": "{quote}"}}]}}"#)
    };
    let statements = [
        statement(&right, two, "notify the supervisory \\u0061uthority"),
        statement(
            &RIGHT.replace("72", "96"),
            two,
            "notify the supervisory authority",
        ),
        statement(RIGHT, two, "inform the “supervisory” authority"),
        r#"{"say": "[{\"é\"}]"}"#.to_owned(),
        statement(
            "A processor shall not disclose a personal data breach at its “café” to the press.",
            one,
            "a personal data breach at its “caf\\u00e9” to",
        ),
        statement(RIGHT, 9, "72 hours"),
    ];
    format!(
        "Here {{it}} is: {{\"statements\": [{}]}}",
        statements.join(", ")
    )
}

fn fenced<'a>(user: &'a str, label: &str) -> Option<&'a str> {
    let from = user.find(&format!("<<<{label} "))?;
    let (opening, rest) = user.get(from..)?.split_once('\n')?;
    let end = rest.find(&format!("\n{} {label}>>>", opening.rsplit(' ').next()?))?;
    rest.get(..end)
}

/// An endpoint that does so with one request after the other.
fn endpoint(replies: Vec<Reply>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (stream, reply) in listener.incoming().flatten().zip(replies) {
            serve(stream, reply);
        }
    });
    url
}

fn serve(mut stream: TcpStream, reply: Reply) {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    let body: serde_json::Value = loop {
        let n = stream.read(&mut buffer).unwrap();
        bytes.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&bytes);
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        if let Ok(body) = serde_json::from_str(body) {
            break body;
        }
        assert!(n > 0, "no request: {text}");
    };
    let text = said(body["messages"][1]["content"].as_str().unwrap());
    let usage = serde_json::json!({"prompt_tokens": 7, "completion_tokens": 5});
    if matches!(reply, Reply::Whole) {
        let message = serde_json::json!({"content": text});
        let choice = serde_json::json!({"message": message, "finish_reason": "stop"});
        let whole = serde_json::json!({"model": "m", "choices": [choice], "usage": usage});
        let whole = whole.to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            whole.len()
        );
        return stream
            .write_all(&[head, whole].concat().into_bytes())
            .unwrap();
    }
    assert_eq!(body["stream"], true);
    let event = |delta: serde_json::Value, finish: Option<&str>| {
        let choice = serde_json::json!({"delta": delta, "finish_reason": finish});
        format!(
            "data: {}\n\n",
            serde_json::json!({"model": "m", "choices": [choice]})
        )
    };
    let (pieces, chunks) = match reply {
        Reply::Stream(pieces, chunks) => (pieces, chunks),
        _ => (7, 64),
    };
    let first = text.find("]}, {").unwrap() + 2;
    let sent = match reply {
        Reply::Stream(..) => text.as_str(),
        _ => &text[..first],
    };
    let characters: Vec<char> = sent.chars().collect();
    let mut events: String = characters
        .chunks(pieces)
        .map(|piece| {
            event(
                serde_json::json!({"content": piece.iter().collect::<String>()}),
                None,
            )
        })
        .collect();
    if matches!(reply, Reply::Stream(..)) {
        events += &event(serde_json::json!({}), Some("stop"));
        let tokens = serde_json::json!({"model": "m", "choices": [], "usage": usage});
        events += &format!("data: {tokens}\n\ndata: [DONE]\n\n");
    }
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let mut bytes = head.as_bytes().to_vec();
    for chunk in events.as_bytes().chunks(chunks) {
        bytes.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
        bytes.extend(chunk);
        bytes.extend(b"\r\n");
    }
    if matches!(reply, Reply::Stream(..)) {
        bytes.extend(b"0\r\n\r\n");
    }
    let _ = stream.write_all(&bytes);
    if matches!(reply, Reply::Stops) {
        // Until the other side hangs up.
        let _ = stream.read(&mut buffer);
    }
}

/// What a watcher was told; it may call the answer off as soon as a statement has passed.
#[derive(Default)]
struct Watching {
    told: Mutex<Vec<AnswerSoFar>>,
    calls_off: bool,
}

impl Watcher for Watching {
    fn progress(&self, _: Progress) {}

    fn cancelled(&self) -> bool {
        let passed = |so_far: &AnswerSoFar| !so_far.statements.is_empty();
        self.calls_off && self.told.lock().unwrap().iter().any(passed)
    }

    fn written(&self, so_far: &AnswerSoFar) {
        self.told.lock().unwrap().push(so_far.clone());
    }
}

/// An answer of the endpoint in a new workspace, and how many answers of models the workspace has then.
fn answered(replies: Vec<Reply>, attempts: u32, watching: &Watching) -> (Result<Answer>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let options = ParseOptions {
        second_reader: false,
        ..ParseOptions::default()
    };
    let bytes = RULES.as_bytes();
    let parsed = read("rules.md", bytes.to_vec(), &options, &mut |_, _| {}).unwrap();
    let store = &engine.workspace().store;
    store
        .write("tester", |w| w.insert_document(&parsed, "rules.md", bytes))
        .unwrap();
    let way = AnswerWay::Endpoint {
        name: Some("firm".to_owned()),
    };
    let mut target = Target::nobody();
    target.endpoint.url = endpoint(replies);
    target.endpoint.model = "m".to_owned();
    target.endpoint.settings.attempts = attempts;
    let writer = ModelWriter {
        answering: engine.answering(),
        wordings: Arc::default(),
        terms: String::new(),
        target,
        way: way.clone(),
        adapter: None,
        consent: None,
        asks: true,
    };
    let inquiry = Inquiry {
        question: NOTIFY.to_owned(),
        way,
        ..Inquiry::default()
    };
    let answer = engine.answering().answer(&inquiry, &writer, watching);
    let counts = store.read(|r| r.asking_counts(AskingId(1))).unwrap();
    let answer = answer.map(|answer| Answer {
        asked: String::new(),
        ..answer
    });
    (answer, counts.answered)
}

fn json(answer: &Answer) -> String {
    serde_json::to_string(answer).unwrap()
}

/// However the stream is cut into pieces, the final answer is the one of an endpoint that does not stream. And
/// everything that is reported on the way is a part of this final answer that passed the check.
#[test]
fn a_streamed_answer_is_the_whole_answer() {
    let watching = Watching::default();
    let whole = answered(vec![Reply::Whole], 1, &watching).0.unwrap();
    let kept: Vec<&Statement> = whole.statements.iter().filter(|s| s.kept).collect();
    assert_eq!((whole.statements.len(), kept.len()), (5, 2), "{whole:#?}");
    assert_eq!(watching.told.lock().unwrap().len(), 1);
    for (pieces, chunks) in [
        (1, 1),
        (1, 4096),
        (2, 3),
        (3, 64),
        (5, 7),
        (40, 2),
        (9999, 1),
        (9999, 9999),
    ] {
        let watching = Watching::default();
        let (streamed, answers) = answered(vec![Reply::Stream(pieces, chunks)], 1, &watching);
        assert_eq!(json(&streamed.unwrap()), json(&whole), "{pieces} {chunks}");
        assert_eq!(answers, 1);
        let told = watching.told.lock().unwrap();
        let mut before = 0;
        for so_far in &*told {
            let passed: Vec<&Statement> = so_far.statements.iter().collect();
            assert!(
                passed.len() >= before && kept.starts_with(&passed),
                "{so_far:#?}"
            );
            assert!(whole.citations.starts_with(&so_far.citations));
            before = passed.len();
        }
        let last = told.last().unwrap();
        assert_eq!((last.statements.len(), last.left_out), (2, 4));
        // In small pieces each statement is told by itself.
        let steps: Vec<(usize, u32)> = told
            .iter()
            .map(|s| (s.statements.len(), s.left_out))
            .collect();
        if pieces < 10 && chunks < 100 {
            assert_eq!(
                steps,
                [(0, 0), (1, 0), (1, 1), (1, 2), (1, 3), (2, 3), (2, 4)]
            );
        }
    }
}

#[test]
fn a_stream_that_breaks_off_leaves_nothing_behind() {
    let whole = answered(vec![Reply::Whole], 1, &Watching::default())
        .0
        .unwrap();
    // The whole answer is asked for, and what was told before is taken back.
    let watching = Watching::default();
    let (again, answers) = answered(vec![Reply::Breaks, Reply::Whole], 2, &watching);
    assert_eq!((json(&again.unwrap()), answers), (json(&whole), 1));
    let steps: Vec<usize> = watching
        .told
        .lock()
        .unwrap()
        .iter()
        .map(|so_far| so_far.statements.len())
        .collect();
    assert_eq!(steps, [0, 1, 0, 2]);
    // Nobody is asked again: the clauses themselves are the answer, and it says why.
    let watching = Watching::default();
    let (instead, answers) = answered(vec![Reply::Breaks], 1, &watching);
    let instead = instead.unwrap();
    assert_eq!(answers, 0);
    assert!(
        instead.model == "extractive" && instead.written.is_some(),
        "{instead:#?}"
    );
    let failed = instead.notes.iter().find_map(|note| match note {
        AnswerNote::ClausesInstead {
            gap: ModelGap::Failed { failure },
        } => Some(failure.code),
        _ => None,
    });
    assert_eq!(failed, Some(Code::EndpointAnswer));
    let told = watching.told.lock().unwrap();
    assert_eq!(told.last(), Some(&AnswerSoFar::default()));
}

#[test]
fn an_answer_that_is_called_off_keeps_nothing() {
    let watching = Watching {
        calls_off: true,
        ..Watching::default()
    };
    let (answer, answers) = answered(vec![Reply::Stops], 1, &watching);
    let failure = answer.unwrap_err();
    assert_eq!(failure.code, Code::Cancelled);
    assert!(failure.hint.contains("no answer is kept"), "{failure:?}");
    assert_eq!(answers, 0);
    let told = watching.told.lock().unwrap();
    assert_eq!((told.len(), told[1].statements.len()), (2, 1));
}

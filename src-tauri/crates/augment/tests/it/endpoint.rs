//! The endpoint client against a server that answers as each test prescribes. Every failure must have its name, and
//! every answer must be kept before it is used.

use crate::server::{Say, answer, say, serve};
use lexforge_augment::endpoint::{
    AskEvent, CallFailure, Client, Entry, Fault, Ledger, Prompt, PromptKey, Secret, ask_all, check,
};
use lexforge_domain::endpoint::{AnswerForm, Endpoint, EndpointSettings, KeySource};
use lexforge_domain::{Code, Failure};
use std::collections::HashMap;
use std::io::Write;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) const KEY: &str = "sk-very-secret-key";

pub(crate) fn client(url: &str, change: impl FnOnce(&mut EndpointSettings)) -> Arc<Client> {
    let mut settings = EndpointSettings {
        timeout_s: 2,
        attempts: 1,
        max_bytes: 10_000,
        ..EndpointSettings::default()
    };
    change(&mut settings);
    let endpoint = Endpoint {
        name: "e".into(),
        url: url.into(),
        model: "m".into(),
        key: KeySource::KeyRing,
        settings,
    };
    Arc::new(Client::new(&endpoint, Some(Secret::new(KEY)), None).unwrap())
}

pub(crate) fn prompts(count: usize) -> Vec<(PromptKey, Prompt)> {
    (0..count)
        .map(|i| {
            let prompt = Prompt::new("system", format!("question {i}"), 16);
            (prompt.key("id", "m"), prompt)
        })
        .collect()
}

/// A ledger in memory.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) entries: Vec<Entry>,
    full_after: Option<usize>,
}

impl Ledger for Kept {
    fn commit(&mut self, entries: &[Entry]) -> Result<(), Failure> {
        if self
            .full_after
            .is_some_and(|most| self.entries.len() >= most)
        {
            return Err(Failure::new(Code::DiskFull, "full", "free some space"));
        }
        self.entries.extend_from_slice(entries);
        Ok(())
    }
}

fn ask(client: &Arc<Client>, count: usize) -> (Result<(), Failure>, Vec<Entry>) {
    let mut kept = Kept::default();
    let outcome = ask_all(client, prompts(count), &mut kept, &mut |_| {}, &|| false);
    (outcome, kept.entries)
}

fn failure_of(client: &Arc<Client>) -> CallFailure {
    let (_, entries) = ask(client, 1);
    entries
        .into_iter()
        .find_map(|entry| match entry {
            Entry::Failed(_, failure) => Some(failure),
            _ => None,
        })
        .unwrap()
}

#[test]
fn every_failure_has_its_name_its_message_and_its_remedy() {
    let check = |reply: Say, fault: Fault, code: Code, named: &str| {
        let url = serve(move |_, _| reply.clone());
        let failure = failure_of(&client(&url, |_| {}));
        assert_eq!(failure.fault, fault, "{failure:?}");
        let told = Failure::from(failure);
        assert_eq!(told.code, code);
        assert!(
            told.message.contains(named) && told.message.contains("127.0.0.1"),
            "{}",
            told.message
        );
        assert!(!told.hint.is_empty());
        assert!(!format!("{told:?}").contains(KEY), "{told:?}");
    };
    let json = "content-type: application/json\r\n";
    let echo =
        format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}. See the page."}}}}"#);
    check(
        say("401 Unauthorized", json, echo.as_bytes()),
        Fault::Key,
        Code::EndpointKey,
        "•••",
    );
    check(
        say("403 Forbidden", "", b""),
        Fault::Key,
        Code::EndpointKey,
        "403",
    );
    let missing = br#"{"error":{"message":"The model `m` does not exist"}}"#;
    check(
        say("404 Not Found", json, missing),
        Fault::Model,
        Code::EndpointModel,
        "does not exist",
    );
    check(
        say("400 Bad Request", json, missing),
        Fault::Model,
        Code::EndpointModel,
        "no model m",
    );
    let long = br#"{"error":{"message":"maximum context length is 512 tokens"}}"#;
    check(
        say("400 Bad Request", json, long),
        Fault::Refused,
        Code::EndpointRefused,
        "512",
    );
    check(
        say("429 Too Many Requests", "", b""),
        Fault::Busy,
        Code::EndpointBusy,
        "429",
    );
    check(
        say("503 Service Unavailable", "", b"over"),
        Fault::ServerError,
        Code::EndpointBusy,
        "503",
    );
    let page = b"<!DOCTYPE html><html><title>Proxy: log in</title></html>";
    let html = "content-type: text/html\r\n";
    check(
        say("200 OK", html, page),
        Fault::Page,
        Code::EndpointAnswer,
        "web page",
    );
    check(
        say("407 Proxy Authentication Required", html, page),
        Fault::Page,
        Code::EndpointAnswer,
        "407",
    );
    check(
        say("502 Bad Gateway", html, page),
        Fault::Page,
        Code::EndpointAnswer,
        "web page",
    );
    check(
        say("200 OK", json, b"{\"choices\": [{\"mess\xff\xfe\"}]}"),
        Fault::Encoding,
        Code::EndpointAnswer,
        "UTF-8",
    );
    check(
        say("200 OK", json, b"hello"),
        Fault::Garbage,
        Code::EndpointAnswer,
        "hello",
    );
    check(
        say("200 OK", json, b"{\"id\": 7}"),
        Fault::Garbage,
        Code::EndpointAnswer,
        "OpenAI",
    );
    check(
        say("200 OK", json, &vec![b'x'; 1 << 20]),
        Fault::TooLarge,
        Code::EndpointAnswer,
        "10000 bytes",
    );
    let moved = "location: https://elsewhere.example.com/v1?token=abc\r\n";
    check(
        say("307 Temporary Redirect", moved, b""),
        Fault::Redirect,
        Code::EndpointRefused,
        "elsewhere.example.com",
    );
    let short = b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\"".to_vec();
    check(
        Say::Bytes(short.clone()),
        Fault::Truncated,
        Code::EndpointAnswer,
        "broke off",
    );
    check(
        Say::Silence(short),
        Fault::TimedOut,
        Code::EndpointUnreachable,
        "in time",
    );
    check(
        Say::Silence(Vec::new()),
        Fault::TimedOut,
        Code::EndpointUnreachable,
        "in time",
    );
    check(
        Say::Bytes(Vec::new()),
        Fault::Dropped,
        Code::EndpointUnreachable,
        "closed",
    );
    check(
        Say::Bytes(b"SSH-2.0-OpenSSH_9\r\n".to_vec()),
        Fault::Dropped,
        Code::EndpointUnreachable,
        "closed",
    );
}

#[test]
fn an_endpoint_that_is_not_there_is_unreachable() {
    let unused = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let failure = failure_of(&client(&format!("http://{unused}/v1"), |_| {}));
    assert_eq!(failure.fault, Fault::Unreachable);
    assert_eq!(Failure::from(failure).code, Code::EndpointUnreachable);
    // A server that speaks no TLS, and a name that cannot exist.
    let plain = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/v1", plain.local_addr().unwrap());
    std::thread::spawn(move || {
        plain
            .incoming()
            .flatten()
            .for_each(|mut s| drop(s.write_all(b"220 mail ready\r\n")))
    });
    let failure = failure_of(&client(&url, |_| {}));
    assert_eq!(failure.fault, Fault::Tls, "{failure:?}");
    assert_eq!(
        failure_of(&client("http://no-such-host.invalid/v1", |_| {})).fault,
        Fault::UnknownHost
    );
}

#[test]
fn a_request_is_told_before_it_leaves_and_an_answer_kept_before_it_is_used() {
    let seen = Arc::new(AtomicUsize::new(0));
    let asked = Arc::new(Mutex::new(0));
    struct Counting(Arc<Mutex<usize>>, Kept);
    impl Ledger for Counting {
        fn commit(&mut self, entries: &[Entry]) -> Result<(), Failure> {
            *self.0.lock().unwrap() += entries
                .iter()
                .filter(|e| matches!(e, Entry::Asked(_)))
                .count();
            self.1.commit(entries)
        }
    }
    let (server_seen, told) = (Arc::clone(&seen), Arc::clone(&asked));
    let url = serve(move |number, _| {
        assert!(
            number < *told.lock().unwrap(),
            "a request came before it was told"
        );
        server_seen.fetch_add(1, Ordering::SeqCst);
        answer("yes")
    });
    let mut kept = Counting(asked, Kept::default());
    let mut used = 0;
    let client = client(&url, |s| s.concurrency = 8);
    ask_all(
        &client,
        prompts(40),
        &mut kept,
        &mut |event| used += usize::from(matches!(event, AskEvent::Answered(..))),
        &|| false,
    )
    .unwrap();
    let answered = kept
        .1
        .entries
        .iter()
        .filter(|e| matches!(e, Entry::Answered(..)))
        .count();
    assert_eq!((seen.load(Ordering::SeqCst), answered, used), (40, 40, 40));
}

#[test]
fn a_busy_endpoint_is_left_alone_for_as_long_as_it_asks() {
    let url = serve(|number, _| match number {
        0 => say("429 Too Many Requests", "retry-after: 1\r\n", b""),
        _ => answer("yes"),
    });
    let began = Instant::now();
    let client = client(&url, |s| (s.attempts, s.concurrency) = (3, 1));
    let (outcome, entries) = ask(&client, 3);
    outcome.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    let count = |f: fn(&Entry) -> bool| entries.iter().filter(|e| f(e)).count();
    assert_eq!(count(|e| matches!(e, Entry::Asked(_))), 4);
    assert_eq!(count(|e| matches!(e, Entry::Answered(..))), 3);
}

#[test]
fn a_key_that_is_not_taken_ends_everything_at_once() {
    let number = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&number);
    let url = serve(move |_, _| {
        seen.fetch_add(1, Ordering::SeqCst);
        say("401 Unauthorized", "", b"")
    });
    let (outcome, _) = ask(&client(&url, |s| (s.attempts, s.concurrency) = (6, 2)), 50);
    assert_eq!(outcome.unwrap_err().code, Code::EndpointKey);
    assert!(number.load(Ordering::SeqCst) <= 4);
}

#[test]
fn a_ledger_that_cannot_keep_stops_the_asking() {
    let url = serve(|_, _| answer("yes"));
    let mut kept = Kept {
        full_after: Some(4),
        ..Kept::default()
    };
    let outcome = ask_all(
        &client(&url, |s| s.concurrency = 1),
        prompts(30),
        &mut kept,
        &mut |_| {},
        &|| false,
    );
    assert_eq!(outcome.unwrap_err().code, Code::DiskFull);
}

#[test]
fn it_can_be_ended_while_an_answer_is_awaited() {
    let url = serve(|_, _| Say::Silence(Vec::new()));
    let began = Instant::now();
    let mut kept = Kept::default();
    let late = || began.elapsed() > Duration::from_millis(300);
    let outcome = ask_all(
        &client(&url, |s| s.timeout_s = 60),
        prompts(30),
        &mut kept,
        &mut |_| {},
        &late,
    );
    assert_eq!(outcome.unwrap_err().code, Code::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(kept.entries.iter().all(|e| matches!(e, Entry::Asked(_))));
}

#[test]
fn a_form_that_is_refused_is_asked_for_in_the_prompt_alone() {
    let forms = Arc::new(Mutex::new(HashMap::<String, usize>::new()));
    let seen = Arc::clone(&forms);
    let url = serve(move |_, text| {
        let form = ["json_schema", "json_object"]
            .into_iter()
            .find(|f| text.contains(f))
            .unwrap_or("none");
        *seen.lock().unwrap().entry(form.to_owned()).or_default() += 1;
        if text.starts_with("GET") {
            return say("200 OK", "", br#"{"data":[{"id":"m"},{"id":"n"}]}"#);
        }
        match form {
            "none" => answer("```json\n{\"answer\": \"ready\"}\n```"),
            _ => say(
                "400 Bad Request",
                "",
                br#"{"error":"response_format is not supported"}"#,
            ),
        }
    });
    let found = check(&client(&url, |_| {})).unwrap();
    assert_eq!(
        found.models.as_deref(),
        Some(&["m".to_owned(), "n".to_owned()][..])
    );
    assert_eq!(found.answered.as_ref().unwrap().0, AnswerForm::Free);
    assert!(found.in_form && found.counts_tokens);
    let forms = forms.lock().unwrap();
    assert_eq!(
        (forms["json_schema"], forms["json_object"], forms["none"]),
        (1, 1, 2)
    );
}

#[test]
fn a_client_shows_its_key_to_nobody() {
    let client = client("http://127.0.0.1:9/v1", |_| {});
    assert!(!format!("{client:?}").contains(KEY));
    assert!(!format!("{:?}", Secret::new(KEY)).contains(KEY));
}

//! A proxy for tests. It disturbs what passes through it, as networks and servers do, and counts the requests for each
//! prompt. Behind it is a real server, or a function of the test that makes the answers.
#![allow(clippy::panic)] // A test that cannot listen has failed.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a request meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trouble {
    /// Nothing.
    None,
    /// Its answer, late.
    Delay,
    /// 429 with the wish to be left alone for a while.
    Busy,
    /// 500.
    ServerError,
    /// A web page.
    Page,
    /// Bytes that are no JSON.
    Garbage,
    /// An answer with a broken character.
    Encoding,
    /// The connection ends before an answer.
    Drop,
    /// The connection ends in the middle of the answer.
    Truncate,
    /// The answer stops in the middle, and the connection stays.
    Stall,
    /// An answer of a megabyte.
    Large,
}

/// All troubles that go away when one asks again.
const PASSING: [Trouble; 8] = [
    Trouble::Delay,
    Trouble::Busy,
    Trouble::ServerError,
    Trouble::Page,
    Trouble::Garbage,
    Trouble::Encoding,
    Trouble::Drop,
    Trouble::Truncate,
];

/// The pieces of a text for a body.
pub type Pieces = dyn Fn(&Value) -> Vec<String> + Send + Sync;

/// What makes the answers.
pub enum Backend {
    /// A text for each body of a chat request.
    Own(Box<dyn Fn(&Value) -> String + Send + Sync>),
    /// A whole message for each body, with whatever fields it is to have.
    Message(Box<dyn Fn(&Value) -> Value + Send + Sync>),
    /// The pieces of a text for each body. Whoever asks for a stream gets them one by one, each after the pause.
    Pieces(Box<Pieces>, Duration),
    /// A server, with the token that it demands.
    Server(SocketAddr, String),
}

/// How much trouble there is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    /// Of a hundred requests, so many meet trouble that passes.
    pub trouble: u64,
    /// Of a thousand prompts, the first request of so many stops in the middle of its answer.
    pub stalls: u64,
    /// Of a thousand prompts, so many get an answer of a megabyte.
    pub large: u64,
    /// Milliseconds before each answer.
    pub delay: u64,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Requests by prompt.
    pub requests: HashMap<u64, u64>,
    /// Whole answers by prompt.
    pub answered: HashMap<u64, u64>,
    /// What requests met.
    pub troubles: HashMap<Trouble, u64>,
    /// Keys that requests carried.
    pub keys: Vec<String>,
    /// What requests carried for a proxy.
    pub proxy_keys: Vec<String>,
    /// First lines of requests.
    pub first_lines: Vec<String>,
}

/// The proxy; it listens as long as the test runs.
pub struct FaultProxy {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
    connections: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
}

impl FaultProxy {
    /// A proxy on this machine.
    pub fn start(backend: Backend, weather: Weather) -> Self {
        Self::start_at(IpAddr::V4(Ipv4Addr::LOCALHOST), backend, weather)
    }

    /// A proxy at one of this machine's addresses.
    pub fn start_at(ip: IpAddr, backend: Backend, weather: Weather) -> Self {
        let listener =
            TcpListener::bind((ip, 0)).unwrap_or_else(|problem| panic!("cannot listen: {problem}"));
        let address = listener
            .local_addr()
            .unwrap_or_else(|problem| panic!("no address: {problem}"));
        let (seen, connections) = (
            Arc::new(Mutex::new(Seen::default())),
            Arc::new(AtomicU64::new(0)),
        );
        let bytes = Arc::new(AtomicU64::new(0));
        let (told, counted, backend) = (
            Arc::clone(&seen),
            Arc::clone(&connections),
            Arc::new(backend),
        );
        let received = Arc::clone(&bytes);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (told, backend, received) = (
                    Arc::clone(&told),
                    Arc::clone(&backend),
                    Arc::clone(&received),
                );
                std::thread::spawn(move || converse(stream, &backend, weather, &told, &received));
            }
        });
        Self {
            address,
            seen,
            connections,
            bytes,
        }
    }

    /// The address of its interface.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Its address as that of a proxy, through which another address is asked.
    pub fn as_proxy(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its host and port.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// Bytes that it received.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::SeqCst)
    }

    /// The requests that the proxy has seen so far.
    pub fn seen(&self) -> Seen {
        held(&self.seen).clone()
    }

    /// Connections that were made to it.
    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Seen {
    /// All requests.
    pub fn all(&self) -> u64 {
        self.requests.values().sum()
    }
}

/// A number that follows from a prompt, so that each prompt always gets the same trouble.
pub fn prompt_number(body: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    body["messages"].to_string().hash(&mut hasher);
    hasher.finish()
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles one request of a connection and then closes it, because these tests are not about connections that stay
/// open.
fn converse(
    mut stream: TcpStream,
    backend: &Backend,
    weather: Weather,
    seen: &Mutex<Seen>,
    received: &AtomicU64,
) {
    let Some((head, body)) = receive(&mut stream, received) else {
        return;
    };
    let header = |name: &str| {
        head.lines()
            .find_map(|l| l.to_lowercase().starts_with(name).then(|| l.to_owned()))
    };
    let (key, proxy_key) = (header("authorization:"), header("proxy-authorization:"));
    {
        let mut seen = held(seen);
        let few = seen.first_lines.len() < 10;
        seen.first_lines
            .extend(head.lines().next().filter(|_| few).map(str::to_owned));
        seen.proxy_keys.extend(proxy_key.filter(|_| few));
    }
    if head.starts_with("GET") {
        let models = json!({"data": [{"id": "m"}]}).to_string();
        let _ = stream.write_all(&response(
            "200 OK",
            "application/json",
            "",
            models.as_bytes(),
        ));
        return;
    }
    let value: Value = serde_json::from_slice(&body).unwrap_or_default();
    let prompt = prompt_number(&value);
    let trouble = {
        let mut seen = held(seen);
        let number = seen.requests.entry(prompt).or_default();
        *number += 1;
        let trouble = met(prompt, *number, weather);
        *seen.troubles.entry(trouble).or_default() += 1;
        let few = seen.keys.len() < 10;
        seen.keys.extend(key.filter(|_| few));
        trouble
    };
    std::thread::sleep(Duration::from_millis(weather.delay));
    let said = |message: Value| {
        let words = message["content"]
            .as_str()
            .map_or(0, |text| text.split_whitespace().count());
        let answer = json!({
            "model": value["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": value["messages"].to_string().split_whitespace().count(), "completion_tokens": words},
        });
        answer.to_string().into_bytes()
    };
    let whole = |text: &str| said(json!({"role": "assistant", "content": text}));
    if let Backend::Pieces(pieces, pause) = backend
        && value["stream"] == true
        && trouble == Trouble::None
    {
        if streamed(&mut stream, &pieces(&value), *pause).is_ok() {
            *held(seen).answered.entry(prompt).or_default() += 1;
        }
        let _ = stream.shutdown(Shutdown::Both);
        return;
    }
    let json = "application/json";
    let bytes = match trouble {
        Trouble::Busy => response(
            "429 Too Many Requests",
            json,
            "retry-after: 0.05\r\n",
            b"{}",
        ),
        Trouble::ServerError => response(
            "500 Internal Server Error",
            json,
            "",
            br#"{"error": {"message": "oh"}}"#,
        ),
        Trouble::Page => response(
            "200 OK",
            "text/html",
            "",
            b"<!doctype html><title>Please log in</title>",
        ),
        Trouble::Garbage => response("200 OK", json, "", b"\x00\x01 upstream connect error"),
        Trouble::Drop => Vec::new(),
        Trouble::Large => response("200 OK", json, "", &whole(&"x ".repeat(512 << 10))),
        Trouble::None | Trouble::Delay | Trouble::Encoding | Trouble::Truncate | Trouble::Stall => {
            if trouble == Trouble::Delay {
                std::thread::sleep(Duration::from_millis(200));
            }
            match backend {
                Backend::Own(answer) => response("200 OK", json, "", &whole(&answer(&value))),
                Backend::Pieces(pieces, _) => {
                    response("200 OK", json, "", &whole(&pieces(&value).concat()))
                }
                Backend::Message(message) => response("200 OK", json, "", &said(message(&value))),
                Backend::Server(address, token) => forwarded(*address, token, &body),
            }
        }
    };
    let middle = bytes.len() - bytes.len() / 4;
    let sent = match trouble {
        Trouble::Truncate | Trouble::Stall => stream.write_all(&bytes[..middle]),
        Trouble::Encoding => {
            let mut bytes = bytes;
            if let Some(byte) = bytes.get_mut(middle) {
                *byte = 0xff;
            }
            stream.write_all(&bytes)
        }
        _ => stream.write_all(&bytes),
    };
    if trouble == Trouble::Stall {
        std::thread::sleep(Duration::from_secs(15));
    }
    let is_answer =
        matches!(trouble, Trouble::None | Trouble::Delay | Trouble::Large) && sent.is_ok();
    if is_answer {
        *held(seen).answered.entry(prompt).or_default() += 1;
    }
    let _ = stream.shutdown(Shutdown::Both);
}

/// What the `number`th request of a prompt meets: always the same for the same prompt.
fn met(prompt: u64, number: u64, weather: Weather) -> Trouble {
    let lot = |what: u64| {
        let mut hasher = DefaultHasher::new();
        (prompt, number, what).hash(&mut hasher);
        hasher.finish()
    };
    let mut hasher = DefaultHasher::new();
    prompt.hash(&mut hasher);
    let kind = hasher.finish() % 1000;
    if number == 1 && kind < weather.stalls {
        return Trouble::Stall;
    }
    if kind >= 1000 - weather.large.min(1000) {
        return Trouble::Large;
    }
    // By the sixth request everything has passed.
    if number < 6 && lot(1) % 100 < weather.trouble {
        return PASSING[(lot(2) % PASSING.len() as u64) as usize];
    }
    Trouble::None
}

fn response(status: &str, kind: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Sends a text as a stream of events.
fn streamed(stream: &mut TcpStream, pieces: &[String], pause: Duration) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes())?;
    for piece in pieces {
        std::thread::sleep(pause);
        let event =
            json!({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]});
        stream.write_all(format!("data: {event}\n\n").as_bytes())?;
    }
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    stream.write_all(format!("data: {end}\n\ndata: [DONE]\n\n").as_bytes())
}

/// What a server answers to a body.
fn forwarded(address: SocketAddr, token: &str, body: &[u8]) -> Vec<u8> {
    let Ok(mut server) = TcpStream::connect(address) else {
        return Vec::new();
    };
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let mut answer = Vec::new();
    let _ = server.write_all(&[head.as_bytes(), body].concat());
    let _ = server.read_to_end(&mut answer);
    answer
}

fn receive(stream: &mut TcpStream, received: &AtomicU64) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse::<usize>().ok())?
            });
            if bytes.len() - end - 4 >= length.unwrap_or(0) {
                return Some((head, bytes.split_off(end + 4)));
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(n) => {
                received.fetch_add(n as u64, Ordering::SeqCst);
                bytes.extend_from_slice(&buffer[..n]);
            }
        }
    }
}

//! The server as a process, and a small HTTP client of our own, which sends also what no good client would.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The token that the tests' servers know.
pub const TOKEN: &str = "a token of the tests";

/// A running server; it ends with this.
pub struct Server {
    pub child: Child,
    pub port: u16,
    pub input: Option<ChildStdin>,
    pub scratch: tempfile::TempDir,
    log: Arc<Mutex<String>>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The events of a stream.
    pub fn events(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .filter(|line| *line != "[DONE]");
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

pub fn json_of(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&reply.body)))
}

/// The command of a server.
pub fn command(model: &Path, port_file: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lexforge-worker"));
    command
        .arg("serve")
        .arg("--model")
        .arg(model)
        .arg("--port-file")
        .arg(port_file)
        .args(more);
    command
        .env("OMP_WAIT_POLICY", "passive")
        .env("LEXFORGE_TOKEN", TOKEN)
        .env_remove("LEXFORGE_MODELS");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

impl Server {
    /// Starts a server and waits until it is ready.
    pub fn start(model: &Path, more: &[&str]) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let port_file = scratch.path().join("port.json");
        let mut child = command(model, &port_file, more).spawn().unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let (stderr, kept) = (child.stderr.take().unwrap(), Arc::clone(&log));
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                kept.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        let port = loop {
            if let Ok(text) = std::fs::read_to_string(&port_file) {
                let told: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(told["pid"], child.id());
                break u16::try_from(told["port"].as_u64().unwrap()).unwrap();
            }
            if let Some(status) = child.try_wait().unwrap() {
                std::thread::sleep(Duration::from_millis(100));
                panic!("the server ended ({status}): {}", log.lock().unwrap());
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let input = child.stdin.take();
        Self {
            child,
            port,
            input,
            scratch,
            log,
        }
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// The content of the port file.
    pub fn port_file(&self) -> Value {
        serde_json::from_str(
            &std::fs::read_to_string(self.scratch.path().join("port.json")).unwrap(),
        )
        .unwrap()
    }

    /// A connection on which this was sent.
    pub fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .unwrap();
        stream.write_all(bytes).unwrap();
        stream
    }

    /// A request in full, with the right host and token.
    pub fn request(&self, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
        self.request_as(
            method,
            path,
            body,
            Some(TOKEN),
            &format!("127.0.0.1:{}", self.port),
        )
    }

    pub fn request_as(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        token: Option<&str>,
        host: &str,
    ) -> Vec<u8> {
        let token = token.map_or_else(String::new, |token| {
            format!("Authorization: Bearer {token}\r\n")
        });
        let length = body.len();
        let mut bytes = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{token}Content-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        bytes
    }

    pub fn ask(&self, request: &[u8]) -> Reply {
        reply(&mut self.send(request))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask(&self.request("GET", path, b""))
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask(&self.request("POST", path, body.to_string().as_bytes()))
    }

    /// Waits for the end and gives the exit code.
    pub fn ended(&mut self, within: Duration) -> Option<i32> {
        let began = Instant::now();
        while began.elapsed() < within {
            if let Some(status) = self.child.try_wait().unwrap() {
                std::thread::sleep(Duration::from_millis(50)); // its last words
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }

    /// Asks the server to end, as the system would.
    pub fn terminate(&self) {
        let status = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn chat(server: &Server, body: &Value) -> Reply {
    server.post("/v1/chat/completions", body)
}

pub fn embed(server: &Server, body: &Value) -> Reply {
    server.post("/v1/embeddings", body)
}

/// Reads a whole answer, in pieces or not.
pub fn reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    parsed(&bytes)
}

pub fn parsed(bytes: &[u8]) -> Reply {
    let at = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap_or_else(|| {
            panic!("no answer: {:?}", String::from_utf8_lossy(bytes));
        });
    let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .collect();
    let rest = &bytes[at + 4..];
    let chunked = headers
        .iter()
        .any(|(n, v)| n.eq_ignore_ascii_case("transfer-encoding") && v == "chunked");
    let body = if chunked {
        unchunked(rest)
    } else {
        rest.to_vec()
    };
    Reply {
        status,
        headers,
        body,
    }
}

/// The content of a chunked body, as far as it has arrived.
fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size =
            usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap().trim(), 16).unwrap();
        let from = end + 2;
        if size == 0 || rest.len() < from + size {
            break;
        }
        body.extend_from_slice(&rest[from..from + size]);
        rest = &rest[(from + size + 2).min(rest.len())..];
    }
    body
}

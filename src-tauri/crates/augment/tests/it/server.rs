//! A server on this machine that says what a test prescribes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What the server does with a request.
#[derive(Clone)]
pub(crate) enum Say {
    /// These bytes, and the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, and then silence.
    Silence(Vec<u8>),
}

pub(crate) fn say(status: &str, headers: &str, body: &[u8]) -> Say {
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    Say::Bytes([head.as_bytes(), body].concat())
}

pub(crate) fn answer(text: &str) -> Say {
    let text = serde_json::to_string(text).unwrap();
    let body = format!(
        r#"{{"model":"m","choices":[{{"message":{{"content":{text}}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":5,"completion_tokens":2}}}}"#
    );
    say(
        "200 OK",
        "content-type: application/json\r\n",
        body.as_bytes(),
    )
}

/// A server on this machine whose `reply` sees the number of the request (from 0) and its text.
pub(crate) fn serve(reply: impl Fn(usize, &str) -> Say + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (reply, number) = (Arc::new(reply), Arc::new(AtomicUsize::new(0)));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (reply, number) = (Arc::clone(&reply), Arc::clone(&number));
            std::thread::spawn(move || {
                one(stream, |text| {
                    reply(number.fetch_add(1, Ordering::SeqCst), text)
                })
            });
        }
    });
    url
}

fn one(mut stream: TcpStream, reply: impl Fn(&str) -> Say) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let wanted = head
                .lines()
                .find_map(|l| l.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= wanted.unwrap_or(0) {
                match reply(&text) {
                    Say::Bytes(bytes) => drop(stream.write_all(&bytes)),
                    Say::Silence(bytes) => {
                        let _ = stream.write_all(&bytes);
                        std::thread::sleep(Duration::from_secs(20));
                    }
                }
                return;
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(n) => bytes.extend_from_slice(&buffer[..n]),
        }
    }
}

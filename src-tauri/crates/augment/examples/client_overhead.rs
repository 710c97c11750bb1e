//! Measures how much time the endpoint client adds to a call. In one run it compares two ways to make the same calls to
//! a server on this machine that answers at once: through the client, and over a plain socket. `cargo run -p
//! lexforge-augment --example client_overhead [CALLS]`.
//!
//! Both ways make one request at a time, and the server closes the connection after each answer. The client
//! additionally makes the JSON of the prompt, records the request, reads the answer and records it.

use lexforge_augment::endpoint::{AskEvent, Client, Entry, Ledger, Prompt, ask_all};
use lexforge_domain::Failure;
use lexforge_domain::endpoint::{Endpoint, EndpointSettings, KeySource};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Instant;

const BODY: &str = r#"{"model":"m","choices":[{"message":{"content":"{\"answer\": \"yes\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":300,"completion_tokens":7}}"#;

/// A ledger that forgets at once: what a database costs is no part of this figure.
struct Forgetful;

impl Ledger for Forgetful {
    fn commit(&mut self, _: &[Entry]) -> Result<(), Failure> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let calls: usize = std::env::args().nth(1).map_or(Ok(2000), |n| n.parse())?;
    let address = serve()?;
    let endpoint = Endpoint {
        name: "bench".to_owned(),
        url: format!("http://{address}/v1"),
        model: "m".to_owned(),
        key: KeySource::None,
        settings: EndpointSettings {
            concurrency: 1,
            ..EndpointSettings::default()
        },
    };
    let client = Arc::new(Client::new(&endpoint, None, None)?);
    let prompts = |count: usize| -> Vec<_> {
        let text = "a rule of some length ".repeat(60);
        let prompt = |i| Prompt::new("You write questions.", format!("{i}: {text}"), 512);
        (0..count)
            .map(prompt)
            .map(|p| (p.key("bench", "m"), p))
            .collect()
    };
    // Neither measurement includes work that is done only once.
    ask_all(&client, prompts(50), &mut Forgetful, &mut |_| {}, &|| false)?;
    bare(address, 50)?;

    let mut answered = 0;
    let mut count =
        |event: AskEvent<'_>| answered += usize::from(matches!(event, AskEvent::Answered(..)));
    let began = Instant::now();
    ask_all(&client, prompts(calls), &mut Forgetful, &mut count, &|| {
        false
    })?;
    let client_ms = began.elapsed().as_secs_f64() * 1e3 / calls as f64;
    assert_eq!(answered, calls, "every call has its answer");
    let began = Instant::now();
    bare(address, calls)?;
    let bare_ms = began.elapsed().as_secs_f64() * 1e3 / calls as f64;
    println!(
        "{calls} calls: {client_ms:.3} ms a call with the client, {bare_ms:.3} ms over a bare socket; the client adds \
         {:.3} ms",
        client_ms - bare_ms
    );
    Ok(())
}

/// Makes the exchange over a bare socket, without a client.
fn bare(address: SocketAddr, calls: usize) -> std::io::Result<()> {
    let body = format!(
        "{{\"model\":\"m\",\"messages\":\"{}\"}}",
        "a rule of some length ".repeat(60)
    );
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let request = head + &body;
    for _ in 0..calls {
        let mut stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
    }
    Ok(())
}

/// A server that answers at once.
fn serve() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let length = BODY.len();
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{BODY}"
    );
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut bytes = Vec::new();
            let mut buffer = [0; 16384];
            while !whole(&bytes) {
                match stream.read(&mut buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(n) => bytes.extend_from_slice(&buffer[..n]),
                }
            }
            // A client that is gone misses its answer.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    Ok(address)
}

fn whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    body.len() >= length.unwrap_or(0)
}

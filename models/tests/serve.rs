//! The server as a process, asked over HTTP.
//!
//! One file because all of it is one program that is started and asked; the tests differ in what they ask.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::root;
use common::server::{Reply, Server, TOKEN, chat, embed, json_of};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn demo(more: &[&str]) -> Server {
    let folder = root().join("models").join("demo");
    Server::start(&folder, more)
}

/// The demonstration decoder's folder is named `demo`.
fn asked(text: &str, more: Value) -> Value {
    let mut body =
        json!({"model": "demo", "messages": [{"role": "user", "content": text}], "temperature": 0, "max_tokens": 24});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn text_of(reply: &Reply) -> String {
    json_of(reply)["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
}

fn code_of(reply: &Reply) -> (u16, String) {
    let value = json_of(reply);
    assert!(!value["error"]["message"].as_str().unwrap().is_empty());
    assert!(!value["error"]["type"].as_str().unwrap().is_empty());
    (reply.status, value["error"]["code"].as_str().unwrap().to_owned())
}

#[test]
fn one_conversation_is_answered_whole_and_in_pieces() {
    let server = demo(&[]);
    let told = server.port_file();
    assert_eq!((told["model"].as_str(), told["port"].as_u64()), (Some("demo"), Some(u64::from(server.port))));
    let whole = chat(&server, &asked("Who keeps the minutes?", json!({})));
    assert_eq!((whole.status, whole.header("content-type")), (200, Some("application/json")));
    let value = json_of(&whole);
    assert_eq!(value["object"], "chat.completion");
    let (written, read) = (value["usage"]["completion_tokens"].as_u64(), value["usage"]["prompt_tokens"].as_u64());
    assert!((1..=24).contains(&written.unwrap()) && read.unwrap() > 5);
    let streamed = chat(
        &server,
        &asked("Who keeps the minutes?", json!({"stream": true, "stream_options": {"include_usage": true}})),
    );
    assert!(streamed.header("content-type").unwrap().starts_with("text/event-stream"));
    assert!(streamed.text().ends_with("data: [DONE]\n\n"));
    let events = streamed.events();
    let text: String = events.iter().filter_map(|e| e["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, text_of(&whole));
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    assert_eq!(events.last().unwrap()["usage"], value["usage"]);
    let reasons: Vec<&Value> =
        events.iter().map(|e| &e["choices"][0]["finish_reason"]).filter(|reason| !reason.is_null()).collect();
    assert_eq!(reasons, [&value["choices"][0]["finish_reason"]]);
    // Chinese characters are several bytes and often several tokens.
    for text in ["董事会秘书应当保管什么？", "𠮷 〇"] {
        let whole = text_of(&chat(&server, &asked(text, json!({"temperature": 1.5, "seed": 5}))));
        let streamed = chat(&server, &asked(text, json!({"temperature": 1.5, "seed": 5, "stream": true})));
        let pieces: String =
            streamed.events().iter().filter_map(|e| e["choices"][0]["delta"]["content"].as_str()).collect();
        assert_eq!(pieces, whole);
    }
}

#[test]
fn a_request_gets_the_same_text_whoever_shares_its_batch() {
    let server = demo(&[]);
    let questions = [
        "Who keeps the minutes?",
        "什么是大额风险暴露？",
        "Define capital.",
        "a",
        "List the duties of the board of directors in full.",
    ];
    let bodies: Vec<Value> = (0..40)
        .map(|number| {
            let more = match number % 4 {
                0 => json!({"max_tokens": 10 + number}),
                1 => json!({"temperature": 1.0, "seed": number, "max_tokens": 40}),
                2 => json!({"temperature": 1.3, "top_p": 0.9, "seed": number, "max_tokens": 60}),
                _ => json!({"temperature": 0.8, "top_k": 50, "seed": number, "max_tokens": 33}),
            };
            asked(questions[number % questions.len()], more)
        })
        .collect();
    let alone: Vec<String> = bodies.iter().map(|body| text_of(&chat(&server, body))).collect();
    let together: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = bodies
            .iter()
            .enumerate()
            .map(|(number, body)| {
                let server = &server;
                scope.spawn(move || {
                    // They join while others are under way.
                    std::thread::sleep(Duration::from_millis(3 * number as u64));
                    text_of(&chat(server, body))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
    assert!(alone.iter().collect::<std::collections::BTreeSet<_>>().len() > 20);
}

#[test]
fn sixty_four_streams_at_once_are_all_answered() {
    let server = demo(&[]);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..64)
            .map(|number| {
                let server = &server;
                scope.spawn(move || {
                    chat(
                        server,
                        &asked("Who?", json!({"stream": true, "seed": number, "temperature": 1, "min_tokens": 24})),
                    )
                })
            })
            .collect();
        for thread in threads {
            let reply = thread.join().unwrap();
            assert_eq!(reply.status, 200);
            assert!(reply.text().ends_with("data: [DONE]\n\n"));
            assert_eq!(reply.events().last().unwrap()["choices"][0]["finish_reason"], "length");
        }
    });
    println!("64 streams of 24 tokens: {:.2} s", began.elapsed().as_secs_f64());
}

#[test]
fn only_who_knows_the_token_and_means_this_machine_is_answered() {
    let server = demo(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let check = |token: Option<&str>, host: &str, expected: (u16, &str)| {
        for (method, path) in
            [("GET", "/v1/models"), ("GET", "/health"), ("POST", "/v1/chat/completions"), ("GET", "/x")]
        {
            let reply = server.ask(&server.request_as(method, path, b"{}", token, host));
            assert_eq!(code_of(&reply), (expected.0, expected.1.to_owned()), "{token:?} {host} {path}");
        }
    };
    check(None, &host, (401, "invalid_api_key"));
    check(Some("another"), &host, (401, "invalid_api_key"));
    check(Some(&TOKEN[..TOKEN.len() - 1]), &host, (401, "invalid_api_key"));
    check(Some(TOKEN), "example.org", (403, "host_not_allowed"));
    check(Some(TOKEN), &format!("127.0.0.1.example.org:{}", server.port), (403, "host_not_allowed"));
    check(Some(TOKEN), "127.0.0.1:1", (403, "host_not_allowed"));
    let local = server.request_as("GET", "/v1/models", b"", Some(TOKEN), &format!("localhost:{}", server.port));
    assert_eq!(server.ask(&local).status, 200);
}

#[test]
fn bad_requests_cost_one_clear_error_each() {
    let server = demo(&[]);
    let check = |reply: &Reply, status: u16, code: &str| {
        assert_eq!(code_of(reply), (status, code.to_owned()), "{}", reply.text());
    };
    let raw = |body: &[u8]| server.ask(&server.request("POST", "/v1/chat/completions", body));
    check(&raw(b""), 400, "invalid_json");
    check(&raw(b"{\"model\": \"demo\""), 400, "invalid_json");
    check(&raw(b"[1,2]"), 400, "invalid_request");
    check(
        &raw(b"{\"model\":\"demo\",\"messages\":[{\"role\":\"user\",\"content\":\"\xff\xfe\"}]}"),
        400,
        "invalid_utf8",
    );
    check(&raw(&vec![b' '; (8 << 20) + 1]), 413, "body_too_large");
    check(&raw(b"{\"model\":\"demo\",\"messages\":[]}"), 400, "invalid_request");
    let mut other = asked("q", json!({}));
    other["model"] = "gpt-4".into();
    check(&chat(&server, &other), 404, "model_not_found");
    check(&chat(&server, &asked("q", json!({"tools": [{"type": "function"}]}))), 400, "unsupported_parameter");
    check(&chat(&server, &asked("q", json!({"temperature": -1}))), 400, "invalid_request");
    check(&chat(&server, &asked(&"bank ".repeat(5000), json!({}))), 400, "context_length_exceeded");
    check(&chat(&server, &asked(&"bank ".repeat(500_000), json!({"stream": true}))), 400, "context_length_exceeded");
    check(&embed(&server, &json!({"model": "demo", "input": "bank ".repeat(5000)})), 400, "context_length_exceeded");
    check(&embed(&server, &json!({"model": "demo", "input": []})), 400, "invalid_request");
    check(&embed(&server, &json!({"model": "demo", "input": "a", "dimensions": 7})), 400, "unsupported_parameter");
    let cut = embed(&server, &json!({"model": "demo", "input": "bank ".repeat(5000), "truncate": true}));
    assert_eq!(cut.status, 200);
    check(&server.post("/v1/score", &json!({"model": "demo", "question": "q"})), 400, "invalid_request");
    check(
        &server.post("/v1/score", &json!({"model": "demo", "question": "q", "choices": ["a", " "]})),
        400,
        "invalid_request",
    );
    check(&server.get("/v1/completions"), 404, "not_found");
    check(&server.get("/v1/models/absent"), 404, "model_not_found");
    let wrong = server.get("/v1/chat/completions");
    assert_eq!(wrong.header("allow"), Some("POST"));
    check(&wrong, 405, "method_not_allowed");
    // After all this it still answers, and none of what was sent stands in its log.
    assert_eq!(chat(&server, &asked("confidential-question", json!({}))).status, 200);
    let log = server.log();
    assert!(log.contains("POST /v1/chat/completions 200") && log.contains(" 413 "), "{log}");
    assert!(
        !log.contains("confidential") && !log.contains("bank") && !log.contains(TOKEN) && !log.contains("absent"),
        "{log}"
    );
}

//! Tests of the server as a process, over HTTP.
//!
//! One file because all tests start and ask the same program; they differ only in what they ask.

use crate::common::server::{Reply, Server, TOKEN, chat, command, embed, json_of, parsed};
use crate::common::{data, minilm, root};
use lexforge_domain::protocol::{Lineage, LoraSpec, ModelRef, Pooling, Tune};
use lexforge_models::adapters::adapter::{self, Sidecar, Task};
use lexforge_models::adapters::lora;
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::generate::greedy;
use lexforge_models::decoding::language::LanguageModel;
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tch::{Device, Kind};

fn demo(more: &[&str]) -> Server {
    Server::start(&demo_folder(), more)
}

fn demo_folder() -> PathBuf {
    root().join("models").join("demo")
}

fn demo_model() -> LanguageModel {
    LanguageModel::open(&demo_folder(), Some(Kind::Float), Device::Cpu).unwrap()
}

/// Work for seconds.
fn long() -> Value {
    asked(
        "List the duties.",
        json!({"n": 16, "min_tokens": 600, "max_tokens": 600, "temperature": 1, "seed": 1, "stream": true}),
    )
}

/// A stream whose first piece of text has arrived.
fn begun(server: &Server, body: &Value) -> (TcpStream, Vec<u8>) {
    let mut stream =
        server.send(&server.request("POST", "/v1/chat/completions", body.to_string().as_bytes()));
    let mut read = Vec::new();
    let mut part = [0u8; 4096];
    while !String::from_utf8_lossy(&read).contains("finish_reason") {
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&part[..count]);
    }
    (stream, read)
}

fn wait_for(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "waited in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An adapter of the demonstration decoder that says something else, in its folder.
fn write_adapter(folder: &Path, seed: i64) {
    let mut model = demo_model();
    let spec = LoraSpec {
        r: 4,
        alpha: 8.0,
        dropout: 0.0,
        targets: vec![lora::ALL_LINEAR.to_owned()],
    };
    tch::manual_seed(seed);
    lora::adapt(&mut model.decoder.linears(), &spec).unwrap();
    tch::no_grad(|| {
        for (_, mut tensor) in adapter::trained(&model.decoder.linears_ref()) {
            let _ = tensor.normal_(0.0, 0.08);
        }
    });
    let sidecar = Sidecar {
        format: 1,
        tune: Tune::Lora,
        base: ModelRef {
            name: "demo".into(),
            sha256: String::new(),
        },
        attention: "bidirectional".into(),
        pooling: Pooling::Last,
        instruction: "Which passage answers this?".into(),
        passage: String::new(),
        pairs: None,
        temperature: 0.05,
        stages: vec![],
        max_length: 64,
        seed: 0,
        step: 0,
        lineage: Lineage::default(),
        base_quantization: None,
    };
    let contents = adapter::file_contents(
        &model.decoder.linears_ref(),
        &spec,
        &sidecar,
        Task::Language,
        Default::default(),
    )
    .unwrap();
    std::fs::create_dir_all(folder).unwrap();
    adapter::write(folder, &contents).unwrap();
}

/// The demonstration decoder's folder is named `demo`.
fn asked(text: &str, more: Value) -> Value {
    let mut body = json!({"model": "demo", "messages": [{"role": "user", "content": text}], "temperature": 0, "max_tokens": 24});
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    body
}

fn text_of(reply: &Reply) -> String {
    json_of(reply)["choices"][0]["message"]["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn code_of(reply: &Reply) -> (u16, String) {
    let value = json_of(reply);
    assert!(!value["error"]["message"].as_str().unwrap().is_empty());
    assert!(!value["error"]["type"].as_str().unwrap().is_empty());
    (
        reply.status,
        value["error"]["code"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn one_conversation_is_answered_whole_and_in_pieces() {
    let server = demo(&[]);
    let told = server.port_file();
    assert_eq!(
        (told["model"].as_str(), told["port"].as_u64()),
        (Some("demo"), Some(u64::from(server.port)))
    );
    let whole = chat(&server, &asked("Who keeps the minutes?", json!({})));
    assert_eq!(
        (whole.status, whole.header("content-type")),
        (200, Some("application/json"))
    );
    let value = json_of(&whole);
    assert_eq!(value["object"], "chat.completion");
    let (written, read) = (
        value["usage"]["completion_tokens"].as_u64(),
        value["usage"]["prompt_tokens"].as_u64(),
    );
    assert!((1..=24).contains(&written.unwrap()) && read.unwrap() > 5);
    let streamed = chat(
        &server,
        &asked(
            "Who keeps the minutes?",
            json!({"stream": true, "stream_options": {"include_usage": true}}),
        ),
    );
    assert!(
        streamed
            .header("content-type")
            .unwrap()
            .starts_with("text/event-stream")
    );
    assert!(streamed.text().ends_with("data: [DONE]\n\n"));
    let events = streamed.events();
    let text: String = events
        .iter()
        .filter_map(|e| e["choices"][0]["delta"]["content"].as_str())
        .collect();
    assert_eq!(text, text_of(&whole));
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    assert_eq!(events.last().unwrap()["usage"], value["usage"]);
    let reasons: Vec<&Value> = events
        .iter()
        .map(|e| &e["choices"][0]["finish_reason"])
        .filter(|reason| !reason.is_null())
        .collect();
    assert_eq!(reasons, [&value["choices"][0]["finish_reason"]]);
    // Chinese characters are several bytes and often several tokens.
    for text in ["董事会秘书应当保管什么？", "𠮷 〇"] {
        let whole = text_of(&chat(
            &server,
            &asked(text, json!({"temperature": 1.5, "seed": 5})),
        ));
        let streamed = chat(
            &server,
            &asked(text, json!({"temperature": 1.5, "seed": 5, "stream": true})),
        );
        let pieces: String = streamed
            .events()
            .iter()
            .filter_map(|e| e["choices"][0]["delta"]["content"].as_str())
            .collect();
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
    let alone: Vec<String> = bodies
        .iter()
        .map(|body| text_of(&chat(&server, body)))
        .collect();
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
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(alone, together);
    assert!(
        alone
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len()
            > 20
    );
}

#[test]
fn a_model_without_a_template_writes_alone_what_it_writes_in_company() {
    let Some(oracle) = data("model-stories260k/oracle_numpy.json") else {
        return;
    };
    let folder = oracle.parent().unwrap().join("hf");
    let server = Server::start(&folder, &[]);
    let model = LanguageModel::open(&folder, Some(Kind::Float), Device::Cpu).unwrap();
    let openings = [
        "Once upon a time",
        "The dog",
        "Lily and Ben went to the park. They",
        "One day, a",
        "It was",
        "Tim",
    ];
    let expected: Vec<String> = openings
        .iter()
        .map(|opening| {
            let prompt = model.language.prompt(&[Message::user(*opening)]).unwrap();
            let ids = model.language.encode(&prompt).unwrap().ids;
            let written = greedy(model.decoder.as_ref(), &ids, model.language.ends(), 80).unwrap();
            model.language.decode(&written.ids).unwrap()
        })
        .collect();
    let written = |number: usize| {
        let mut body = asked(openings[number % openings.len()], json!({"max_tokens": 80}));
        body["model"] = "hf".into();
        text_of(&chat(&server, &body))
    };
    let alone: Vec<String> = (0..openings.len()).map(written).collect();
    assert_eq!(alone, expected);
    std::thread::scope(|scope| {
        let written = &written;
        let threads: Vec<_> = (0..24)
            .map(|number| {
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(number as u64));
                    written(number)
                })
            })
            .collect();
        for (number, thread) in threads.into_iter().enumerate() {
            assert_eq!(thread.join().unwrap(), expected[number % openings.len()]);
        }
    });
}

#[test]
fn a_long_question_is_read_in_pieces_and_answered_as_if_read_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("demo");
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(demo_folder()).unwrap().flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let config = folder.join("config.json");
    let mut value: Value =
        serde_json::from_str(&std::fs::read_to_string(&config).unwrap()).unwrap();
    value["max_position_embeddings"] = 8192.into();
    std::fs::write(&config, value.to_string()).unwrap();
    let model = LanguageModel::open(&folder, Some(Kind::Float), Device::Cpu).unwrap();
    let text: String = (0..260)
        .map(|n| format!("Article {n}: the board keeps minutes of meeting {n}. "))
        .collect();
    let ids = model
        .language
        .encode(&model.language.prompt(&[Message::user(&text)]).unwrap())
        .unwrap()
        .ids;
    assert!(ids.len() > 2500 && ids.len() < 8000, "{}", ids.len());
    let written = greedy(model.decoder.as_ref(), &ids, model.language.ends(), 24).unwrap();
    let expected = model.language.decode(&written.ids).unwrap();
    let server = Server::start(&folder, &[]);
    std::thread::scope(|scope| {
        let company: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| chat(&server, &asked("Who?", json!({}))).status))
            .collect();
        let reply = chat(&server, &asked(&text, json!({})));
        assert_eq!(text_of(&reply), expected);
        assert_eq!(json_of(&reply)["usage"]["prompt_tokens"], ids.len());
        assert!(
            company
                .into_iter()
                .all(|status| status.join().unwrap() == 200)
        );
    });
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
            assert_eq!(
                reply.events().last().unwrap()["choices"][0]["finish_reason"],
                "length"
            );
        }
    });
    println!(
        "64 streams of 24 tokens: {:.2} s",
        began.elapsed().as_secs_f64()
    );
}

#[test]
fn only_who_knows_the_token_and_means_this_machine_is_answered() {
    let server = demo(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let check = |token: Option<&str>, host: &str, expected: (u16, &str)| {
        for (method, path) in [
            ("GET", "/v1/models"),
            ("GET", "/health"),
            ("POST", "/v1/chat/completions"),
            ("GET", "/x"),
        ] {
            let reply = server.ask(&server.request_as(method, path, b"{}", token, host));
            assert_eq!(
                code_of(&reply),
                (expected.0, expected.1.to_owned()),
                "{token:?} {host} {path}"
            );
        }
    };
    check(None, &host, (401, "invalid_api_key"));
    check(Some("another"), &host, (401, "invalid_api_key"));
    check(
        Some(&TOKEN[..TOKEN.len() - 1]),
        &host,
        (401, "invalid_api_key"),
    );
    check(Some(TOKEN), "example.org", (403, "host_not_allowed"));
    check(
        Some(TOKEN),
        &format!("127.0.0.1.example.org:{}", server.port),
        (403, "host_not_allowed"),
    );
    check(Some(TOKEN), "127.0.0.1:1", (403, "host_not_allowed"));
    // A page in a browser, even one that knows the token.
    for of_a_browser in [
        "Origin: https://example.org",
        "Origin: null",
        "Sec-Fetch-Site: none",
    ] {
        let with_it = format!("{host}\r\n{of_a_browser}");
        check(Some(TOKEN), &with_it, (403, "origin_not_allowed"));
    }
    let local = server.request_as(
        "GET",
        "/v1/models",
        b"",
        Some(TOKEN),
        &format!("localhost:{}", server.port),
    );
    assert_eq!(server.ask(&local).status, 200);
}

#[test]
fn bad_requests_cost_one_clear_error_each() {
    let server = demo(&[]);
    let check = |reply: &Reply, status: u16, code: &str| {
        assert_eq!(
            code_of(reply),
            (status, code.to_owned()),
            "{}",
            reply.text()
        );
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
    check(
        &raw(b"{\"model\":\"demo\",\"messages\":[]}"),
        400,
        "invalid_request",
    );
    let mut other = asked("q", json!({}));
    other["model"] = "gpt-4".into();
    check(&chat(&server, &other), 404, "model_not_found");
    check(
        &chat(
            &server,
            &asked("q", json!({"tools": [{"type": "function"}]})),
        ),
        400,
        "unsupported_parameter",
    );
    check(
        &chat(&server, &asked("q", json!({"temperature": -1}))),
        400,
        "invalid_request",
    );
    check(
        &chat(&server, &asked(&"bank ".repeat(5000), json!({}))),
        400,
        "context_length_exceeded",
    );
    check(
        &chat(
            &server,
            &asked(&"bank ".repeat(500_000), json!({"stream": true})),
        ),
        400,
        "context_length_exceeded",
    );
    check(
        &embed(
            &server,
            &json!({"model": "demo", "input": "bank ".repeat(5000)}),
        ),
        400,
        "context_length_exceeded",
    );
    check(
        &embed(&server, &json!({"model": "demo", "input": []})),
        400,
        "invalid_request",
    );
    check(
        &embed(
            &server,
            &json!({"model": "demo", "input": "a", "dimensions": 7}),
        ),
        400,
        "unsupported_parameter",
    );
    let cut = embed(
        &server,
        &json!({"model": "demo", "input": "bank ".repeat(5000), "truncate": true}),
    );
    assert_eq!(cut.status, 200);
    check(
        &server.post("/v1/score", &json!({"model": "demo", "question": "q"})),
        400,
        "invalid_request",
    );
    check(
        &server.post(
            "/v1/score",
            &json!({"model": "demo", "question": "q", "choices": ["a", " "]}),
        ),
        400,
        "invalid_request",
    );
    check(&server.get("/v1/completions"), 404, "not_found");
    check(&server.get("/v1/models/absent"), 404, "model_not_found");
    let wrong = server.get("/v1/chat/completions");
    assert_eq!(wrong.header("allow"), Some("POST"));
    check(&wrong, 405, "method_not_allowed");
    // After all this the server still answers, and its log contains nothing of what was sent.
    assert_eq!(
        chat(&server, &asked("confidential-question", json!({}))).status,
        200
    );
    wait_for("the log's last line", || {
        server.log().contains("POST /v1/chat/completions 200")
    });
    let log = server.log();
    assert!(log.contains(" 413 "), "{log}");
    assert!(
        !log.contains("confidential")
            && !log.contains("bank")
            && !log.contains(TOKEN)
            && !log.contains("absent"),
        "{log}"
    );
}

#[test]
fn an_answer_ends_before_a_stop_string() {
    let server = demo(&[]);
    let whole = text_of(&chat(
        &server,
        &asked("Who keeps the minutes?", json!({"max_tokens": 40})),
    ));
    let words: Vec<&str> = whole.split(' ').collect();
    assert!(words.len() > 6, "{whole}");
    // In the middle of words and over several tokens.
    for stop in [
        words[2],
        &whole[9..14],
        &format!("{} {}", words[4], words[5])[1..],
    ] {
        let expected = &whole[..whole.find(stop).unwrap()];
        for streamed in [false, true] {
            let more = json!({"stop": [stop, "never said"], "max_tokens": 40, "stream": streamed, "logprobs": true});
            let reply = chat(&server, &asked("Who keeps the minutes?", more));
            if !streamed {
                assert_eq!(text_of(&reply), expected);
                assert_eq!(json_of(&reply)["choices"][0]["finish_reason"], "stop");
                continue;
            }
            let events = reply.events();
            let mut told = String::new();
            for event in &events {
                told.push_str(
                    event["choices"][0]["delta"]["content"]
                        .as_str()
                        .unwrap_or_default(),
                );
                assert!(expected.starts_with(&told), "{told:?} {expected:?}");
            }
            assert_eq!(told, expected);
            assert_eq!(
                events.last().unwrap()["choices"][0]["finish_reason"],
                "stop"
            );
        }
    }
}

#[test]
fn log_probabilities_are_those_of_the_tokens_told() {
    let server = demo(&[]);
    let more = json!({"logprobs": true, "top_logprobs": 3, "max_tokens": 12});
    let whole = json_of(&chat(&server, &asked("Who keeps the minutes?", more)));
    let tokens = whole["choices"][0]["logprobs"]["content"]
        .as_array()
        .unwrap();
    assert_eq!(
        tokens.len() as u64,
        whole["usage"]["completion_tokens"].as_u64().unwrap()
    );
    let text: String = tokens
        .iter()
        .map(|token| token["token"].as_str().unwrap())
        .collect();
    assert_eq!(
        text,
        whole["choices"][0]["message"]["content"].as_str().unwrap()
    );
    for token in tokens {
        let top = token["top_logprobs"].as_array().unwrap();
        assert_eq!(top.len(), 3);
        // Greedy: the token is the likeliest.
        assert_eq!(
            (&top[0]["token"], &top[0]["logprob"]),
            (&token["token"], &token["logprob"])
        );
        let logs: Vec<f64> = top
            .iter()
            .map(|one| one["logprob"].as_f64().unwrap())
            .collect();
        assert!(logs.is_sorted_by(|a, b| a >= b) && logs[0] <= 0.0);
        assert!(logs.iter().map(|log| log.exp()).sum::<f64>() <= 1.0 + 1e-6);
    }
}

#[test]
fn several_answers_are_those_of_their_seeds() {
    let server = demo(&[]);
    let with = |seed: u64, count: u64| {
        let more = json!({"temperature": 1, "seed": seed, "n": count});
        let value = json_of(&chat(&server, &asked("Who keeps the minutes?", more)));
        let choices = value["choices"].as_array().unwrap().clone();
        choices
            .iter()
            .map(|c| c["message"]["content"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let together = with(10, 3);
    let each: Vec<String> = (10..13).flat_map(|seed| with(seed, 1)).collect();
    assert_eq!(together, each);
    assert_ne!(each[0], each[1]);
    // Without a seed each request draws its own.
    let free = || {
        text_of(&chat(
            &server,
            &asked("Who keeps the minutes?", json!({"temperature": 2})),
        ))
    };
    assert_ne!(free(), free());
}

#[test]
fn an_answer_follows_its_schema() {
    let server = demo(&[]);
    let schema = json!({
        "type": "object",
        "properties": {"level": {"enum": ["sentence", "paragraph"]}, "answer": {"type": "integer", "minimum": 0, "maximum": 3}},
        "required": ["level", "answer"], "additionalProperties": false,
    });
    let format = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema, "strict": true}});
    for seed in 0..6 {
        let more = json!({"response_format": format, "temperature": 1.5, "seed": seed, "max_tokens": 200, "stream": seed % 2 == 0});
        let reply = chat(&server, &asked("Write a question.", more));
        let text = if seed % 2 == 0 {
            reply
                .events()
                .iter()
                .filter_map(|e| e["choices"][0]["delta"]["content"].as_str())
                .collect()
        } else {
            text_of(&reply)
        };
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert!(
            ["sentence", "paragraph"].contains(&answer["level"].as_str().unwrap()),
            "{text}"
        );
        assert!(
            (0..=3).contains(&answer["answer"].as_i64().unwrap()),
            "{text}"
        );
    }
    let strange =
        json!({"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "strange"}}});
    let refused = chat(&server, &asked("q", json!({"response_format": strange})));
    assert_eq!(code_of(&refused), (400, "unsupported_schema".into()));
}

#[test]
fn adapters_change_places_from_request_to_request() {
    let scratch = tempfile::tempdir().unwrap();
    let folders = ["one", "two"].map(|name| scratch.path().join(name));
    for (seed, folder) in (3..).zip(&folders) {
        write_adapter(folder, seed);
    }
    let [one, two] =
        ["one", "two"].map(|name| format!("{name}={}", scratch.path().join(name).display()));
    let server = demo(&["--adapter", &one, "--adapter", &two]);
    assert_eq!(server.port_file()["adapters"], json!(["one", "two"]));
    let models = json_of(&server.get("/v1/models"));
    let names: Vec<&str> = models["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["id"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["demo", "one", "two"]);
    assert_eq!(json_of(&server.get("/v1/models/two"))["parent"], "demo");

    // The answers of the same adapters after they are merged into the weights.
    let expected: Vec<String> = [None, Some(&folders[0]), Some(&folders[1])]
        .into_iter()
        .map(|folder| {
            let mut model = demo_model();
            if let Some(folder) = folder {
                adapter::Adapter::read(folder)
                    .unwrap()
                    .merge_into(&mut model.decoder.linears())
                    .unwrap();
            }
            let prompt = model
                .language
                .prompt(&[Message::user("Who keeps the minutes?")])
                .unwrap();
            let ids = model.language.encode(&prompt).unwrap().ids;
            let written = greedy(model.decoder.as_ref(), &ids, model.language.ends(), 24).unwrap();
            model.language.decode(&written.ids).unwrap()
        })
        .collect();
    assert!(
        expected[0] != expected[1] && expected[1] != expected[2],
        "{expected:?}"
    );
    let written = |name: &str| {
        let mut body = asked("Who keeps the minutes?", json!({}));
        body["model"] = name.into();
        text_of(&chat(&server, &body))
    };
    for _ in 0..2 {
        assert_eq!(
            names.iter().map(|name| written(name)).collect::<Vec<_>>(),
            expected
        );
    }
    // All at once, in one batch a step and adapter.
    std::thread::scope(|scope| {
        let written = &written;
        let threads: Vec<_> = (0..12)
            .map(|number| {
                scope.spawn(move || (number % 3, written(["demo", "one", "two"][number % 3])))
            })
            .collect();
        for thread in threads {
            let (number, text) = thread.join().unwrap();
            assert_eq!(text, expected[number]);
        }
    });
    // Vectors are read as the adapter was taught to, with its instruction before what asks.
    let vector = |name: &str, kind: &str| {
        let value = json_of(&embed(
            &server,
            &json!({"model": name, "input": "Who?", "input_type": kind}),
        ));
        value["data"][0]["embedding"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(vector("demo", "query"), vector("demo", "document"));
    assert_ne!(vector("one", "query"), vector("one", "document"));
    assert_ne!(vector("one", "document"), vector("two", "document"));
    assert!((vector("one", "query").iter().map(|n| n * n).sum::<f64>() - 1.0).abs() < 1e-4);
}

#[test]
fn an_adapter_of_another_model_is_refused_at_the_start() {
    let Some(model) = minilm() else { return };
    let scratch = tempfile::tempdir().unwrap();
    write_adapter(&scratch.path().join("a"), 1);
    let named = format!("a={}", scratch.path().join("a").display());
    let output = command(&model, &scratch.path().join("port"), &["--adapter", &named])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("another base model"),
        "{said}"
    );
    assert!(!scratch.path().join("port").exists());
}

#[test]
fn scores_tell_choices_apart() {
    let server = demo(&[]);
    let question = "Which term fills the gap in “The ____ keeps the minutes of the board”?";
    let choices = ["board secretary", "board", "client"];
    let value = json_of(&server.post(
        "/v1/score",
        &json!({"model": "demo", "question": question, "choices": choices}),
    ));
    let expected = demo_model().choice_scores(question, &choices).unwrap();
    assert_eq!(value["data"].as_array().unwrap().len(), 3);
    for (one, expected) in value["data"].as_array().unwrap().iter().zip(expected) {
        for (name, expected) in [
            ("likelihood", expected.likelihood),
            ("per_byte", expected.per_byte),
            ("pmi", expected.pmi),
        ] {
            assert!(
                (one[name].as_f64().unwrap() - expected).abs() < 1e-3,
                "{name}: {one} {expected}"
            );
        }
    }
    let pairs = |first: Value, second: Value| {
        let value = json_of(&server.post(
            "/v1/score",
            &json!({"model": "demo", "text_1": first, "text_2": second}),
        ));
        value["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["score"].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    let same = pairs(json!("the board"), json!(["the board", "a client"]));
    assert!((same[0] - 1.0).abs() < 1e-4 && same[1] < 0.999, "{same:?}");
    assert_eq!(pairs(json!(["a", "b"]), json!(["b", "a"])).len(), 2);
}

#[test]
fn an_encoder_gives_vectors_and_says_that_it_cannot_write() {
    let Some(model) = minilm() else { return };
    let server = Server::start(&model, &[]);
    let name = server.port_file()["model"].as_str().unwrap().to_owned();
    let input = [
        "The board approves the loan.",
        "The loan is approved by the board.",
        "An apple a day.",
    ];
    let reply = embed(&server, &json!({"model": name, "input": input}));
    let value = json_of(&reply);
    let vectors: Vec<Vec<f64>> = value["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            one["embedding"]
                .as_array()
                .unwrap()
                .iter()
                .map(|n| n.as_f64().unwrap())
                .collect()
        })
        .collect();
    let cosine = |a: usize, b: usize| {
        vectors[a]
            .iter()
            .zip(&vectors[b])
            .map(|(x, y)| x * y)
            .sum::<f64>()
    };
    assert_eq!(vectors[0].len(), 384);
    assert!((cosine(0, 0) - 1.0).abs() < 1e-4 && cosine(0, 1) > 0.8 && cosine(0, 2) < 0.5);
    assert!(value["usage"]["prompt_tokens"].as_u64().unwrap() > 15);
    let mut body = asked("q", json!({}));
    body["model"] = name.clone().into();
    assert_eq!(
        code_of(&chat(&server, &body)),
        (400, "model_unsupported".into())
    );
    let choices = json!({"model": name, "question": "q", "choices": ["a"]});
    assert_eq!(
        code_of(&server.post("/v1/score", &choices)),
        (400, "model_unsupported".into())
    );
    // Many texts take turns with other requests.
    let many: Vec<String> = (0..300)
        .map(|n| format!("Article {n} applies to institution {n}."))
        .collect();
    let reply = embed(&server, &json!({"model": name, "input": many}));
    assert_eq!(json_of(&reply)["data"].as_array().unwrap().len(), 300);
}

#[test]
fn a_full_queue_says_when_to_come_again_and_a_vanished_client_makes_room() {
    let server = demo(&["--batch", "1", "--queue", "0"]);
    let (stream, _) = begun(&server, &long());
    let refused = chat(&server, &asked("q", json!({})));
    assert_eq!(code_of(&refused), (429, "queue_full".into()));
    assert!(
        refused
            .header("retry-after")
            .unwrap()
            .parse::<u32>()
            .unwrap()
            >= 1
    );
    let health = server.get("/health");
    assert_eq!(
        (health.status, json_of(&health)["status"].as_str()),
        (200, Some("ok"))
    );
    assert!(!json_of(&health)["device"].as_str().unwrap().is_empty());
    drop(stream);
    wait_for("room for another request", || {
        chat(&server, &asked("q", json!({}))).status == 200
    });
    wait_for("an idle server", || {
        json_of(&server.get("/health"))["running"] == 0
    });
    let written = json_of(&server.get("/health"))["tokens_written"]
        .as_u64()
        .unwrap();
    assert!(
        written < 16 * 600,
        "the answers were written to their end: {written} tokens"
    );
}

#[test]
fn a_client_that_does_not_wait_for_a_whole_answer_is_noticed_too() {
    let server = demo(&[]);
    let mut body = long();
    body["stream"] = false.into();
    let stream =
        server.send(&server.request("POST", "/v1/chat/completions", body.to_string().as_bytes()));
    wait_for("a running answer", || {
        json_of(&server.get("/health"))["running"] != 0
    });
    drop(stream);
    wait_for("an idle server", || {
        json_of(&server.get("/health"))["running"] == 0
    });
    let written = json_of(&server.get("/health"))["tokens_written"]
        .as_u64()
        .unwrap();
    assert!(written < 16 * 600, "{written}");
}

#[test]
fn a_request_that_takes_too_long_is_ended() {
    let server = demo(&["--time-limit", "1"]);
    let mut body = asked("q", json!({"n": 16, "min_tokens": 1000, "temperature": 1}));
    body["max_tokens"] = Value::Null;
    // As many as it takes to be too much for one second.
    std::thread::scope(|scope| {
        let replies: Vec<_> = (0..12)
            .map(|_| scope.spawn(|| chat(&server, &body)))
            .collect();
        let replies: Vec<Reply> = replies
            .into_iter()
            .map(|reply| reply.join().unwrap())
            .collect();
        assert!(
            replies.iter().any(|reply| reply.status == 504),
            "{:?}",
            replies.iter().map(|r| r.status).collect::<Vec<_>>()
        );
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            assert_eq!(code_of(reply), (504, "time_limit".into()));
        }
    });
    assert_eq!(chat(&server, &asked("q", json!({}))).status, 200);
}

#[test]
fn told_to_end_it_finishes_what_runs_and_takes_nothing_new() {
    let mut server = demo(&["--drain", "120"]);
    let (mut stream, mut read) = begun(&server, &long());
    server.terminate();
    wait_for("a server that drains", || {
        server.get("/health").status == 503
    });
    assert_eq!(
        code_of(&chat(&server, &asked("q", json!({})))),
        (503, "shutting_down".into())
    );
    stream.read_to_end(&mut read).unwrap();
    let reply = parsed(&read);
    assert!(reply.text().ends_with("data: [DONE]\n\n"));
    let ends = reply
        .events()
        .iter()
        .filter(|e| e["choices"][0]["finish_reason"] == "length")
        .count();
    assert_eq!(ends, 16);
    assert_eq!(server.ended(Duration::from_secs(20)), Some(0));
    assert!(!server.scratch.path().join("port.json").exists());
}

#[test]
fn what_does_not_finish_in_time_is_told_so() {
    let mut server = demo(&["--drain", "0"]);
    let (mut stream, mut read) = begun(&server, &long());
    server.terminate();
    stream.read_to_end(&mut read).unwrap();
    let events = parsed(&read).events();
    assert_eq!(events.last().unwrap()["error"]["code"], "shutting_down");
    assert_eq!(server.ended(Duration::from_secs(20)), Some(0));
}

#[test]
fn it_ends_with_its_parent_unless_it_is_detached() {
    let mut server = demo(&[]);
    drop(server.input.take());
    assert_eq!(server.ended(Duration::from_secs(20)), Some(0));

    let mut server = demo(&["--detached"]);
    drop(server.input.take());
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.get("/health").status, 200);
    server.terminate();
    assert_eq!(server.ended(Duration::from_secs(20)), Some(0));

    // A parent that is killed, and whose child has no pipe to it.
    let scratch = tempfile::tempdir().unwrap();
    let port_file = scratch.path().join("port.json");
    let mut parent = Command::new("sh")
        .args([
            "-c",
            "\"$0\" serve --model \"$1\" --port-file \"$2\" </dev/null & wait",
        ])
        .arg(env!("CARGO_BIN_EXE_lexforge-worker"))
        .arg(demo_folder())
        .arg(&port_file)
        .env("LEXFORGE_TOKEN", TOKEN)
        .env("OMP_WAIT_POLICY", "passive")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the port file", || port_file.exists());
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_for("the server's end", || !port_file.exists());
}

#[test]
fn without_a_token_or_a_model_nothing_is_served() {
    let scratch = tempfile::tempdir().unwrap();
    let port_file = scratch.path().join("port.json");
    let check = |command: &mut Command, named: &str| {
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains(named) && said.contains("hint:"),
            "{said}"
        );
        assert!(!port_file.exists());
    };
    check(
        command(&demo_folder(), &port_file, &[]).env_remove("LEXFORGE_TOKEN"),
        "LEXFORGE_TOKEN",
    );
    check(
        command(&demo_folder(), &port_file, &[]).env("LEXFORGE_TOKEN", "  "),
        "LEXFORGE_TOKEN",
    );
    check(
        &mut command(Path::new("no-such-model"), &port_file, &[]),
        "no-such-model",
    );
    check(
        &mut command(&demo_folder(), &port_file, &["--adapter", "a"]),
        "NAME=DIR",
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    check(
        &mut command(&demo_folder(), &port_file, &["--port", &port]),
        &port,
    );
}

#[test]
fn a_model_folder_that_changes_is_told_and_ends_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("demo");
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(demo_folder()).unwrap().flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let mut server = Server::start(&folder, &[]);
    assert_eq!(chat(&server, &asked("q", json!({}))).status, 200);
    let weights = folder.join("model.safetensors");
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(&weights)
        .unwrap();
    file.set_len(1000).unwrap();
    wait_for("the change", || server.get("/health").status == 503);
    let health = json_of(&server.get("/health"));
    assert_eq!(
        (health["status"].as_str(), health["change"].as_str()),
        (
            Some("model_changed"),
            Some("model.safetensors became shorter")
        )
    );
    assert!(health["remedy"].as_str().unwrap().contains("again"));
    for _ in 0..3 {
        assert_eq!(
            code_of(&chat(&server, &asked("q", json!({})))),
            (503, "model_changed".into())
        );
        assert_eq!(
            code_of(&embed(&server, &json!({"model": "demo", "input": "a"}))),
            (503, "model_changed".into())
        );
    }
    assert!(server.child.try_wait().unwrap().is_none());
    // If the system ends the process because of this, the message says so, too.
    assert!(
        Command::new("kill")
            .args(["-BUS", &server.child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(server.ended(Duration::from_secs(20)), Some(1));
    assert!(
        server.log().contains("error[model_missing]"),
        "{}",
        server.log()
    );
}

#[test]
fn what_is_no_request_at_all_does_no_harm() {
    let server = demo(&[]);
    for bytes in [
        &b"\x00\xff\x00garbage\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\n",
    ] {
        drop(server.send(bytes));
    }
    // A body that breaks off, and one that is shorter than it says.
    let whole = server.request(
        "POST",
        "/v1/chat/completions",
        asked("q", json!({})).to_string().as_bytes(),
    );
    drop(server.send(&whole[..whole.len() - 5]));
    assert_eq!(chat(&server, &asked("q", json!({}))).status, 200);
}

#[test]
fn the_official_client_is_answered() {
    let Some(python) = lexforge_needs::python("openai, pydantic") else {
        return;
    };
    let scratch = tempfile::tempdir().unwrap();
    write_adapter(&scratch.path().join("one"), 3);
    let named = format!("one={}", scratch.path().join("one").display());
    let server = demo(&["--adapter", &named]);
    let script = root().join("tests").join("python").join("openai_client.py");
    let output = Command::new(&python)
        .arg(script)
        .arg(format!("http://127.0.0.1:{}/v1", server.port))
        .env("OPENAI_API_KEY", TOKEN)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{}", said.trim());
}

/// A copy of the demonstration decoder in which every number of some tensors is none (NaN).
fn without_numbers(folder: &Path, damaged: &str) -> PathBuf {
    let copy = folder.join("demo");
    std::fs::create_dir(&copy).unwrap();
    for file in std::fs::read_dir(demo_folder())
        .unwrap()
        .map(Result::unwrap)
    {
        std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    let path = copy.join("model.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let start = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..start]).unwrap();
    let mut found = 0;
    for (name, info) in header
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| name.contains(damaged))
    {
        let at = |i: usize| start + info["data_offsets"][i].as_u64().unwrap() as usize;
        assert_ne!(name, "__metadata__");
        // All bits set: NaN in every type of floating-point numbers.
        bytes[at(0)..at(1)].fill(0xFF);
        found += 1;
    }
    assert!(found > 0, "no tensor is named {damaged}");
    std::fs::write(&path, bytes).unwrap();
    copy
}

#[test]
fn weights_that_are_no_numbers_give_an_error_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&without_numbers(folder.path(), "norm"), &[]);
    let choices = json!({"model": "demo", "question": "Who keeps the minutes?", "choices": ["the board", "the clerk"]});
    for (what, reply) in [
        (
            "greedy",
            chat(&server, &asked("Who keeps the minutes?", json!({}))),
        ),
        (
            "drawn",
            chat(
                &server,
                &asked(
                    "Who keeps the minutes?",
                    json!({"temperature": 1, "seed": 3}),
                ),
            ),
        ),
        (
            "logs",
            chat(
                &server,
                &asked("Who keeps the minutes?", json!({"logprobs": true})),
            ),
        ),
        (
            "vectors",
            server.post(
                "/v1/embeddings",
                &json!({"model": "demo", "input": ["the minutes"]}),
            ),
        ),
        ("scores", server.post("/v1/score", &choices)),
    ] {
        assert_ne!(reply.status, 200, "{what}: {}", reply.text());
        assert!(
            reply.text().contains("no numbers"),
            "{what}: {}",
            reply.text()
        );
    }
    // It goes on serving.
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn the_port_file_may_be_a_bare_name_where_the_program_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(&demo_folder(), Path::new("port.json"), &[])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    let file = folder.path().join("port.json");
    wait_for("a port file", || {
        file.is_file() || child.try_wait().unwrap().is_some()
    });
    let told = std::fs::read_to_string(&file);
    child.kill().unwrap();
    let mut log = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    child.wait().unwrap();
    let told: Value = serde_json::from_str(&told.unwrap_or_default()).unwrap_or_default();
    assert!(told["port"].is_u64(), "{log}");
}

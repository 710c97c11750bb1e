//! Answers that are read while they are written, against a server that streams, or does not.

use crate::endpoint::{KEY, Kept, client, prompts};
use crate::server::{answer, say, serve};
use lexforge_augment::endpoint::{AskEvent, Entry, Fault, Prompt, ask_all, ask_streamed};

/// What a request has that wants a stream.
const STREAMED: &str = "\"stream\":true";

#[test]
fn a_stream_is_handed_out_as_it_comes_and_must_say_that_it_is_whole() {
    let line = |text: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    let whole = format!("{}{}data: [DONE]\n\n", line("Fünf "), line("Tage"));
    let cut = line("Fünf ");
    let url = serve(move |number, _| {
        say(
            "200 OK",
            "content-type: text/event-stream\r\n",
            if number == 0 { &whole } else { &cut }.as_bytes(),
        )
    });
    let client = client(&url, |_| {});
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let prompt = Prompt::new("", "How long?", 16);
    let mut pieces = String::new();
    let answer = runtime
        .block_on(client.stream(&prompt, &mut |piece| pieces.push_str(piece)))
        .unwrap();
    assert_eq!(
        (answer.text.as_str(), pieces.as_str()),
        ("Fünf Tage", "Fünf Tage")
    );
    let failure = runtime
        .block_on(client.stream(&prompt, &mut |_| {}))
        .unwrap_err();
    assert_eq!(failure.fault, Fault::Truncated);
}

/// What a stream adds up to is the answer that the endpoint would have given as a whole, also where it does not stream.
#[test]
fn an_answer_is_the_same_whether_it_is_streamed_or_not() {
    let text = format!("Fünf 天, and no {KEY}");
    let event = |delta: serde_json::Value, finish: Option<&str>| {
        let event = serde_json::json!({"model": "n", "choices": [{"delta": delta, "finish_reason": finish}]});
        format!("data: {event}\n\n")
    };
    let mut stream: String = text
        .chars()
        .map(|c| event(serde_json::json!({"content": c.to_string()}), None))
        .collect();
    stream += &event(serde_json::json!({}), Some("stop"));
    stream +=
        "data: {\"choices\": [], \"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 2}}\n\n";
    let whole = serde_json::json!({
        "model": "n",
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    });
    let whole = whole.to_string();
    // A stream that ends without its last line, but says why it ends; one that is refused; and one that is none.
    for refuses in [None, Some("400 Bad Request"), Some("200 OK")] {
        let (stream, whole) = (stream.clone(), whole.clone());
        let url = serve(move |_, request| {
            let streams = request.contains(STREAMED);
            match refuses {
                None if streams => say(
                    "200 OK",
                    "content-type: text/event-stream\r\n",
                    stream.as_bytes(),
                ),
                Some("400 Bad Request") if streams => {
                    say("400 Bad Request", "", b"{\"error\":\"no stream\"}")
                }
                _ => say(
                    "200 OK",
                    "content-type: application/json\r\n",
                    whole.as_bytes(),
                ),
            }
        });
        let client = client(&url, |_| {});
        let ask = |streamed: bool| {
            let (mut kept, mut pieces) = (Kept::default(), String::new());
            let mut hear = |event: AskEvent<'_>| {
                if let AskEvent::Text(0, text) = event {
                    pieces.push_str(text);
                }
            };
            let put = if streamed { ask_streamed } else { ask_all };
            put(&client, prompts(1), &mut kept, &mut hear, &|| false).unwrap();
            (kept.entries, pieces)
        };
        let ((one, pieces), (other, none)) = (ask(true), ask(false));
        assert_eq!(one, other, "{refuses:?}");
        let Some(Entry::Answered(_, answer)) = one.last() else {
            panic!("no answer: {one:?}");
        };
        assert_eq!(answer.text, "Fünf 天, and no •••");
        assert_eq!(answer.completion_tokens, Some(2));
        let shown = if refuses.is_none() {
            answer.text.as_str()
        } else {
            ""
        };
        assert_eq!((pieces.as_str(), none.as_str()), (shown, ""), "{refuses:?}");
    }
}

/// A stream that breaks off, or that tells of an error, is one failed request, and the whole answer is asked for.
#[test]
fn a_stream_that_breaks_off_is_followed_by_a_whole_answer() {
    let piece = "data: {\"choices\":[{\"delta\":{\"content\":\"Fünf\"}}]}\n\n";
    for (rest, fault) in [
        ("", Fault::Truncated),
        ("data: {\"choices\":", Fault::Garbage),
        (
            "data: {\"error\":{\"message\":\"out of memory\"}}\n\n",
            Fault::ServerError,
        ),
    ] {
        let stream = format!("{piece}{rest}");
        let url = serve(move |_, request| match request.contains(STREAMED) {
            true => say(
                "200 OK",
                "content-type: text/event-stream\r\n",
                stream.as_bytes(),
            ),
            false => answer("Sechs"),
        });
        let client = client(&url, |settings| settings.attempts = 2);
        let (mut kept, mut told) = (Kept::default(), Vec::new());
        let mut hear = |event: AskEvent<'_>| {
            told.push(match event {
                AskEvent::Text(_, text) => text.to_owned(),
                AskEvent::Failed { failure, last, .. } => format!("{:?} {last}", failure.fault),
                AskEvent::Answered(_, answer) => answer.text.clone(),
            });
        };
        ask_streamed(&client, prompts(1), &mut kept, &mut hear, &|| false).unwrap();
        // The client has a key, and holds back what may become one.
        told.retain(|text| text != "Fünf");
        assert_eq!(told, [format!("{fault:?} false"), "Sechs".to_owned()]);
    }
}

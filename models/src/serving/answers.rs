//! Answers in OpenAI's shapes.

use crate::serving::shared::Shared;
use crate::serving::work::{Embedded, Said, Scored, TokenLog};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of the Unix clock.
fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

fn finish(cut: bool) -> &'static str {
    if cut { "length" } else { "stop" }
}

fn content_logs(logs: &[TokenLog]) -> Value {
    let one =
        |token: &str, log: f64| json!({"token": token, "logprob": log, "bytes": token.as_bytes()});
    let entry = |log: &TokenLog| {
        let mut entry = one(&log.token, log.log);
        entry["top_logprobs"] = log
            .top
            .iter()
            .map(|(token, log)| one(token, *log))
            .collect();
        entry
    };
    json!({"content": logs.iter().map(entry).collect::<Vec<_>>(), "refusal": null})
}

/// The values that all parts of an answer to a conversation share.
pub struct Chat {
    id: String,
    created: u64,
    model: String,
    logprobs: bool,
    prompt: usize,
    written: usize,
    answers: usize,
    /// How many answers have not ended yet.
    left: usize,
    usage: bool,
    begun: bool,
}

impl Chat {
    /// The common parts of an answer: the model's name as the client gave it, the number of answers, whether the client
    /// asked for log-probabilities, and whether a stream states the number of tokens.
    pub fn new(model: String, answers: usize, logprobs: bool, usage: bool) -> Self {
        let id = format!(
            "chatcmpl-{:016x}{:08x}",
            rand::random::<u64>(),
            rand::random::<u32>()
        );
        Self {
            id,
            created: now(),
            model,
            logprobs,
            prompt: 0,
            written: 0,
            answers,
            left: answers,
            usage,
            begun: false,
        }
    }

    fn usage(&self) -> Value {
        json!({"prompt_tokens": self.prompt, "completion_tokens": self.written, "total_tokens": self.prompt + self.written})
    }

    /// How many answers are asked for.
    pub fn answers(&self) -> usize {
        self.answers
    }

    /// Whether all answers have ended.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// The events of a stream for what was said.
    pub fn events(&mut self, said: &Said) -> Vec<Value> {
        let mut events = Vec::new();
        let mut choices: Vec<Value> = Vec::new();
        match said {
            Said::Read(tokens) => self.prompt = *tokens,
            Said::More { answer, text, logs } => {
                let logs = if self.logprobs {
                    content_logs(logs)
                } else {
                    Value::Null
                };
                choices.push(
                    json!({"index": answer, "delta": {"content": text}, "logprobs": logs, "finish_reason": null}),
                );
            }
            Said::End {
                answer,
                cut,
                tokens,
            } => {
                self.written += tokens;
                self.left -= usize::from(self.left > 0);
                choices.push(json!({"index": answer, "delta": {}, "logprobs": null, "finish_reason": finish(*cut)}));
            }
            Said::Refused(refusal) => return vec![refusal.body()],
        }
        if !self.begun && !choices.is_empty() {
            self.begun = true;
            for answer in 0..self.answers {
                let first = json!({"role": "assistant", "content": ""});
                events.push(
                    self.chunk(vec![json!({"index": answer, "delta": first, "logprobs": null, "finish_reason": null})]),
                );
            }
        }
        if !choices.is_empty() {
            events.push(self.chunk(choices));
        }
        if self.is_done() && self.usage {
            let mut last = self.chunk(Vec::new());
            last["usage"] = self.usage();
            events.push(last);
        }
        events
    }

    fn chunk(&self, choices: Vec<Value>) -> Value {
        let mut chunk = json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "system_fingerprint": null, "choices": choices,
        });
        if self.usage {
            chunk["usage"] = Value::Null;
        }
        chunk
    }

    /// The whole answer from all that was said.
    pub fn whole(mut self, said: &[Said]) -> Value {
        let mut answers: BTreeMap<usize, (String, Vec<TokenLog>, bool)> = BTreeMap::new();
        for said in said {
            match said {
                Said::Read(tokens) => self.prompt = *tokens,
                Said::More { answer, text, logs } => {
                    let known = answers.entry(*answer).or_default();
                    known.0.push_str(text);
                    known.1.extend(logs.iter().cloned());
                }
                Said::End {
                    answer,
                    cut,
                    tokens,
                } => {
                    answers.entry(*answer).or_default().2 = *cut;
                    self.written += tokens;
                }
                Said::Refused(_) => {}
            }
        }
        let choice = |(answer, (text, logs, cut)): (usize, (String, Vec<TokenLog>, bool))| {
            let logs = if self.logprobs {
                content_logs(&logs)
            } else {
                Value::Null
            };
            json!({
                "index": answer, "message": {"role": "assistant", "content": text, "refusal": null},
                "logprobs": logs, "finish_reason": finish(cut),
            })
        };
        let choices: Vec<Value> = answers.into_iter().map(choice).collect();
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "system_fingerprint": null, "choices": choices, "usage": self.usage(),
        })
    }
}

/// Vectors as a list.
pub fn embeddings(model: &str, embedded: &Embedded, base64: bool) -> Value {
    let vector = |vector: &[f32]| {
        if base64 {
            let bytes: Vec<u8> = vector
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect();
            Value::String(BASE64.encode(bytes))
        } else {
            json!(vector)
        }
    };
    let one = |(index, row): (usize, &Vec<f32>)| json!({"object": "embedding", "index": index, "embedding": vector(row)});
    let data: Vec<Value> = embedded.vectors.iter().enumerate().map(one).collect();
    let usage = json!({"prompt_tokens": embedded.tokens, "total_tokens": embedded.tokens});
    json!({"object": "list", "model": model, "data": data, "usage": usage})
}

/// Scores of choices.
pub fn choices(model: &str, scored: &Scored) -> Value {
    let one = |(index, score): (usize, &crate::decoding::score::ChoiceScore)| {
        json!({
            "object": "score", "index": index, "likelihood": score.likelihood, "per_byte": score.per_byte,
            "pmi": score.pmi,
        })
    };
    let data: Vec<Value> = scored.scores.iter().enumerate().map(one).collect();
    let usage = json!({"prompt_tokens": scored.tokens, "total_tokens": scored.tokens});
    json!({"object": "list", "model": model, "data": data, "usage": usage})
}

/// Cosines of the first `firsts` vectors with the others: of one with all, or of each with the one beside it.
pub fn cosines(model: &str, embedded: &Embedded, firsts: usize) -> Value {
    let (first, second) = embedded
        .vectors
        .split_at(firsts.min(embedded.vectors.len()));
    let cosine = |a: &[f32], b: &[f32]| {
        a.iter()
            .zip(b)
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum::<f64>()
    };
    let one = |(index, (b, a)): (usize, (&Vec<f32>, &Vec<f32>))| json!({"object": "score", "index": index, "score": cosine(a, b)});
    let data: Vec<Value> = second
        .iter()
        .zip(first.iter().cycle())
        .enumerate()
        .map(one)
        .collect();
    let usage = json!({"prompt_tokens": embedded.tokens, "total_tokens": embedded.tokens});
    json!({"object": "list", "model": model, "data": data, "usage": usage})
}

/// The models that can be asked.
pub fn models(shared: &Shared) -> Value {
    let base = model(shared, &shared.model);
    let data: Vec<Value> = std::iter::once(base)
        .chain(shared.adapters.iter().map(|adapter| model(shared, adapter)))
        .collect();
    json!({"object": "list", "data": data})
}

/// One of them.
pub fn model(shared: &Shared, name: &str) -> Value {
    let parent = if name == shared.model {
        Value::Null
    } else {
        json!(shared.model)
    };
    json!({"id": name, "object": "model", "created": shared.began, "owned_by": "lexforge", "root": name, "parent": parent})
}

/// How the server is.
pub fn health(shared: &Shared) -> Value {
    let (running, waiting) = shared.under_way();
    let change = shared.change();
    let status = match (&change, shared.is_draining()) {
        (Some(_), _) => "model_changed",
        (None, true) => "shutting_down",
        (None, false) => "ok",
    };
    let remedy = change
        .as_ref()
        .map(|_| "Start the server again to serve the new files, or put the old ones back.");
    json!({
        "status": status, "model": shared.model, "adapters": shared.adapters, "running": running, "waiting": waiting,
        "tokens_written": shared.written(), "device": shared.device.0, "device_note": shared.device.1,
        "change": change, "remedy": remedy,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_is_compared_with_all_and_several_side_by_side() {
        let scores = |vectors: Vec<Vec<f32>>, firsts| {
            let value = cosines("m", &Embedded { vectors, tokens: 1 }, firsts);
            value["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["score"].as_f64().unwrap())
                .collect::<Vec<_>>()
        };
        let (x, y) = (vec![1.0f32, 0.0], vec![0.0f32, 1.0]);
        assert_eq!(scores(vec![x.clone(), x.clone(), y.clone()], 1), [1.0, 0.0]);
        assert_eq!(scores(vec![x.clone(), y.clone(), y, x], 2), [0.0, 0.0]);
    }

    #[test]
    fn a_stream_and_a_whole_answer_say_the_same() {
        let said = [
            Said::Read(3),
            Said::More {
                answer: 0,
                text: "a ".into(),
                logs: vec![],
            },
            Said::More {
                answer: 1,
                text: "x".into(),
                logs: vec![],
            },
            Said::More {
                answer: 0,
                text: "b".into(),
                logs: vec![],
            },
            Said::End {
                answer: 0,
                cut: true,
                tokens: 2,
            },
            Said::End {
                answer: 1,
                cut: false,
                tokens: 1,
            },
        ];
        let whole = Chat::new("m".into(), 2, false, false).whole(&said);
        assert_eq!(whole["choices"][0]["message"]["content"], "a b");
        assert_eq!(whole["choices"][0]["finish_reason"], "length");
        assert_eq!(
            whole["usage"],
            json!({"prompt_tokens": 3, "completion_tokens": 3, "total_tokens": 6})
        );
        let mut chat = Chat::new("m".into(), 2, false, true);
        let events: Vec<Value> = said.iter().flat_map(|said| chat.events(said)).collect();
        assert!(chat.is_done());
        let text: String = events
            .iter()
            .filter(|event| event["choices"][0]["index"] == 0)
            .filter_map(|event| event["choices"][0]["delta"]["content"].as_str())
            .collect();
        assert_eq!(text, "a b");
        assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
        assert_eq!(events.last().unwrap()["usage"], whole["usage"]);
        assert!(events[0]["usage"].is_null());
    }
}

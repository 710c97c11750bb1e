//! The worker's readers of other people's bytes, tested with their kept inputs and with damaged ones
//! (`lexforge_hostile`): headers of weights, configurations, tokenizers, chat templates, GGUF files, adapters,
//! manifests, requests and their bodies.

use crate::framing::framing;
use lexforge_domain::Sha256;
use lexforge_hostile::{Target, about, kind};
use lexforge_models::adapters::adapter::Adapter;
use lexforge_models::architectures::architecture::Config;
use lexforge_models::decoding::chat::{ChatTemplate, Message};
use lexforge_models::gguf::{read::GgufFile, words::GgufWords};
use lexforge_models::jobs::events::EventLog;
use lexforge_models::serving::wire::{ChatRequest, EmbedRequest, ScoreRequest, parsed};
use lexforge_models::texts::tokenizer::TextTokenizer;
use lexforge_models::training::checkpoint::{Checkpoints, Mark};
use lexforge_models::weights::Headers;
use std::fmt::Display;
use std::path::PathBuf;

const TARGETS: [Target; 9] = [
    Target {
        name: "safetensors",
        feed: safetensors,
    },
    Target {
        name: "config",
        feed: config,
    },
    Target {
        name: "tokenizer",
        feed: tokenizer,
    },
    Target {
        name: "chat-template",
        feed: chat_template,
    },
    Target {
        name: "gguf",
        feed: gguf,
    },
    Target {
        name: "adapter",
        feed: adapter,
    },
    Target {
        name: "manifest",
        feed: manifest,
    },
    Target {
        name: "requests",
        feed: requests,
    },
    Target {
        name: "framing",
        feed: framing,
    },
];

#[test]
fn readers_answer_whatever_they_are_given() {
    let corpora = lexforge_needs::root().join("tests/corpora");
    lexforge_hostile::feed(&TARGETS, &corpora);
}

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().unwrap();
}

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.with(|folder| folder.path().join(name));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The folder that holds just this file.
fn folder_with(folder: &str, name: &str, bytes: &[u8]) -> PathBuf {
    let file = written(&format!("{folder}/{name}"), bytes);
    file.parent().unwrap().to_owned()
}

fn told<T, E: Display>(answer: Result<T, E>, count: impl FnOnce(&T) -> usize) -> String {
    match answer {
        Ok(found) => about(count(&found)),
        Err(why) => kind(why),
    }
}

/// The head is as long as it is; its first eight bytes say so, unless the first byte is odd.
fn with_length(bytes: &[u8]) -> Vec<u8> {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    if !first.is_multiple_of(2) {
        return rest.to_vec();
    }
    let data = rest
        .iter()
        .rposition(|byte| *byte == b'}')
        .map_or(0, |n| n + 1);
    [&(data as u64).to_le_bytes()[..], rest].concat()
}

fn safetensors(bytes: &[u8]) -> String {
    let folder = folder_with("weights", "model.safetensors", &with_length(bytes));
    told(Headers::of_folder(&folder), |headers| headers.tensors.len())
}

fn config(bytes: &[u8]) -> String {
    let read = Config::of_text(&String::from_utf8_lossy(bytes));
    match read {
        Ok(config) => {
            let _ = config.sizes();
            config.name().to_owned()
        }
        Err(why) => kind(why),
    }
}

fn tokenizer(bytes: &[u8]) -> String {
    let folder = folder_with("tokenizer", "tokenizer.json", bytes);
    match TextTokenizer::open(&folder, 64) {
        Ok(tokenizer) => {
            let texts = ["The bank shall report a loss.", "银行应当报告。", ""];
            told(tokenizer.tokenize(&texts), Vec::len)
        }
        Err(why) => kind(why),
    }
}

fn chat_template(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match ChatTemplate::new(&text, Some("<s>".to_owned()), None) {
        Ok(template) => told(template.prompt(&[Message::user("When?")]), String::len),
        Err(why) => kind(why),
    }
}

fn gguf(bytes: &[u8]) -> String {
    let path = written("spoilt.gguf", bytes);
    match GgufFile::open(&path) {
        Ok(file) => {
            let names: Vec<String> = file.names().take(3).map(str::to_owned).collect();
            let tensors: Vec<String> = names.iter().map(|n| told(file.tensor(n), |_| 0)).collect();
            format!(
                "{} {}",
                told(GgufWords::of(&file), |_| 0),
                tensors.join(" ")
            )
        }
        Err(why) => kind(why),
    }
}

/// The first byte says whether it is the adapter's configuration or its weights; the other is as it should be.
fn adapter(bytes: &[u8]) -> String {
    const CONFIG: &[u8] =
        br#"{"peft_type":"LORA","r":2,"lora_alpha":4,"target_modules":["q_proj"]}"#;
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let (config, weights) = if first.is_multiple_of(2) {
        (rest, with_length(b"\0{}"))
    } else {
        (CONFIG, with_length(rest))
    };
    let folder = folder_with("adapter", "adapter_config.json", config);
    written("adapter/adapter_model.safetensors", &weights);
    match Adapter::read(&folder) {
        Ok(adapter) => told(adapter.updates(), |_| 1),
        Err(why) => kind(why),
    }
}

fn manifest(bytes: &[u8]) -> String {
    let place = Checkpoints::path(Mark { stage: 0, step: 1 });
    written(&format!("job/{place}/manifest.json"), bytes);
    let folder = FOLDER.with(|folder| folder.path().join("job"));
    let log = folder.join("events.jsonl");
    let _ = std::fs::remove_file(&log);
    let events = EventLog::open(&log).unwrap();
    let job = Sha256::of_digest([0_u8; 32]);
    let newest = Checkpoints::new(&folder, &job).newest(&events);
    let found = told(newest, |found| usize::from(found.is_some()));
    format!(
        "{found} {}",
        kind(std::fs::read_to_string(&log).unwrap_or_default())
    )
}

fn requests(bytes: &[u8]) -> String {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let answer = match first % 3 {
        0 => parsed::<ChatRequest>(rest)
            .and_then(ChatRequest::asked)
            .map(|_| ()),
        1 => parsed::<EmbedRequest>(rest)
            .and_then(EmbedRequest::texts)
            .map(|_| ()),
        _ => parsed::<ScoreRequest>(rest)
            .and_then(ScoreRequest::wanted)
            .map(|_| ()),
    };
    told(answer.map_err(|refusal| refusal.message), |()| 0)
}

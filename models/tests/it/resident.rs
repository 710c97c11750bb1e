//! A worker that stays, and what a model's folder says of its vectors.

use crate::common::*;
use lexforge_domain::protocol::{
    EmbedResult, JobResult, Pooling, RESULT_FILE, ResidentReady, ResidentReply, ResidentRequest,
    TextReading, TextSide, vector_of_hex,
};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A tiny model whose folder asks for the first token, prompts, and at most 12 tokens.
fn prompted_models(folder: &Path) {
    tiny_models(folder);
    let write = |name: &str, text: &str| {
        let path = folder.join(TINY).join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let module = |kind: &str, path: &str| serde_json::json!({"type": format!("sentence_transformers.models.{kind}"), "path": path});
    let modules = [
        module("Transformer", ""),
        module("Pooling", "1_Pooling"),
        module("Normalize", "2_Normalize"),
    ];
    write("modules.json", &serde_json::json!(modules).to_string());
    write(
        "1_Pooling/config.json",
        r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
    );
    write(
        "config_sentence_transformers.json",
        r#"{"prompts": {"query": "report to ", "document": "audit of "}}"#,
    );
    write("sentence_bert_config.json", r#"{"max_seq_length": 12}"#);
}

/// Vectors made as the folder says, and the way of reading that the result states.
fn as_the_folder_says(
    folder: &Path,
    name: &str,
    side: TextSide,
    texts: &[&str],
) -> (Vec<Vec<f32>>, TextReading) {
    let bundle = folder.join(name);
    let mut job = embed_job(TINY, 32);
    (job.pooling, job.normalize, job.max_length) = (None, None, None);
    (job.side, job.threads) = (side, 1);
    embed_bundle(&bundle, &job, texts);
    run_well(&bundle, folder);
    let result = std::fs::read(bundle.join(RESULT_FILE)).unwrap();
    let JobResult::Embed(EmbedResult { reading, .. }) = serde_json::from_slice(&result).unwrap()
    else {
        panic!("another result");
    };
    (embeddings(&bundle.join(&job.output)), reading)
}

fn told(folder: &Path, name: &str, pooling: Pooling, texts: &[&str]) -> Vec<Vec<f32>> {
    let bundle = folder.join(name);
    let mut job = embed_job(TINY, 12);
    (job.pooling, job.threads) = (Some(pooling), 1);
    embed_bundle(&bundle, &job, texts);
    run_well(&bundle, folder);
    embeddings(&bundle.join(&job.output))
}

#[test]
fn vectors_are_made_as_the_folder_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    tiny_models(folder);
    let text = "the bank shall keep capital";
    // Without settings in the folder, vectors are the mean, as before.
    let (plain, reading) = as_the_folder_says(folder, "none", TextSide::Question, &[text]);
    assert_eq!(reading.pooling, Pooling::Mean);
    assert_eq!(plain, told(folder, "mean", Pooling::Mean, &[text]));

    prompted_models(folder);
    let (asked, reading) = as_the_folder_says(folder, "asked", TextSide::Question, &[text]);
    assert_eq!((reading.pooling, reading.max_length), (Pooling::Cls, 12));
    let (found, _) = as_the_folder_says(folder, "found", TextSide::Passage, &[text]);
    let (read, _) = as_the_folder_says(folder, "read", TextSide::Plain, &[text]);
    let by_hand = told(
        folder,
        "hand",
        Pooling::Cls,
        &[&format!("report to {text}")],
    );
    assert_eq!(asked, by_hand);
    assert_eq!(read, told(folder, "cls", Pooling::Cls, &[text]));
    assert!(largest_difference(&asked, &found) > 1e-3);
    assert!(largest_difference(&asked, &read) > 1e-3);

    let modules = r#"[{"type": "sentence_transformers.models.Dense", "path": "3_Dense"}]"#;
    std::fs::write(folder.join(TINY).join("modules.json"), modules).unwrap();
    let bundle = folder.join("dense");
    embed_bundle(&bundle, &embed_job(TINY, 12), &[text]);
    assert!(!run(&bundle, folder).status.success());
    let (code, message, _) = failure(&bundle);
    assert_eq!(code, "model_unsupported");
    assert!(message.contains("Dense"), "{message}");
}

/// A worker that stays.
struct Staying {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Staying {
    fn start(folder: &Path) -> (Self, ResidentReady) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lexforge-worker"))
            .args(["resident", "--model", TINY, "--threads", "1", "--models"])
            .arg(folder)
            .env("OMP_WAIT_POLICY", "passive")
            .env_remove("LEXFORGE_MODELS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        (
            Self { child, answers },
            serde_json::from_str(&line).unwrap(),
        )
    }

    fn ask(&mut self, line: &str) -> ResidentReply {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

#[test]
fn a_worker_that_stays_gives_the_vectors_of_a_job_and_ends_with_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    prompted_models(folder);
    let (mut staying, ready) = Staying::start(folder);
    assert_eq!((ready.dim, ready.reading.pooling), (32, Pooling::Cls));
    let text = "every supervisor may approve a loan";
    for side in [TextSide::Question, TextSide::Passage] {
        let request = ResidentRequest {
            side,
            texts: vec![text.to_owned()],
        };
        let reply = staying.ask(&serde_json::to_string(&request).unwrap());
        let ResidentReply::Vectors(rows) = reply else {
            panic!("{reply:?}");
        };
        let vector = vector_of_hex(&rows[0]).unwrap();
        let job = as_the_folder_says(folder, &format!("{side:?}"), side, &[text]).0;
        assert_eq!(vec![vector], job);
    }
    // A request that cannot be read is reported, and the process goes on.
    assert!(matches!(staying.ask("{"), ResidentReply::Failed(_)));
    let nothing = r#"{"side": "plain", "texts": []}"#;
    assert_eq!(staying.ask(nothing), ResidentReply::Vectors(Vec::new()));
    drop(staying.child.stdin.take());
    assert!(staying.child.wait().unwrap().success());

    // Other weights under the same configuration are another content.
    let weights = folder.join(TINY).join("model.safetensors");
    let mut bytes = std::fs::read(&weights).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&weights, bytes).unwrap();
    let (_, other) = Staying::start(folder);
    assert_ne!(other.content, ready.content);
}

//! Tests of cross-encoders with the real program. A cross-encoder learns, can be resumed with the same bits, and scores
//! pairs by a job and by a pipe. Its adapter is never used as an adapter of another kind.

use crate::common::pairs::*;
use crate::common::*;
use lexforge_domain::protocol::{
    Event, Job, JobResult, ModelRef, Pooling, RESULT_FILE, RerankJob, RerankRequest, RerankResult,
    RerankScores, ResidentReady, ResidentReply, Tune,
};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn losses(bundle: &Path) -> Vec<f64> {
    let loss = |event: Event| match event {
        Event::Progress { loss, .. } => loss,
        _ => None,
    };
    let all = events(bundle).into_iter();
    all.filter_map(|e| loss(e.event)).collect()
}

/// The scores of these requests by a job with the adapter of a training.
fn scored(
    folder: &Path,
    trained: &Path,
    requests: &[RerankRequest],
) -> (RerankResult, Vec<RerankScores>) {
    let bundle = tempfile::tempdir_in(folder).unwrap().keep();
    copy_adapter(trained, &bundle);
    let job = rerank_job();
    write_job(&bundle, Job::Rerank(job.clone()));
    write_jsonl(&bundle.join(&job.input), requests);
    run_well(&bundle, folder);
    let lines = std::fs::read_to_string(bundle.join(&job.output)).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let result = std::fs::read(bundle.join(RESULT_FILE)).unwrap();
    match serde_json::from_slice(&result).unwrap() {
        JobResult::Rerank(result) => (result, lines.collect()),
        other => panic!("{other:?}"),
    }
}

fn rerank_job() -> RerankJob {
    RerankJob {
        model: ModelRef {
            name: TINY.into(),
            sha256: String::new(),
        },
        adapter: "adapter".into(),
        input: "inputs/pairs.jsonl".into(),
        output: "out/scores.jsonl".into(),
        threads: 1,
    }
}

fn copy_adapter(trained: &Path, bundle: &Path) {
    let to = bundle.join("adapter");
    std::fs::create_dir_all(&to).unwrap();
    for file in std::fs::read_dir(trained.join(result(trained).adapter)).unwrap() {
        let file = file.unwrap().path();
        std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

fn request(question: &str, passages: &[&str]) -> RerankRequest {
    RerankRequest {
        question: question.into(),
        passages: passages.iter().map(|&text| text.to_owned()).collect(),
    }
}

#[test]
fn it_learns_which_passage_answers_and_a_killed_run_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paired_models(folder);
    for tune in [Tune::Lora, Tune::All] {
        let straight = folder.join(format!("{tune:?}"));
        bundle(&straight, &job(tune));
        run_well(&straight, folder);
        let whole = result(&straight);
        let stage = &whole.stages[0];
        assert_eq!(
            (stage.name.as_str(), stage.items, stage.steps),
            ("rerank", 160, 100)
        );
        // One less the MRR@10; by lot it is about .63.
        let best = stage.dev_loss_best.unwrap();
        assert!(best < 0.3, "{tune:?}: {best}");
        assert!(stage.last_loss < 0.7 * stage.first_loss, "{stage:?}");

        let killed = folder.join(format!("{tune:?}-killed"));
        bundle(&killed, &job(tune));
        for (attempt, step) in [(1, 13), (2, 47)] {
            let mut child = start(&killed, folder);
            wait_for_any_step(&killed, &mut child, attempt, step);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        run_well(&killed, folder);
        let resumed = |e: &Event| {
            matches!(
                e,
                Event::Started {
                    resumed_from: Some(_),
                    ..
                }
            )
        };
        assert!(events(&killed).iter().any(|e| resumed(&e.event)));
        assert_eq!(adapter(&straight), adapter(&killed), "the adapters differ");
        assert_eq!(result(&killed).stages, whole.stages);

        // A job ranks the held-out items as the training did.
        let (passages, items) = corpus(200);
        let text = |&number: &u32| passages[number as usize]["text"].as_str().unwrap();
        let requests: Vec<RerankRequest> = items[..40]
            .iter()
            .map(|item| {
                let all = item.positives.iter().chain(&item.negatives);
                request(&item.question, &all.map(text).collect::<Vec<_>>())
            })
            .collect();
        let (told, lines) = scored(folder, &straight, &requests);
        assert_eq!((told.rows, told.pairs, told.truncated), (40, 280, 0));
        let place = |line: &RerankScores| {
            let before = |score: &&f32| **score >= line.scores[0];
            1.0 / line.scores.iter().filter(before).count() as f64
        };
        let reciprocal: f64 = lines.iter().map(place).sum();
        assert!(
            (1.0 - reciprocal / 40.0 - best).abs() < 1e-6,
            "{reciprocal}"
        );
    }
}

#[test]
fn two_ranks_learn_what_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paired_models(folder);
    let mut job = job(Tune::Lora);
    job.settings.lora.dropout = 0.0;
    let stage = &mut job.settings.stages[0];
    (stage.epochs, stage.learning_rate) = (1, 3e-4);
    let one = folder.join("one");
    bundle(&one, &job);
    run_well(&one, folder);
    for (name, micro_batch) in [("two", None), ("pieces", Some(2))] {
        job.settings.stages[0].micro_batch = micro_batch;
        let at = folder.join(name);
        bundle(&at, &job);
        let output = command(&at, folder)
            .args(["--ranks", "2"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        let (one, two) = (losses(&one), losses(&at));
        assert_eq!(one.len(), 20);
        for (a, b) in one.iter().zip(&two) {
            assert!((a - b).abs() < 1e-5, "{name}: {a} {b}");
        }
        assert_eq!(two.len(), one.len());
    }
}

/// A short training, whose scores are no more than numbers.
fn trained(folder: &Path) -> std::path::PathBuf {
    let mut job = job(Tune::Lora);
    job.settings.stages[0].max_steps = Some(4);
    let at = folder.join("trained");
    bundle(&at, &job);
    run_well(&at, folder);
    at
}

#[test]
fn a_pair_has_one_score_alone_in_a_batch_and_by_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paired_models(folder);
    let trained = trained(folder);
    let long = "the board may limit the risk of a loan ".repeat(6);
    let question = "must the bank report";
    let passages = ["the bank shall report every year", "audit", long.trim()];
    let other = "may a client register";
    let all = [
        request(question, &passages),
        request(other, &passages[..1]),
        request(other, &[]),
    ];
    let (told, lines) = scored(folder, &trained, &all);
    assert_eq!((told.rows, told.pairs, told.truncated), (3, 4, 1));
    assert_eq!((told.max_length, lines[0].truncated), (32, 1));
    assert_eq!(lines[2], RerankScores::default());
    let alone: Vec<RerankRequest> = passages.iter().map(|&p| request(question, &[p])).collect();
    let (_, by_itself) = scored(folder, &trained, &alone);
    for (number, line) in by_itself.iter().enumerate() {
        let difference = (line.scores[0] - lines[0].scores[number]).abs();
        assert!(difference < 1e-5, "{number}: {difference}");
    }
    // Both texts are read.
    assert!((lines[0].scores[0] - lines[1].scores[0]).abs() > 1e-4);
    assert!((lines[0].scores[0] - lines[0].scores[1]).abs() > 1e-4);

    let mut child = Command::new(env!("CARGO_BIN_EXE_lexforge-worker"))
        .args(["resident", "--model", TINY, "--threads", "1", "--pairs"])
        .arg("--models")
        .arg(folder)
        .arg("--adapter")
        .arg(trained.join(result(&trained).adapter))
        .env("OMP_WAIT_POLICY", "passive")
        .env_remove("LEXFORGE_MODELS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let mut heard = || {
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        line
    };
    let ready: ResidentReady = serde_json::from_str(&heard()).unwrap();
    assert_eq!((ready.dim, ready.reading.pooling), (1, Pooling::Cls));
    assert_eq!(
        (ready.reading.max_length, &ready.content),
        (32, &told.content)
    );
    let mut ask = |line: &str| -> ResidentReply {
        writeln!(child.stdin.as_mut().unwrap(), "{line}").unwrap();
        serde_json::from_str(&heard()).unwrap()
    };
    let of = |request: &RerankRequest| serde_json::to_string(request).unwrap();
    let first = ask(&of(&all[0]));
    for (request, line) in all.iter().zip(&lines) {
        let reply = ask(&of(request));
        let ResidentReply::Scores(found) = reply else {
            panic!("{reply:?}");
        };
        let rows = [found.scores, line.scores.clone()].map(|scores| vec![scores]);
        assert!(largest_difference(&rows[0], &rows[1]) < 1e-5);
        assert_eq!(found.truncated, line.truncated);
    }
    for wrong in [
        "{".to_owned(),
        of(&request(question, &["audit", " "])),
        of(&request(" ", &["audit"])),
    ] {
        assert!(matches!(ask(&wrong), ResidentReply::Failed(_)), "{wrong}");
    }
    assert_eq!(ask(&of(&all[0])), first);
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_adapter_is_taken_for_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paired_models(folder);
    let of_pairs = trained(folder);
    let of_texts = folder.join("texts");
    let mut short = train_job();
    short.settings.stages[0].max_steps = Some(2);
    train_bundle(&of_texts, &short, &items(8, 1), &[]);
    run_well(&of_texts, folder);
    let refused = |name: &str, trained: &Path, job: Job, words: &str| {
        let bundle = folder.join(name);
        copy_adapter(trained, &bundle);
        write_job(&bundle, job);
        write_jsonl(&bundle.join("inputs/pairs.jsonl"), &[request("a", &["b"])]);
        write_jsonl(
            &bundle.join("inputs/texts.jsonl"),
            &[serde_json::json!({"text": "a"})],
        );
        assert!(!run(&bundle, folder).status.success(), "{name}");
        let (code, message, hint) = failure(&bundle);
        assert_eq!(code, "model_unsupported", "{name}: {message}");
        assert!(message.contains(words) && !hint.is_empty(), "{message}");
    };
    let pairs = || Job::Rerank(rerank_job());
    refused("pairs", &of_texts, pairs(), "is no cross-encoder's");
    let mut embed = embed_job(TINY, 32);
    embed.adapter = Some("adapter".into());
    refused(
        "embed",
        &of_pairs,
        Job::Embed(embed),
        "is a cross-encoder's",
    );
    let mut on = train_job();
    on.adapter = Some("adapter".into());
    refused("on", &of_pairs, Job::Train(on), "is a cross-encoder's");
    let mut on = job(Tune::Lora);
    on.adapter = Some("adapter".into());
    refused(
        "on-texts",
        &of_texts,
        Job::Train(on),
        "is no cross-encoder's",
    );

    // Its description says that it is a cross-encoder, and its head is beside its weights. Without the head it is
    // damaged.
    let at = of_pairs.join(result(&of_pairs).adapter);
    let sidecar = std::fs::read_to_string(at.join("lexforge.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&sidecar).unwrap();
    assert_eq!(sidecar["pairs"]["question_share"], 0.5);
    assert_eq!(sidecar["stages"], serde_json::json!(["rerank"]));
    let weights = at.join("adapter_model.safetensors");
    let mut tensors =
        lexforge_models::tensors::read(&weights, lexforge_models::Error::Shim).unwrap();
    assert_eq!(tensors["head.weight"].size(), [1, 32]);
    tensors.remove("head.weight");
    let bytes = lexforge_models::tensors::to_bytes(&tensors).unwrap();
    std::fs::write(&weights, bytes).unwrap();
    refused("headless", &of_pairs, pairs(), "head");
}

#[test]
fn it_goes_on_from_another_cross_encoder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    paired_models(folder);
    let first = trained(folder);
    let mut job = job(Tune::Lora);
    job.adapter = Some("adapter".into());
    job.settings.stages[0].max_steps = Some(1);
    job.settings.stages[0].learning_rate = 1e-12;
    let at = folder.join("on");
    bundle(&at, &job);
    copy_adapter(&first, &at);
    run_well(&at, folder);
    let read = |bundle: &Path| {
        let path = bundle.join("tuned/adapter_model.safetensors");
        lexforge_models::tensors::read(&path, lexforge_models::Error::Shim).unwrap()
    };
    let (one, other) = (read(&first), read(&at));
    for (name, tensor) in one {
        let difference = (tensor - &other[&name]).abs().max().double_value(&[]);
        assert!(difference < 1e-9, "{name}: {difference}");
    }
}

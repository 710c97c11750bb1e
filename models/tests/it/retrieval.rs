//! Tests of the retrieval stage with the real program. It learns to find clauses, can be resumed with the same bits,
//! and never treats a clause that answers a question as wrong.

use crate::common::*;
use lexforge_domain::protocol::{
    Distillation, Event, JobResult, Objective, Pooling, RESULT_FILE, RetrievalItem,
    RetrievalObjective, RetrievalPassage, TrainJob, TrainResult,
};
use std::path::Path;

/// Clauses of two sentences each; a question has three words of one of its clause's sentences, among two of no clause.
fn corpus(
    clauses: u32,
    questions: usize,
    seed: u64,
) -> (Vec<RetrievalPassage>, Vec<RetrievalItem>) {
    let mut random = Random(seed);
    let mut passages = Vec::new();
    for clause in 0..clauses {
        for _ in 0..2 {
            let text = words(&mut random, 8);
            passages.push(RetrievalPassage { text, clause });
        }
    }
    let items = (0..questions).map(|number| {
        let clause = random.below(clauses as usize);
        let sentence = &passages[2 * clause + random.below(2)].text;
        let kept: Vec<&str> = sentence.split(' ').skip(random.below(4)).take(4).collect();
        RetrievalItem {
            id: number.to_string(),
            question: format!("{} {}", kept.join(" "), words(&mut random, 1)),
            clauses: vec![clause as u32],
            by_words: (0..5)
                .map(|place| {
                    (
                        random.below(clauses as usize) as u32,
                        1.0 / (place + 1) as f32,
                    )
                })
                .collect(),
            teacher: Vec::new(),
        }
    });
    let items = items.collect();
    (passages, items)
}

fn job() -> TrainJob {
    let mut job = train_job();
    job.passages = Some("inputs/passages.jsonl".into());
    let stage = &mut job.settings.stages[0];
    stage.objective = Objective::Retrieval(RetrievalObjective {
        temperature: 0.05,
        negatives: 2,
        drawn_from: 10,
        too_alike: 0.95,
        pooling: Pooling::Mean,
        question_prompt: String::new(),
        passage_prompt: String::new(),
        distillation: None,
    });
    stage.batch_size = 16;
    stage.epochs = 8;
    stage.learning_rate = 5e-3;
    job
}

fn bundle(folder: &Path, job: &TrainJob) {
    let (passages, items) = corpus(120, 400, 5);
    let (dev, train) = items.split_at(60);
    train_bundle(folder, job, &[], &[]);
    write_jsonl(&folder.join(&job.train), train);
    write_jsonl(&folder.join(&job.dev), dev);
    write_jsonl(&folder.join("inputs/passages.jsonl"), &passages);
}

fn result(bundle: &Path) -> TrainResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn questions_find_their_clauses_better_and_a_killed_run_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let straight = folder.path().join("straight");
    bundle(&straight, &job());
    run_well(&straight, &models);
    let whole = result(&straight);
    let stage = &whole.stages[0];
    assert_eq!(
        (stage.name.as_str(), stage.items, stage.steps),
        ("retrieval", 340, 176)
    );
    let (before, after) = (stage.dev_loss_before.unwrap(), stage.dev_loss_best.unwrap());
    // One less the MAP@10: a tenth of all that can be gained, at least.
    assert!(after < before - 0.1 * before, "{before} {after}");
    let mined = |epoch: u64| straight.join(format!("mined/mined-{epoch}.json"));
    let of = |epoch| std::fs::read(mined(epoch)).unwrap();
    assert_ne!(of(0), of(3), "negatives are mined anew");

    // In the middle of its second and of its fourth epoch.
    let killed = folder.path().join("killed");
    bundle(&killed, &job());
    ends_the_same(&straight, &killed, &models, &[31, 77]);
}

/// Kills a run at each of these steps, lets it end, and compares it with one that was not killed.
fn ends_the_same(straight: &Path, killed: &Path, models: &Path, steps: &[u64]) {
    for (attempt, step) in (1..).zip(steps) {
        let mut child = start(killed, models);
        wait_for_any_step(killed, &mut child, attempt, *step);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run_well(killed, models);
    let resumed = |e: &Event| {
        matches!(
            e,
            Event::Started {
                resumed_from: Some(_),
                ..
            }
        )
    };
    assert!(events(killed).iter().any(|e| resumed(&e.event)));
    let adapter = |bundle: &Path| {
        let folder = bundle.join(result(bundle).adapter);
        std::fs::read(folder.join("adapter_model.safetensors")).unwrap()
    };
    assert_eq!(adapter(straight), adapter(killed), "the adapters differ");
}

/// Writes a bundle with a teacher. The teacher ranks the right clause first and nine other clauses after it. Every
/// third question has no label.
fn taught_bundle(folder: &Path, share: f64) -> TrainJob {
    let mut job = job();
    let stage = &mut job.settings.stages[0];
    let Objective::Retrieval(objective) = &mut stage.objective else {
        unreachable!();
    };
    objective.distillation = Some(Distillation {
        share,
        list: 6,
        ..Distillation::default()
    });
    let (passages, mut items) = corpus(120, 400, 5);
    for (number, item) in items.iter_mut().enumerate() {
        let right = item.clauses[0];
        let others = (1..10).map(|place| (right + place * 11) % 120);
        let ranked = std::iter::once(right).chain(others);
        item.teacher = ranked.zip((1..).map(|n| 1.0 / n as f32)).collect();
        if number >= 60 && number % 3 == 0 {
            item.clauses.clear();
        }
    }
    let (dev, train) = items.split_at(60);
    train_bundle(folder, &job, &[], &[]);
    write_jsonl(&folder.join(&job.train), train);
    write_jsonl(&folder.join(&job.dev), dev);
    write_jsonl(&folder.join("inputs/passages.jsonl"), &passages);
    job
}

#[test]
fn a_teachers_ranking_is_learnt_with_and_without_labels_and_a_killed_run_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    for share in [0.5, 1.0] {
        let straight = folder.path().join(format!("straight-{share}"));
        taught_bundle(&straight, share);
        run_well(&straight, &models);
        let whole = result(&straight);
        let stage = &whole.stages[0];
        assert_eq!((stage.items, stage.steps), (340, 176));
        assert!(whole.left_out.is_empty(), "{:?}", whole.left_out);
        let (before, after) = (stage.dev_loss_before.unwrap(), stage.dev_loss_best.unwrap());
        assert!(after < before - 0.1 * before, "{share}: {before} {after}");
        assert!(stage.last_loss < stage.first_loss, "{stage:?}");
        if share < 1.0 {
            // In the middle of its second epoch.
            let killed = folder.path().join("killed");
            taught_bundle(&killed, share);
            ends_the_same(&straight, &killed, &models, &[31]);
        }
    }
}

#[test]
fn a_question_with_neither_label_nor_list_is_left_out_and_a_teacher_that_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let at = folder.path().join("without-a-list");
    let job = taught_bundle(&at, 1.0);
    let (_, mut items) = corpus(120, 80, 5);
    for item in &mut items[..40] {
        item.teacher = vec![(item.clauses[0], 1.0), (5, 0.5), (6, 0.4)];
    }
    items[0].clauses.clear();
    items[50].clauses.clear();
    write_jsonl(&at.join(&job.train), &items);
    run_well(&at, &models);
    let whole = result(&at);
    assert_eq!(whole.stages[0].items, 40);
    assert_eq!(whole.left_out["retrieval: no_list"], 39);
    assert_eq!(whole.left_out["retrieval: no_passage"], 1);

    let at = folder.path().join("impossible");
    taught_bundle(&at, 1.5);
    let output = run(&at, &models);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && said.contains("at most 1 in the stage retrieval"),
        "{said}"
    );
}

#[test]
fn a_decoder_or_a_job_without_passages_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let mut without = job();
    without.passages = None;
    let at = folder.path().join("without");
    train_bundle(&at, &without, &items(8, 1), &[]);
    let output = run(&at, &models);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && said.contains("no passages"),
        "{said}"
    );
}

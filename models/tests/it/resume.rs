//! Training that is killed, stopped, paused and resumed, with the real program.

use crate::common::*;
use lexforge_domain::protocol::{
    CONTROL_FILE, Event, JobResult, Objective, RESULT_FILE, TrainResult,
};
use std::path::Path;

fn result(bundle: &Path) -> TrainResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => result,
        other => panic!("{other:?}"),
    }
}

fn adapter(bundle: &Path) -> Vec<u8> {
    std::fs::read(
        bundle
            .join(result(bundle).adapter)
            .join("adapter_model.safetensors"),
    )
    .unwrap()
}

fn has(bundle: &Path, wanted: impl Fn(&Event) -> bool) -> bool {
    events(bundle).iter().any(|e| wanted(&e.event))
}

fn last_step(bundle: &Path) -> u64 {
    match events(bundle).pop().unwrap().event {
        Event::Stopped { step } => step,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_killed_anywhere_ends_with_the_adapter_of_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let (train, dev) = (items(400, 1), items(30, 2));
    let mut job = train_job(); // dropout on, a checkpoint every 10 steps
    job.settings.stages[0].epochs = 4;
    let straight = folder.path().join("straight");
    train_bundle(&straight, &job, &train, &dev);
    run_well(&straight, &models);
    let whole = result(&straight);
    assert_eq!(whole.steps, 400);
    assert!(whole.stages[0].dev_loss_best.unwrap() < whole.stages[0].dev_loss_before.unwrap());

    let killed = folder.path().join("killed");
    train_bundle(&killed, &job, &train, &dev);
    for (attempt, step) in [(1, 13), (2, 57), (3, 121)] {
        let mut child = start(&killed, &models);
        wait_for_step(&killed, &mut child, attempt, step);
        child.kill().unwrap(); // SIGKILL: nothing is written after it
        child.wait().unwrap();
        assert!(!killed.join(RESULT_FILE).exists());
    }
    run_well(&killed, &models);
    assert!(has(
        &killed,
        |e| matches!(e, Event::Started { resumed_from: Some(_), step, .. } if *step >= 120)
    ));
    assert_eq!(adapter(&straight), adapter(&killed), "the adapters differ");
    let resumed = result(&killed);
    assert_eq!(
        (resumed.best_step, &resumed.stages),
        (whole.best_step, &whole.stages)
    );
    let numbers: Vec<u64> = events(&killed).iter().map(|e| e.seq).collect();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());

    // A finished bundle gives its result again and does nothing.
    let before = events(&killed).len();
    run_well(&killed, &models);
    assert_eq!(events(&killed).len(), before);
}

#[cfg(unix)]
#[test]
fn stop_writes_a_checkpoint_and_the_run_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let (train, dev) = (items(400, 1), items(10, 2));
    let mut job = train_job();
    job.checkpoint_every = 0; // only what stop and SIGTERM write
    job.evaluate_every = 0;
    job.settings.stages[0].epochs = 4;
    let straight = folder.path().join("straight");
    train_bundle(&straight, &job, &train, &dev);
    run_well(&straight, &models);

    let stopped = folder.path().join("stopped");
    train_bundle(&stopped, &job, &train, &dev);
    let mut child = start(&stopped, &models);
    wait_for_step(&stopped, &mut child, 1, 15);
    // Paused, it waits.
    std::fs::write(stopped.join(CONTROL_FILE), "pause").unwrap();
    wait_for_pause(&stopped, &mut child, 1);
    let second = run(&stopped, &models);
    assert_eq!(
        second.status.code(),
        Some(3),
        "a second worker must not run"
    );
    assert!(String::from_utf8_lossy(&second.stderr).starts_with("error[bundle_locked]: "));
    std::fs::write(stopped.join(CONTROL_FILE), "stop").unwrap();
    assert!(child.wait().unwrap().success());
    assert!(matches!(events(&stopped).pop().unwrap().event, Event::Stopped { step } if step >= 15));
    assert!(!stopped.join(CONTROL_FILE).exists(), "the wish was taken");

    let mut child = start(&stopped, &models);
    let before = last_step(&stopped);
    wait_for_step(&stopped, &mut child, 2, before + 20);
    let pid = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(child.wait().unwrap().success());
    assert!(
        matches!(events(&stopped).pop().unwrap().event, Event::Stopped { step } if step >= before + 20)
    );

    // Paused at once and resumed, it goes on to the end.
    std::fs::write(stopped.join(CONTROL_FILE), "pause").unwrap();
    let mut child = start(&stopped, &models);
    wait_for_pause(&stopped, &mut child, 3);
    std::fs::write(stopped.join(CONTROL_FILE), "resume").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(adapter(&straight), adapter(&stopped), "the adapters differ");
}

#[test]
fn what_cannot_be_trained_fails_with_a_code_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let check = |name: &str,
                 change: &dyn Fn(&mut lexforge_domain::protocol::TrainJob),
                 count: usize,
                 code: &str| {
        let bundle = folder.path().join(name);
        let mut job = train_job();
        change(&mut job);
        train_bundle(&bundle, &job, &items(count, 3), &[]);
        assert_eq!(run(&bundle, &models).status.code(), Some(1), "{name}");
        let (found, message, hint) = failure(&bundle);
        assert_eq!(found, code, "{message}");
        assert!(!hint.is_empty());
    };
    // Exploding weights: the second step's forward pass is no longer finite.
    let explode = |job: &mut lexforge_domain::protocol::TrainJob| {
        job.settings.stages[0].learning_rate = 1e30;
        job.settings.stages[0].warmup_steps = 0;
    };
    check("explode", &explode, 16, "loss_not_finite");
    check("empty", &|_| {}, 0, "too_little_data");
    check(
        "target",
        &|job| job.settings.lora.targets = vec!["wq".into()],
        4,
        "invalid_request",
    );
    check(
        "zero",
        &|job| {
            let Objective::Sentence(sentence) = &mut job.settings.stages[0].objective else {
                return;
            };
            sentence.temperature = 0.0;
        },
        4,
        "invalid_request",
    );
    check(
        "model",
        &|job| job.model.name = "absent".into(),
        4,
        "model_missing",
    );
    check(
        "outside",
        &|job| job.train = "../inputs/train.jsonl".into(),
        4,
        "bundle_invalid",
    );
}

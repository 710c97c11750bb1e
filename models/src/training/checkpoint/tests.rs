//! Tests of `checkpoint`.

use super::*;

fn at(step: u64) -> Mark {
    Mark { stage: 0, step }
}

fn state(step: u64, best: Option<u64>) -> TrainState {
    TrainState {
        step,
        losses: vec![0.1; step as usize],
        dev_loss_before: Some(1.25),
        looked_at: Some(step),
        best: best.map(|step| Best {
            step,
            dev_loss: 0.5,
        }),
        ..TrainState::default()
    }
}

fn save(checkpoints: &Checkpoints, step: u64, best: Option<u64>) {
    save_state(checkpoints, &state(step, best));
}

fn save_state(checkpoints: &Checkpoints, state: &TrainState) {
    let weights: NamedTensors = [("w".to_owned(), Tensor::from_slice(&[state.step as f32]))].into();
    let adapter = BTreeMap::from([
        (adapter::CONFIG_FILE, b"{}".to_vec()),
        (adapter::SIDECAR_FILE, b"{}".to_vec()),
        (adapter::WEIGHTS_FILE, tensors::to_bytes(&weights).unwrap()),
    ]);
    let optimizer: NamedTensors = [("average.w".to_owned(), Tensor::from_slice(&[2f32]))].into();
    checkpoints
        .save(
            state,
            "sentence",
            &adapter,
            optimizer,
            Tensor::from_slice(&[7u8]),
        )
        .unwrap();
}

fn step_of(checkpoint: Option<Checkpoint>) -> Option<u64> {
    checkpoint.map(|c| {
        assert_eq!(c.adapter["w"].double_value(&[0]), c.state.step as f64);
        c.state.step
    })
}

#[test]
fn the_last_two_and_the_best_are_kept_and_the_newest_whole_one_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
    let checkpoints = Checkpoints::new(folder.path(), &sha256(b"job"));
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), None);
    for step in [10, 20, 30, 40] {
        save(&checkpoints, step, Some(20));
    }
    assert_eq!(checkpoints.marks(), [at(20), at(30), at(40)]);
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(40));
    assert_eq!(checkpoints.adapter_of(at(20)).unwrap().len(), 3);

    let file = |step: u64, name: &str| checkpoints.folder.join(at(step).folder()).join(name);
    // A flipped byte in the newest, a missing manifest in the one before.
    let mut bytes = std::fs::read(file(40, TENSORS_FILE)).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(file(40, TENSORS_FILE), bytes).unwrap();
    std::fs::remove_file(file(30, MANIFEST_FILE)).unwrap();
    // The adapter of the newest is whole: what else the checkpoint has is not read for it.
    assert_eq!(checkpoints.adapter_of(at(40)).unwrap().len(), 3);
    assert_eq!(
        checkpoints.weights_of(at(40)).unwrap()["w"].double_value(&[0]),
        40.0
    );
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(20));
    let log = std::fs::read_to_string(folder.path().join("events.jsonl")).unwrap();
    assert!(log.contains("stage-1-step-0000040 is passed over"), "{log}");
    assert!(!log.contains("step-0000030"), "{log}");

    let other = Checkpoints::new(folder.path(), &sha256(b"another job"));
    assert_eq!(step_of(other.newest(&events).unwrap()), None);
}

/// If the disk has damaged the newest checkpoints, the ones written afterwards are kept, whatever their step is.
#[test]
fn damaged_checkpoints_take_the_place_of_none_that_is_written_after_them() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
    let checkpoints = Checkpoints::new(folder.path(), &sha256(b"job"));
    for step in [80, 90, 100] {
        save(&checkpoints, step, Some(80));
    }
    for step in [90, 100] {
        let state = checkpoints.folder.join(at(step).folder()).join(STATE_FILE);
        std::fs::write(state, b"spoilt").unwrap();
    }
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(80));
    for (step, kept) in [(81, vec![80, 81]), (85, vec![80, 81, 85])] {
        save(&checkpoints, step, Some(80));
        assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(step));
        let marks = checkpoints.marks();
        let whole: Vec<Mark> = marks.into_iter().filter(|mark| mark.step < 90).collect();
        assert_eq!(whole, kept.into_iter().map(at).collect::<Vec<_>>());
    }
    // The training comes by the damaged ones once more.
    save(&checkpoints, 90, None);
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(90));
    assert_eq!(checkpoints.marks(), [at(85), at(90), at(100)]);
}

#[test]
fn a_held_out_loss_that_is_no_number_is_never_the_best() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
    for bad in [f32::NAN, f32::INFINITY] {
        let checkpoints = Checkpoints::new(folder.path(), &sha256(b"job"));
        let mut state = TrainState {
            step: 10,
            ..TrainState::default()
        };
        assert!(!state.hear(bad, Some(2), 40));
        assert_eq!((state.best, state.looks_since_best), (None, 1));
        // A checkpoint that is written then can be read again.
        save_state(&checkpoints, &state);
        assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(10));
        // A number is better than none, and none is no better than it.
        state.step = 20;
        assert!(state.hear(0.5, Some(2), 40));
        state.step = 30;
        assert!(!state.hear(bad, Some(1), 40));
        let best = Best {
            step: 20,
            dev_loss: 0.5,
        };
        assert_eq!((state.best, state.ended_early), (Some(best), true));
        // Before the first step of a stage.
        let mut first = TrainState::default();
        assert!(!first.hear(bad, Some(1), 40));
        assert_eq!((first.dev_loss_before, first.ended_early), (None, false));
    }
}

#[test]
fn an_unfinished_checkpoint_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
    let checkpoints = Checkpoints::new(folder.path(), &sha256(b"job"));
    save(&checkpoints, 10, None);
    let part = checkpoints.folder.join(".stage-1-step-0000020.part");
    std::fs::create_dir_all(&part).unwrap();
    std::fs::write(part.join(STATE_FILE), b"{").unwrap();
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(10));
    assert!(!part.exists(), "what a killed attempt began to write stays");
    let log = std::fs::read_to_string(folder.path().join("events.jsonl")).unwrap();
    assert!(log.contains("leftovers_removed"), "{log}");
    save(&checkpoints, 20, None);
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(20));
}

#[test]
fn a_later_stage_comes_after_an_earlier_one_of_the_same_step_and_drops_its_best() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
    let checkpoints = Checkpoints::new(folder.path(), &sha256(b"job"));
    save(&checkpoints, 10, Some(10));
    save(&checkpoints, 20, Some(10));
    for (stage, step) in [(1, 20), (1, 30), (10, 40)] {
        save_state(
            &checkpoints,
            &TrainState {
                stage,
                ..state(step, None)
            },
        );
    }
    let mark = |stage, step| Mark { stage, step };
    assert_eq!(checkpoints.marks(), [mark(1, 30), mark(10, 40)]);
    let newest = checkpoints.newest(&events).unwrap().unwrap();
    assert_eq!(
        (newest.state.mark(), newest.path.as_str()),
        (mark(10, 40), "checkpoints/stage-11-step-0000040")
    );
}

#[cfg(unix)]
#[test]
fn a_checkpoint_with_links_or_foreign_names_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventLog::open(&folder.path().join("events.jsonl")).unwrap();
    let checkpoints = Checkpoints::new(folder.path(), &sha256(b"job"));
    save(&checkpoints, 10, None);
    save(&checkpoints, 20, None);
    let newest = checkpoints.folder.join(at(20).folder());
    let manifest = std::fs::read_to_string(newest.join(MANIFEST_FILE)).unwrap();
    let outside = folder.path().join("outside");
    std::fs::rename(newest.join(STATE_FILE), &outside).unwrap();
    std::os::unix::fs::symlink(&outside, newest.join(STATE_FILE)).unwrap();
    assert_eq!(
        step_of(checkpoints.newest(&events).unwrap()),
        Some(10),
        "a link was followed"
    );
    std::fs::remove_file(newest.join(STATE_FILE)).unwrap();
    std::fs::rename(&outside, newest.join(STATE_FILE)).unwrap();
    assert_eq!(step_of(checkpoints.newest(&events).unwrap()), Some(20));
    let hash = sha256(b"job").to_string();
    for (good, bad) in [
        (STATE_FILE, "../../outside"),
        (STATE_FILE, "a\\\\b"),
        (hash.as_str(), "../../x"),
    ] {
        let forged = manifest.replace(&format!("\"{good}\""), &format!("\"{bad}\""));
        assert_ne!(forged, manifest);
        std::fs::write(newest.join(MANIFEST_FILE), forged).unwrap();
        assert_eq!(
            step_of(checkpoints.newest(&events).unwrap()),
            Some(10),
            "{bad}"
        );
    }
    let log = std::fs::read_to_string(folder.path().join("events.jsonl")).unwrap();
    assert!(log.contains("job_sha256"), "{log}");
}

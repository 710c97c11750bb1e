//! The triplet stage with the real program. It learns to distinguish the sentences of triplets, can be resumed with the
//! same bits, and reports triplets that it cannot learn from.

use crate::common::*;
use lexforge_domain::protocol::{
    Event, JobResult, Objective, Pooling, RESULT_FILE, TrainJob, TrainResult, TripletItem,
    TripletLoss, TripletObjective,
};
use std::path::Path;

/// Eight words; the positive has them with the last two turned round, the negative has one word that is another.
fn triplets(count: usize, seed: u64) -> Vec<TripletItem> {
    let mut random = Random(seed);
    let triplet = |number: usize| {
        let source = words(&mut random, 8);
        let mut all: Vec<&str> = source.split(' ').collect();
        let changed = words(&mut random, 1);
        let mut other = all.clone();
        other[random.below(6)] = &changed;
        let negative = other.join(" ");
        all.swap(6, 7);
        TripletItem {
            id: number as i64,
            group: number as i64,
            positive: all.join(" "),
            negative,
            // Far from what an untrained model says, so that it is seen to be learnt.
            margin: Some(8.0),
            source,
        }
    };
    let all = (0..count).map(triplet);
    all.filter(|t| t.negative != t.source).collect()
}

fn job(loss: TripletLoss) -> TrainJob {
    let mut job = train_job();
    let stage = &mut job.settings.stages[0];
    stage.objective = Objective::Triplets(TripletObjective {
        loss,
        temperature: 0.05,
        pooling: Pooling::Mean,
        of_cosines: false,
    });
    stage.batch_size = 16;
    stage.epochs = 6;
    stage.learning_rate = 5e-3;
    job
}

fn bundle(folder: &Path, job: &TrainJob, triplets: &[TripletItem]) {
    let (dev, train) = triplets.split_at(60);
    train_bundle(folder, job, &[], &[]);
    write_jsonl(&folder.join(&job.train), train);
    write_jsonl(&folder.join(&job.dev), dev);
}

fn result(bundle: &Path) -> TrainResult {
    match serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap() {
        JobResult::Train(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_loss_learns_to_tell_apart() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let triplets = triplets(400, 5);
    for loss in TripletLoss::ALL {
        let at = folder.path().join(loss.tag());
        bundle(&at, &job(loss), &triplets);
        run_well(&at, &models);
        let result = result(&at);
        let stage = &result.stages[0];
        assert_eq!(stage.name, "triplets");
        assert_eq!(stage.items as usize, triplets.len() - 60);
        let (before, after) = (stage.dev_loss_before.unwrap(), stage.dev_loss_best.unwrap());
        assert!(after < 0.8 * before, "{}: {before} {after}", loss.tag());
    }
}

#[test]
fn margins_of_cosines_are_learnt() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let mut triplets = triplets(400, 5);
    for triplet in &mut triplets {
        triplet.margin = Some(0.5);
    }
    let mut job = job(TripletLoss::MarginMse);
    if let Objective::Triplets(objective) = &mut job.settings.stages[0].objective {
        objective.of_cosines = true;
    }
    bundle(folder.path(), &job, &triplets);
    run_well(folder.path(), &models);
    let stage = result(folder.path()).stages.remove(0);
    let (before, after) = (stage.dev_loss_before.unwrap(), stage.dev_loss_best.unwrap());
    assert!(after < 0.8 * before, "{before} {after}");
    assert!(stage.last_loss < 0.8 * stage.first_loss, "{stage:?}");
}

/// Held-out items are measured by the error of their margins. So the weights that follow the teacher best are kept, and
/// not the weights that push every negative away the furthest.
#[test]
fn what_is_held_out_is_measured_by_its_margins() {
    for of_cosines in [true, false] {
        measured_by_margins(of_cosines);
    }
}

fn measured_by_margins(of_cosines: bool) {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let mut triplets = triplets(100, 5);
    let mut job = job(TripletLoss::MarginMse);
    let stage = &mut job.settings.stages[0];
    stage.max_steps = Some(1);
    if let Objective::Triplets(objective) = &mut stage.objective {
        objective.of_cosines = of_cosines;
    }
    let mut before = |margin: f64| {
        for triplet in &mut triplets {
            triplet.margin = Some(margin);
        }
        let at = folder.path().join(format!("margin{margin}"));
        bundle(&at, &job, &triplets);
        run_well(&at, &models);
        result(&at).stages[0].dev_loss_before.unwrap()
    };
    // Of (d − m)² the part with d alone and that with both cancel out: 1 + 1 is left.
    let [none, over, under] = [0.0, 1.0, -1.0].map(&mut before);
    let left = over + under - 2.0 * none;
    // Cosines lie near 0, where nothing is lost of it; of vectors as they are more is.
    let exact = if of_cosines { 1e-3 } else { 1e-2 };
    assert!((left - 2.0).abs() < exact, "{none} {over} {under}");
    // If a triplet has no margin, the error of the margin cannot be measured.
    triplets[0].margin = None;
    let at = folder.path().join("without");
    bundle(&at, &job, &triplets);
    let output = run(&at, &models);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let words = format!("1 of {} triplets have none", triplets.len());
    assert!(!output.status.success() && said.contains(&words), "{said}");
}

#[test]
fn a_killed_run_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    let (job, triplets) = (job(TripletLoss::MultipleNegatives), triplets(400, 5));
    let straight = folder.path().join("straight");
    bundle(&straight, &job, &triplets);
    run_well(&straight, &models);
    let killed = folder.path().join("killed");
    bundle(&killed, &job, &triplets);
    let mut child = start(&killed, &models);
    wait_for_any_step(&killed, &mut child, 1, 31);
    child.kill().unwrap();
    child.wait().unwrap();
    run_well(&killed, &models);
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
    let adapter = |bundle: &Path| {
        let folder = bundle.join(result(bundle).adapter);
        std::fs::read(folder.join("adapter_model.safetensors")).unwrap()
    };
    assert_eq!(adapter(&straight), adapter(&killed), "the adapters differ");
}

#[test]
fn what_cannot_be_learnt_is_left_out_or_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let models = tiny_models(folder.path());
    // After case and blanks are folded, source and negative have the same tokens.
    let mut triplets = triplets(100, 7);
    triplets[70].negative = triplets[70].source.to_uppercase().to_lowercase() + " ";
    let at = folder.path().join("folded");
    bundle(&at, &job(TripletLoss::Triplet), &triplets);
    run_well(&at, &models);
    assert_eq!(result(&at).left_out["triplets: nothing_to_tell_apart"], 1);

    let refused = |name: &str, job: &TrainJob, triplets: &[TripletItem], words: &str| {
        let at = folder.path().join(name);
        bundle(&at, job, triplets);
        let output = run(&at, &models);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{said}");
    };
    triplets[80].margin = None;
    let margins = job(TripletLoss::MarginMse);
    refused("margins", &margins, &triplets, "have none");
    let mut two = job(TripletLoss::Triplet);
    two.settings.stages.push(sentence_stage());
    refused("two", &two, &triplets, "beside triplets");
}

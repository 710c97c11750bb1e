//! Tests of `live`.
#![allow(clippy::unwrap_used)]

use super::*;

fn history(stages: &[(&str, std::ops::RangeInclusive<u64>)]) -> History {
    let stage = |(name, steps): &(&str, std::ops::RangeInclusive<u64>)| StageHistory {
        name: (*name).to_owned(),
        train: steps
            .clone()
            .map(|step| CurvePoint { step, loss: 1.0 })
            .collect(),
        dev: vec![CurvePoint {
            step: *steps.end(),
            loss: 0.5,
        }],
        best: Some(*steps.end()),
    };
    History {
        stages: stages.iter().map(stage).collect(),
        ..History::default()
    }
}

#[test]
fn a_stage_counts_its_own_steps() {
    let slots = slots(
        None,
        &history(&[("sft", 1..=4), ("sentence", 5..=7)]),
        RunState::Running,
    );
    let seen: Vec<_> = slots
        .iter()
        .map(|s| (s.from, s.made, s.state, s.best))
        .collect();
    assert_eq!(
        seen,
        [
            (0, 4, SlotState::Done, Some(4)),
            (4, 3, SlotState::Running, Some(3))
        ]
    );
}

#[test]
fn the_last_stage_stands_as_its_run_does() {
    for (state, slot) in [
        (RunState::Paused, SlotState::Paused),
        (RunState::Died, SlotState::Halted),
        (RunState::Unknown, SlotState::Unknown),
        (RunState::Finished, SlotState::Done),
    ] {
        assert_eq!(
            slots(None, &history(&[("sft", 1..=4)]), state)[0].state,
            slot
        );
    }
}

#[test]
fn a_stage_without_improvement_says_so() {
    crate::i18n::speak(crate::i18n::Lang::En);
    let mut told = history(&[("sft", 1..=4)]);
    for (before, words) in [
        (0.4, "nothing better than the start (0.4"),
        (0.5, "nothing better than the start (0.5"),
        (0.6, "best 0.5"),
    ] {
        let start = CurvePoint {
            step: 0,
            loss: before,
        };
        told.stages[0].dev.retain(|p| p.step > 0);
        told.stages[0].dev.insert(0, start);
        let said = so_far(&slots(None, &told, RunState::Finished)[0]).unwrap();
        assert!(said.contains(words), "{said}");
        assert!(said.contains("at step 4"), "{said}");
    }
}

/// A run that was planned with two stages.
fn of_two_stages() -> RunDetail {
    serde_json::from_value(serde_json::json!({
        "run": { "id": 1, "state": "running", "recipe": "quick look · sft", "base": "b", "dataset": 1, "stage": "", "step": 1,
            "of": 8, "started": "", "best": null, "adapter": null, "loss": null, "eta_s": null, "failure": null,
            "evaluated": false },
        "settings": { "lora": { "r": 8, "alpha": 32.0, "dropout": 0.0, "targets": ["q_proj"] }, "stages": [],
            "max_length": 512, "seed": 1, "threads": 0 },
        "stages": [{ "name": "sft", "items": 4, "steps": 4 }, { "name": "sentence", "items": 4, "steps": 4 }],
        "device": "cpu", "result": null, "evaluation": null,
    }))
    .unwrap()
}

#[test]
fn a_stage_that_was_not_begun_waits_only_while_its_run_may_go_on() {
    let detail = of_two_stages();
    for (state, slot) in [
        (RunState::Queued, SlotState::Waiting),
        (RunState::Running, SlotState::Waiting),
        (RunState::Paused, SlotState::Waiting),
        (RunState::Stopped, SlotState::NotRun),
        (RunState::Died, SlotState::NotRun),
        (RunState::Failed, SlotState::NotRun),
        (RunState::Unknown, SlotState::Unknown),
        (RunState::Unfollowed, SlotState::Unknown),
        (RunState::Finished, SlotState::Passed),
    ] {
        let slots = slots(Some(&detail), &history(&[("sft", 1..=4)]), state);
        assert_eq!(slots[1].state, slot, "{state:?}");
    }
}

//! Tests of `live`.

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
        (RunState::Finished, SlotState::Done),
    ] {
        assert_eq!(
            slots(None, &history(&[("sft", 1..=4)]), state)[0].state,
            slot
        );
    }
}

//! The losses of a run, from what its worker said.

use lexforge_domain::metrics::{CurvePoint, StageCurve};
use lexforge_domain::protocol::{Event, JobEvent};
use std::collections::BTreeMap;

/// Losses by stage (its place in the order) and step.
type Losses = BTreeMap<(usize, u64), f64>;

/// The training and held-out losses of each stage, in order. After a run was resumed, the steps since its checkpoint
/// were repeated; then only the later values count. `names` are the planned stages.
pub(crate) fn stage_curves(names: &[&str], events: &[JobEvent]) -> Vec<StageCurve> {
    let (mut train, mut dev) = (Losses::new(), Losses::new());
    let number = |name: &str| names.iter().position(|n| *n == name);
    let mut stage = 0;
    for event in events {
        match &event.event {
            Event::Started {
                step, resumed_from, ..
            } => {
                stage = resumed_from
                    .as_deref()
                    .and_then(stage_of_checkpoint)
                    .unwrap_or(0);
                let kept = |at: &(usize, u64)| at.0 <= stage && at.1 <= *step;
                train.retain(|at, _| kept(at));
                dev.retain(|at, _| kept(at));
            }
            Event::Progress {
                stage: name,
                step,
                loss,
                ..
            } => {
                // `load` is no stage.
                let Some(of) = number(name) else { continue };
                stage = of;
                if let Some(loss) = loss {
                    train.insert((stage, *step), *loss);
                }
            }
            // The first checkpoint of a stage comes before its first look at the held-out items.
            Event::Checkpoint { stage: name, .. } => stage = number(name).unwrap_or(stage),
            Event::Metric { name, value, step } if name == "dev_loss" => {
                dev.insert((stage, *step), *value);
            }
            _ => {}
        }
    }
    let points = |losses: &Losses, stage: usize| -> Vec<CurvePoint> {
        let of_stage = losses.range((stage, 0)..=(stage, u64::MAX));
        of_stage
            .map(|((_, step), loss)| CurvePoint {
                step: *step,
                loss: *loss,
            })
            .collect()
    };
    names
        .iter()
        .enumerate()
        .map(|(stage, name)| StageCurve {
            name: (*name).to_owned(),
            train: points(&train, stage),
            dev: points(&dev, stage),
        })
        .filter(|curve| !curve.train.is_empty() || !curve.dev.is_empty())
        .collect()
}

/// The stage (from 0) of a checkpoint's folder, `checkpoints/stage-2-step-0000040`.
fn stage_of_checkpoint(path: &str) -> Option<usize> {
    let name = path.rsplit('/').next()?.strip_prefix("stage-")?;
    name.split_once('-')?
        .0
        .parse::<usize>()
        .ok()?
        .checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(events: Vec<Event>) -> Vec<JobEvent> {
        let line = |(seq, event)| JobEvent {
            attempt: 1,
            seq,
            time: 0.0,
            event,
        };
        (0..).zip(events).map(line).collect()
    }

    fn started(resumed_from: Option<&str>, step: u64) -> Event {
        Event::Started {
            pid: 1,
            device: "cpu".to_owned(),
            threads: 1,
            libtorch: String::new(),
            resumed_from: resumed_from.map(str::to_owned),
            step,
        }
    }

    fn progress(stage: &str, step: u64, loss: f64) -> Event {
        Event::Progress {
            stage: stage.to_owned(),
            step,
            of: 4,
            loss: Some(loss),
            lr: None,
            tokens_per_s: None,
            memory_mb: None,
            eta_s: None,
        }
    }

    fn look(step: u64, value: f64) -> Event {
        Event::Metric {
            name: "dev_loss".to_owned(),
            value,
            step,
        }
    }

    fn checkpoint(stage: &str, step: u64) -> Event {
        Event::Checkpoint {
            path: String::new(),
            stage: stage.to_owned(),
            step,
            best: false,
        }
    }

    #[test]
    fn two_attempts_leave_one_curve_and_a_boundary_belongs_to_both_stages() {
        let curves = stage_curves(
            &["sft", "token"],
            &lines(vec![
                started(None, 0),
                look(0, 9.0),
                progress("sft", 1, 2.0),
                progress("sft", 2, 1.5),
                look(2, 8.0),
                checkpoint("sft", 2),
                checkpoint("token", 2),
                look(2, 0.9),
                progress("token", 3, 0.8),
                progress("token", 4, 0.7),
                look(4, 0.6),
                // Killed; the checkpoint at the boundary is the newest, and the stage now ends a step earlier.
                started(Some("checkpoints/stage-2-step-0000002"), 2),
                look(2, 0.9),
                progress("token", 3, 0.75),
                look(3, 0.5),
            ]),
        );
        let of =
            |points: &[CurvePoint]| points.iter().map(|p| (p.step, p.loss)).collect::<Vec<_>>();
        assert_eq!(curves.len(), 2);
        assert_eq!(of(&curves[0].train), [(1, 2.0), (2, 1.5)]);
        assert_eq!(of(&curves[0].dev), [(0, 9.0), (2, 8.0)]);
        assert_eq!(of(&curves[1].train), [(3, 0.75)]);
        assert_eq!(of(&curves[1].dev), [(2, 0.9), (3, 0.5)]);
    }

    #[test]
    fn a_repeated_step_counts_once() {
        let events = lines(vec![
            started(None, 0),
            progress("sentence", 1, 2.0),
            progress("sentence", 1, 1.25),
        ]);
        let curves = stage_curves(&["sentence"], &events);
        assert_eq!(
            curves[0].train,
            [CurvePoint {
                step: 1,
                loss: 1.25
            }]
        );
        assert!(stage_curves(&["sft"], &lines(vec![started(None, 0)])).is_empty());
    }
}

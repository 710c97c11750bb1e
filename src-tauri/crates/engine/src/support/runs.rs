//! Describes the newest runs of a workspace for support. For each run the last events are listed, with their stages,
//! steps, figures and codes.
//!
//! An event file may come from another machine, and a message in it may quote a document. So messages are left out.
//! Only numbers and short names without blanks are taken from an event, such as the name of a stage or a device.
//! Nothing is taken from the worker's standard error.

use crate::runs::Runs;
use crate::workspace::OpenWorkspace;
use lexforge_domain::api::RunRow;
use lexforge_domain::protocol::{Event, JobEvent};
use lexforge_log::line::is_word;
use serde_json::{Value, json};

/// The number of runs of a workspace that are described, the newest ones.
const NEWEST: usize = 5;
/// The number of events of each run.
const LAST: usize = 40;

/// A part for each of the newest runs, under the name of its workspace.
pub(super) fn tails(
    workspace: &OpenWorkspace,
    rows: &[RunRow],
    name: &str,
) -> Vec<(String, String)> {
    let tail = |row: &RunRow| {
        let bundle = Runs::of(workspace).bundle_of(row.id);
        let events = bundle.and_then(|bundle| match bundle {
            Some(bundle) => bundle.events(None),
            None => Ok(Vec::new()),
        });
        let begin = json!({
            "state": row.state.tag(),
            "recipe": row.preset().map(|preset| preset.tag()),
            "base": word(&row.base),
            "started": word(&row.started),
            "adapter": row.adapter.as_deref().map(word),
            "code": row.failure.as_ref().map(|failure| failure.code.tag()),
        });
        let mut text = format!("{begin}\n");
        match events {
            Ok(events) => {
                let from = events.len().saturating_sub(LAST);
                for event in &events[from..] {
                    text.push_str(&format!("{}\n", told(event)));
                }
            }
            Err(failure) => {
                let failed = json!({ "events": failure.code.tag() });
                text.push_str(&format!("{failed}\n"));
            }
        }
        (format!("runs/{name}-{}.jsonl", row.id), text)
    };
    rows.iter().take(NEWEST).map(tail).collect()
}

/// An event without its message.
fn told(event: &JobEvent) -> Value {
    let (what, about) = match &event.event {
        Event::Started {
            device,
            threads,
            libtorch,
            resumed_from,
            step,
            ..
        } => (
            "started",
            json!({
                "device": word(device),
                "threads": threads,
                "libtorch": word(libtorch),
                "resumed": resumed_from.is_some(),
                "step": step,
            }),
        ),
        Event::Progress {
            stage,
            step,
            of,
            loss,
            lr,
            tokens_per_s,
            memory_mb,
            eta_s,
        } => (
            "progress",
            json!({
                "stage": word(stage),
                "step": step,
                "of": of,
                "loss": loss,
                "lr": lr,
                "tokens_per_s": tokens_per_s,
                "memory_mb": memory_mb,
                "eta_s": eta_s,
            }),
        ),
        Event::Paused { step } => ("paused", json!({ "step": step })),
        Event::Checkpoint {
            stage, step, best, ..
        } => (
            "checkpoint",
            json!({ "stage": word(stage), "step": step, "best": best }),
        ),
        Event::Metric { name, value, step } => (
            "metric",
            json!({ "name": word(name), "value": value, "step": step }),
        ),
        Event::Warning { code, .. } => ("warning", json!({ "code": word(code) })),
        Event::Finished { seconds } => ("finished", json!({ "seconds": seconds })),
        Event::Stopped { step } => ("stopped", json!({ "step": step })),
        Event::Failed { code, .. } => ("failed", json!({ "code": word(code) })),
    };
    json!({ "attempt": event.attempt, "time": event.time, "event": what, "about": about })
}

/// A word that names something; anything else is left out.
fn word(text: &str) -> &str {
    if is_word(text) { text } else { "-" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_told_without_its_words() {
        let failed = JobEvent {
            attempt: 1,
            seq: 0,
            time: 0.5,
            event: Event::Failed {
                code: "out_of_memory".to_owned(),
                message: "The text “private” is too long.".to_owned(),
                hint: "private".to_owned(),
                remedy: None,
            },
        };
        let event = JobEvent {
            event: Event::Progress {
                stage: "private words".to_owned(),
                step: 3,
                of: 4,
                loss: Some(0.5),
                lr: None,
                tokens_per_s: None,
                memory_mb: None,
                eta_s: None,
            },
            ..failed.clone()
        };
        let text = format!("{}\n{}", told(&failed), told(&event));
        assert!(text.contains("out_of_memory") && text.contains("\"step\":3"));
        assert!(!text.contains("private"), "{text}");
    }
}

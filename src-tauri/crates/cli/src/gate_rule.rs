//! The rule of the gate on a terminal, and what comes after a decision.

use crate::output::{count, share, word};
use lexforge_domain::RunId;
use lexforge_domain::api::GateAgainst;
use lexforge_domain::gate::{GateDecision, GateGround, GatePolicy, GateVerdict, GateWhy, Margin};
use std::path::Path;

/// A loss of a measure: `2.0 points`, or `.020` of a gap.
pub fn loss(m: &Margin) -> String {
    if m.measure.is_share() {
        points(m.margin)
    } else {
        share(m.margin)
    }
}

fn points(share: f64) -> String {
    format!("{:.1} points", share * 100.0)
}

/// The rule in words. What it does not limit is named, so that a reader learns that it can be.
pub fn described(policy: &GatePolicy) -> String {
    let measures: Vec<String> = policy
        .measures
        .iter()
        .map(|m| format!("{} up to {}", m.measure.words(), loss(m)))
        .collect();
    let usual = match *policy == GatePolicy::default() {
        true => " (the usual one)",
        false => "",
    };
    let stops = [
        (policy.reviewed, "questions that nobody reviewed".to_owned()),
        (policy.leaks, "leaks".to_owned()),
        (
            true,
            format!(
                "choices that give the answer away, by more than {} above chance",
                points(policy.shortcut)
            ),
        ),
    ];
    let stops: Vec<String> = stops
        .into_iter()
        .filter_map(|(asked, what)| asked.then_some(what))
        .collect();
    let mut lines = vec![
        format!(
            "The rule{usual}: tolerated losses are {}; each bound holds at level {}.",
            measures.join(", "),
            share(policy.level)
        ),
        format!(
            "  Nothing is decided with fewer than {} clusters (articles or sections) or {} test questions.",
            count(policy.least_anchors.into()),
            count(policy.least_questions.into())
        ),
        format!("  Any model is stopped by {}.", stops.join("; ")),
    ];
    let (asked, free) = further(policy);
    if !asked.is_empty() {
        lines.push(format!("  It also asks for this: {}.", asked.join("; ")));
    }
    if !free.is_empty() {
        lines.push(format!("  It does not look at {}.", free.join(", ")));
    }
    lines.join("\n")
}

/// What else a rule can ask for: what this one asks, and what it does not look at, with the option for it.
fn further(policy: &GatePolicy) -> (Vec<String>, Vec<&'static str>) {
    let (mut asked, mut free) = (Vec::new(), Vec::new());
    match policy.general_floor {
        Some(floor) => asked.push(format!(
            "general language falls by at most {} of rank correlation",
            share(floor)
        )),
        None => free.push("general language (--general-floor)"),
    }
    match policy.attack_floor {
        Some(floor) => asked.push(format!(
            "an attack that keeps the meaning costs at most {} of accuracy",
            points(floor)
        )),
        None => free.push("attacks (--attack-floor)"),
    }
    match policy.export_parity {
        true => asked.push("an export was proved to answer as the run does".to_owned()),
        false => free.push("exports (--export-parity)"),
    }
    (asked, free)
}

/// The command that makes a run active. `general` is the file of pairs that it has to be measured on.
pub fn activating(workspace: &Path, run: RunId, general: Option<&Path>) -> String {
    let path = |path: &Path| word(&path.display().to_string());
    let general = general.map_or_else(String::new, |file| format!(" --general {}", path(file)));
    format!(
        "lexforge models activate {} --run {run}{general}",
        path(workspace)
    )
}

/// What to know and to do after a decision. `kept` is the workspace's rule, by which models are made active. `command`
/// is the verb that makes this run active, with its arguments.
pub fn after(
    d: &GateDecision,
    kept: &GatePolicy,
    against: GateAgainst,
    command: &str,
) -> Option<String> {
    if d.policy != *kept {
        return Some(
            "This is not the workspace's rule. `models activate` goes by that one; --keep makes this one the workspace's."
                .to_owned(),
        );
    }
    if d.reasons.iter().any(|r| r.ground == GateGround::Unreviewed) {
        return Some(
            "What nobody reviewed stops every model. Decide about the questions (lexforge qca decide, or Review in the \
             window), freeze a snapshot of those (lexforge dataset freeze WORKSPACE --policy single) and train on it."
                .to_owned(),
        );
    }
    if d.verdict != GateVerdict::Pass || d.why() == GateWhy::Same {
        return None;
    }
    Some(match against {
        GateAgainst::Active => format!("To make it active: {command}"),
        GateAgainst::Base | GateAgainst::Run(_) => {
            "`models activate` compares with the active model: look at that, too, without --against."
                .to_owned()
        }
    })
}

#[cfg(test)]
mod tests;

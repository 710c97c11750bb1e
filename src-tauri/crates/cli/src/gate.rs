//! `gate`, and what is active.

use crate::gate_args::{ActivateArgs, GateArgs};
use crate::gate_rule;
use crate::output::{Outcome, Output, count, counted, done, share, tell};
use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    Activation, ActiveModels, Deployment, DeploymentAction, GateOverride, GateRequest, ModelKind,
    ScoredPair,
};
use lexforge_domain::gate::{Characteristic, GateDecision, GatePlan, GateVerdict, units};
use lexforge_engine::{Assumption, Engine, scored_pairs_of};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Exit codes of a decision.
const STOPPED: u8 = 3;
const OPEN: u8 = 4;

pub fn gate(args: &GateArgs, out: &Output) -> Outcome {
    let engine = Engine::open(&args.workspace)?;
    let policy = args.policy.on(&engine.evaluation().gate_policy()?);
    if args.keep {
        // A file that is no good leaves the rule as it was.
        if let Some(file) = &args.general {
            engine.evaluation().keep_gate_general(file)?;
        }
        engine.evaluation().keep_gate_policy(&policy)?;
        // It is told at once, because it stays kept even if the decision fails.
        tell("The rule is kept. From now on a model has to pass by it to be made active.");
    }
    if args.plan {
        let assumption = Assumption {
            discordant: args.discordant / 100.0,
            within: args.within,
        };
        let watcher = Terminal::new(false);
        let planned = engine
            .evaluation()
            .gate_plan(args.dataset, &policy, assumption, &watcher);
        let plan = watcher.finished(planned)?;
        out.document(&plan, || describe_plan(&plan));
        return done();
    }
    engine.workspace().require_writable()?;
    let run = match args.run {
        Some(run) => run,
        None => engine.evaluation().newest_of_snapshot()?,
    };
    // A file that is kept is read by its name there, and what is measured on it is kept, too.
    let general = args.general.as_deref().filter(|_| !args.keep);
    let request = GateRequest {
        run,
        against: args.against.unwrap_or_default(),
        policy: Some(policy),
        general: pairs(general)?,
    };
    let watcher = Terminal::new(false);
    let decision = watcher.finished(engine.evaluation().gate(&request, &watcher))?;
    // A rule that was just kept is the workspace's. Read back, a figure of it may differ in its last digit.
    let kept = match args.keep {
        true => decision.policy.clone(),
        false => engine.evaluation().gate_policy()?,
    };
    out.document(&decision, || {
        let command = gate_rule::activating(&args.workspace, run, general);
        let after = gate_rule::after(&decision, &kept, request.against, &command);
        let after = after.map_or_else(String::new, |after| format!("\n{after}"));
        format!("{}{after}", describe(&decision))
    });
    Ok(match decision.verdict {
        GateVerdict::Pass => ExitCode::SUCCESS,
        GateVerdict::Stop => ExitCode::from(STOPPED),
        GateVerdict::Undecided => ExitCode::from(OPEN),
    })
}

/// `models activate`
pub fn activate(args: &ActivateArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    let asked = Activation {
        run: args.run,
        against_the_gate: args.against_the_gate.then(|| GateOverride {
            by: args.by.clone().unwrap_or_default(),
            reason: args.reason.clone().unwrap_or_default(),
            accepts: args.accept,
        }),
        general: pairs(args.general.as_deref())?,
    };
    let watcher = Terminal::new(false);
    let made = watcher.finished(engine.evaluation().activate(&asked, &watcher))?;
    out.document(&made, || describe_change(&made));
    done()
}

/// `models active`
pub fn active(workspace: &Path, out: &Output) -> Outcome {
    let active = Engine::open(workspace)?.evaluation().active_models()?;
    out.document(&active, || describe_active(&active));
    done()
}

/// `models rollback`
pub fn roll_back(workspace: &Path, out: &Output) -> Outcome {
    let made = Engine::open(workspace)?.evaluation().roll_back()?;
    out.document(&made, || describe_change(&made));
    done()
}

/// The pairs of general language of a file; none where no file is named.
pub fn pairs(file: Option<&Path>) -> Result<Vec<ScoredPair>, Failure> {
    file.map_or_else(|| Ok(Vec::new()), scored_pairs_of)
}

/// A decision as a person reads it.
fn describe(d: &GateDecision) -> String {
    let verdict = match d.verdict {
        GateVerdict::Pass => "PASS",
        GateVerdict::Stop => "STOP",
        GateVerdict::Undecided => "UNDECIDED",
    };
    let mut text = format!("{verdict}: {}", d.in_a_line());
    let _ = write!(
        text,
        "\n  against {} · {} questions in {} {} · {} scorer",
        d.against,
        count(d.questions.into()),
        count(d.anchors.into()),
        units(&d.unit, d.anchors),
        d.scorer
    );
    for reason in &d.reasons {
        let mark = if reason.blocking { "!" } else { "-" };
        let _ = write!(text, "\n  {mark} {}", reason.text);
    }
    if let Some(of) = &d.general {
        let file = match of.file.as_str() {
            "" => String::new(),
            file => format!(" of {file}"),
        };
        let _ = write!(
            text,
            "\n  General language, rank correlation on {} pairs{file}: {} before, {} after.",
            count(of.pairs.into()),
            share(of.before),
            share(of.after)
        );
        if let Some(bounds) = &of.bounds {
            let _ = write!(
                text,
                " The change lies between {:+.3} and {:+.3}, each bound one-sided at level {}, by resampling of the pairs.",
                bounds.low,
                bounds.high,
                share(bounds.level)
            );
        }
    }
    if d.figures.iter().any(|f| f.low < f.high) {
        let _ = write!(
            text,
            "\n  The bounds of the measures are one-sided at level {}, by a jackknife over {}; `eval` gives the two-sided 95 % interval of a bootstrap for the same change, so its bounds differ.",
            share(d.policy.level),
            units(&d.unit, 2)
        );
    }
    if let Some(seeds) = &d.seeds {
        let [least, most] = seeds.spread();
        let _ = write!(
            text,
            "\n  Over {} seeds of this recipe accuracy lies between {} and {}: a difference that is no larger than this range may be the seed's.",
            seeds.runs.len(),
            share(least),
            share(most)
        );
    }
    if let Some(needed) = d.needed {
        let _ = write!(
            text,
            "\n  About {} {} would decide; there are {}.",
            count(needed),
            units(&d.unit, u32::try_from(needed).unwrap_or(u32::MAX)),
            count(d.anchors.into())
        );
    }
    let rule = gate_rule::described(&d.policy);
    let _ = write!(
        text,
        "\n{rule}\n{}",
        describe_characteristic(&d.characteristic)
    );
    text
}

/// What the rule says, and how often it would be right.
fn describe_plan(plan: &GatePlan) -> String {
    format!(
        "Snapshot {}: {} in {} {}\n{}\n{}",
        plan.dataset,
        counted(plan.questions, "test question"),
        count(plan.anchors.into()),
        units(&plan.unit, plan.anchors),
        gate_rule::described(&plan.policy),
        describe_characteristic(&plan.characteristic)
    )
}

/// A simulated share as a whole per cent. What happens at times is neither shown as always nor as never.
fn percent(share: f64) -> String {
    let whole = (share * 100.0).round();
    let whole = match share {
        share if share <= 0.0 => 0.0,
        share if share >= 1.0 => 100.0,
        _ => whole.clamp(1.0, 99.0),
    };
    format!("{whole:.0} %")
}

/// How much worse a simulated model is, in words.
fn in_points(points: &str) -> String {
    match points {
        "1" => "1 point".to_owned(),
        more => format!("{more} points"),
    }
}

fn describe_characteristic(c: &Characteristic) -> String {
    let mut text = format!(
        "How often this rule is right on these questions ({} simulated pairs; one of two models right and the other wrong on {:.1} % of the questions, correlation within a cluster {:.2}):",
        count(c.simulations.into()),
        c.discordant * 100.0,
        c.within
    );
    for (points, rates) in &c.rates {
        let which = match points.as_str() {
            "0" => "an equal model".to_owned(),
            points => format!("one worse by {}", in_points(points)),
        };
        let _ = write!(
            text,
            "\n  {which:<24}passes {:>5}  stopped {:>5}  undecided {:>5}  (± {:.1})",
            percent(rates.passes),
            percent(rates.stopped),
            percent(rates.undecided),
            rates.error * 100.0
        );
    }
    if c.decides_nothing() {
        text.push_str(
            "\n  There are too few test questions: the answer will be “undecided”, whether the model is equal or worse by 3 points.",
        );
    }
    for offer in &c.offers {
        let margins: Vec<String> = offer
            .margins
            .iter()
            .map(|m| format!("{} {}", m.measure.words(), gate_rule::loss(m)))
            .collect();
        let stopped: Vec<String> = offer
            .worse_stopped
            .iter()
            .map(|(points, share)| format!("{} {}", in_points(points), percent(*share)))
            .collect();
        let _ = write!(
            text,
            "\n  For an equal model to pass in {}: margins {}; stopped would be: {}",
            percent(offer.equal_passes),
            margins.join(", "),
            stopped.join(", ")
        );
    }
    text
}

fn stands(overridden: Option<&GateOverride>) -> String {
    overridden.map_or_else(String::new, |stands| {
        format!(
            "\n  ! against the gate: {} stands for it: {}",
            stands.by, stands.reason
        )
    })
}

fn describe_change(d: &Deployment) -> String {
    let what = match (d.action, d.run) {
        (DeploymentAction::RollBack, Some(run)) => {
            format!("Taken back: run {run} is active again ({})", d.kind.tag())
        }
        (DeploymentAction::RollBack, None) => {
            format!("Taken back: no {} is active now", d.kind.tag())
        }
        (_, run) => format!(
            "Run {} is active ({})",
            run.map(|r| r.to_string()).unwrap_or_default(),
            d.kind.tag()
        ),
    };
    format!("{what}{}", stands(d.overridden.as_ref()))
}

fn describe_active(active: &ActiveModels) -> String {
    let mut text = String::new();
    for kind in ModelKind::ALL {
        match active.of(kind) {
            None => {
                let _ = writeln!(text, "{}: not activated", kind.tag());
            }
            Some(d) => {
                let _ = writeln!(
                    text,
                    "{}: run {} on {} since {}{}",
                    kind.tag(),
                    d.run.map(|r| r.to_string()).unwrap_or_default(),
                    d.base.as_deref().unwrap_or_default(),
                    d.made,
                    stands(d.overridden.as_ref())
                );
            }
        }
    }
    for row in &active.history {
        let run = row
            .run
            .map_or_else(|| "none".to_owned(), |run| format!("run {run}"));
        let verdict = row.verdict.map(GateVerdict::tag).unwrap_or("");
        let _ = writeln!(
            text,
            "  {}  {:<10}{} → {run}  {verdict}",
            row.made,
            row.action.tag(),
            row.kind.tag()
        );
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::gate::{CharacteristicSource, GateRates};

    #[test]
    fn what_happens_at_times_is_shown_neither_as_always_nor_as_never() {
        for (share, said) in [
            (0.0, "0 %"),
            (0.002, "1 %"),
            (0.5, "50 %"),
            (0.998, "99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(share), said);
        }
    }

    #[test]
    fn too_few_questions_for_any_verdict_are_said() {
        for (undecided, said) in [(1.0, true), (0.4, false)] {
            let rates = GateRates {
                passes: 1.0 - undecided,
                undecided,
                ..GateRates::default()
            };
            let text = describe_characteristic(&Characteristic {
                from: CharacteristicSource::Measured,
                simulations: 2000,
                discordant: 0.1,
                within: 0.1,
                equal_passes: rates.passes,
                worse_stopped: std::collections::BTreeMap::new(),
                rates: ["0", "1", "3"]
                    .map(|points| (points.to_owned(), rates))
                    .into(),
                offers: Vec::new(),
            });
            assert_eq!(text.contains("too few test questions"), said, "{text}");
            for worse in ["one worse by 1 point ", "one worse by 3 points "] {
                assert!(text.contains(worse), "{text}");
            }
        }
    }
}

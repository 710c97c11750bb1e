//! `triplets`.

use crate::endpoints::{consent, tell_what_is_known};
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, in_full, interval, p_value, share};
use crate::review::{choice, describe_act, describe_queue, open};
use crate::terminal::Terminal;
use crate::triplet_args::{DecideTripletsArgs, TripletsAction, TripletsArgs, WhichArgs};
use lexforge_domain::Failure;
use lexforge_domain::api::{
    Bounded, NewDecision, OwnPairs, QueueFilter, TripletFigures, TripletFilter, TripletReport,
    TripletRow, TripletsMeasured, TripletsRequest,
};
use lexforge_domain::review::{Edit, Subject, SubjectKind};
use lexforge_engine::{AskRequest, Engine, scored_sets, shift_types_of};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// `triplets`
pub fn run(args: &TripletsArgs, out: &Output) -> Outcome {
    match &args.action {
        TripletsAction::Make {
            workspace,
            offline: _,
            from_graph,
            endpoint,
            limit,
            yes,
            local,
            translate,
            most,
            shifts,
            only,
            seed,
        } => {
            let engine = Engine::open_to_write(workspace)?;
            let request = TripletsRequest {
                shifts: shift_types_of(shifts.as_deref())?,
                only: only.clone(),
                most: *most,
                seed: *seed,
                translated: *translate,
            };
            let watcher = Terminal::new(out.json);
            let made = match endpoint {
                None if *from_graph => engine.writing().make_triplets_of_graph(*seed, &watcher),
                None => engine.writing().make_triplets(&request, &watcher),
                Some(endpoint) => {
                    let ask = AskRequest {
                        endpoint: endpoint.clone(),
                        local: local.into(),
                        limit: *limit,
                        ..AskRequest::default()
                    };
                    asked(&engine, ask, &request, *yes, &watcher)
                }
            };
            watcher.finish();
            let made = made?;
            out.document(&made, || described(&made));
        }
        TripletsAction::List {
            workspace,
            which,
            turned_down,
            limit,
        } => {
            let filter = TripletFilter {
                turned_down: *turned_down,
                limit: *limit,
                ..filter(which)
            };
            let rows = Engine::open(workspace)?.writing().triplets(&filter)?;
            out.rows(&rows.rows, none_yet::TRIPLETS, row);
        }
        TripletsAction::Shifts { shifts } => {
            let types = shift_types_of(shifts.as_deref())?;
            out.rows(&types, none_yet::NOTHING, |shift| {
                format!("{}: {} · {}", shift.tag, shift.en, shift.what)
            });
        }
        TripletsAction::Decide(args) => {
            let act = open(&args.who)?.review().decide(&decision(args))?;
            out.document(&act, || describe_act(&act));
        }
        TripletsAction::Queue(who) => {
            let filter = QueueFilter::of(SubjectKind::Triplet);
            let view = open(who)?.review().review_queue(&filter, None)?;
            out.document(&view, || describe_queue(&view));
        }
        TripletsAction::Agreement { workspace } => {
            return crate::agreement::show(workspace, SubjectKind::Triplet, out);
        }
        TripletsAction::Export {
            workspace,
            file,
            which,
        } => {
            let engine = Engine::open(workspace)?;
            let n = engine.writing().write_triplets(&filter(which), file)?;
            let value = serde_json::json!({ "triplets": n, "file": file.display().to_string() });
            out.document(&value, || {
                format!("{} triplets in {}.", count(n), in_full(file))
            });
        }
        TripletsAction::Import { workspace, file } => {
            let engine = Engine::open_to_write(workspace)?;
            let watcher = Terminal::new(false);
            let made = watcher.finished(engine.writing().import_triplets_of(file, &watcher))?;
            out.document(&made, || described(&made));
        }
        TripletsAction::Measure {
            workspace,
            encoder,
            split,
            sts,
        } => {
            let wanted = TripletsMeasured {
                run: encoder.run,
                base: encoder.base.clone(),
                percents: encoder.points.clone(),
                split: Some((*split).into()),
                own: OwnPairs::WhereEnough,
                sets: scored_sets(sts)?,
            };
            measure(workspace, &wanted, out)?;
        }
    }
    done()
}

fn decision(args: &DecideTripletsArgs) -> NewDecision {
    let corrected = args.positive.clone().zip(args.negative.clone());
    NewDecision {
        subjects: args
            .triplets
            .iter()
            .map(|id| Subject::triplet(*id))
            .collect(),
        choice: choice(args.accept, args.reject),
        edit: Edit {
            choices: corrected.map(|(positive, negative)| vec![positive, negative]),
            ..Edit::default()
        },
        reason: args.note.clone(),
        adjudicates: args.adjudicate,
    }
}

/// Shows what would be sent, has it agreed to, and makes triplets.
fn asked(
    engine: &Engine,
    mut ask: AskRequest,
    request: &TripletsRequest,
    yes: bool,
    watcher: &Terminal,
) -> Result<TripletReport, Failure> {
    let plan = engine.writing().plan_triplets(&ask, request, watcher)?;
    watcher.finish();
    tell_what_is_known(engine, &plan)?;
    if !plan.local && plan.prompts > 0 {
        ask.consent = consent(&plan, yes);
    }
    engine.writing().make_triplets_with(&ask, request, watcher)
}

fn filter(which: &WhichArgs) -> TripletFilter {
    TripletFilter {
        shift: which.shift.clone(),
        split: which.split.map(Into::into),
        status: which.status,
        ..TripletFilter::default()
    }
}

/// Measures what was requested and shows it.
pub fn measure(workspace: &Path, wanted: &TripletsMeasured, out: &Output) -> Result<(), Failure> {
    let engine = Engine::open(workspace)?;
    let watcher = Terminal::new(out.json);
    let found = watcher.finished(engine.evaluation().measure_triplets(wanted, &watcher))?;
    out.document(&found, || measured(&found));
    Ok(())
}

/// What was made as a person reads it.
fn described(report: &TripletReport) -> String {
    let mut text = format!(
        "{} triplets of {} looked at ({}); kept whole by the split: {}",
        count(report.kept),
        count(report.looked_at),
        report.source,
        report.unit
    );
    let mut part = |name: &str, of: &BTreeMap<String, u64>| {
        if !of.is_empty() {
            let each: Vec<String> = of
                .iter()
                .map(|(tag, n)| format!("{tag} {}", count(*n)))
                .collect();
            let _ = write!(text, "\n  {name}: {}", each.join(", "));
        }
    };
    part("parts", &report.by_split);
    part("shifts", &report.by_shift);
    part(
        "of these rewritten, since there are few; look at some",
        &report.filled,
    );
    part("turned down and listed", &report.turned_down);
    part("no triplet", &report.skipped);
    text
}

/// A triplet as a person reads it.
fn row(row: &TripletRow) -> String {
    let triplet = &row.triplet;
    let mut text = format!(
        "{}  {} · {} · {}",
        row.id,
        triplet.shift,
        triplet.split.tag(),
        row.status.tag()
    );
    if row.corrected {
        text.push_str(" · corrected");
    }
    if let Some(reason) = &triplet.reason {
        let _ = write!(text, " · turned down: {reason}");
    }
    if let Some(page) = row.page {
        let _ = write!(text, " · {}, page {page}", row.document_title);
    }
    let origin = &triplet.origin;
    let edit = match origin.removed.is_empty() && origin.added.is_empty() {
        true => origin.negative.clone(),
        false => format!("{}: {} → {}", origin.negative, origin.removed, origin.added),
    };
    let _ = write!(
        text,
        "\n  source    {}\n  positive  {} [{}]\n  negative  {} [{edit}]",
        triplet.source,
        triplet.positive,
        origin.positive.join(", "),
        triplet.negative
    );
    text
}

/// Figures as a person reads them.
fn measured(found: &TripletFigures) -> String {
    let name = |percent: u8| match percent {
        0 => format!("{} untuned", found.base),
        100 => "tuned".to_owned(),
        part => format!("{part} hundredths of the tuning"),
    };
    let bounds = |of: &Bounded| match of.interval {
        Some(bounds) => interval(of.value, bounds),
        None => share(of.value),
    };
    let mut text = match found.triplets {
        0 => "Pairs of sentences that people scored".to_owned(),
        n => format!(
            "{} triplets of the part {} in {} units",
            count(n),
            found.split.tag(),
            count(found.clusters)
        ),
    };
    for remark in &found.remarks {
        let _ = write!(text, "\n! {remark}");
    }
    for point in &found.points {
        let _ = write!(text, "\n{}", name(point.percent));
        if let Some(accuracy) = &point.accuracy {
            let _ = write!(
                text,
                "\n  positive nearer than negative {}",
                bounds(accuracy)
            );
            for (shift, (accuracy, n)) in &point.by_shift {
                let shift = if shift.is_empty() {
                    "no shift named"
                } else {
                    shift
                };
                let _ = write!(text, "\n    {shift} {} (n {})", share(*accuracy), count(*n));
            }
        }
        for (number, ((set, n), rho)) in found.sets.iter().zip(&point.similarity).enumerate() {
            let _ = write!(
                text,
                "\n  {set}, {} pairs: Spearman {}",
                count(*n),
                bounds(rho)
            );
            if let Some(r) = point.pearson.get(number) {
                let _ = write!(text, ", Pearson {}", bounds(r));
            }
            if let Some(gain) = point.gained.get(number) {
                let _ = write!(text, ", gained {}", bounds(gain));
            }
            if let Some(p) = point.gained_p.get(number).copied().flatten() {
                let _ = write!(text, ", {}", p_value(p));
            }
        }
    }
    text
}

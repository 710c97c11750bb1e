//! `match`.

use crate::answer_text::many;
use crate::answering::write_file;
use crate::match_args::{FormArg, MatchAction, MatchArgs};
use crate::match_force::Force;
use crate::match_import::taken_in;
use crate::none_yet;
use crate::output::{Outcome, Output, count, done, in_full, tell};
use crate::review::open;
use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    MatchChanges, MatchCoverageRow, MatchDecide, MatchDecision, MatchExport, MatchImport,
    MatchLearning, MatchMethodRow, MatchProposal, MatchReport, MatchRequest, MatchRow,
    MatchVerdict, MatchedRule,
};
use lexforge_domain::metrics::Interval;
use lexforge_engine::{BenchmarkRequest, Engine, benchmark, benchmark_coverage, told_difference};
use std::fmt::Write as _;
use std::path::Path;

/// What `match list` says before the first matching.
const NOTHING_MATCHED: &str = "Nothing was matched yet. Match first: lexforge match WORKSPACE --rules DOC --policies DOC. The ids of the documents: lexforge docs WORKSPACE.";

/// `match`
pub fn run(args: &MatchArgs, out: &Output) -> Outcome {
    if let Some(action) = &args.action {
        return act(action, out);
    }
    if let Some(folder) = &args.benchmark {
        return measure(args, folder, out);
    }
    let Some(workspace) = &args.workspace else {
        return Err(Failure::invalid("No workspace was named.", "Name one."));
    };
    let engine = Engine::open(workspace)?;
    let watcher = Terminal::new(false);
    let report = watcher.finished(engine.matching().matched(
        &MatchRequest {
            rules: args.rules.clone(),
            policies: args.policies.clone(),
            encoder: args.encoder.clone(),
            words_alone: args.words,
            top: usize::from(args.top),
            everyone: args.everyone,
        },
        &watcher,
    ))?;
    for warning in &report.warnings {
        tell(warning);
    }
    let force = Force::of(&engine)?;
    list(&report, none_yet::RULES, &force, out);
    tell(&summed(&report));
    if let Some(told) = force.matched(&report.request) {
        tell(&told);
    }
    done()
}

fn list(report: &MatchReport, none: &str, force: &Force, out: &Output) {
    out.rows(&force.rows(&report.rows), none, |row| shown(row.of, force));
}

fn act(action: &MatchAction, out: &Output) -> Outcome {
    match action {
        MatchAction::List { workspace, verdict } => {
            let engine = Engine::open(workspace)?;
            let Some(mut report) = engine.matching().newest()? else {
                tell(NOTHING_MATCHED);
                return done();
            };
            if let Some(verdict) = verdict {
                let rows = &mut report.rows;
                rows.retain(|row| row.verdict == (*verdict).into());
            }
            let force = Force::of(&engine)?;
            let none = match verdict {
                Some(_) => none_yet::OF_THIS_VERDICT,
                None => none_yet::RULES,
            };
            list(&report, none, &force, out);
            if let Some(told) = force.matched(&report.request) {
                tell(&told);
            }
        }
        MatchAction::PassedOver { workspace } => {
            let passed = Engine::open(workspace)?.matching().passed_over()?;
            out.rows(&passed, none_yet::NOTHING, |one| {
                format!(
                    "{}  page {}, {}: {}",
                    one.id, one.page, one.section, one.text
                )
            });
        }
        MatchAction::Changes { workspace } => {
            let engine = Engine::open(workspace)?;
            let MatchReport {
                changes, request, ..
            } = engine.matching().newest()?.unwrap_or_default();
            let force = Force::of(&engine)?;
            let told = changes.as_ref().map(|c| force.changes(c, &request));
            out.document(&told, || {
                let none = "No earlier version of these documents was matched.";
                changes
                    .as_ref()
                    .map_or_else(|| none.to_owned(), MatchChanges::told)
            });
            if let Some(told) = force.matched(&request) {
                tell(&told);
            }
        }
        MatchAction::Show { workspace, rule } => {
            let engine = Engine::open(workspace)?;
            let (rule, force) = (engine.matching().rule(*rule)?, Force::of(&engine)?);
            out.document(&force.told(&rule, &rule.row), || whole(&rule, &force));
        }
        MatchAction::Decide {
            who,
            rule,
            verdict,
            relation,
            policy,
            note,
            owner,
            due,
        } => {
            let engine = open(who)?;
            let decisions = engine.matching().decide(&MatchDecide {
                rules: rule.clone(),
                verdict: verdict.map(Into::into),
                undecided: false,
                relation: relation.map(Into::into),
                policies: policy.clone(),
                note: note.clone(),
                owner: owner.clone(),
                due: due.clone(),
            })?;
            out.rows(&decisions, none_yet::NOTHING, decided);
        }
        MatchAction::Import {
            workspace,
            file,
            rules,
            policies,
        } => {
            let about = MatchImport {
                rules: rules.clone(),
                policies: policies.clone(),
            };
            let engine = Engine::open_to_write(workspace)?;
            let imported = engine.matching().import_mapping(file, &about)?;
            for breach in &imported.breaches {
                tell(&breach.text);
            }
            out.document(&imported, || taken_in(&imported));
        }
        MatchAction::Proposals { workspace } => {
            let engine = Engine::open(workspace)?;
            let (proposals, force) = (engine.matching().proposals()?, Force::of(&engine)?);
            out.rows(&force.proposals(&proposals), none_yet::MAPPINGS, |told| {
                let one = told.of;
                format!(
                    "{}  page {}{}: {}{}",
                    one.rule.id,
                    one.rule.page,
                    force.why(&one.rule),
                    one.rule.text,
                    proposed(one, &force)
                )
            });
        }
        MatchAction::Export {
            workspace,
            out: file,
            form,
        } => {
            let form = match form {
                Some(form) => (*form).into(),
                None => form_of(file)?,
            };
            let engine = Engine::open(workspace)?;
            let bytes = engine.matching().export_to(form, file)?.bytes;
            let written = serde_json::json!({ "out": file.display().to_string(), "bytes": bytes });
            out.document(&written, || format!("Written to {}.", in_full(file)));
        }
    }
    done()
}

/// A rule with what each method finds by itself and what was decided, as a person reads it.
fn whole(rule: &MatchedRule, force: &Force) -> String {
    let mut text = shown(&rule.row, force);
    for found in &rule.by_method {
        let _ = write!(text, "\n    {} finds:", found.method);
        for (place, one) in found.statements.iter().enumerate() {
            let _ = write!(
                text,
                "\n        {}. {}  page {}{}: {}",
                place + 1,
                one.id,
                one.page,
                force.why(one),
                one.text
            );
        }
    }
    for decision in &rule.history {
        let _ = write!(text, "\n    {}", decided(decision));
    }
    text
}

/// The proposals of others about a rule, on separate lines.
fn proposed(one: &MatchProposal, force: &Force) -> String {
    let says = match one.said.as_str() {
        "" if one.policies.is_empty() => "nothing covers it",
        said => said,
    };
    let mut text = format!("\n    {} proposes for {}: {says}", one.from.file, one.named);
    for policy in &one.policies {
        let _ = write!(
            text,
            "\n        {}  page {}{}: {}",
            policy.id,
            policy.page,
            force.why(policy),
            policy.text
        );
    }
    text
}

/// The form that a file's name says.
fn form_of(file: &Path) -> Result<MatchExport, Failure> {
    let ending = file
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    Ok(match ending.as_str() {
        "csv" => FormArg::Csv,
        "xlsx" => FormArg::Xlsx,
        "docx" => FormArg::Docx,
        "json" => FormArg::Oscal,
        "html" | "htm" => FormArg::Html,
        _ => {
            return Err(Failure::invalid(
                "The file's name does not say which form it is to have.",
                "End it with .csv, .xlsx, .docx, .json or .html, or say --form.",
            ));
        }
    }
    .into())
}

fn decided(decision: &MatchDecision) -> String {
    format!(
        "{}  rule {}: {} by {}, {}",
        match (decision.undecided, decision.accepted) {
            (true, _) => "left open",
            (false, true) => "accepted",
            (false, false) => "corrected",
        },
        decision.rule.id,
        decision.verdict.words(),
        decision.actor,
        many(decision.policies.len() as u64, "statement")
    )
}

fn measure(args: &MatchArgs, folder: &Path, out: &Output) -> Outcome {
    let watcher = Terminal::new(false);
    let judged = benchmark_coverage(folder, &watcher);
    watcher.finish();
    if let Some(rows) = judged? {
        let files = [&args.trec, &args.word_vectors, &args.tuned];
        if args.encoder.is_some() || files.into_iter().any(Option::is_some) {
            tell(
                "On sets that say what documents cover, words alone are compared: encoders, word vectors and runs have no part.",
            );
        }
        out.rows(&rows, none_yet::NOTHING, coverage);
        return done();
    }
    let request = BenchmarkRequest {
        folder: folder.to_owned(),
        encoders: args.encoder.iter().cloned().collect(),
        word_vectors: args.word_vectors.clone(),
    };
    let found = match &args.tuned {
        None => benchmark(&request, &watcher),
        Some(workspace) => {
            let engine = Engine::open(workspace)?;
            engine.matching().benchmark(&request, &args.run, &watcher)
        }
    };
    let found = watcher.finished(found)?;
    for warning in &found.warnings {
        tell(warning);
    }
    if let Some(file) = &args.trec {
        write_file(file, None, &found.run)?;
    }
    out.rows(&found.rows, none_yet::NOTHING, method);
    done()
}

/// A way to tell what documents cover as a person reads it.
fn coverage(row: &MatchCoverageRow) -> String {
    let mut text = format!(
        "{}  {}  {}, {}",
        row.set,
        row.way,
        many(row.documents as u64, "document"),
        many(row.pairs as u64, "pair")
    );
    for (name, Interval { value, low, high }) in &row.figures {
        let _ = write!(text, "\n      {name} {value:.3} [{low:.3}, {high:.3}]");
    }
    text
}

/// The decisions from which the probability of a rule was learned. Empty if the probability comes with the product.
fn rests_on(row: &MatchRow) -> String {
    match row.learned {
        None => String::new(),
        Some(learned) if learned.pooled => format!(
            ", weighed by {} about all rules, {} about this one",
            many(learned.of_all as u64, "decision"),
            learned.decisions
        ),
        Some(learned) => format!(
            ", learned from {}",
            many(learned.decisions as u64, "decision")
        ),
    }
}

/// A rule as a person reads it.
fn shown(row: &MatchRow, force: &Force) -> String {
    let mut text = format!(
        "{} ({:.2}{})  {}  page {}{}: {}",
        row.verdict.words(),
        row.probability,
        rests_on(row),
        row.rule.id,
        row.rule.page,
        force.why(&row.rule),
        row.rule.text
    );
    let bearing: Vec<_> = row.policies.iter().filter(|p| p.covers).collect();
    for policy in bearing {
        let relation = row
            .relation
            .map_or("", lexforge_domain::api::MatchRelation::tag);
        let _ = write!(
            text,
            "\n    {relation}: {}  page {}{}: {}",
            policy.statement.id,
            policy.statement.page,
            force.why(&policy.statement),
            policy.statement.text
        );
    }
    let told = row.differences.iter();
    for difference in told.filter(|_| row.verdict != MatchVerdict::NotCovered) {
        let _ = write!(text, "\n    {}", told_difference(difference));
    }
    for near in &row.nearest {
        let _ = write!(
            text,
            "\n    near: {}  page {}{}: {}\n          {}",
            near.policy.id,
            near.policy.page,
            force.why(&near.policy),
            near.policy.text,
            near.why_not.text
        );
    }
    text.extend(row.proposed.iter().map(|one| proposed(one, force)));
    text
}

fn summed(report: &MatchReport) -> String {
    let of = |verdict: MatchVerdict| {
        let n = report.rows.iter().filter(|r| r.verdict == verdict).count();
        format!("{} {}", count(n as u64), verdict.words())
    };
    let parts: Vec<String> = MatchVerdict::ALL.into_iter().map(of).collect();
    let aside = &report.set_aside;
    let aside = if aside.recitals + aside.public == 0 {
        String::new()
    } else {
        format!(
            " Set aside: {} in recitals and explanations, {} for public bodies (--everyone takes them in).",
            count(aside.recitals as u64),
            many(aside.public as u64, "rule"),
        )
    };
    format!(
        "{} against {} ({}): {}. {} of the rules oblige nobody and were passed over.{aside}{}",
        many(report.rows.len() as u64, "rule"),
        many(report.statements as u64, "statement"),
        report.method,
        parts.join(", "),
        many(report.passed_over as u64, "sentence"),
        learned(report),
    )
}

/// What a matching learned from decisions, or what is missing for that.
fn learned(report: &MatchReport) -> String {
    let Some(learning) = &report.learning else {
        return String::new();
    };
    let decisions = many(learning.decisions.len() as u64, "decision");
    match learning {
        MatchLearning { needed: 1.., .. } => format!(
            " {decisions} about other policies: the probability is learned from {} on.",
            learning.needed
        ),
        MatchLearning {
            own: 0, pooled: 0, ..
        } => {
            format!(" {decisions} about other policies teach nothing of these rules.")
        }
        _ => format!(
            " Learned from {decisions} about other policies ({}): {} by its own, {} weighed by those about all.",
            learning.policies,
            many(learning.own as u64, "rule"),
            many(learning.pooled as u64, "rule")
        ),
    }
}

/// A method's figures as a person reads them.
fn method(row: &MatchMethodRow) -> String {
    let interval = |name: &str| {
        let interval = row.figures.intervals.get(name);
        interval.map_or_else(String::new, |[low, high]| format!(" [{low:.3}, {high:.3}]"))
    };
    let mut text = format!(
        "{}{}  {}  recall@10 {:.3}{}  MRR {:.3}{}",
        if row.chosen { "* " } else { "  " },
        row.set,
        row.method,
        row.figures.recall_10,
        interval("recall@10"),
        row.figures.mrr,
        interval("mrr"),
    );
    for one in row
        .figures
        .against
        .iter()
        .filter(|c| c.measure == "recall@10")
    {
        let _ = write!(
            text,
            "  {:+.3} [{:+.3}, {:+.3}] against {}",
            one.difference.value, one.difference.low, one.difference.high, one.against
        );
    }
    for (name, figure) in [("S1", row.s1), ("S2", row.s2)] {
        if let Some(Interval { value, low, high }) = figure {
            let _ = write!(text, "  {name} {value:.3} [{low:.3}, {high:.3}]");
        }
    }
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |s| format!("{s:.3}"));
    for one in &row.thresholds {
        let _ = write!(
            text,
            "\n      cosine above {:.2}: {}, precision {}, recall {}",
            one.cosine,
            many(one.pairs, "pair"),
            share(one.precision),
            share(one.recall)
        );
    }
    text
}

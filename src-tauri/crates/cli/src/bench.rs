//! `bench`.

use crate::bench_args::BenchArgs;
use crate::bench_plan;
use crate::bench_words;
use crate::endpoints::consent;
use crate::exam::{against, exam_table, task_table, terms_table};
use crate::gate::pairs;
use crate::metrics::bertscore;
use crate::output::{Outcome, Output, interval, p_value, share};
use crate::power_text::before_a_run;
use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    AttackTable, BenchJudge, BenchOutcome, BenchRow, BenchTable, Bounded, ExamSample,
    ExpertAgreement, GeneralFigures, JudgedFigures, WrittenFigures,
};
use lexforge_domain::endpoint::{AskPlan, Consent};
use lexforge_domain::statistics::ByItem;
use lexforge_domain::verdict::Verdict;
use lexforge_engine::{AskRequest, BenchOrder, BenchRequest, Engine};
use std::fmt::Write as _;
use std::process::ExitCode;

/// Confused terms that a person is shown of each system.
const CONFUSED_SHOWN: usize = 3;

pub fn bench(args: &BenchArgs, out: &Output) -> Outcome {
    if args.plan {
        let engine = Engine::open(&args.workspace)?;
        let plan = engine.evaluation().plan_bench(&order(args)?)?;
        out.document(&plan, || bench_plan::shown(&plan));
        return measured(plan.systems.len());
    }
    let engine = Engine::open_to_write(&args.workspace)?;
    let watcher = Terminal::new(false);
    let mut order = order(args)?;
    let plans = engine.evaluation().plan_ordered(&order)?;
    order.request.agreed = all_agreed(&plans, args.yes);
    if order.request.judge.is_some() {
        let evaluation = engine.evaluation();
        let plan = evaluation.plan_bench_judging(&order.request, &watcher)?;
        watcher.finish();
        if let Some(ask) = &mut order.request.judge
            && !plan.local
            && plan.prompts > 0
        {
            ask.consent = consent(&plan, args.yes);
        }
    }
    let outcome = watcher.finished(engine.evaluation().bench_ordered(&order, &watcher))?;
    match outcome {
        BenchOutcome::Questions(table) => {
            out.document(&table, || shown(&table));
            measured(table.systems.len())
        }
        BenchOutcome::Attack(table) => {
            out.document(&table, || under_attack(&table));
            measured(table.rows.len())
        }
        BenchOutcome::Terms(table) => {
            out.document(&table, || terms_table(&table));
            measured(table.systems.len())
        }
        BenchOutcome::Exam(table) => {
            out.document(&table, || exam_table(&table));
            measured(table.systems.len())
        }
        BenchOutcome::Task(table) => {
            out.document(&table, || task_table(&table));
            measured(table.systems.len())
        }
    }
}

/// What the arguments ask for. Nobody has agreed to anything yet.
fn order(args: &BenchArgs) -> Result<BenchOrder, Failure> {
    Ok(BenchOrder {
        on: args.on(),
        sample: args.sample.map(|each| ExamSample {
            each,
            seed: args.seed,
        }),
        request: BenchRequest {
            dataset: args.dataset,
            systems: args.systems.clone(),
            by_recipe: args.by_recipe,
            baseline: args.baseline.clone(),
            general: pairs(args.general.as_deref())?,
            bertscore: args.bertscore.request(),
            judge: args.judge.as_ref().map(|endpoint| AskRequest {
                endpoint: endpoint.clone(),
                ..AskRequest::default()
            }),
            judge_known: false,
            agreed: Vec::new(),
        },
    })
}

/// The result of a measurement. Without any system it is a failure, because the table then only says which systems are
/// missing and why.
fn measured(systems: usize) -> Outcome {
    Ok(if systems == 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Asks the person for consent to send each endpoint its prompts, and returns the consents. An endpoint without consent
/// is not asked anything, and the table names it.
fn all_agreed(plans: &[AskPlan], yes: bool) -> Vec<Consent> {
    let elsewhere = plans.iter().filter(|plan| !plan.local && plan.prompts > 0);
    elsewhere.filter_map(|plan| consent(plan, yes)).collect()
}

fn under_attack(table: &AttackTable) -> String {
    let counts: Vec<String> = table
        .attacked
        .iter()
        .map(|(attack, n)| format!("{} {n}", attack.tag()))
        .collect();
    let mut text = format!(
        "{} test questions under attack: {} · snapshot {}",
        table.n,
        counts.join(", "),
        table.dataset
    );
    for row in &table.rows {
        let (one, d) = (&row.accuracy, &row.accuracy.comparison.difference);
        let _ = write!(
            text,
            "\n  {:<27} {:<12}{:<13}{:<15}{} → {}  {} corrected {}: {}, n {}",
            row.system,
            row.scorer,
            row.attack.tag(),
            if row.keeps_the_sense {
                "sense kept"
            } else {
                "sense changed"
            },
            share(one.comparison.before),
            share(one.comparison.after),
            interval(d.value, [d.low, d.high]),
            p_value(one.p_holm),
            bench_words::shows(Verdict::corrected(one)),
            row.n,
        );
        if let Some(gap) = &row.gap {
            let _ = write!(text, "  gap {} → {}", share(gap.before), share(gap.after));
        }
    }
    text.push_str(&bench_words::missing(&table.missing));
    for note in &table.notes {
        let _ = write!(text, "\n  note: {note}");
    }
    text
}

fn shown(table: &BenchTable) -> String {
    let mut text = format!(
        "{} test questions in {} clusters ({}) · snapshot {}",
        table.n, table.clusters, table.unit, table.dataset
    );
    for row in &table.systems {
        push_system(&mut text, row);
    }
    if let Some(judge) = &table.judge {
        text.push_str(&judged(judge));
    }
    text.push_str(&bench_words::missing(&table.missing));
    if let Some(power) = &table.power {
        text.push_str(&before_a_run(power));
    }
    for note in &table.notes {
        let _ = write!(text, "\n  note: {note}");
    }
    text
}

/// One system: its figures, what they are against others, and what it confuses.
fn push_system(text: &mut String, row: &BenchRow) {
    let _ = write!(
        text,
        "\n  {:<27} {:<12}{}  macro F1 {}",
        row.system,
        row.scorer,
        interval(row.figures.accuracy, row.figures.ci95),
        share(row.figures.f1)
    );
    if let Some(one) = &row.against {
        text.push_str(&against(one));
        text.push_str(&by_item(&one.by_item));
    }
    if let Some([least, most]) = row.over_seeds() {
        let _ = write!(
            text,
            "\n      over {} seeds: {} to {}",
            row.by_run.len(),
            share(least),
            share(most)
        );
    }
    for (class, group) in &row.by_class {
        let _ = write!(
            text,
            "\n      {class}: {} (n {}, {} clusters)",
            interval(group.accuracy, group.ci95),
            group.n,
            group.clusters
        );
    }
    if let Some(general) = &row.general {
        text.push_str(&in_general(general));
    }
    if let Some(written) = &row.written {
        push_written(text, written);
    }
    for pair in row.confused.iter().take(CONFUSED_SHOWN) {
        let _ = write!(
            text,
            "\n      {} taken for {}: {}",
            pair.gold, pair.predicted, pair.n
        );
    }
}

/// The figures of what a system writes.
fn push_written(text: &mut String, written: &WrittenFigures) {
    let _ = write!(
        text,
        "\n      written: BLEU {:.2}, ROUGE-L {:.4}, METEOR {:.4}, chrF {:.2} (n {}, {} empty)",
        written.bleu, written.rouge_l, written.meteor, written.chrf, written.n, written.empty
    );
    if let (Some([one, two, three]), Some(rouge1), Some(rouge2)) =
        (written.shorter_bleu, written.rouge1, written.rouge2)
    {
        let _ = write!(
            text,
            "\n      BLEU-1 {one:.2}, BLEU-2 {two:.2}, BLEU-3 {three:.2}, ROUGE-1 {rouge1:.4}, ROUGE-2 {rouge2:.4}"
        );
    }
    for one in &written.against {
        let d = &one.comparison.difference;
        let _ = write!(
            text,
            "\n      {} {} against {}: {}, corrected {}: {} (n {})",
            one.comparison.measure,
            interval(d.value, [d.low, d.high]),
            one.comparison.against,
            p_value(one.comparison.p_value),
            p_value(one.p_holm),
            bench_words::shows(Verdict::corrected(one)),
            one.n
        );
    }
    if let Some(found) = &written.bertscore {
        let _ = write!(text, "\n      {}", bertscore(found));
    }
    if let Some(found) = &written.judged {
        let _ = write!(text, "\n      {}", marks(found));
    }
}

/// The tests that take items for independent, for comparison with the literature alone.
fn by_item(tests: &ByItem) -> String {
    let mcnemar = tests.mcnemar.map(|test| ("McNemar", test.p_value));
    let t = tests.paired_t.map(|test| ("paired t", test.p_value));
    let told: Vec<String> = mcnemar
        .into_iter()
        .chain(t)
        .map(|(name, p)| format!("{name} {}", p_value(p)))
        .collect();
    match told.is_empty() {
        true => String::new(),
        false => format!("; by item: {}", told.join(", ")),
    }
}

fn in_general(figures: &GeneralFigures) -> String {
    let bounded = |one: &Bounded| match one.interval {
        Some(bounds) => interval(one.value, bounds),
        None => share(one.value),
    };
    let mut text = format!(
        "\n      general language: ρ {} (n {})",
        bounded(&figures.spearman),
        figures.n
    );
    if let Some(gained) = &figures.gained {
        let _ = write!(text, ", against the baseline {}", bounded(gained));
    }
    if let Some(p) = figures.p_holm {
        let _ = write!(text, ", corrected {}", p_value(p));
    }
    text
}

fn marks(found: &JudgedFigures) -> String {
    let marks: Vec<String> = found
        .marks
        .iter()
        .map(|(name, mark)| format!("{name} {mark:.2}"))
        .collect();
    let mean = match found.ci95 {
        Some([low, high]) => format!("{:.2} [{low:.2}, {high:.2}]", found.mean),
        None => format!("{:.2}", found.mean),
    };
    let mut text = format!(
        "judged: {mean} of 5 ({}; n {}, {} empty)",
        marks.join(", "),
        found.n,
        found.empty
    );
    for (n, why) in [
        (found.unreadable, "without a reply that could be read"),
        (found.unanswered, "without a reply"),
        (found.without_rule, "whose rule is no longer here"),
    ] {
        if n > 0 {
            let _ = write!(text, ", {n} {why}");
        }
    }
    text
}

fn judged(judge: &BenchJudge) -> String {
    let mut text = format!(
        "\n  judge: {} at {}, {} asked, {} known",
        judge.model, judge.host, judge.asked.calls, judge.asked.from_cache
    );
    for pair in &judge.pairs {
        let lead = match pair.ci95 {
            Some(bounds) => interval(pair.lead, bounds),
            None => share(pair.lead),
        };
        let _ = write!(
            text,
            "\n      {} against {}: better {}, worse {}, neither {}, lead {lead}; {} contradicted, {} unreadable, {} unanswered",
            pair.system,
            pair.against,
            pair.better,
            pair.worse,
            pair.neither,
            pair.contradicted,
            pair.unreadable,
            pair.unanswered
        );
    }
    for (what, found) in [
        ("which of two answers is better", &judge.preferences),
        ("whether an answer is right", &judge.verdicts),
    ] {
        if let Some(found) = found {
            let _ = write!(text, "\n      experts on {what}: {}", agreement(found));
        }
    }
    text
}

fn agreement(found: &ExpertAgreement) -> String {
    format!(
        "agrees in {} of {} ({} unclear, {} not shown)",
        found.agreed, found.n, found.unclear, found.not_shown
    )
}

//! `drift`, `watch`.

use crate::drift_args::{DriftArgs, RuleArg, WatchArgs};
use crate::output::{Outcome, Output, count, counted, done};
use crate::terminal::Terminal;
use lexforge_domain::drift::{
    DriftAdvice, DriftMover, DriftReport, DriftRule, DriftSide, DriftState, DriftTest, MoverPlace,
    PanelState,
};
use lexforge_domain::{Code, Failure};
use lexforge_engine::{DriftRequest, Engine, Since, Watcher};
use std::fmt::Write as _;
use std::time::Duration;

/// What comes after the first sample, with which nothing can be compared yet.
const FIRST: &str = "\n  → This is the first sample with this encoder: nothing can have moved yet. From now on each import takes one; \
    `lexforge watch` looks again each day.";
/// Days between false alarms, unless told otherwise.
const YEAR: f64 = 365.0;
/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// How often it is looked, while the next check is waited for, whether it is time or whether to end.
const PACE: Duration = Duration::from_secs(1);

pub fn drift(args: &DriftArgs, out: &Output) -> Outcome {
    let report = looked(args)?;
    out.document(&report, || describe(&report));
    done()
}

pub fn watch(args: &WatchArgs, out: &Output) -> Outcome {
    let mut looks = 0;
    loop {
        let begun = Since::now();
        let outcome = looked(&args.drift);
        looks += 1;
        let last = args.looks.is_some_and(|most| looks >= most);
        match outcome {
            Ok(report) if out.json => out.line(&report),
            Ok(report) => out.document(&report, || describe(&report)),
            // A failure of the first look ends the command, because somebody is still there to read it. A failure of a
            // later look is only reported, because the next look may work again.
            Err(failure) if last || looks == 1 || failure.code == Code::Cancelled => {
                return Err(failure);
            }
            Err(failure) => out.failure(&failure),
        }
        if last || !waited(&begun, Duration::from_secs_f64(args.drift.every * DAY)) {
            return done();
        }
    }
}

/// Waits until so much time has passed since then. `false` if Ctrl-C ends the waiting.
fn waited(since: &Since, every: Duration) -> bool {
    let watcher = Terminal::new(false);
    loop {
        let left = every.saturating_sub(since.passed());
        if left.is_zero() {
            return true;
        }
        if watcher.cancelled() {
            return false;
        }
        std::thread::sleep(left.min(PACE));
    }
}

/// The workspace is open only while it is looked at.
fn looked(args: &DriftArgs) -> Result<DriftReport, Failure> {
    let days = args.days.unwrap_or(YEAR);
    if [days, args.window, args.every]
        .iter()
        .any(|days| !(*days > 0.0 && *days <= 3_650.0))
    {
        return Err(Failure::invalid(
            "Days must be more than none and at most 3,650.",
            "The usual ones are --days 365 --window 7 --every 1.",
        ));
    }
    let rule = match (args.rule, args.days) {
        (None, None) => None,
        (Some(RuleArg::Article), _) => Some(DriftRule::Article),
        (Some(RuleArg::RunLength), _) | (None, Some(_)) => Some(DriftRule::RunLength { days }),
    };
    let engine = Engine::open_to_write(&args.workspace)?;
    let watcher = Terminal::new(false);
    let evaluation = engine.evaluation();
    let request = DriftRequest {
        window_days: args.window,
        every_days: args.every,
        ..evaluation.drift_as_before(rule)?
    };
    watcher.finished(evaluation.drift(&request, &watcher))
}

fn describe(report: &DriftReport) -> String {
    let mut text = headline(report);
    let _ = write!(
        text,
        " · {} · the last {} days against all before · vectors by {}",
        report.made, report.window_days, report.encoder
    );
    let _ = write!(text, "\n  rule: {}", rule_in_words(report.rule));
    let _ = match &report.panel {
        PanelState::Constant { readings } => write!(
            text,
            "\n  fixed panel: constant over {}",
            counted(*readings, "reading")
        ),
        PanelState::Fault {
            last_good,
            first_bad,
        } => write!(
            text,
            "\n  ! fixed panel: a fault. The same texts give other vectors since {first_bad} (as before until {last_good})"
        ),
        PanelState::NotRead => write!(text, "\n  fixed panel: not read yet"),
    };
    for test in &report.tests {
        text.push_str(&describe_test(test));
    }
    let around = &report.around;
    let share = |share: Option<f64>| {
        share.map_or_else(
            || "none asked".to_owned(),
            |s| format!("{:.0} %", s * 100.0),
        )
    };
    let _ = write!(
        text,
        "\n  not answered: {} of the recent questions, {} before · {} terms unreviewed",
        share(around.refused),
        share(around.refused_before),
        count(around.unreviewed_terms)
    );
    if let Some(days) = around.graph_age_days {
        let _ = write!(text, " · graph {days:.0} days old");
    }
    let gap = |gap: Option<f64>| gap.map_or_else(|| "–".to_owned(), |gap| format!("{gap:.3}"));
    let _ = write!(
        text,
        "\n  term gap: {} of the recent documents, {} before",
        gap(around.term_gap),
        gap(around.term_gap_before)
    );
    for advice in &report.advice {
        let _ = write!(text, "\n  → {}", in_words(*advice));
    }
    if matches!(report.panel, PanelState::Constant { readings: 1 }) {
        text.push_str(FIRST);
    }
    text
}

/// When an alarm is raised, and how often that was wrong where nothing had moved.
fn rule_in_words(rule: DriftRule) -> String {
    match rule {
        DriftRule::RunLength { days } => format!(
            "about one false alarm in {days} days (for one in 365 days, {} a year were counted over 1,000 simulated years without a change)",
            DriftRule::YEARLY_FALSE_ALARMS
        ),
        DriftRule::Article => format!(
            "a rise of more than .05 within 30 days, as in the practice article (on few and short texts that did not move it raised {} false alarms a year)",
            DriftRule::ARTICLE_FALSE_ALARMS
        ),
    }
}

/// Whether there is an alarm, and what moved.
fn headline(report: &DriftReport) -> String {
    if !report.alarm {
        let in_state =
            |state: DriftState| report.tests.iter().filter(move |test| test.state == state);
        let few: Vec<String> = in_state(DriftState::TooFew).map(named).collect();
        // If there is too little data for any test, do not say that all is quiet.
        return match in_state(DriftState::Quiet).count() {
            0 => "No alarm, and too little to tell".to_owned(),
            _ if few.is_empty() => "No alarm".to_owned(),
            _ => format!("No alarm; too little to tell of {}", few.join(", ")),
        };
    }
    let fault = matches!(report.panel, PanelState::Fault { .. });
    let moved = report
        .tests
        .iter()
        .filter(|test| test.state == DriftState::Alarm);
    let what: Vec<String> = fault
        .then(|| "the fixed panel is at fault".to_owned())
        .into_iter()
        .chain(moved.map(|test| format!("{} moved", named(test))))
        .collect();
    format!("ALARM: {}", what.join("; "))
}

/// `sentences of pdf`, `questions`.
fn named(test: &DriftTest) -> String {
    if test.stratum.is_empty() {
        test.series.tag().to_owned()
    } else {
        format!("{} of {}", test.series.tag(), test.stratum)
    }
}

/// The place of a text that moved the figure: `rules.pdf, page 3, sentence 12`.
fn place(mover: &DriftMover) -> String {
    let of = if mover.file.is_empty() {
        &mover.key
    } else {
        &mover.file
    };
    match mover.place {
        Some(MoverPlace::Page { page, sentence, .. }) => {
            format!("{of}, page {page}, sentence {sentence}")
        }
        Some(MoverPlace::Answer { .. }) | None => of.clone(),
    }
}

fn in_words(advice: DriftAdvice) -> &'static str {
    match advice {
        DriftAdvice::CheckModel => {
            "The same texts give other vectors under the same encoder: check the model's files (models inspect), the \
             program's version and the machine before anything else."
        }
        DriftAdvice::ReadWhatMoved => {
            "Read the sentences that moved it. If they belong to the work, build the graph again, mine negatives anew, and \
             measure again whether answers hold (calibrate); if not, take the documents out."
        }
        DriftAdvice::BuildGraph => "The graph is older than a quarter: build it again.",
    }
}

/// A mean cosine. Fewer than two texts have none.
fn cosine(side: &DriftSide) -> String {
    if side.texts > 1 {
        format!("{:.3}", side.mean_pairwise_cosine)
    } else {
        "–".to_owned()
    }
}

fn describe_test(test: &DriftTest) -> String {
    let mut text = format!(
        "\n  {}: {} recent, {} before; mean pairwise cosine {} against {}",
        named(test),
        count(test.recent.texts.into()),
        count(test.earlier.texts.into()),
        cosine(&test.recent),
        cosine(&test.earlier)
    );
    let state = match test.state {
        DriftState::Quiet => "quiet",
        DriftState::Alarm => "ALARM",
        DriftState::TooFew => "too little to tell",
    };
    let _ = write!(text, " · {state}");
    if let (Some(p), Some(threshold)) = (test.p_value, test.threshold) {
        let _ = write!(
            text,
            " (p {p:.4} by permutation of pooled samples, alarm at {threshold:.4})"
        );
    } else if test.state != DriftState::TooFew {
        let _ = write!(
            text,
            " (if nothing moved, {:.1} false alarms a year)",
            test.false_alarms_a_year
        );
    }
    if !test.movers.is_empty() {
        text.push_str(
            "\n    what moved it most (how far each lies in the direction of the change; sentences by their numbers in the workspace):",
        );
    }
    for mover in &test.movers {
        let _ = write!(
            text,
            "\n      {:+.2} {}: {}",
            mover.moved,
            place(mover),
            mover.text
        );
    }
    text
}

#[cfg(test)]
mod tests;

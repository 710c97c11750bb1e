//! `drift`, `watch`.

use crate::drift_args::{DriftArgs, RuleArg, WatchArgs};
use crate::output::{Outcome, Output, count, counted, done};
use crate::terminal::Terminal;
use lexforge_domain::drift::{
    DriftAdvice, DriftReport, DriftRule, DriftState, DriftTest, PanelState,
};
use lexforge_domain::{Code, Failure};
use lexforge_engine::{DriftRequest, Engine};
use std::fmt::Write as _;
use std::time::Duration;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// `drift`
pub fn drift(args: &DriftArgs, out: &Output) -> Outcome {
    let report = looked(args)?;
    out.document(&report, || describe(&report));
    done()
}

/// `watch`
pub fn watch(args: &WatchArgs, out: &Output) -> Outcome {
    let mut looks = 0;
    loop {
        let report = looked(&args.drift)?;
        if out.json {
            out.line(&report);
        } else {
            out.document(&report, || describe(&report));
        }
        looks += 1;
        if args.looks.is_some_and(|most| looks >= most) {
            return done();
        }
        std::thread::sleep(Duration::from_secs_f64(args.drift.every * DAY));
    }
}

/// The workspace is open only while it is looked at.
fn looked(args: &DriftArgs) -> Result<DriftReport, Failure> {
    if [args.days, args.window, args.every]
        .iter()
        .any(|days| !(*days > 0.0 && *days <= 3_650.0))
    {
        return Err(Failure::new(
            Code::InvalidRequest,
            "Days must be more than none and at most 3,650.",
            "The usual ones are --days 365 --window 7 --every 1.",
        ));
    }
    let request = DriftRequest {
        rule: match args.rule {
            RuleArg::RunLength => DriftRule::RunLength { days: args.days },
            RuleArg::Article => DriftRule::Article,
        },
        window_days: args.window,
        every_days: args.every,
    };
    let engine = Engine::open(&args.workspace)?;
    let watcher = Terminal::new(false);
    let report = engine.evaluation().drift(&request, &watcher);
    watcher.finish();
    report
}

fn describe(report: &DriftReport) -> String {
    let mut text = match report.alarm {
        true => "ALARM".to_owned(),
        false => "No alarm".to_owned(),
    };
    let _ = write!(
        text,
        " · {} · the last {} days against all before · vectors by {}",
        report.made, report.window_days, report.encoder
    );
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
    text
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

fn describe_test(test: &DriftTest) -> String {
    let of = if test.stratum.is_empty() {
        test.series.tag().to_owned()
    } else {
        format!("{} of {}", test.series.tag(), test.stratum)
    };
    let mut text = format!(
        "\n  {of}: {} recent, {} before; mean pairwise cosine {:.3} against {:.3}",
        count(test.recent.texts.into()),
        count(test.earlier.texts.into()),
        test.recent.mean_pairwise_cosine,
        test.earlier.mean_pairwise_cosine
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
    for mover in &test.movers {
        let _ = write!(
            text,
            "\n      {:+.2} {}: {}",
            mover.moved, mover.key, mover.text
        );
    }
    text
}

//! `metrics terms`: the audit of the space on accepted terms.

use crate::metrics_args::TermSpaceArgs;
use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use lexforge_domain::metrics::Interval;
use lexforge_domain::term_space::{SpaceMeasure, SpaceOfTerms, SpaceRow};
use lexforge_engine::{Engine, TermSpaceRequest};
use std::fmt::Write as _;

pub fn audit(args: &TermSpaceArgs, out: &Output) -> Outcome {
    let engine = Engine::open_to_write(&args.workspace)?;
    let request = TermSpaceRequest {
        run: args.run,
        base: args.encoder.clone(),
        layer: args.layer,
    };
    let watcher = Terminal::new(false);
    let found = watcher.finished(engine.evaluation().terms_in_space(&request, &watcher))?;
    out.document(&found, || described(&found));
    done()
}

/// The measure's name, and which way is good.
fn name(measure: SpaceMeasure) -> &'static str {
    match measure {
        SpaceMeasure::MeanPairwiseCosine => "mean pairwise cosine (low is good)",
        SpaceMeasure::Isoscore => "IsoScore (0 to 1)",
        SpaceMeasure::Explained1 => "variance in the first direction",
        SpaceMeasure::Explained8 => "variance in the first 8 directions",
        SpaceMeasure::Uniformity => "uniformity (−8 to 0, low is good)",
        SpaceMeasure::Alignment => "alignment of a term's mentions (0 to 4, low is good)",
    }
}

fn described(found: &SpaceOfTerms) -> String {
    let layer = match found.layer {
        0 => "at the input".to_owned(),
        layer => format!("after layer {layer} of {}", found.layers),
    };
    let tuned = found.run.map(|run| format!(" and run {run}"));
    let mut text = format!(
        "Vectors of accepted terms in their sentences by {}{}, {layer}: {} mentions of {} terms, {} of them with two or more",
        found.base,
        tuned.unwrap_or_default(),
        count(found.mentions as u64),
        count(found.terms as u64),
        count(found.repeated as u64),
    );
    for row in &found.rows {
        let _ = write!(text, "\n  {}: {}", name(row.measure), line(row));
    }
    let _ = write!(
        text,
        "\n  intervals by term: 95 %, delete-a-group jackknife with {} groups",
        found.groups
    );
    for (what, left) in [
        (
            "mentions left out (the sentence is too long)",
            found.left_out,
        ),
        (
            "mentions not drawn (there are more than are compared with each other)",
            found.not_drawn,
        ),
        (
            "terms left out (the model does not read their language)",
            found.unread,
        ),
    ] {
        if left > 0 {
            let _ = write!(text, "\n  note: {what}: {}", count(left as u64));
        }
    }
    text
}

fn line(row: &SpaceRow) -> String {
    let Some(before) = row.before else {
        return "not defined for these terms".to_owned();
    };
    let mut text = with_bounds(before);
    if let (Some(after), Some(difference)) = (row.after, row.difference) {
        let _ = write!(
            text,
            " → {}, {:+.4} [{:+.4}, {:+.4}]",
            with_bounds(after),
            difference.value,
            difference.low,
            difference.high
        );
    }
    text
}

fn with_bounds(of: Interval) -> String {
    format!("{:.4} [{:.4}, {:.4}]", of.value, of.low, of.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;
    use lexforge_domain::metrics::SpaceAudit;

    #[test]
    fn the_audit_names_what_it_is_of_and_what_changed() {
        let at = |value: f64| {
            Some(Interval {
                value,
                low: value - 0.25,
                high: value + 0.25,
            })
        };
        let row = |measure, after: Option<f64>| SpaceRow {
            measure,
            before: at(0.5),
            after: after.and_then(at),
            difference: after.and_then(|after| at(after - 0.5)),
        };
        let found = SpaceOfTerms {
            base: "e".to_owned(),
            run: Some(RunId(3)),
            layer: 2,
            layers: 6,
            terms: 12,
            repeated: 9,
            mentions: 40,
            left_out: 1,
            not_drawn: 1234,
            unread: 0,
            groups: 12,
            rows: vec![
                row(SpaceMeasure::MeanPairwiseCosine, Some(0.25)),
                row(SpaceMeasure::Alignment, None),
            ],
            before: SpaceAudit::default(),
            after: None,
        };
        let text = described(&found);
        for part in [
            "by e and run 3, after layer 2 of 6: 40 mentions of 12 terms, 9 of them",
            "mean pairwise cosine (low is good): 0.5000 [0.2500, 0.7500] → 0.2500 [0.0000, 0.5000], -0.2500 [-0.5000, +0.0000]",
            "alignment of a term's mentions (0 to 4, low is good): 0.5000 [0.2500, 0.7500]\n",
            "mentions left out (the sentence is too long): 1",
            "mentions not drawn (there are more than are compared with each other): 1,234",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("language"), "{text}");
    }
}

//! The graph as a person reads it: a build, its age, its figures, its bounds, and what stands around one node.

use crate::output::count;
use lexforge_domain::api::{
    BuildKind, DegreeDistribution, GraphBuildRow, GraphCalibration, GraphReport, GraphShown,
    GraphState, Histogram, StaleReason,
};
use lexforge_domain::graph::{BoundScale, EdgeKind, GraphStats, NodeClass, TypeOrigin};
use std::fmt::Write as _;

/// A graph as a person reads it.
pub fn describe_graph(g: &GraphStats) -> String {
    let edges = EdgeKind::ALL.iter().map(|&kind| {
        let name = kind.tag().replace('_', " ");
        format!("{} {name}", count(g.edges.of(kind)))
    });
    let mut text = format!(
        "{} sentences, {} entities · edges: {} · {} anchors with sentence candidates (cos ≥ {:.3}), {} with term \
         candidates · {} isolated · {} · compared in {:.1} s",
        count(g.sentences),
        count(g.entities),
        edges.collect::<Vec<_>>().join(", "),
        count(g.anchors_sentence),
        g.sentence_threshold,
        count(g.anchors_token),
        count(g.isolated),
        g.encoder,
        g.seconds
    );
    if let Some(model) = &g.lexical_tokenizer {
        let _ = write!(text, "\n  lexical edges by the sub-words of {model}");
    }
    if g.parts.len() > 1 {
        text.push_str(
            "\n  edges and candidates join only sentences whose vectors come of the same encoder:",
        );
        for part in &g.parts {
            let languages: Vec<_> = part.languages.iter().map(|l| l.tag()).collect();
            let _ = write!(
                text,
                "\n    {}: {}, {} sentences; candidates from cos {:.3}, similar terms from {:.3} to {:.3}",
                part.encoder,
                languages.join(" "),
                count(part.sentences),
                part.thresholds.sentence,
                part.thresholds.entity_low,
                part.thresholds.entity_high
            );
        }
    }
    for part in &g.parts {
        for (what, recall) in [
            ("entities", part.entity_recall),
            ("sentences", part.sentence_recall),
        ] {
            if let Some(r) = recall {
                let _ = write!(
                    text,
                    "\n  approximate: {} {what} of {} joined by an index; it found {:.1} % of the neighbours of {} drawn ones",
                    count(r.rows),
                    part.encoder,
                    100.0 * r.share(),
                    count(r.sample)
                );
            }
        }
        if part.thresholds_kept {
            let on = if part.basis_kept {
                ", its basis too"
            } else {
                ""
            };
            let _ = write!(
                text,
                "\n  {}: thresholds kept from the last whole build{on}",
                part.encoder
            );
        }
    }
    text
}

/// A build in the list.
pub(super) fn describe_build(b: &GraphBuildRow) -> String {
    let how = match (b.kind, b.parent) {
        (BuildKind::Whole, _) => "built whole".to_owned(),
        (BuildKind::Update, Some(parent)) => format!("added to {parent}"),
        (BuildKind::Update, None) => "added to an earlier one".to_owned(),
    };
    format!(
        "{:>4}  {}  {how}; compared {} of {} sentences, {} of {} terms · corpus {} · {}",
        b.id,
        b.created,
        count(b.joined_sentences),
        count(b.stats.sentences),
        count(b.joined_terms),
        count(b.stats.entities),
        b.corpus_hash.get(..12).unwrap_or(&b.corpus_hash),
        b.stats.encoder
    )
}

/// The age of a graph, as a notice where it matters.
fn describe_state(s: &GraphState) -> String {
    let mut text = format!(
        "last built whole {} days ago; since then sentences {:+.1} %, documents {:+.1} %, terms {:+.1} %",
        s.days,
        s.sentences.percent(),
        s.documents.percent(),
        s.terms.percent()
    );
    for reason in &s.reasons {
        let reason = match reason {
            StaleReason::Grown { percent } => {
                format!("sentences, documents or terms grew by {percent:.1} %")
            }
            StaleReason::Old { days } => format!("it is {days} days old"),
            StaleReason::DocumentsRemoved { documents } => {
                format!(
                    "{} documents of it are gone or have a newer version",
                    count(*documents)
                )
            }
            StaleReason::TermsChanged { terms } => {
                format!("{} of its terms were changed", count(*terms))
            }
            StaleReason::Unknown => {
                "an earlier version built it and did not say what it covers".to_owned()
            }
        };
        let _ = write!(text, "\n  ! stale: {reason}");
    }
    if s.questions_changed > 0 {
        let _ = write!(
            text,
            "\n  ! {} questions were written with other candidates; write them again for the nearest hard negatives (lexforge augment)",
            count(s.questions_changed)
        );
    }
    if s.can_update {
        let _ = write!(
            text,
            "\n  not in it yet: {} documents with {} sentences, {} terms (lexforge graph update)",
            count(s.documents.added),
            count(s.sentences.added),
            count(s.terms.added)
        );
    }
    text
}

pub(super) fn describe_report(r: &GraphReport) -> String {
    let mut text = format!("{}\n{}", describe_graph(&r.stats), describe_state(&r.state));
    let c = &r.census;
    let degrees = |d: &DegreeDistribution| {
        let bins = d.bins.iter().filter(|b| b.2 > 0).map(|&(from, to, nodes)| {
            let range = if from == to {
                from.to_string()
            } else {
                format!("{from}–{to}")
            };
            format!("{range}: {}", count(nodes))
        });
        let bins: Vec<String> = bins.collect();
        format!(
            "mean {:.1}, median {}, most {} ({})",
            d.mean,
            count(d.median),
            count(d.most),
            bins.join(" · ")
        )
    };
    for (what, distribution) in [
        ("sentences linked to a sentence", &c.sentence_degrees),
        ("sentences of an entity", &c.entity_mentions),
        ("similar entities of an entity", &c.entity_similar),
        ("candidates of a sentence", &c.candidates),
    ] {
        let _ = write!(text, "\n  {what}: {}", degrees(distribution));
    }
    let of = |class| count(c.classes.get(&class).copied().unwrap_or_default());
    let _ = write!(
        text,
        "\n  classes: {} anchor, {} context, {} other; types from the user's class {}, from the top section {}",
        of(NodeClass::Anchor),
        of(NodeClass::Context),
        of(NodeClass::Other),
        count(
            c.types
                .get(&TypeOrigin::UserClass)
                .copied()
                .unwrap_or_default()
        ),
        count(
            c.types
                .get(&TypeOrigin::TopSection)
                .copied()
                .unwrap_or_default()
        )
    );
    if c.hub_count > 0 {
        let hubs: Vec<String> = c
            .hubs
            .iter()
            .take(10)
            .map(|h| format!("{} ({:.0} %)", h.text, 100.0 * h.share))
            .collect();
        let _ = write!(
            text,
            "\n  hubs: {}: {}",
            count(c.hub_count),
            hubs.join(", ")
        );
    }
    if c.isolated_count > 0 {
        let _ = write!(text, "\n  isolated: {}", count(c.isolated_count));
        for s in c.isolated.iter().take(5) {
            let _ = write!(
                text,
                "\n    {:>6}  document {} p. {}  {}",
                s.sentence, s.document, s.page, s.text
            );
        }
    }
    text
}

pub(super) fn describe_calibration(c: &GraphCalibration) -> String {
    let mut text = match c.scale {
        BoundScale::Cosine => "bounds given as cosines".to_owned(),
        BoundScale::Quantile => {
            "bounds given as quantiles of the nearest-neighbour cosines".to_owned()
        }
    };
    for p in &c.parts {
        let t = p.thresholds;
        let _ = write!(
            text,
            "\n{}{}\n  similar entities: {:.3} < cos < {:.3}, quantiles {:.2} to {:.2}{}: {} pairs; {} of {} entities have one\
             \n  sentence candidates: cos ≥ {:.3}, quantile {:.2}{}: {} of {} anchors have one",
            p.encoder,
            if p.exact { "" } else { " (approximate)" },
            t.entity_low,
            t.entity_high,
            p.at_quantiles[0],
            p.at_quantiles[1],
            if p.lowered[0] {
                ", lowered by calibration"
            } else {
                ""
            },
            count(p.pairs_in_window),
            count(p.entities_with_similar.0),
            count(p.entities_with_similar.1),
            t.sentence,
            p.at_quantiles[2],
            if p.lowered[1] {
                ", lowered by calibration"
            } else {
                ""
            },
            count(p.sentences_with_candidate.0),
            count(p.sentences_with_candidate.1),
        );
        for (what, histogram) in [
            ("entity and its nearest", &p.entity_nearest),
            ("two entities drawn at random", &p.entity_pairs),
            ("sentence and its nearest related one", &p.sentence_nearest),
            ("two sentences drawn at random", &p.sentence_pairs),
        ] {
            let _ = write!(
                text,
                "\n  {what} ({}):\n{}",
                count(histogram.total),
                bars(histogram)
            );
        }
    }
    text
}

/// A histogram in ten lines at most.
fn bars(h: &Histogram) -> String {
    let together = h.counts.len().div_ceil(10).max(1);
    let sums: Vec<u64> = h.counts.chunks(together).map(|c| c.iter().sum()).collect();
    let most = sums.iter().copied().max().unwrap_or(0).max(1);
    let width = if h.counts.is_empty() {
        0.0
    } else {
        (h.high - h.low) / h.counts.len() as f32
    };
    let lines = sums.iter().enumerate().map(|(i, n)| {
        let from = h.low + width * (i * together) as f32;
        let bar = "█".repeat((n * 30 / most) as usize);
        format!("    {from:>5.2}  {bar} {}", count(*n))
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn describe_shown(s: &GraphShown) -> String {
    let mut text = s.centre.clone();
    if !s.terms.is_empty() {
        let _ = write!(text, "\n  terms: {}", s.terms.join(", "));
    }
    let mut last = None;
    for n in &s.neighbours {
        if last != Some((n.kind, n.candidate)) {
            last = Some((n.kind, n.candidate));
            let (title, all) = match n.candidate {
                true => ("candidates", s.candidates),
                false => (
                    n.kind.about().heading,
                    s.counts.get(&n.kind).copied().unwrap_or_default(),
                ),
            };
            let _ = write!(text, "\n  {title} ({}):", count(all));
        }
        let place = match (n.document, n.page) {
            (Some(document), Some(page)) => format!("  [document {document}, p. {page}]"),
            _ => String::new(),
        };
        let _ = write!(text, "\n    {:.3}  {}{place}", n.weight, n.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_fits_ten_lines() {
        let h = Histogram {
            low: 0.0,
            high: 1.0,
            counts: vec![2; 50],
            total: 100,
            quantiles: Vec::new(),
        };
        assert_eq!(bars(&h).lines().count(), 10);
        assert_eq!(bars(&Histogram::default()), "");
    }
}

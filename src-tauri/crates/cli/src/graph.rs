//! `graph`.

use crate::graph_args::{GraphAction, GraphArgs, GraphFormat, chosen};
use crate::output::{Outcome, Output, count, done, print};
use crate::terminal::Terminal;
use lexforge_domain::api::{
    BuildKind, DegreeDistribution, ExportedEdge, ExportedNode, GraphBuildRow, GraphCalibration,
    GraphReport, GraphShown, GraphState, Histogram, StaleReason,
};
use lexforge_domain::graph::{
    BoundScale, EdgeKind, GraphSettings, GraphStats, NodeClass, TypeOrigin,
};
use lexforge_engine::{Engine, GraphRequest, ShownCentre};
use std::fmt::Write as _;
use std::io::Write as _;

/// `graph`
pub fn run(args: &GraphArgs, out: &Output) -> Outcome {
    match &args.action {
        GraphAction::Build {
            workspace,
            encoder,
            adapter,
            settings,
        } => {
            let request = GraphRequest {
                encoder: chosen(encoder, *adapter),
                settings: settings.over(GraphSettings::default()),
            };
            let engine = Engine::open(workspace)?;
            let watcher = Terminal::new(false);
            let stats = engine.graph().build_graph(&request, &watcher);
            watcher.finish();
            let stats = stats?;
            out.document(&stats, || describe_graph(&stats));
        }
        GraphAction::Update(ws) => {
            let engine = Engine::open(&ws.workspace)?;
            let watcher = Terminal::new(false);
            let build = engine.graph().update_graph(&watcher);
            watcher.finish();
            let build = build?;
            out.document(&build, || {
                format!(
                    "{}\n{}",
                    describe_build(&build),
                    describe_graph(&build.stats)
                )
            });
        }
        GraphAction::Stats(ws) => {
            let report = Engine::open(&ws.workspace)?.graph().graph_report()?;
            out.document(&report, || describe_report(&report));
        }
        GraphAction::List(ws) => out.rows(
            &Engine::open(&ws.workspace)?.graph().graph_builds()?,
            describe_build,
        ),
        GraphAction::Calibrate {
            workspace,
            settings,
        } => {
            let engine = Engine::open(workspace)?;
            let newest = engine
                .graph()
                .graph_builds()?
                .into_iter()
                .next()
                .map(|b| b.settings)
                .unwrap_or_default();
            let asked = settings.over(newest);
            let calibration = engine.graph().graph_calibration(Some(&asked))?;
            out.document(&calibration, || describe_calibration(&calibration));
        }
        GraphAction::Show {
            workspace,
            term,
            sentence,
            limit,
        } => {
            let centre = match sentence {
                Some(id) => ShownCentre::Sentence(*id),
                None => ShownCentre::Term(term.clone().unwrap_or_default()),
            };
            let shown = Engine::open(workspace)?
                .graph()
                .graph_show(&centre, *limit)?;
            out.document(&shown, || describe_shown(&shown));
        }
        GraphAction::Export {
            workspace,
            format,
            out: file,
        } => {
            let (nodes, edges) = Engine::open(workspace)?.graph().graph_export()?;
            let text = match format {
                GraphFormat::Jsonl => jsonl(&nodes, &edges),
                GraphFormat::Graphml => graphml(&nodes, &edges),
            };
            match file {
                None => print(text.trim_end()),
                Some(path) => {
                    let written =
                        std::fs::File::create(path).and_then(|mut f| f.write_all(text.as_bytes()));
                    written.map_err(|e| crate::corpus::file_failure(path, &e))?;
                    let report = serde_json::json!({"file": path, "nodes": nodes.len(), "edges": edges.len()});
                    out.document(&report, || {
                        let (nodes, edges) = (count(nodes.len() as u64), count(edges.len() as u64));
                        format!("{nodes} nodes and {edges} edges in {}", path.display())
                    });
                }
            }
        }
        GraphAction::Classify {
            workspace,
            document,
            class,
        } => {
            let engine = Engine::open(workspace)?;
            engine.graph().set_document_class(*document, class)?;
            let classes = engine.graph().document_classes()?;
            out.document(&classes, || {
                let lines: Vec<String> = classes
                    .iter()
                    .map(|(id, class)| format!("{id:>6}  {class}"))
                    .collect();
                if lines.is_empty() {
                    "No document has a class.".to_owned()
                } else {
                    lines.join("\n")
                }
            });
        }
    }
    done()
}

/// A graph as a person reads it.
pub fn describe_graph(g: &GraphStats) -> String {
    let e = &g.edges;
    let mut text = format!(
        "{} sentences, {} entities · edges: {} shared entity, {} same type, {} similar entity, {} lexical, {} \
         reference · {} anchors with sentence candidates (cos ≥ {:.3}), {} with term candidates · {} isolated · {} · \
         {:.1} s",
        count(g.sentences),
        count(g.entities),
        count(e.shared_entity),
        count(e.same_type),
        count(e.similar_entity),
        count(e.lexical),
        count(e.reference),
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
fn describe_build(b: &GraphBuildRow) -> String {
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
pub fn describe_state(s: &GraphState) -> String {
    let mut text = format!(
        "last built whole {} days ago; since then sentences {:+.1} %, documents {:+.1} %, terms {:+.1} %",
        s.days,
        s.sentences.percent(),
        s.documents.percent(),
        s.terms.percent()
    );
    for reason in &s.reasons {
        let reason = match reason {
            StaleReason::Grown { percent } => format!("the corpus grew by {percent:.1} %"),
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

fn describe_report(r: &GraphReport) -> String {
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

fn describe_calibration(c: &GraphCalibration) -> String {
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

fn describe_shown(s: &GraphShown) -> String {
    let mut text = s.centre.clone();
    if !s.terms.is_empty() {
        let _ = write!(text, "\n  terms: {}", s.terms.join(", "));
    }
    let mut last = None;
    for n in &s.neighbours {
        if last != Some((n.kind, n.candidate)) {
            last = Some((n.kind, n.candidate));
            let (title, all) = match (n.candidate, n.kind) {
                (true, _) => ("candidates", s.candidates),
                (_, EdgeKind::SimilarEntity) => (
                    "similar terms",
                    s.counts.get(&n.kind).copied().unwrap_or_default(),
                ),
                (_, EdgeKind::SharedEntity) => (
                    "mentioned in",
                    s.counts.get(&n.kind).copied().unwrap_or_default(),
                ),
                (_, EdgeKind::Lexical) => (
                    "in the same words",
                    s.counts.get(&n.kind).copied().unwrap_or_default(),
                ),
                _ => (
                    "by reference",
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

/// Nodes and edges, one JSON object a line.
fn jsonl(nodes: &[ExportedNode], edges: &[ExportedEdge]) -> String {
    let mut text = String::new();
    let nodes = nodes.iter().map(serde_json::to_string);
    for line in nodes
        .chain(edges.iter().map(serde_json::to_string))
        .flatten()
    {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The graph as GraphML (graphml.graphdrawing.org).
fn graphml(nodes: &[ExportedNode], edges: &[ExportedEdge]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
         <key id=\"node\" for=\"node\" attr.name=\"node\" attr.type=\"string\"/>\n\
         <key id=\"text\" for=\"node\" attr.name=\"text\" attr.type=\"string\"/>\n\
         <key id=\"class\" for=\"node\" attr.name=\"class\" attr.type=\"string\"/>\n\
         <key id=\"document\" for=\"node\" attr.name=\"document\" attr.type=\"long\"/>\n\
         <key id=\"page\" for=\"node\" attr.name=\"page\" attr.type=\"int\"/>\n\
         <key id=\"kind\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n\
         <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"float\"/>\n\
         <graph edgedefault=\"undirected\">\n",
    );
    for node in nodes {
        let _ = match node {
            ExportedNode::Sentence {
                id,
                document,
                page,
                text: words,
                class,
                ..
            } => writeln!(
                text,
                "<node id=\"s{id}\"><data key=\"node\">sentence</data><data key=\"text\">{}</data>\
                 <data key=\"class\">{}</data><data key=\"document\">{document}</data><data key=\"page\">{page}</data></node>",
                escaped(words),
                tag(class)
            ),
            ExportedNode::Entity {
                id, text: words, ..
            } => writeln!(
                text,
                "<node id=\"t{id}\"><data key=\"node\">entity</data><data key=\"text\">{}</data></node>",
                escaped(words)
            ),
        };
    }
    for edge in edges {
        let _ = writeln!(
            text,
            "<edge source=\"{}\" target=\"{}\"><data key=\"kind\">{}</data><data key=\"weight\">{}</data></edge>",
            edge.a,
            edge.b,
            tag(&edge.kind),
            edge.weight
        );
    }
    text.push_str("</graph>\n</graphml>\n");
    text
}

/// The name of an enumeration's value as JSON writes it.
fn tag(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// Text within XML; what XML cannot hold becomes a blank.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

//! `metrics`.

use crate::answer_text::many;
use crate::corpus::read_text;
use crate::metrics_args::{MetricsAction, MetricsArgs};
use crate::output::{Outcome, Output, done, interval, p_value, share};
use crate::ranking;
use crate::term_space;
use crate::terminal::Terminal;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    BertScoreFigures, ClassificationFigures, QaFigures, SimilarityFigures, SpaceFigures,
};
use lexforge_domain::metrics::EXPLAINED_BY;
use lexforge_domain::statistics::{PairedComparison, Power};
use lexforge_engine::{
    QaRequest, classification_figures, qa_figures, ranking_figures, similarity_figures,
    space_figures,
};
use std::fmt::Write as _;
use std::path::Path;

pub fn metrics(args: &MetricsArgs, out: &Output) -> Outcome {
    match &args.action {
        MetricsAction::Qa {
            file,
            items,
            tokenizer,
            stem,
            against,
            wordnet,
            bertscore,
        } => {
            let request = QaRequest {
                cut: tokenizer.map(Into::into),
                stems: *stem,
                items: *items,
                bertscore: bertscore.request(),
                wordnet: wordnet.clone(),
            };
            let other = named(against.as_deref())?;
            let watcher = Terminal::new(false);
            let found = watcher.finished(qa_figures(
                &read_text(file)?,
                &request,
                borrowed(&other),
                &watcher,
            ))?;
            out.document(&found, || answers(&found));
        }
        MetricsAction::Ranking {
            qrels,
            run,
            against,
        } => {
            let other = named(against.as_deref())?;
            let found = ranking_figures(&read_text(qrels)?, &read_text(run)?, borrowed(&other))?;
            out.document(&found, || ranking::described(&found));
        }
        MetricsAction::Classification { file, against } => {
            let other = named(against.as_deref())?;
            let found = classification_figures(&read_text(file)?, borrowed(&other))?;
            out.document(&found, || classes(&found));
        }
        MetricsAction::Similarity { file } => {
            let found = similarity_figures(&read_text(file)?)?;
            out.document(&found, || similarity(&found));
        }
        MetricsAction::Space { file } => {
            let watcher = Terminal::new(false);
            let found = watcher.finished(space_figures(file, &watcher))?;
            out.document(&found, || space(&found));
        }
        MetricsAction::Terms(args) => return term_space::audit(args, out),
    }
    done()
}

/// A file's name and text.
fn named(file: Option<&Path>) -> Result<Option<(String, String)>, Failure> {
    file.map(|file| Ok((file.display().to_string(), read_text(file)?)))
        .transpose()
}

fn borrowed(named: &Option<(String, String)>) -> Option<(&str, &str)> {
    named
        .as_ref()
        .map(|(name, text)| (name.as_str(), text.as_str()))
}

fn answers(found: &QaFigures) -> String {
    let mut text = format!(
        "{}: BLEU {:.2} (1 to 4: {:.2}, {:.2}, {:.2}, {:.2}), ROUGE-1 {:.4}, ROUGE-2 {:.4}, ROUGE-L {:.4}, METEOR {:.4}, chrF {:.2}",
        many(found.n as u64, "answer"),
        found.bleu,
        found.bleu1,
        found.bleu2,
        found.bleu3,
        found.bleu4,
        found.rouge1,
        found.rouge2,
        found.rouge_l,
        found.meteor,
        found.chrf
    );
    let stems = if found.rouge_stems { "stems" } else { "words" };
    let _ = write!(
        text,
        "\n  BLEU {}; ROUGE: mean F1 over {stems}; METEOR: {}",
        found.bleu_signature, found.meteor_matches
    );
    if let Some(one) = &found.bertscore {
        let _ = write!(text, "\n  {}", bertscore(one));
    }
    for item in found.items.iter().flatten() {
        let _ = write!(
            text,
            "\n  line {}: BLEU {:.2}, ROUGE-L {:.4}, METEOR {:.4}, chrF {:.2}",
            item.line, item.bleu, item.rouge_l.f1, item.meteor, item.chrf
        );
        if let Some(one) = &item.bertscore {
            let _ = write!(text, ", BERTScore {:.4}", one.f1);
        }
    }
    beside(&mut text, &found.against, &found.notes);
    text
}

/// BERTScore as a person reads it.
pub fn bertscore(found: &BertScoreFigures) -> String {
    let mean = found.mean;
    format!(
        "BERTScore {:.4} (precision {:.4}, recall {:.4}); {}",
        mean.f1, mean.precision, mean.recall, found.signature
    )
}

fn classes(found: &ClassificationFigures) -> String {
    let mean = found.macro_mean;
    let mut text = format!(
        "{} in {}: accuracy {}, macro precision {}, recall {}, F1 {}",
        many(found.n as u64, "item"),
        many(found.clusters as u64, "cluster"),
        interval(found.accuracy, found.ci95),
        share(mean.precision),
        share(mean.recall),
        share(mean.f1)
    );
    for (class, of) in &found.by_class {
        let _ = write!(
            text,
            "\n  {class}: precision {}, recall {}, F1 {} (n {})",
            share(of.precision),
            share(of.recall),
            share(of.f1),
            of.n
        );
    }
    for pair in &found.confused {
        let _ = write!(
            text,
            "\n  {} taken for {}: {}",
            pair.gold, pair.predicted, pair.n
        );
    }
    beside(&mut text, &found.against, &found.notes);
    if let Some(power) = &found.power {
        let _ = write!(text, "\n  {}", shown_by(power));
    }
    text
}

fn similarity(found: &SimilarityFigures) -> String {
    let with_interval = |name: &str, value: f64| match found.intervals.get(name) {
        Some(bounds) => interval(value, *bounds),
        None => share(value),
    };
    let mut text = format!(
        "{}: Spearman {}, Pearson {}",
        many(found.n as u64, "pair"),
        with_interval("spearman", found.spearman),
        with_interval("pearson", found.pearson)
    );
    beside(&mut text, &[], &found.notes);
    text
}

fn space(found: &SpaceFigures) -> String {
    let of = &found.space;
    let mut text = format!(
        "{} of {} values: mean pairwise cosine {}, IsoScore {}",
        many(of.n as u64, "vector"),
        found.dim,
        share(of.mean_pairwise_cosine),
        share(of.isoscore)
    );
    if let Some(shares) = &of.explained {
        // Directions beyond those that there are add nothing.
        let told = EXPLAINED_BY.iter().zip(shares);
        let told = told.take_while(|(directions, _)| **directions <= found.dim);
        let shares: Vec<String> = told.map(|(k, s)| format!("{k}: {}", share(*s))).collect();
        let _ = write!(
            text,
            "\n  share of the variance in the first principal directions: {}",
            shares.join(", ")
        );
    }
    if let Some(uniformity) = of.uniformity {
        let _ = write!(
            text,
            "\n  uniformity {uniformity:.4} (−8 to 0; low is even)"
        );
        if let Some(drawn) = of.uniformity_of {
            let _ = write!(text, ", of {drawn} vectors that were drawn");
        }
    }
    beside(&mut text, &[], &found.notes);
    text
}

/// Differences and notes, a line each.
fn beside(text: &mut String, against: &[PairedComparison], notes: &[String]) {
    for one in against {
        let _ = write!(text, "\n  {}", difference(one));
    }
    for note in notes {
        let _ = write!(text, "\n  note: {note}");
    }
}

/// A comparison as a person reads it.
fn difference(one: &PairedComparison) -> String {
    let c = &one.comparison;
    let mut text = format!(
        "{} {:.4} → {:.4}, {:+.4} [{:+.4}, {:+.4}] against {}, {}, corrected {} ({}, unit {}, {} of them)",
        c.measure,
        c.before,
        c.after,
        c.difference.value,
        c.difference.low,
        c.difference.high,
        c.against,
        p_value(c.p_value),
        p_value(one.p_holm),
        c.test,
        c.unit,
        one.clusters
    );
    if let Some(test) = &one.by_item.mcnemar {
        let _ = write!(
            text,
            "; by item: McNemar {} ({} and {})",
            p_value(test.p_value),
            test.only_before,
            test.only_after
        );
    }
    if let Some(test) = &one.by_item.paired_t {
        let _ = write!(
            text,
            "; by item: t {:.3}, {}",
            test.t,
            p_value(test.p_value)
        );
    }
    text
}

/// The difference that a test can show, as a person reads it.
fn shown_by(power: &Power) -> String {
    let more: Vec<String> = power
        .more_clusters
        .iter()
        .map(|(points, more)| format!("{points} points: {more}"))
        .collect();
    format!(
        "A difference of {:.1} points is seen in four of five cases; more clusters for {}",
        100.0 * power.smallest_difference,
        more.join(", ")
    )
}

//! What the figures cannot show, and the hashes by which each can be traced.

use super::input::ReportInput;
use super::markup::{Column, Page, foreign, mono, table};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::qca::QuestionSource;

pub(super) fn limits(page: &mut Page, input: &ReportInput) {
    let mut said: Vec<String> = Vec::new();
    for limit in input.evaluations().flat_map(|view| &view.evaluation.limits) {
        // Two models of one snapshot share most of their limits.
        if !said.contains(limit) {
            said.push(limit.clone());
        }
    }
    let sentences = if said.is_empty() {
        standing_limits(input)
    } else {
        said
    };
    let items: String = sentences
        .iter()
        .map(|s| format!("<li>{}</li>", foreign(s)))
        .collect();
    page.section(
        "limits",
        "What these figures cannot show",
        &format!("<ul class=\"plain\">{items}</ul>"),
    );
}

/// The limits that every report of this kind has, whatever its figures are.
fn standing_limits(input: &ReportInput) -> Vec<String> {
    let mut limits = Vec::new();
    if input
        .policy()
        .is_none_or(|policy| policy == ReviewPolicy::UnreviewedAutomatic)
    {
        limits.push(
            "Whether a term or a question is right: no person has checked them under this policy."
                .to_owned(),
        );
    }
    if input
        .questions
        .is_some_and(|q| q.source.starts_with(QuestionSource::Offline.tag()))
    {
        limits.push(
            "How well a model answers questions that people ask: the offline generator builds questions and wrong choices \
             from patterns and minimal edits, without a language model."
                .to_owned(),
        );
    }
    limits.push(match input.evaluation {
        Some(_) => {
            "How the model does on other documents: all questions come from the documents listed here.".to_owned()
        }
        None => "Anything about a model: none was measured.".to_owned(),
    });
    limits.push("Whether an answer is safe to act on: nothing here is for real advice.".to_owned());
    limits
}

pub(super) fn hashes(page: &mut Page, input: &ReportInput) {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &str, hash: &str| {
        if !hash.is_empty() {
            rows.push(vec![foreign(name), mono(hash)]);
        }
    };
    match input.evaluation.map(|v| &v.hashes) {
        Some(h) => {
            h.documents
                .iter()
                .for_each(|(file, hash)| add(&format!("Document {file}"), hash));
            add("Corpus", &h.corpus);
            add("Dataset snapshot", &h.dataset);
            add("Base model (configuration and index)", &h.base);
            add("Adapter weights", &h.adapter);
            add("Audit chain, head when evaluated", &h.audit_head);
        }
        None => {
            input
                .documents
                .iter()
                .for_each(|d| add(&format!("Document {}", d.file), &d.sha256));
            if let Some(d) = input.snapshot() {
                add("Corpus", &d.corpus_hash);
                add("Dataset snapshot", &d.hash);
            }
        }
    }
    if let Some(h) = input
        .decoder
        .and_then(|model| model.evaluation)
        .map(|view| &view.hashes)
    {
        add("Decoder: base model (configuration and index)", &h.base);
        add("Decoder: adapter weights", &h.adapter);
    }
    let told = input
        .evaluation
        .map_or("", |v| v.hashes.audit_head.as_str());
    if input.audit_head != told {
        add("Audit chain, head", input.audit_head);
    }
    let columns = [Column::Words("What"), Column::Words("SHA-256")];
    let notes = "<p class=\"note\">From an answer of the model back to the page: adapter → snapshot → documents. \
                 <code>lexforge audit verify</code> recomputes the audit chain from the live rows; if its head differs from \
                 the one printed here and this one is not among its rows, the chain was rewritten.</p>";
    page.section(
        "hashes",
        "Hashes",
        &(table(
            "By these the figures can be traced and checked.",
            &columns,
            &rows,
        ) + notes),
    );
}

//! What every paper beside the report has: its head, its list of what could not be measured, and the hashes of the data
//! that it is based on.

use super::markup::{Column, Page, columns, escape, foreign, mono, own, table};
use super::numbers::moment;
use lexforge_domain::api::{BenchMissing, PaperHead};

/// The head: what kind of paper this is, its title, and what it is about in one sentence (markup).
pub(super) fn header(page: &mut Page, paper: &PaperHead, kind: &str, title: &str, lead: &str) {
    page.head(&format!(
        "<header><p class=\"kicker\">{} · {} · Lexforge {} · {}</p><h1>{}</h1><p class=\"lead\">{lead}</p></header>",
        escape(kind),
        own(&paper.workspace),
        escape(&paper.version),
        escape(&moment(&paper.created)),
        escape(title),
    ));
}

/// The sentence that stands out: `class` is its colour, `word` the verdict, `text` what follows (markup).
pub(super) fn verdict(page: &mut Page, class: &str, word: &str, text: &str) {
    page.head(&format!(
        "<div class=\"verdict {class}\"><p><strong>{}</strong> {text}</p></div>",
        escape(word)
    ));
}

/// Systems that have no figures, each with its reason.
pub(super) fn missing(page: &mut Page, missing: &[BenchMissing]) {
    if missing.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = missing
        .iter()
        .map(|one| {
            vec![
                escape(&one.system),
                foreign(&one.failure.message),
                foreign(&one.failure.hint),
            ]
        })
        .collect();
    let columns = columns![Words "System", Words "Why", Words "What to do"];
    page.section(
        "missing",
        "Not measured",
        &table("Systems without figures.", &columns, &rows),
    );
}

/// A list of sentences; nothing where there is none.
pub(super) fn sentences(page: &mut Page, id: &str, title: &str, said: &[String]) {
    if said.is_empty() {
        return;
    }
    let items: String = said
        .iter()
        .map(|sentence| format!("<li>{}</li>", foreign(sentence)))
        .collect();
    page.section(id, title, &format!("<ul class=\"plain\">{items}</ul>"));
}

/// What the figures can be traced by: the named hashes, and the head of the audit chain.
pub(super) fn hashes(page: &mut Page, paper: &PaperHead, named: &[(String, String)]) {
    let rows: Vec<Vec<String>> = named
        .iter()
        .map(|(name, hash)| (name.as_str(), hash.as_str()))
        .chain([(
            "Audit chain, head when this was written",
            paper.audit_head.as_str(),
        )])
        .filter(|(_, hash)| !hash.is_empty())
        .map(|(name, hash)| vec![foreign(name), mono(hash)])
        .collect();
    let columns = [Column::Words("What"), Column::Words("SHA-256")];
    let note = "<p class=\"note\">The same as data stands in the file of this name that ends in <code>.json</code>. \
                Whoever holds the workspace can have its audit chain recomputed from the live rows.</p>";
    page.section(
        "hashes",
        "Hashes",
        &(table("By these the figures can be traced.", &columns, &rows) + note),
    );
}

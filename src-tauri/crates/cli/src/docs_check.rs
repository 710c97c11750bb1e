//! `docs check`.

use crate::output::{Outcome, Output, count, counted, done};
use lexforge_domain::DocumentId;
use lexforge_domain::api::{CorpusCheck, DocumentCheck, PersonalKind};
use lexforge_engine::Engine;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// `docs check`
pub fn check(workspace: &Path, document: Option<DocumentId>, out: &Output) -> Outcome {
    let engine = Engine::open(workspace)?;
    let check = engine.corpus().check_and_keep(document)?;
    out.document(&check, || described(&check));
    done()
}

fn described(check: &CorpusCheck) -> String {
    let mut text = format!(
        "Data of persons: {}.",
        counts(&check.personal).unwrap_or_else(|| "none found".to_owned())
    );
    for found in &check.findings {
        let _ = write!(
            text,
            "\n  {:<12} document {} page {}: {}",
            words(found.kind),
            found.document,
            found.page,
            found.text
        );
    }
    let listed = check.findings.len() as u64;
    let all: u64 = check.personal.values().sum();
    if all > listed {
        let _ = write!(text, "\n  … and {} more", count(all - listed));
    }
    for one in &check.documents {
        let _ = write!(text, "\n{}", document(one));
    }
    for class in &check.classes {
        let thin = if class.thin { "  (thin)" } else { "" };
        let _ = write!(
            text,
            "\n{} level, {}: {}, {:.1} %{thin}",
            class.level,
            class.class,
            counted(class.questions, "question"),
            class.share * 100.0
        );
    }
    text
}

fn document(one: &DocumentCheck) -> String {
    let mut text = format!(
        "Document {} ({}): licence {}; ",
        one.document,
        one.file,
        one.licence.as_deref().unwrap_or("not said"),
    );
    if one.words == 0 {
        // Such as those of a Chinese text, which nothing parts.
        text.push_str("its words were not checked");
    } else {
        let _ = write!(
            text,
            "{} of {} words look misread",
            count(one.odd),
            count(one.words)
        );
    }
    if one.noisy {
        text.push_str(" (read badly?)");
    }
    if !one.examples.is_empty() {
        let _ = write!(text, ": {}", one.examples.join(", "));
    }
    if one.from_pictures > 0 {
        let pages = counted(u64::from(one.from_pictures), "page");
        let _ = write!(text, "; {pages} read from a picture");
    }
    text
}

fn counts(of: &BTreeMap<PersonalKind, u64>) -> Option<String> {
    let parts: Vec<String> = of
        .iter()
        .map(|(kind, n)| format!("{} × {}", count(*n), words(*kind)))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn words(kind: PersonalKind) -> &'static str {
    match kind {
        PersonalKind::Email => "e-mail",
        PersonalKind::Account => "account",
        PersonalKind::Card => "card",
        PersonalKind::Phone => "telephone",
        PersonalKind::NationalId => "national id",
        PersonalKind::Name => "name",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_nobody_checked_are_not_counted_as_good() {
        let mut one = DocumentCheck {
            document: DocumentId(3),
            file: "rules.pdf".to_owned(),
            title: "Rules".to_owned(),
            licence: None,
            personal: BTreeMap::new(),
            words: 0,
            odd: 0,
            examples: Vec::new(),
            from_pictures: 1,
            noisy: false,
        };
        assert_eq!(
            document(&one),
            "Document 3 (rules.pdf): licence not said; its words were not checked; 1 page read from a picture"
        );
        one.words = 1_200;
        assert!(document(&one).contains("; 0 of 1,200 words look misread;"));
    }
}

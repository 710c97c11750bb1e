//! The card of an exported snapshot: its documents, how it is divided, who reviewed it, and what its owner allows.

use lexforge_domain::api::{DocumentRow, PersonalKind};
use lexforge_domain::dataset::{Dataset, SplitCounts};
use lexforge_domain::qca::Split;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Its name in the folder.
pub(super) const CARD_FILE: &str = "README.md";

/// Data for the card in addition to the snapshot's own record.
pub(super) struct About<'a> {
    pub(super) dataset: &'a Dataset,
    /// Documents that its rules are in, with the number of its questions about each.
    pub(super) documents: &'a [(&'a DocumentRow, u64)],
    /// Questions whose rule is in no document of the workspace any more.
    pub(super) without_document: u64,
    /// Data of persons in these documents, by kind.
    pub(super) personal: &'a BTreeMap<PersonalKind, u64>,
    /// The permission of the documents' owner, in the owner's words.
    pub(super) licence: Option<&'a str>,
    /// Questions of each file.
    pub(super) files: &'a BTreeMap<String, u64>,
    pub(super) audit_head: &'a str,
}

pub(super) fn card(about: &About) -> String {
    let dataset = about.dataset;
    let mut text = format!(
        "# Snapshot {}\n\nQuestions about rules, with choices and the right answer, frozen on {} and written by Lexforge {}.\n\n",
        cell(dataset.hash.get(..12).unwrap_or(&dataset.hash)),
        cell(&dataset.created),
        env!("CARGO_PKG_VERSION")
    );
    let _ = write!(
        text,
        "| | |\n|---|---|\n| Content (SHA-256 of its questions) | {} |\n| Documents (SHA-256 over their hashes) | {} |\n| Head of \
         the audit chain | {} |\n| Seed | {} |\n\n## Licence\n\n",
        dataset.hash,
        cell(&dataset.corpus_hash),
        cell(about.audit_head),
        dataset.seed
    );
    text.push_str(&match about.licence {
        Some(licence) => format!("{}\n", line(licence)),
        None => "Whoever exported it named none. What may be done with it depends on the documents below and is for their owners to \
                 say.\n"
            .to_owned(),
    });
    push_documents(&mut text, about);
    push_parts(&mut text, dataset);
    push_review(&mut text, dataset);
    text.push_str("\n## Files\n\n| file | questions |\n|---|---|\n");
    for (name, questions) in about.files {
        let _ = writeln!(text, "| {name} | {questions} |");
    }
    text
}

/// The documents with what their owners allow, and the data of persons in them.
fn push_documents(text: &mut String, about: &About) {
    text.push_str(
        "\n## Documents\n\n| document | licence | questions | SHA-256 of the file |\n|---|---|---|---|\n",
    );
    for (document, questions) in about.documents {
        let name = if document.title.is_empty() {
            &document.file
        } else {
            &document.title
        };
        let _ = writeln!(
            text,
            "| {} | {} | {questions} | {} |",
            cell(name),
            cell(document.metadata.licence.as_deref().unwrap_or("not said")),
            document.sha256
        );
    }
    text.push_str("\n## Data of persons\n\n");
    if about.personal.is_empty() {
        text.push_str("None was found in these documents by its form.\n");
    }
    for (kind, n) in about.personal {
        let _ = writeln!(text, "- {}: {n}", kind.tag());
    }
    if about.without_document > 0 {
        let _ = writeln!(
            text,
            "\n{} questions are about rules of documents that are no longer in the workspace.",
            about.without_document
        );
    }
}

/// How the questions are divided, and what the leak check says.
fn push_parts(text: &mut String, dataset: &Dataset) {
    let (_, clusters) = dataset.clusters_by().words();
    let shares = dataset
        .shares
        .map(|shares| format!(" in the shares {shares}"))
        .unwrap_or_default();
    let _ = write!(
        text,
        "\n## Parts\n\nDivided by {}{shares}: what is nearly the same stands in one part. Intervals draw whole {clusters}.\n\n| part | \
         sentence level | term level | rules | {clusters} |\n|---|---|---|---|---|\n",
        cell(&dataset.split_unit)
    );
    for split in Split::ALL {
        let counts: &SplitCounts = match split {
            Split::Train => &dataset.train,
            Split::Dev => &dataset.dev,
            Split::Test => &dataset.test,
        };
        let known = dataset.clusters.get(split.tag());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            split.tag(),
            counts.sentence,
            counts.token,
            counts.anchors,
            known.map_or("–".to_owned(), |sizes| sizes.clusters.to_string())
        );
    }
    let leaks = &dataset.leak_check;
    let _ = writeln!(
        text,
        "\nLeak check: {} texts compared, {} questions left out, {} leaks remain.",
        leaks.compared,
        leaks.removed,
        leaks.leaks.len()
    );
}

/// Who reviewed the questions and how well they agree, and whether the choices alone tell the answer.
fn push_review(text: &mut String, dataset: &Dataset) {
    let _ = write!(
        text,
        "\n## Review\n\nRule: {}. {} questions were not admitted by it.",
        dataset.policy.label(),
        dataset.review.not_admitted
    );
    text.push_str(&match &dataset.review.agreement {
        Some(agreement) => {
            let alpha = agreement.alpha;
            format!(
                " {} reviewers; {} questions were decided by two or more, who agreed on {} of them. Krippendorff's α {} [{}, {}].\n",
                agreement.reviewers,
                agreement.items,
                figure(agreement.percent.value),
                figure(alpha.value),
                figure(alpha.low),
                figure(alpha.high)
            )
        }
        None => " No question was decided by two reviewers, so that nothing is known of their agreement.\n".to_owned(),
    });
    if dataset.flagged {
        text.push_str(
            "\nA control that sees the choices alone lies more than 10 points above chance: figures on this snapshot say less than \
             they seem to.\n",
        );
    }
}

/// A text that comes from elsewhere on one line of the card, where nothing of it acts as Markdown or HTML.
fn line(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '!'
        ) {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

fn figure(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.3}"))
}

fn cell(text: &str) -> String {
    match line(text) {
        empty if empty.is_empty() => "–".to_owned(),
        safe => safe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_elsewhere_stays_text() {
        for (given, safe) in [
            ("CC BY 4.0", "CC BY 4.0"),
            ("a | b\nc", "a \\| b c"),
            ("<b>[x](y)</b>", "\\<b\\>\\[x\\](y)\\</b\\>"),
            ("  ", "–"),
        ] {
            assert_eq!(cell(given), safe);
        }
    }
}

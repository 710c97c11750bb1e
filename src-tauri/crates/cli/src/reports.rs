//! The reports of the stages, in words.

use crate::output::{count, counted};
use lexforge_domain::api::{AugmentReport, Items, TermsReport};
use lexforge_domain::dataset::{Dataset, SplitCounts};
use lexforge_domain::endpoint::{AskCounts, BatchReport};
use lexforge_domain::qca::QcaLevel;
use lexforge_engine::{BatchOut, control_in_words, reason_in_words};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Reasons, with how often each was met.
pub fn reasons_with_counts(reasons: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = reasons
        .iter()
        .map(|(reason, n)| format!("{reason} {}", count(*n)))
        .collect();
    parts.join(", ")
}

/// Why questions are missing, in words, with how often each reason was met.
pub fn missing_with_counts(reasons: &BTreeMap<String, u64>) -> String {
    told_with_counts(reasons, reason_in_words)
}

/// As [`missing_with_counts`], each with the tag by which `qca rejected` lists what was rejected.
fn rejected_with_counts(reasons: &BTreeMap<String, u64>) -> String {
    told_with_counts(reasons, |tag| format!("{} [{tag}]", reason_in_words(tag)))
}

fn told_with_counts(reasons: &BTreeMap<String, u64>, told: impl Fn(&str) -> String) -> String {
    let parts: Vec<String> = reasons
        .iter()
        .map(|(tag, n)| format!("{} ({})", told(tag), count(*n)))
        .collect();
    parts.join("; ")
}

/// Terms as a person reads them.
pub fn describe_terms(r: &TermsReport) -> String {
    let mut text = format!(
        "{}, {} of them defined by the documents ({}), {} · policy {}",
        counted(r.terms, "term"),
        count(r.defined),
        counted(r.definitions, "definition"),
        counted(r.mentions, "mention"),
        r.policy.label()
    );
    if !r.rejected.is_empty() {
        let _ = write!(
            text,
            "\n  proposed and not taken: {} (lexforge terms rejected)",
            reasons_with_counts(&r.rejected)
        );
    }
    if r.without_answer > 0 {
        let _ = write!(
            text,
            "\n  {} sentences without an answer",
            count(r.without_answer)
        );
    }
    if r.flagged > 0 {
        let _ = write!(
            text,
            "\n  ! {} sentences speak to a language model; reviewers are warned",
            count(r.flagged)
        );
    }
    if let Some(found) = &r.confusables {
        let _ = write!(
            text,
            "\n  {} of terms that could be taken for each other",
            counted(found.pairs, "pair")
        );
        if let Some(reason) = &found.reason {
            let _ = write!(
                text,
                "; {} terms compared by spelling alone: {reason}",
                count(found.without_vectors)
            );
        }
    }
    if let Some(asked) = &r.asked {
        text.push_str(&describe_counts(asked));
    }
    text
}

/// Questions as a person reads them.
pub fn describe_questions(r: &AugmentReport) -> String {
    let mut text = format!("Questions by the {}", r.source);
    for (level, splits) in &r.questions {
        let total: u64 = splits.values().sum();
        let parts: Vec<String> = splits
            .iter()
            .map(|(split, n)| format!("{} {split}", count(*n)))
            .collect();
        let _ = write!(
            text,
            "\n  {level} level: {} ({})",
            count(total),
            parts.join(", ")
        );
    }
    for (what, reasons) in [
        ("rejected", rejected_with_counts(&r.rejected)),
        ("no question for an anchor", missing_with_counts(&r.skipped)),
    ] {
        if !reasons.is_empty() {
            let _ = write!(text, "\n  {what}: {reasons}");
        }
    }
    if let Some(items) = &r.items {
        text.push_str(&describe_items(items));
    }
    if let Some(judged) = &r.judged {
        let _ = write!(
            text,
            "\n  judged by {} ({}): {} kept at {} or above, {} below, {} unreadable, {} not judged (lexforge qca rejected)",
            judged.model,
            judged.host,
            count(judged.kept),
            judged.threshold,
            count(judged.below),
            count(judged.unreadable),
            count(judged.unjudged)
        );
        text.push_str(&describe_counts(&judged.asked));
    }
    if r.reasked > 0 {
        let _ = write!(
            text,
            "\n  asked anew: {} answers, {} of them gave a question",
            count(r.reasked),
            count(r.recovered)
        );
    }
    if let Some(asked) = &r.asked {
        text.push_str(&describe_counts(asked));
        if r.questions.is_empty() {
            text.push_str(
                "\n  No question was accepted; the questions that were there are unchanged.",
            );
        }
    }
    text
}

/// How many questions there are about an anchor, and what was left out.
pub fn describe_items(items: &Items) -> String {
    let Items {
        anchors,
        possible,
        asked,
        made,
        left_out,
    } = items;
    let of = |n: u64| format!("{} ({:.1} an anchor)", count(n), items.per_anchor(n));
    let mut text = format!(
        "\n  {} anchors: {} possible, {} asked for",
        count(*anchors),
        of(*possible),
        of(*asked)
    );
    if *made > 0 {
        let _ = write!(text, ", {} made", of(*made));
    }
    if !left_out.is_empty() {
        let _ = write!(text, "\n  left out: {}", missing_with_counts(left_out));
    }
    text
}

/// A snapshot as a person reads it.
pub fn describe_dataset(d: &Dataset) -> String {
    let part = |name: &str, c: &SplitCounts| {
        format!(
            "{name}: {} sentence and {} term questions of {}",
            count(c.sentence.into()),
            count(c.token.into()),
            counted(c.anchors, "anchor")
        )
    };
    let (left_out, measured) = (left_out(d), measured(d));
    format!(
        "Snapshot {} · {} · {} · {} · split by {} · {} left out by the leak check{left_out} · policy {} · {}{measured}",
        d.id,
        part("train", &d.train),
        part("dev", &d.dev),
        part("test", &d.test),
        d.split_unit,
        count(d.leak_check.removed),
        d.policy.label(),
        d.hash
    )
}

/// What the review left out of a snapshot, and how far the reviewers agreed.
fn left_out(d: &Dataset) -> String {
    let review = &d.review;
    let mut left_out = String::new();
    for (n, why) in [
        (review.not_admitted, "by the rule"),
        (review.terms_gone, "with terms that are gone"),
    ] {
        if n > 0 {
            let _ = write!(left_out, " · {} left out {why}", count(n));
        }
    }
    if let Some(agreement) = &review.agreement
        && let Some(alpha) = agreement.alpha.value
    {
        let _ = write!(
            left_out,
            " · α {alpha:.3} over {} questions",
            count(agreement.items)
        );
    }
    left_out
}

/// What was measured on the questions of a snapshot, in lines.
fn measured(d: &Dataset) -> String {
    let mut measured = String::new();
    for (level, types) in &d.by_type {
        let parts: Vec<String> = types
            .iter()
            .map(|(kind, n)| format!("{kind} {}", count(u64::from(*n))))
            .collect();
        let _ = write!(measured, "\n  {level}: {}", parts.join(", "));
    }
    for level in [QcaLevel::Sentence, QcaLevel::Token] {
        let rows = d
            .shortcuts
            .iter()
            .filter(|s| s.level == level)
            .map(|s| &s.row);
        let parts: Vec<String> = rows
            .map(|r| {
                format!(
                    "{} {:.3}{} (chance {:.3})",
                    control_in_words(&r.name),
                    r.accuracy,
                    if r.flagged { " !" } else { "" },
                    r.chance
                )
            })
            .collect();
        if !parts.is_empty() {
            let _ = write!(
                measured,
                "\n  {} shortcuts: {}",
                level.tag(),
                parts.join(", ")
            );
        }
    }
    if d.flagged {
        measured.push_str(
            "\n  ! The choices alone tell more than 10 points above chance: figures on this snapshot say less than they seem to.",
        );
    }
    for (part, c) in &d.clusters {
        let (one, several) = d.clusters_by().words();
        let _ = write!(
            measured,
            "\n  {part}: {} {}, {} questions in the middle one, {} in the largest ({})",
            count(c.clusters.into()),
            if c.clusters == 1 { one } else { several },
            c.median,
            count(c.largest.into()),
            c.largest_name
        );
    }
    if let Some(shares) = d.shares {
        let _ = write!(
            measured,
            "\n  written for training, development and test part in the shares {shares}"
        );
    }
    if d.set_aside > 0 {
        let _ = write!(
            measured,
            "\n  {} set aside: nearly the same sentence stands in another part",
            counted(d.set_aside, "sentence")
        );
    }
    if let Some(old) = d.of_the_old_kind() {
        let _ = write!(measured, "\n  ! {old}");
    }
    measured
}

/// The counts of requests, as lines below a report.
fn describe_counts(c: &AskCounts) -> String {
    let mut text = format!(
        "\n  prompts: {} ({} answered now, {} known before, {} still need an answer)",
        count(c.prompts),
        count(c.answered),
        count(c.from_cache),
        count(c.unanswered)
    );
    let _ = write!(
        text,
        "\n  requests: {} ({} retries",
        count(c.calls),
        count(c.retried)
    );
    for (what, n) in [
        ("uncertain", c.uncertain),
        ("possibly billed twice", c.possibly_billed_twice),
    ] {
        if n > 0 {
            let _ = write!(text, ", {} {what}", count(n));
        }
    }
    text.push(')');
    for (what, reasons) in [
        ("failed requests", &c.failed),
        ("answers that could not be read", &c.unparseable),
    ] {
        if !reasons.is_empty() {
            let _ = write!(text, "\n  {what}: {}", reasons_with_counts(reasons));
        }
    }
    let _ = write!(
        text,
        "\n  tokens: {} read, {} written",
        count(c.prompt_tokens),
        count(c.completion_tokens)
    );
    if c.uncounted > 0 {
        let _ = write!(text, " ({} answers without a count)", count(c.uncounted));
    }
    if let Some(cost) = c.cost {
        let _ = write!(text, " · cost {cost:.4}");
    }
    text
}

/// The content of a batch file, as a person reads it.
pub fn describe_batch_out(written: &BatchOut) -> String {
    format!(
        "{} prompts for {} in {}; they contain {} sentences from {} documents. Nothing was sent.\nRead the answers back in \
         with --batch-in FILE.",
        count(written.prompts),
        written.model,
        written.file,
        count(written.sentences),
        count(written.documents)
    )
}

/// The result of reading a batch file, as a person reads it.
pub fn describe_batch(b: &BatchReport) -> String {
    let mut text = format!(
        "{} lines: {} answers taken, {} known already, {} duplicate, {} unmatched; {} prompts still without an answer",
        count(b.lines),
        count(b.accepted),
        count(b.known),
        count(b.duplicate),
        count(b.unmatched),
        count(b.missing)
    );
    for (what, reasons) in [("failed", &b.failed), ("no batch line", &b.invalid)] {
        for (reason, n) in reasons {
            let _ = write!(text, "\n  {what}: {reason} {}", count(*n));
        }
    }
    for (line, why) in &b.first {
        let _ = write!(text, "\n  line {line}: {why}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_rejected_is_told_with_the_tag_that_lists_it() {
        let counts = |of: &[(&str, u64)]| -> BTreeMap<String, u64> {
            of.iter().map(|(tag, n)| ((*tag).to_owned(), *n)).collect()
        };
        let told = describe_questions(&AugmentReport {
            rejected: counts(&[("near_duplicate", 2), ("not_grounded", 1204)]),
            skipped: counts(&[("no_edit", 74)]),
            source: "writer".to_owned(),
            ..AugmentReport::default()
        });
        assert_eq!(
            told,
            "Questions by the writer\
             \n  rejected: near duplicate [near_duplicate] (2); the answer does not come from the anchor [not_grounded] (1,204)\
             \n  no question for an anchor: no minimal change that makes the sentence wrong (74)"
        );
    }
}

//! What verdicts, relations, states and differences are called.

use super::place::{STALE, UNREVIEWED};
use crate::components::icon::Icon;
use crate::i18n::{Lang, lang, t, tf, tn};
use lexforge_domain::SentenceId;
use lexforge_domain::api::{
    DifferenceKind, DifferenceSide, MatchCandidate, MatchChannel, MatchRelation, MatchText,
    MatchVerdict, Severity, WhyNot, WhyNotReason,
};
use lexforge_domain::document::DocumentMetadata;

/// Between the parts of a section's path.
const BETWEEN: &str = " › ";
/// A part of a path with so many letters is a heading and no label.
const WORD: usize = 3;
/// A heading with more scalar values is told by its number.
const LONG: usize = 24;

pub fn verdict(verdict: MatchVerdict) -> String {
    match verdict {
        MatchVerdict::Covered => t("match.covered"),
        MatchVerdict::Partly => t("match.partly"),
        MatchVerdict::Contradicted => t("match.contradicted"),
        MatchVerdict::NotCovered => t("match.not_covered"),
    }
}

/// What a verdict means, in half a sentence.
pub fn verdict_means(verdict: MatchVerdict) -> String {
    match verdict {
        MatchVerdict::Covered => t("match.covered_means"),
        MatchVerdict::Partly => t("match.partly_means"),
        MatchVerdict::Contradicted => t("match.contradicted_means"),
        MatchVerdict::NotCovered => t("match.not_covered_means"),
    }
}

/// Why a rule got its verdict.
pub fn why(verdict: MatchVerdict) -> String {
    match verdict {
        MatchVerdict::Covered => t("match.why_covered"),
        MatchVerdict::Partly => t("match.why_partly"),
        MatchVerdict::Contradicted => t("match.why_contradicted"),
        MatchVerdict::NotCovered => t("match.why_not_covered"),
    }
}

/// The sign of a verdict.
pub fn sign(verdict: MatchVerdict) -> Icon {
    match verdict {
        MatchVerdict::Covered => Icon::Check,
        MatchVerdict::Partly => Icon::Half,
        MatchVerdict::Contradicted => Icon::Unequal,
        MatchVerdict::NotCovered => Icon::Ring,
    }
}

/// The class of a verdict's badge.
pub fn badge(verdict: MatchVerdict) -> &'static str {
    match verdict {
        MatchVerdict::Covered => "badge ok",
        MatchVerdict::Partly => "badge warn",
        MatchVerdict::Contradicted => "badge bad",
        MatchVerdict::NotCovered => "badge gap",
    }
}

/// A relation, as NIST IR 8477 names it.
pub fn relation(relation: MatchRelation) -> String {
    match relation {
        MatchRelation::Equal => t("match.equal"),
        MatchRelation::Subset => t("match.subset"),
        MatchRelation::Superset => t("match.superset"),
        MatchRelation::Intersects => t("match.intersects"),
    }
}

/// The meaning of a relation, in one line.
pub fn relation_means(relation: MatchRelation) -> String {
    match relation {
        MatchRelation::Equal => t("match.equal_means"),
        MatchRelation::Subset => t("match.subset_means"),
        MatchRelation::Superset => t("match.superset_means"),
        MatchRelation::Intersects => t("match.intersects_means"),
    }
}

/// How bad a gap is.
pub fn severity(severity: Severity) -> String {
    match severity {
        Severity::None => t("match.no_gap"),
        Severity::Low => t("match.low"),
        Severity::Medium => t("match.medium"),
        Severity::High => t("match.high"),
    }
}

/// What people decided about a rule.
pub fn state(status: &str) -> String {
    match status {
        "accepted" => t("match.accepted"),
        "corrected" => t("match.corrected"),
        STALE => t("match.reopened"),
        UNREVIEWED => t("match.unreviewed"),
        other => other.to_owned(),
    }
}

/// What differs.
pub fn kind(kind: DifferenceKind) -> String {
    match kind {
        DifferenceKind::Force => t("match.force"),
        DifferenceKind::Number => t("match.number"),
        DifferenceKind::Negation => t("match.negation"),
        DifferenceKind::Actor => t("match.actor"),
        DifferenceKind::Extent => t("match.extent"),
        DifferenceKind::Condition => t("match.condition"),
        DifferenceKind::Silent => t("match.words_missing"),
    }
}

/// How the policy differs from the rule.
pub fn side(side: DifferenceSide) -> String {
    match side {
        DifferenceSide::Weaker => t("match.weaker"),
        DifferenceSide::Looser => t("match.looser"),
        DifferenceSide::Stricter => t("match.stricter"),
        DifferenceSide::Silent => t("match.silent"),
        DifferenceSide::Contrary => t("match.contrary"),
        DifferenceSide::Other => t("match.other"),
    }
}

/// The class of the badge of a side, and its sign.
pub fn side_badge(side: DifferenceSide) -> (&'static str, Icon) {
    match side {
        DifferenceSide::Weaker | DifferenceSide::Looser | DifferenceSide::Contrary => {
            ("badge bad", Icon::Close)
        }
        DifferenceSide::Silent | DifferenceSide::Other => ("badge warn", Icon::Warning),
        DifferenceSide::Stricter => ("badge ok", Icon::Check),
    }
}

/// Why a statement does not cover a rule: the reason, and the words that show it.
pub fn why_not(why: &WhyNot) -> (String, String) {
    let reason = match why.reason {
        WhyNotReason::AnotherMatter => t("match.another_matter"),
        WhyNotReason::LeavesOut => t("match.leaves_out"),
        WhyNotReason::TooWeak => t("match.too_weak"),
        WhyNotReason::Differs => t("match.differs"),
        WhyNotReason::BindsNobody => t("match.binds_nobody"),
        WhyNotReason::Title => t("match.title"),
        WhyNotReason::OfADocument => t("match.of_a_document"),
        WhyNotReason::Quotes => t("match.quotes"),
        WhyNotReason::AnotherRule => t("match.another_rule"),
        WhyNotReason::NoReview => t("match.no_review"),
    };
    if lang() == Lang::En {
        return (reason, why.text.clone());
    }
    let quoted = |words: &[String]| -> String {
        let quoted: Vec<String> = words.iter().map(|w| format!("“{w}”")).collect();
        quoted.join(&t("list.comma"))
    };
    let told = match (why.reason, why.words.as_slice()) {
        (WhyNotReason::BindsNobody, _) => t("match.defines"),
        (WhyNotReason::Title, _) => t("match.only_title"),
        (WhyNotReason::OfADocument, _) => t("match.only_of_a_document"),
        (WhyNotReason::Quotes, _) => t("match.quotes_text"),
        (WhyNotReason::NoReview, _) => t("match.speaks_of_no_review"),
        (WhyNotReason::AnotherRule, words) => {
            tf("match.no_own_words", &[("words", &quoted(words))])
        }
        (WhyNotReason::AnotherMatter, []) => t("match.no_words"),
        (WhyNotReason::AnotherMatter, words) => {
            tf("match.only_words", &[("words", &quoted(words))])
        }
        (WhyNotReason::LeavesOut, words) => tf("match.says_nothing", &[("words", &quoted(words))]),
        (WhyNotReason::TooWeak | WhyNotReason::Differs, [rule, policy, ..]) => tf(
            "match.has_instead",
            &[("policy", policy.as_str()), ("rule", rule.as_str())],
        ),
        (WhyNotReason::TooWeak | WhyNotReason::Differs, _) => why.text.clone(),
    };
    (reason, told)
}

/// The methods that found a statement; `None` if a person linked it.
pub fn found_by(candidates: &[MatchCandidate], statement: SentenceId) -> Option<String> {
    let found = candidates.iter().find(|p| p.statement.id == statement)?;
    let comma = t("list.comma");
    let ways: Vec<String> = found
        .found_by
        .iter()
        .map(|way| match way {
            MatchChannel::Words => t("match.channel_words"),
            MatchChannel::Meaning => t("match.channel_meaning"),
            MatchChannel::Graph => tn(
                "match.channel_graph",
                found.edges.unwrap_or_default().into(),
            ),
            MatchChannel::Terms => {
                let terms = found.terms.join(&comma);
                tf("match.channel_terms", &[("terms", &terms)])
            }
        })
        .collect();
    let told = ways.join(&comma);
    (!ways.is_empty()).then(|| tf("match.found_by", &[("ways", &told)]))
}

/// The place of a text in one line: the document's title, and the section in its shortest form.
pub fn place(title: &str, text: &MatchText) -> String {
    match section(text) {
        section if section.is_empty() => title.to_owned(),
        // The titles come a little after the texts.
        section if title.is_empty() => section,
        section => format!("{title} · {section}"),
    }
}

/// The facts about a document that an auditor asks for: its version, its date and who maintains it.
pub fn imprint(about: &DocumentMetadata) -> String {
    let owner = about.owner.as_ref();
    let parts = [
        about.version.clone(),
        about.date.clone(),
        owner.map(|owner| tf("match.kept_by", &[("owner", owner)])),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" · ")
}

/// The section of a text from its article on, or the id that its file gave it: `Article 21 › (2) › (c)`.
pub fn section(text: &MatchText) -> String {
    if let Some(id) = text.external_id.as_ref().filter(|id| !id.is_empty()) {
        return id.clone();
    }
    let parts: Vec<&str> = text.section.split(BETWEEN).collect();
    let named = |part: &&str| part.chars().filter(|c| c.is_alphabetic()).count() >= WORD;
    let from = parts.iter().rposition(named).unwrap_or_default();
    let mut short = parts[from..].to_vec();
    // Of a long heading its number is enough.
    if let Some(first) = short.first_mut()
        && first.chars().count() > LONG
        && let Some((number, _)) = first.split_once(" – ").or_else(|| first.split_once(": "))
    {
        *first = number;
    }
    short.join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::{DocumentId, SentenceId};

    #[test]
    fn a_section_is_told_from_its_article_on() {
        for (path, expected) in [
            ("Part V › Article 21 › (2) › (c)", "Article 21 › (2) › (c)"),
            (
                "Part V › Article 21 – Critical outsourcing of functions › (2)",
                "Article 21 › (2)",
            ),
            ("Operational policy › Incidents", "Incidents"),
            ("3 › 3.2", "3 › 3.2"),
            ("第三章 › 第二十一条 › （一）", "第二十一条 › （一）"),
            ("", ""),
        ] {
            let text = MatchText {
                id: SentenceId(1),
                document: DocumentId(1),
                page: 1,
                text: String::new(),
                section: path.to_owned(),
                external_id: None,
            };
            assert_eq!(section(&text), expected);
            // Until the title has come the section stands alone.
            assert_eq!(place("", &text), expected);
        }
    }
}

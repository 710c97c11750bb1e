//! What a draft must fulfil, whoever wrote it.

use crate::anchor::Anchor;
use crate::reasons::Rejection;
use crate::words::{contains_words, content, is_han, length, normal, words};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel};
use lexforge_domain::text::Language;
use std::collections::HashSet;

/// Choices of a sentence question.
const SENTENCES: usize = 4;
/// Fewest and most choices of a term question.
const TERMS: (usize, usize) = (3, 8);
/// Share of the answer's content words that the anchor must have; the rest is room for a rewording.
const GROUNDED: f64 = 0.75;
/// Share of the rephrased sentence's content words that the anchor must have.
const REPHRASED: f64 = 0.8;

/// Phrases that a question must not have: they name nothing that could be known.
const VAGUE: &[&str] = &[
    "which of the following",
    "which one of the following",
    "the above sentence",
    "this sentence",
    "this passage",
    "the passage",
    "the text above",
    "下列哪",
    "以下哪",
    "下列选项",
    "以下选项",
    "上述句子",
    "本句",
];
/// Phrases that an answer must not have: they tell that it is the official one.
const LEADING: &[&str] = &[
    "according to the regulation",
    "according to the rule",
    "according to this regulation",
    "according to regulations",
    "as stated in the regulation",
    "all of the above",
    "none of the above",
    "以上都",
    "以上皆",
    "根据本规定可知",
];

/// Checks one draft against its anchor.
///
/// # Errors
/// The first [`Rejection`] that applies.
pub fn validate(draft: &QcaDraft, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    if draft.anchor_sentence != anchor.id {
        return Err(Rejection::WrongAnchor);
    }
    let answer = draft.choices.get(draft.answer).ok_or(Rejection::AnswerMissing)?;
    counts(draft)?;
    origins(draft, anchor)?;
    phrases(draft, answer)?;
    lengths(draft, anchor.language)?;
    match draft.level {
        QcaLevel::Sentence => sentence(draft, answer, anchor),
        QcaLevel::Token => token(draft, answer, anchor),
    }
}

fn counts(draft: &QcaDraft) -> Result<(), Rejection> {
    let right = match draft.level {
        QcaLevel::Sentence => draft.choices.len() == SENTENCES,
        QcaLevel::Token => (TERMS.0..=TERMS.1).contains(&draft.choices.len()),
    };
    if !right {
        return Err(Rejection::ChoiceCount);
    }
    let different: HashSet<String> = draft.choices.iter().map(|c| normal(c)).collect();
    if different.len() != draft.choices.len() || different.contains("") {
        return Err(Rejection::DuplicateChoices);
    }
    let fits = match draft.level {
        QcaLevel::Sentence => draft.anchor_term.is_none() && draft.rephrased.is_none(),
        QcaLevel::Token => draft.anchor_term.is_some(),
    };
    if fits { Ok(()) } else { Err(Rejection::LevelMismatch) }
}

/// One origin a choice, the answer alone comes from the anchor, and nothing is borrowed from outside the candidates.
fn origins(draft: &QcaDraft, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    if draft.origins.len() != draft.choices.len() {
        return Err(Rejection::OriginMismatch);
    }
    let known = |s| anchor.neighbours.iter().chain(&anchor.nearby).any(|n| n.id == s);
    // A similar term, or one similar to that.
    let similar =
        |t| anchor.similar_terms.values().flatten().any(|(id, _, _)| *id == t) && draft.anchor_term != Some(t);
    let fits = draft.origins.iter().enumerate().all(|(i, origin)| match origin {
        ChoiceOrigin::Anchor => i == draft.answer,
        _ if i == draft.answer => false,
        ChoiceOrigin::Neighbour { sentence } => draft.level == QcaLevel::Sentence && known(*sentence),
        ChoiceOrigin::Edit { sentence, .. } => {
            draft.level == QcaLevel::Sentence && (*sentence == anchor.id || known(*sentence))
        }
        ChoiceOrigin::Term { term } => draft.level == QcaLevel::Token && similar(*term),
    });
    if fits { Ok(()) } else { Err(Rejection::OriginMismatch) }
}

fn phrases(draft: &QcaDraft, answer: &str) -> Result<(), Rejection> {
    let question = draft.question.to_lowercase();
    let answer = answer.to_lowercase();
    if VAGUE.iter().any(|p| question.contains(p)) || LEADING.iter().any(|p| answer.contains(p)) {
        return Err(Rejection::BannedPhrase);
    }
    Ok(())
}

fn lengths(draft: &QcaDraft, language: Language) -> Result<(), Rejection> {
    let dense = matches!(language, Language::Zh | Language::Ko);
    let question = if dense { 8..=320 } else { 15..=520 };
    if !question.contains(&length(draft.question.trim())) {
        return Err(Rejection::QuestionLength);
    }
    let choice = match (draft.level, dense) {
        (QcaLevel::Sentence, false) => 20..=440,
        (QcaLevel::Sentence, true) => 8..=220,
        (QcaLevel::Token, false) => 2..=90,
        (QcaLevel::Token, true) => 2..=30,
    };
    if draft.choices.iter().all(|c| choice.contains(&length(c))) { Ok(()) } else { Err(Rejection::ChoiceLength) }
}

fn sentence(draft: &QcaDraft, answer: &str, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    if draft.choices.iter().any(|c| !c.trim_end_matches(['”', '’', '"', ')', '）']).ends_with(['.', '。', '!', '！']))
    {
        return Err(Rejection::IncompleteSentence);
    }
    if contains_words(&draft.question, answer) {
        return Err(Rejection::AnswerInQuestion);
    }
    if grounded(answer, anchor) < GROUNDED { Err(Rejection::NotGrounded) } else { Ok(()) }
}

fn token(draft: &QcaDraft, answer: &str, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    let term = anchor.terms.iter().find(|t| Some(t.id) == draft.anchor_term).ok_or(Rejection::LevelMismatch)?;
    if contains_words(&draft.question, answer) || contains_words(&draft.question, term.text) {
        return Err(Rejection::AnswerInQuestion);
    }
    let rephrased = draft.rephrased.as_deref().ok_or(Rejection::RephrasedWithoutAnswer)?;
    if !at_boundary(rephrased, answer) {
        return Err(Rejection::RephrasedWithoutAnswer);
    }
    if !contains_words(anchor.text, answer) && !anchor.lead_in.is_some_and(|l| contains_words(l, answer)) {
        return Err(Rejection::NotGrounded);
    }
    if grounded(rephrased, anchor) < REPHRASED {
        return Err(Rejection::NotGrounded);
    }
    let nested = draft
        .choices
        .iter()
        .enumerate()
        .any(|(i, c)| i != draft.answer && (contains_words(c, answer) || contains_words(answer, c)));
    if nested { Err(Rejection::NestedChoice) } else { Ok(()) }
}

/// Share of the content words of `text` that the anchor, the opening of its list or its heading has.
fn grounded(text: &str, anchor: &Anchor<'_>) -> f64 {
    let source = format!("{} {} {}", anchor.lead_in.unwrap_or(""), anchor.text, anchor.heading);
    let (own, source) = (content(text), content(&source));
    if own.is_empty() {
        return 0.0;
    }
    own.intersection(&source).count() as f64 / own.len() as f64
}

/// Whether `term` stands in `text` exactly as written and is no part of a longer Latin word.
pub(crate) fn at_boundary(text: &str, term: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
    let latin_start = joins(term.chars().next());
    let latin_end = joins(term.chars().next_back());
    !words(term).is_empty()
        && text.match_indices(term).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + term.len()..].chars().next();
            !(latin_start && joins(before) || latin_end && joins(after))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anchor::{AnchorTerm, Neighbour};
    use lexforge_domain::qca::{QuestionSource, QuestionType};
    use lexforge_domain::text::SentenceKind;
    use lexforge_domain::{SentenceId, TermId};

    const TEXT: &str = "The controller shall notify the supervisory authority without undue delay.";

    fn anchor() -> Anchor<'static> {
        let mut anchor = Anchor::new(SentenceId(1), TEXT, Language::En, SentenceKind::Rule);
        anchor.neighbours = vec![Neighbour {
            id: SentenceId(2),
            text: "The auditor must keep its working papers for seven years.",
            lead_in: None,
            cosine: 0.9,
        }];
        anchor.terms =
            vec![AnchorTerm { id: TermId(1), text: "supervisory authority", start: 32, end: 53, definition: None }];
        anchor.similar_terms.insert(TermId(1), vec![(TermId(2), "court", 0.8), (TermId(3), "board", 0.8)]);
        anchor
    }

    fn sentences() -> QcaDraft {
        let edit = |sentence| ChoiceOrigin::Edit { edit: "modal".to_owned(), sentence: SentenceId(sentence) };
        QcaDraft {
            level: QcaLevel::Sentence,
            question_type: QuestionType::Obligation,
            question: "What rule applies to the controller with regard to the supervisory authority?".to_owned(),
            choices: vec![
                TEXT.to_owned(),
                "The controller may notify the supervisory authority without undue delay.".to_owned(),
                "The auditor must keep its working papers for seven years.".to_owned(),
                "The auditor may keep its working papers for seven years.".to_owned(),
            ],
            answer: 0,
            origins: vec![ChoiceOrigin::Anchor, edit(1), ChoiceOrigin::Neighbour { sentence: SentenceId(2) }, edit(2)],
            rephrased: None,
            anchor_sentence: SentenceId(1),
            anchor_term: None,
            source: QuestionSource::Llm,
        }
    }

    fn terms() -> QcaDraft {
        QcaDraft {
            level: QcaLevel::Token,
            question_type: QuestionType::Term,
            question: "Whom does the controller notify without undue delay?".to_owned(),
            choices: vec!["court".to_owned(), "supervisory authority".to_owned(), "board".to_owned()],
            answer: 1,
            origins: vec![
                ChoiceOrigin::Term { term: TermId(2) },
                ChoiceOrigin::Anchor,
                ChoiceOrigin::Term { term: TermId(3) },
            ],
            rephrased: Some("The controller notifies the supervisory authority without undue delay.".to_owned()),
            anchor_term: Some(TermId(1)),
            ..sentences()
        }
    }

    fn check(base: fn() -> QcaDraft, change: fn(&mut QcaDraft), expected: Result<(), Rejection>) {
        let mut draft = base();
        change(&mut draft);
        assert_eq!(validate(&draft, &anchor()), expected, "{draft:?}");
    }

    #[test]
    fn good_drafts_pass() {
        check(sentences, |_| (), Ok(()));
        check(terms, |_| (), Ok(()));
    }

    #[test]
    fn each_fault_has_its_reason() {
        use Rejection as R;
        check(sentences, |d| d.choices.truncate(3), Err(R::ChoiceCount));
        check(sentences, |d| d.choices[1] = TEXT.to_uppercase(), Err(R::DuplicateChoices));
        check(sentences, |d| d.answer = 4, Err(R::AnswerMissing));
        check(sentences, |d| d.answer = 1, Err(R::OriginMismatch));
        check(
            sentences,
            |d| d.origins[2] = ChoiceOrigin::Neighbour { sentence: SentenceId(9) },
            Err(R::OriginMismatch),
        );
        check(sentences, |d| d.anchor_sentence = SentenceId(3), Err(R::WrongAnchor));
        check(sentences, |d| d.rephrased = Some(TEXT.to_owned()), Err(R::LevelMismatch));
        check(sentences, |d| d.question = "What?".to_owned(), Err(R::QuestionLength));
        check(sentences, |d| d.choices[3] = "No such rule.".to_owned(), Err(R::ChoiceLength));
        check(sentences, |d| d.question = format!("Is it right that {TEXT}"), Err(R::AnswerInQuestion));
        check(sentences, |d| d.question = "Which of the following is right?".to_owned(), Err(R::BannedPhrase));
        check(
            sentences,
            |d| d.choices[0] = "Banks publish their interest rates on a website.".to_owned(),
            Err(R::NotGrounded),
        );
        check(
            sentences,
            |d| d.choices[3] = "The auditor may keep its working papers".to_owned(),
            Err(R::IncompleteSentence),
        );
        check(terms, |d| d.question = "Does a supervisory authority exist here?".to_owned(), Err(R::AnswerInQuestion));
        check(
            terms,
            |d| d.question = "Which supervisory authorities are notified?".to_owned(),
            Err(R::AnswerInQuestion),
        );
        check(terms, |d| d.rephrased = None, Err(R::RephrasedWithoutAnswer));
        check(terms, |d| d.rephrased = Some("The controller notifies.".to_owned()), Err(R::RephrasedWithoutAnswer));
        check(
            terms,
            |d| d.rephrased = Some("The supervisory authority publishes tables of interest rates.".to_owned()),
            Err(R::NotGrounded),
        );
        check(terms, |d| d.choices[0] = "authority".to_owned(), Err(R::NestedChoice));
        check(terms, |d| d.origins[0] = ChoiceOrigin::Term { term: TermId(9) }, Err(R::OriginMismatch));
        check(terms, |d| d.anchor_term = None, Err(R::LevelMismatch));
    }

    #[test]
    fn a_term_stands_at_its_boundary() {
        let check = |text, term, expected| assert_eq!(at_boundary(text, term), expected, "{term} in {text}");
        check("The subprocessor acts.", "processor", false);
        check("The processor acts.", "processor", true);
        check("商业银行应当报告。", "银行", true);
    }
}

//! The conditions that every draft must meet, whoever wrote it.

use crate::anchor::Anchor;
use crate::asked::{added, copies, told_by_the_question};
use crate::keeps::{Binding, Compared};
use crate::meanings::told_apart;
use crate::reasons::Rejection;
use crate::words::{Searched, borne_out, contains_words, content, is_stop, length, normal};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource};
use lexforge_domain::text::Language;
use lexforge_text::lists::Word;
use lexforge_text::{is_han, word_lists, words};
use std::collections::HashSet;

word_lists! {
    /// Phrases that a question must not have: they name nothing that could be known.
    VAGUE: Vec<Word> = "vague_questions.txt";
    /// Phrases that an answer must not have, because they say that it is the official one.
    LEADING: Vec<Word> = "leading_answers.txt";
    /// Signs that the writer followed something other than the task. The texts that it was given may contain them.
    OFF_TASK: Vec<Word> = "off_task.txt";
}

/// Choices of a sentence question.
const SENTENCES: usize = 4;
/// Fewest and most choices of a term question.
const TERMS: (usize, usize) = (3, 8);
/// Share of the answer's content words that the anchor must have; the other words may be a rewording.
pub const GROUNDED: f64 = 0.75;
/// Share of the rephrased sentence's content words that the anchor must have.
const REPHRASED: f64 = 0.8;

/// Beginnings that an answer must not have unless its anchor has them too.
const BEGINNINGS: &[&str] = &["according to", "根据规定", "依据规定"];
/// Share of a wrong choice's content words that the texts which a model was given, or its question, must have.
const BORROWED: f64 = 0.5;
/// Share of Han among the letters: at least so many in Chinese, at most so many elsewhere.
const HAN: (f64, f64) = (0.4, 0.2);
/// Little words of other languages in Latin script that English has not.
const FOREIGN: &[&str] = &[
    "der", "das", "und", "ist", "nicht", "mit", "von", "für", "dem", "eine", "einer", "muss",
    "müssen", "oder", "auf", "le", "les", "du", "et", "est", "dans", "une", "pour", "que", "qui",
    "doit", "aux", "par", "el", "los", "las", "y", "una", "para", "debe", "del", "il", "gli", "di",
    "che", "deve", "dell", "della", "o", "os", "da", "em", "het", "een", "van",
];

/// Checks one draft against its anchor.
///
/// # Errors
/// The reason for the rejection. If several apply, it is the first one that was found.
pub fn validate(draft: &QcaDraft, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    if draft.anchor_sentence != anchor.id {
        return Err(Rejection::WrongAnchor);
    }
    let answer = draft
        .choices
        .get(draft.answer)
        .ok_or(Rejection::AnswerMissing)?;
    counts(draft)?;
    origins(draft, anchor)?;
    phrases(draft, answer, anchor)?;
    lengths(draft, anchor.language)?;
    on_task(draft, anchor)?;
    language(draft, answer, anchor.language)?;
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
    if fits {
        Ok(())
    } else {
        Err(Rejection::LevelMismatch)
    }
}

/// Checks that each choice has one origin, that only the answer comes from the anchor, and that every other choice
/// comes from one of the candidates.
fn origins(draft: &QcaDraft, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    if draft.origins.len() != draft.choices.len() {
        return Err(Rejection::OriginMismatch);
    }
    let known = |s| {
        anchor
            .neighbours
            .iter()
            .chain(&anchor.nearby)
            .any(|n| n.id == s)
            || anchor.elsewhere.iter().any(|(id, _)| *id == s)
    };
    // A similar term, one similar to that, or one that stands near.
    let offered = |t| {
        anchor
            .similar_terms
            .values()
            .flatten()
            .any(|(id, _, _)| *id == t)
            || anchor.local_terms.iter().any(|(id, _)| *id == t)
    };
    let similar = |t| offered(t) && draft.anchor_term != Some(t);
    let fits = draft
        .origins
        .iter()
        .enumerate()
        .all(|(i, origin)| match origin {
            ChoiceOrigin::Anchor => i == draft.answer,
            _ if i == draft.answer => false,
            ChoiceOrigin::Neighbour { sentence } => {
                draft.level == QcaLevel::Sentence && known(*sentence)
            }
            ChoiceOrigin::Edit { sentence, .. } => {
                draft.level == QcaLevel::Sentence && (*sentence == anchor.id || known(*sentence))
            }
            ChoiceOrigin::Term { term } => draft.level == QcaLevel::Token && similar(*term),
        });
    if fits {
        Ok(())
    } else {
        Err(Rejection::OriginMismatch)
    }
}

fn phrases(draft: &QcaDraft, answer: &str, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    let question = Searched::new(draft.question.to_lowercase());
    let answer = answer.trim().to_lowercase();
    let source = anchor.text.trim().to_lowercase();
    let leads = BEGINNINGS
        .iter()
        .any(|p| answer.starts_with(p) && !source.starts_with(p));
    // "A. …" before every choice: the answer is to be a text and not a letter.
    let lettered = draft.choices.len() > 1 && draft.choices.iter().all(|c| letter(c));
    let answer = Searched::new(answer);
    if leads
        || lettered
        || VAGUE.iter().any(|p| question.says(p))
        || LEADING.iter().any(|p| answer.says(p))
    {
        return Err(Rejection::BannedPhrase);
    }
    Ok(())
}

/// Whether a choice begins with the letter of an exam paper.
fn letter(choice: &str) -> bool {
    let mut chars = choice.trim_start().trim_start_matches(['(', '（']).chars();
    chars
        .next()
        .is_some_and(|c| matches!(c, 'A'..='H' | 'a'..='h'))
        && chars
            .next()
            .is_some_and(|c| matches!(c, '.' | ')' | ':' | '、' | '．' | '）' | '：'))
}

/// Whether nothing in it speaks of something else than the texts that were given.
fn on_task(draft: &QcaDraft, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    let parts = [Some(draft.question.as_str()), draft.rephrased.as_deref()]
        .into_iter()
        .flatten();
    let written = parts
        .chain(draft.choices.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("\n")
        .to_lowercase();
    let written = Searched::new(written);
    let mut found = OFF_TASK.iter().filter(|p| written.says(p)).peekable();
    if found.peek().is_none() {
        return Ok(());
    }
    let given = Searched::new(given(anchor).to_lowercase());
    if found.all(|p| given.says(p)) {
        Ok(())
    } else {
        Err(Rejection::OffTask)
    }
}

/// Joins all texts that a writer was given: the anchor with its introduction and its heading, the neighbours with their
/// introductions, and other acts' definitions of the term.
fn given(anchor: &Anchor<'_>) -> String {
    let mut text = format!(
        "{} {} {}",
        anchor.lead_in.unwrap_or(""),
        anchor.text,
        anchor.heading
    );
    for neighbour in &anchor.neighbours {
        text.push_str(&format!(
            "\n{} {}",
            neighbour.lead_in.unwrap_or(""),
            neighbour.text
        ));
    }
    for (_, meaning) in &anchor.elsewhere {
        text.push('\n');
        text.push_str(meaning);
    }
    text
}

/// Whether question, answer and rephrased sentence are in the language of the anchor. Wrong terms are the graph's.
fn language(draft: &QcaDraft, answer: &str, language: Language) -> Result<(), Rejection> {
    let choices: &[String] = if draft.level == QcaLevel::Sentence {
        &draft.choices
    } else {
        &[]
    };
    let rest = [Some(draft.question.as_str()), draft.rephrased.as_deref()]
        .into_iter()
        .flatten();
    let answer = (draft.level == QcaLevel::Sentence).then_some(answer);
    let mut texts = rest.chain(answer).chain(choices.iter().map(String::as_str));
    if texts.any(|text| foreign_script(text, language)) {
        Err(Rejection::OtherLanguage)
    } else {
        Ok(())
    }
}

/// Whether a text is not in a language: by its script, and for English by its little words.
pub(crate) fn foreign_script(text: &str, language: Language) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    if letters.is_empty() {
        return false;
    }
    let han = letters.iter().filter(|c| is_han(**c)).count() as f64 / letters.len() as f64;
    match language {
        Language::Zh => han < HAN.0,
        Language::En if han > HAN.1 => true,
        Language::En => {
            let words = words(text);
            let foreign = words
                .iter()
                .filter(|w| FOREIGN.contains(&w.as_str()))
                .count();
            foreign >= 2 && foreign > words.iter().filter(|w| is_stop(w)).count()
        }
        Language::Ko | Language::Other => false,
    }
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
    if draft.choices.iter().all(|c| choice.contains(&length(c))) {
        Ok(())
    } else {
        Err(Rejection::ChoiceLength)
    }
}

fn sentence(draft: &QcaDraft, answer: &str, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    if draft.choices.iter().any(|c| {
        !c.trim_end_matches(['”', '’', '"', ')', '）'])
            .ends_with(['.', '。', '!', '！'])
    }) {
        return Err(Rejection::IncompleteSentence);
    }
    if contains_words(&draft.question, answer) {
        return Err(Rejection::AnswerInQuestion);
    }
    if grounded(answer, anchor) < GROUNDED {
        return Err(Rejection::NotGrounded);
    }
    if draft.source == QuestionSource::Llm {
        binds(answer, draft, anchor)?;
        if told_by_the_question(draft, answer) {
            return Err(Rejection::AnswerInQuestion);
        }
        if copies(&draft.question, anchor, None) {
            return Err(Rejection::QuestionCopies);
        }
        told_apart(draft, answer, anchor)?;
        let known = content(&format!("{} {}", given(anchor), draft.question));
        let foreign = |choice: &String| {
            let own = content(choice);
            (own.intersection(&known).count() as f64) < BORROWED * own.len() as f64
        };
        if draft
            .choices
            .iter()
            .enumerate()
            .any(|(i, c)| i != draft.answer && foreign(c))
        {
            return Err(Rejection::ForeignChoice);
        }
    }
    Ok(())
}

/// Whether everything that binds in what a model says of the anchor binds there too.
fn binds(said: &str, draft: &QcaDraft, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    let text = format!("{} {}", anchor.lead_in.unwrap_or(""), anchor.text);
    let place = format!(
        "{} {} {}",
        anchor.heading, anchor.section, anchor.document_title
    );
    let similar = anchor
        .similar_terms
        .values()
        .flatten()
        .map(|(_, term, _)| *term);
    let terms: Vec<&str> = anchor
        .terms
        .iter()
        .map(|term| term.text)
        .chain(similar)
        .chain(anchor.local_terms.iter().map(|(_, term)| *term))
        .collect();
    let compared = Compared {
        anchor: text.trim(),
        answer: said,
        asked: &draft.question,
        place: place.trim(),
        language: anchor.language,
        terms: &terms,
    };
    compared
        .differences()
        .first()
        .map_or(Ok(()), |difference| Err(reason(difference.kind)))
}

/// The reason under which a difference is rejected.
fn reason(kind: Binding) -> Rejection {
    match kind {
        Binding::Number => Rejection::NumberChanged,
        Binding::Date => Rejection::DateChanged,
        Binding::Modal => Rejection::ModalChanged,
        Binding::Negation => Rejection::NegationChanged,
        Binding::Condition => Rejection::ConditionChanged,
        Binding::Direction => Rejection::DirectionChanged,
        Binding::Quantifier => Rejection::QuantifierChanged,
        Binding::Actor => Rejection::ActorChanged,
        Binding::Term => Rejection::TermChanged,
    }
}

fn token(draft: &QcaDraft, answer: &str, anchor: &Anchor<'_>) -> Result<(), Rejection> {
    let term = anchor
        .terms
        .iter()
        .find(|t| Some(t.id) == draft.anchor_term)
        .ok_or(Rejection::LevelMismatch)?;
    if contains_words(&draft.question, answer) || contains_words(&draft.question, term.text) {
        return Err(Rejection::AnswerInQuestion);
    }
    let rephrased = draft
        .rephrased
        .as_deref()
        .ok_or(Rejection::RephrasedWithoutAnswer)?;
    if !at_boundary(rephrased, answer) {
        return Err(Rejection::RephrasedWithoutAnswer);
    }
    if !contains_words(anchor.text, answer)
        && !anchor.lead_in.is_some_and(|l| contains_words(l, answer))
    {
        return Err(Rejection::NotGrounded);
    }
    if grounded(rephrased, anchor) < REPHRASED {
        return Err(Rejection::NotGrounded);
    }
    if draft.source == QuestionSource::Llm {
        binds(rephrased, draft, anchor)?;
        if added(rephrased, &draft.question, answer, anchor.language).is_some() {
            return Err(Rejection::RephrasedAdds);
        }
        if copies(&draft.question, anchor, Some(answer)) {
            return Err(Rejection::QuestionCopies);
        }
    }
    let nested = draft.choices.iter().enumerate().any(|(i, c)| {
        i != draft.answer && (contains_words(c, answer) || contains_words(answer, c))
    });
    if nested {
        Err(Rejection::NestedChoice)
    } else {
        Ok(())
    }
}

/// Share of the content words of `text` that the anchor, the opening of its list or its heading has.
fn grounded(text: &str, anchor: &Anchor<'_>) -> f64 {
    let source = format!(
        "{} {} {}",
        anchor.lead_in.unwrap_or(""),
        anchor.text,
        anchor.heading
    );
    borne_out(text, &source)
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
mod tests;

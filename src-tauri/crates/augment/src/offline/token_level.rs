//! Questions whose choices are terms (`Q_tok`).

use super::patterns::{Patterns, Place};
use super::sentence_level::opened;
use crate::anchor::{Anchor, AnchorTerm};
use crate::clause::{Parsed, parse};
use crate::distractors::{WRONG, abbreviated, choose, outermost, with_choices, wrong_terms};
use crate::reasons::{Skip, SkipReason};
use crate::seed;
use crate::validate::validate;
use crate::words::{contains_words, content, length};
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType};
use lexforge_text::is_han;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Most questions for one anchor.
const MOST: usize = 3;
/// The share of questions that are dropped if the answer is longer than every wrong choice that could be shown. Their
/// length would give the answer away.
const TOO_LONG: f64 = 0.65;

/// Drafts for one anchor, checked.
pub(crate) fn draft(anchor: &Anchor<'_>, seed: u64) -> Result<Vec<QcaDraft>, Skip> {
    let mut rng = seed::stream(seed, anchor.id.0, 2);
    let (p, text) = opened(anchor, &mut rng)?;
    if anchor.terms.is_empty() {
        return Err(SkipReason::NoTerm.into());
    }
    let parsed = parse(p.grammar, anchor.id, text?, None);
    if length(&parsed.text) > p.grammar.longest() {
        return Err(SkipReason::TooLong.into());
    }
    if !(p.lays_down)(&parsed, &Place::of(anchor)) {
        return Err(SkipReason::NotARule.into());
    }
    let mut drafts: Vec<QcaDraft> = Vec::new();
    let mut reason = SkipReason::FewSimilarTerms;
    let mut terms: Vec<&AnchorTerm<'_>> = outermost(anchor);
    terms.shuffle(&mut rng);
    // A term in the opening of a list is asked for once, and not with every item.
    if anchor.lead_in.is_some() {
        terms.sort_by_key(|t| p.grammar.mentions(anchor.text, t.text).is_empty());
    }
    for term in terms {
        match one(p, anchor, &parsed, term, &mut rng) {
            Ok(draft) => drafts.push(draft),
            Err(other) => reason = reason.max(other),
        }
        if drafts.len() == MOST {
            break;
        }
    }
    if drafts.is_empty() {
        Err(reason.into())
    } else {
        Ok(drafts)
    }
}

fn one(
    p: &Patterns,
    anchor: &Anchor<'_>,
    parsed: &Parsed,
    term: &AnchorTerm<'_>,
    rng: &mut ChaCha8Rng,
) -> Result<QcaDraft, SkipReason> {
    let text = &parsed.text;
    let [mention] = p.grammar.mentions(text, term.text)[..] else {
        return Err(SkipReason::TermGivenAway);
    };
    let surface = text.get(mention.0..mention.1).unwrap_or_default();
    if abbreviated(text, term.text) {
        return Err(SkipReason::TermGivenAway);
    }
    let (before, after) = (
        text.get(..mention.0).unwrap_or_default(),
        text.get(mention.1..).unwrap_or_default(),
    );
    // A gap in a pair ("controller or ____") or in a row ("assets, ____, derivatives") is not asked about. Such pairs
    // and rows are repeated through the whole document, so a right answer shows little about this rule.
    let told = [" and ", " or "]
        .iter()
        .any(|link| before.ends_with(link) || after.starts_with(link));
    if told || before.ends_with(", ") && after.starts_with(", ") {
        return Err(SkipReason::NoTopic);
    }
    if !p.grammar.is_noun(surface) || !(p.stands_free)(text, mention) {
        return Err(SkipReason::NoTopic);
    }
    let mut wrong = wrong_terms(p.grammar, anchor, text, term, mention, true);
    if wrong.len() < WRONG {
        return Err(SkipReason::FewSimilarTerms);
    }
    let (question, rephrased) = (p.term_question)(parsed, mention).ok_or(SkipReason::NoTopic)?;
    // A term that the place names is not asked for.
    let mut place = Place::of(anchor);
    if !content(place.heading).is_disjoint(&content(surface)) {
        place.heading = "";
    }
    let question = (p.placed)(&question, &place, term.text).ok_or(SkipReason::TermGivenAway)?;
    if contains_words(&question, term.text) {
        return Err(SkipReason::TermGivenAway);
    }
    choose(anchor, (term.id, surface), &mut wrong, WRONG, rng);
    // If the rest of the rule repeats a word of the answer, and no wrong term has this word, it gives the answer away.
    let repeated = content(&question);
    let tells = |word: &&String| {
        repeated.contains(*word) && !wrong.iter().any(|w| content(&w.text).contains(*word))
    };
    if !surface.chars().any(is_han) && content(surface).iter().any(|word| tells(&word)) {
        return Err(SkipReason::TermGivenAway);
    }
    // The answer may be longer than every wrong choice. Then its length would give it away, so most questions of this
    // kind are dropped.
    if wrong.iter().all(|w| length(&w.text) < length(surface)) && rng.random_bool(TOO_LONG) {
        return Err(SkipReason::TermGivenAway);
    }
    let mut choices = vec![(surface.to_owned(), ChoiceOrigin::Anchor)];
    choices.extend(
        wrong
            .into_iter()
            .map(|w| (w.text, ChoiceOrigin::Term { term: w.id })),
    );
    let draft = QcaDraft {
        question,
        rephrased: Some(rephrased),
        anchor_term: Some(term.id),
        ..QcaDraft::new(
            QcaLevel::Token,
            QuestionType::Term,
            anchor.id,
            QuestionSource::Offline,
        )
    };
    let draft = with_choices(draft, choices, rng);
    validate(&draft, anchor).map_err(|_| SkipReason::NothingPassed)?;
    Ok(draft)
}

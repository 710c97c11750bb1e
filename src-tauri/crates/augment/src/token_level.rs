//! Questions whose choices are terms (`Q_tok`).

use crate::anchor::{Anchor, AnchorTerm};
use crate::balance::Candidate;
use crate::clause::{Grammar, Parsed, grammar};
use crate::reasons::{Skip, SkipReason};
use crate::validate::validate;
use crate::words::{contains_words, content, is_han, length, normal, singular, words};
use crate::{balance, seed, sentence_level};
use lexforge_domain::TermId;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType};
use lexforge_domain::text::SentenceKind;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Most questions for one anchor.
const MOST: usize = 3;
/// Wrong terms of a question.
const WRONG: usize = 3;
/// Most similar terms that are looked at, most similar terms of each of those, and most in all.
const SIMILAR: usize = 10;
const SECOND: usize = 4;
const POOL: usize = 20;
/// How often a question is left out of which the answer is the longest choice, whatever is shown: its length would tell.
const TOO_LONG: f64 = 0.65;
/// Terms that are nearer than this are the same thing in other words.
const SYNONYM: f32 = 0.97;

/// Drafts for one anchor, checked.
pub(crate) fn draft(anchor: &Anchor<'_>, seed: u64) -> Result<Vec<QcaDraft>, Skip> {
    let grammar = grammar(anchor.language).ok_or(SkipReason::LanguageUnsupported)?;
    if !matches!(anchor.kind, SentenceKind::Rule | SentenceKind::Definition | SentenceKind::ListItem) {
        return Err(SkipReason::NotARule.into());
    }
    if anchor.terms.is_empty() {
        return Err(SkipReason::NoTerm.into());
    }
    let mut rng = seed::stream(seed, anchor.id.0, 2);
    let text = grammar.sentence(anchor.text, Some(anchor.kind), anchor.lead_in, &mut rng)?;
    let parsed = Parsed { id: anchor.id, clause: grammar.clause(&text), definition: grammar.definition(&text), text };
    if length(&parsed.text) > grammar.longest() {
        return Err(SkipReason::TooLong.into());
    }
    if !grammar.lays_down(&parsed, &sentence_level::place(anchor)) {
        return Err(SkipReason::NotARule.into());
    }
    let mut drafts: Vec<QcaDraft> = Vec::new();
    let mut reason = SkipReason::FewSimilarTerms;
    let mut terms: Vec<&AnchorTerm<'_>> = outermost(anchor);
    terms.shuffle(&mut rng);
    // What the opening of a list names is asked for once and not with every item.
    if anchor.lead_in.is_some() {
        terms.sort_by_key(|t| grammar.mentions(anchor.text, t.text).is_empty());
    }
    for term in terms {
        match one(grammar, anchor, &parsed, term, &mut rng) {
            Ok(draft) => drafts.push(draft),
            Err(other) => reason = reason.max(other),
        }
        if drafts.len() == MOST {
            break;
        }
    }
    if drafts.is_empty() { Err(reason.into()) } else { Ok(drafts) }
}

/// The terms of the anchor, each once, without those inside a longer one.
pub(crate) fn outermost<'b, 'a>(anchor: &'b Anchor<'a>) -> Vec<&'b AnchorTerm<'a>> {
    let mut found: Vec<&AnchorTerm<'_>> = Vec::new();
    for term in &anchor.terms {
        let inside = anchor
            .terms
            .iter()
            .any(|o| o.start <= term.start && term.end <= o.end && (o.end - o.start) > (term.end - term.start));
        if !inside && !found.iter().any(|f| f.id == term.id) {
            found.push(term);
        }
    }
    found
}

fn one(
    grammar: &dyn Grammar,
    anchor: &Anchor<'_>,
    parsed: &Parsed,
    term: &AnchorTerm<'_>,
    rng: &mut ChaCha8Rng,
) -> Result<QcaDraft, SkipReason> {
    let text = &parsed.text;
    let [mention] = grammar.mentions(text, term.text)[..] else { return Err(SkipReason::TermGivenAway) };
    let surface = text.get(mention.0..mention.1).unwrap_or_default();
    if abbreviated(text, term.text) {
        return Err(SkipReason::TermGivenAway);
    }
    let told = parsed.text.get(..mention.0).is_some_and(|b| b.ends_with(" and ") || b.ends_with(" or "))
        || parsed.text.get(mention.1..).is_some_and(|a| a.starts_with(" and ") || a.starts_with(" or "));
    let listed = parsed.text.get(..mention.0).is_some_and(|b| b.ends_with(", "))
        && parsed.text.get(mention.1..).is_some_and(|a| a.starts_with(", "));
    // "assets, ____, derivatives": what else stands in a row tells little of the rule, and often the term.
    if listed {
        return Err(SkipReason::NoTopic);
    }
    // "the controller or ____": the pair is known to whoever has read the first page.
    if told {
        return Err(SkipReason::NoTopic);
    }
    if parsed.text.contains(" means either ") || !grammar.is_noun(surface) || !grammar.stands_free(text, mention) {
        return Err(SkipReason::NoTopic);
    }
    let mut wrong = wrong_terms(grammar, anchor, text, term, mention, true);
    if wrong.len() < WRONG {
        return Err(SkipReason::FewSimilarTerms);
    }
    let (question, rephrased) = grammar.term_question(parsed, mention, rng).ok_or(SkipReason::NoTopic)?;
    // What the place names is not asked for.
    let mut place = sentence_level::place(anchor);
    if !content(place.heading).is_disjoint(&content(surface)) {
        place.heading = "";
    }
    let question = grammar.placed(&question, &place, term.text).ok_or(SkipReason::TermGivenAway)?;
    if contains_words(&question, term.text) {
        return Err(SkipReason::TermGivenAway);
    }
    choose(anchor, (term.id, surface), &mut wrong, rng);
    // A word of the answer that the rest of the rule repeats tells it, where no wrong term has it.
    let repeated = content(&question);
    let tells = |word: &&String| repeated.contains(*word) && !wrong.iter().any(|w| content(&w.text).contains(*word));
    if !surface.chars().any(is_han) && content(surface).iter().any(|word| tells(&word)) {
        return Err(SkipReason::TermGivenAway);
    }
    // Where nothing longer could be shown, most of the questions go: their length would tell the answer.
    if wrong.iter().all(|w| length(&w.text) < length(surface)) && rng.random_bool(TOO_LONG) {
        return Err(SkipReason::TermGivenAway);
    }
    let mut choices = vec![(surface.to_owned(), ChoiceOrigin::Anchor)];
    choices.extend(wrong.into_iter().map(|w| (w.text, ChoiceOrigin::Term { term: w.id })));
    let (choices, origins, answer) = balance::shuffled(choices, rng);
    let draft = QcaDraft {
        level: QcaLevel::Token,
        question_type: QuestionType::Term,
        question,
        choices,
        answer,
        origins,
        rephrased: Some(rephrased),
        anchor_sentence: anchor.id,
        anchor_term: Some(term.id),
        source: QuestionSource::Offline,
    };
    validate(&draft, anchor).map_err(|_| SkipReason::NothingPassed)?;
    Ok(draft)
}

/// Keeps as many wrong terms as a question shows, so that the answer does not stand out among them.
pub(crate) fn choose(anchor: &Anchor<'_>, answer: (TermId, &str), wrong: &mut Vec<Candidate>, rng: &mut ChaCha8Rng) {
    let listed = |a: TermId, b: TermId| {
        anchor
            .similar_terms
            .get(&a)
            .and_then(|all| all.iter().find(|(id, _, _)| *id == b))
            .map(|(_, _, cosine)| f64::from(*cosine))
    };
    // Terms that no list brings together are less alike than those that one does.
    let alike = |a: (TermId, &str), b: (TermId, &str)| {
        listed(a.0, b.0).or_else(|| listed(b.0, a.0)).unwrap_or(0.0) / 4.0 + 2.0 * balance::spelt_alike(a.1, b.1)
    };
    balance::terms(answer, wrong, WRONG, &alike, rng);
}

/// Similar terms in the form that the gap asks for, with `local` also those that stand near, then terms similar to those and to the sentence's other terms.
pub(crate) fn wrong_terms(
    grammar: &dyn Grammar,
    anchor: &Anchor<'_>,
    text: &str,
    term: &AnchorTerm<'_>,
    mention: (usize, usize),
    local: bool,
) -> Vec<Candidate> {
    let surface = text.get(mention.0..mention.1).unwrap_or_default();
    let mut seen = vec![normal(surface)];
    let mut found: Vec<Candidate> = Vec::new();
    let list = |id: &TermId| anchor.similar_terms.get(id).map_or(&[][..], Vec::as_slice);
    let near = list(&term.id);
    let close = near.iter().map(|(id, other, cosine)| (*id, *other, *cosine, true)).take(SIMILAR);
    let farther = near.iter().take(SIMILAR).flat_map(|(id, _, _)| list(id).iter().take(SECOND));
    // What is like the sentence's other terms: two of these stand as a pair beside the answer and its like.
    let beside = anchor.terms.iter().filter(|t| t.id != term.id).flat_map(|t| list(&t.id).iter().take(SECOND));
    let synonyms: Vec<TermId> = near.iter().filter(|s| s.2 >= SYNONYM).map(|s| s.0).collect();
    let far = farther.chain(beside).map(|(id, other, cosine)| (*id, *other, *cosine, false));
    let standing = anchor.local_terms.iter().filter(|_| local).map(|(id, other)| (*id, *other, 0.0, false));
    for (id, other, cosine, near) in close.chain(far).chain(standing) {
        if id == term.id || near && cosine >= SYNONYM || synonyms.contains(&id) || found.len() == POOL {
            continue;
        }
        let nested =
            contains_words(other, term.text) || contains_words(term.text, other) || abbreviated(other, term.text);
        let inside_mention = anchor.terms.iter().any(|t| t.id == id && t.start < term.end && term.start < t.end);
        if !grammar.is_noun(other) || !grammar.of_one_kind(surface, other) || !grammar.of_one_kind(term.text, other) {
            continue;
        }
        // Who acts elsewhere in the law is nobody who could act here.
        let known = &anchor.local_terms;
        let stranger = local && !known.is_empty() && !known.iter().any(|n| n.0 == id) && !same_head(surface, other);
        if grammar.is_agent(surface) && stranger {
            continue;
        }
        let Some(fitted) = grammar.fit(text, mention, other) else { continue };
        if anchor.usage.is_some_and(|usage| !usage.reads(text, &fitted.sentence)) {
            continue;
        }
        let key = normal(&fitted.term);
        // One of two wrong terms that includes the other is no choice of its own.
        let double = found.iter().any(|f| contains_words(&f.text, other) || contains_words(other, &f.text));
        if nested || double || inside_mention || seen.contains(&key) || same_letters(&key, &seen) {
            continue;
        }
        let same_form = key == normal(other);
        seen.push(key);
        let mentioned = !grammar.mentions(text, other).is_empty();
        // What the rule says elsewhere is not what its gap hides.
        if mentioned {
            continue;
        }
        found.push(Candidate { id, text: fitted.term, near, mentioned, same_form });
    }
    // Who could do what the rule says is harder to tell apart than who could not.
    if local && grammar.is_agent(surface) {
        let (mut able, mut others): (Vec<Candidate>, Vec<Candidate>) =
            found.into_iter().partition(|c| grammar.interchangeable(surface, &c.text));
        // One or two who could not are choices less, and it is still a question.
        others.truncate(if able.is_empty() { 0 } else { WRONG.saturating_sub(able.len()) });
        able.append(&mut others);
        found = able;
    }
    // A form in which no document has the term would tell that it is wrong.
    let listed = found.iter().filter(|c| c.same_form).count();
    if listed >= WRONG && found.iter().any(|c| c.same_form && c.near) {
        found.retain(|c| c.same_form);
    }
    found
}

/// Whether two names end alike: with one word, or in Chinese with the same two characters.
fn same_head(a: &str, b: &str) -> bool {
    let head = |name: &str| -> String {
        if name.chars().any(is_han) {
            let chars: Vec<char> = name.chars().collect();
            return chars.iter().skip(chars.len().saturating_sub(2)).collect();
        }
        words(name).last().map(|w| singular(w)).unwrap_or_default()
    };
    head(a) == head(b)
}

/// Whether the only difference to a term that is there already is white space or a hyphen.
fn same_letters(key: &str, seen: &[String]) -> bool {
    let plain = key.replace(' ', "");
    seen.iter().any(|s| s.replace(' ', "") == plain)
}

/// Whether the text has the initials of the term ("MLRO" for "Money Laundering Reporting Officer").
pub(crate) fn abbreviated(text: &str, term: &str) -> bool {
    let words = words(term);
    if words.len() < 2 || term.chars().any(is_han) {
        return false;
    }
    let initials: String = words.iter().filter_map(|w| w.chars().next()).collect::<String>().to_uppercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|w| w == initials || w.strip_suffix('s') == Some(initials.as_str()))
}

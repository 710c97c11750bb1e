//! Wrong terms for a question whose answer is a term, and choices in a random order: what every question writer needs.

use crate::anchor::{Anchor, AnchorTerm};
use crate::clause::Grammar;
use crate::words::{contains_words, length, normal};
use lexforge_domain::TermId;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft};
use lexforge_text::is_han;
use lexforge_text::likeness::jaccard_of_sets;
use lexforge_text::plural::singular;
use lexforge_text::words;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Wrong terms of a question.
pub(crate) const WRONG: usize = 3;
/// Most similar terms that are looked at, most similar terms of each of those, and most in all.
const SIMILAR: usize = 10;
const SECOND: usize = 4;
const POOL: usize = 20;
/// Terms that are nearer than this are the same thing in other words.
const SYNONYM: f32 = 0.97;

/// A wrong term that could be shown.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: TermId,
    /// In the form that the gap asks for.
    pub(crate) text: String,
    /// Similar to the answer itself, and not only to a term that is.
    pub(crate) near: bool,
    /// In the form in which it is listed.
    pub(crate) same_form: bool,
}

/// The terms of the anchor, each once, without those inside a longer one.
pub(crate) fn outermost<'b, 'a>(anchor: &'b Anchor<'a>) -> Vec<&'b AnchorTerm<'a>> {
    let mut found: Vec<&AnchorTerm<'_>> = Vec::new();
    for term in &anchor.terms {
        let inside = anchor.terms.iter().any(|o| {
            o.start <= term.start
                && term.end <= o.end
                && (o.end - o.start) > (term.end - term.start)
        });
        if !inside && !found.iter().any(|f| f.id == term.id) {
            found.push(term);
        }
    }
    found
}

/// Keeps as many wrong terms as a question shows, so that the answer does not stand out among them.
pub(crate) fn choose(
    anchor: &Anchor<'_>,
    answer: (TermId, &str),
    wrong: &mut Vec<Candidate>,
    most: usize,
    rng: &mut ChaCha8Rng,
) {
    let listed = |a: TermId, b: TermId| {
        anchor
            .similar_terms
            .get(&a)
            .and_then(|all| all.iter().find(|(id, _, _)| *id == b))
            .map(|(_, _, cosine)| f64::from(*cosine))
    };
    // Terms that no list brings together are less alike than those that one does.
    let alike = |a: (TermId, &str), b: (TermId, &str)| {
        listed(a.0, b.0).or_else(|| listed(b.0, a.0)).unwrap_or(0.0) / 4.0
            + 2.0 * spelt_alike(a.1, b.1)
    };
    terms(answer, wrong, most, &alike, rng);
}

/// Candidates for wrong choices, in the grammatical form that the gap needs. First come the terms similar to the asked
/// term. After them come the terms similar to those, and to the sentence's other terms. With `local`, terms that nearby
/// sentences mention come last.
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
    let synonyms: Vec<TermId> = similar_to(anchor, term.id)
        .iter()
        .filter(|s| s.2 >= SYNONYM)
        .map(|s| s.0)
        .collect();
    for (id, other, cosine, near) in considered(anchor, term.id, local) {
        if id == term.id
            || near && cosine >= SYNONYM
            || synonyms.contains(&id)
            || found.len() == POOL
        {
            continue;
        }
        let nested = contains_words(other, term.text)
            || contains_words(term.text, other)
            || abbreviated(other, term.text);
        let inside_mention = anchor
            .terms
            .iter()
            .any(|t| t.id == id && t.start < term.end && term.start < t.end);
        if !grammar.is_noun(other)
            || !grammar.of_one_kind(surface, other)
            || !grammar.of_one_kind(term.text, other)
        {
            continue;
        }
        // An actor from another part of the law could not act here, so it is left out.
        let known = &anchor.local_terms;
        let stranger = local
            && !known.is_empty()
            && !known.iter().any(|n| n.0 == id)
            && !same_head(surface, other);
        if grammar.is_agent(surface) && stranger {
            continue;
        }
        let Some(fitted) = grammar.fit(text, mention, other) else {
            continue;
        };
        if anchor
            .usage
            .is_some_and(|usage| !usage.reads(text, &fitted.sentence))
        {
            continue;
        }
        let key = normal(&fitted.term);
        // If one of two wrong terms includes the other, only one of them can be a choice.
        let double = found
            .iter()
            .any(|f| contains_words(&f.text, other) || contains_words(other, &f.text));
        if nested || double || inside_mention || seen.contains(&key) || same_letters(&key, &seen) {
            continue;
        }
        let same_form = key == normal(other);
        seen.push(key);
        // A term that the rule mentions elsewhere cannot be what its gap hides.
        if !grammar.mentions(text, other).is_empty() {
            continue;
        }
        found.push(Candidate {
            id,
            text: fitted.term,
            near,
            same_form,
        });
    }
    narrowed(grammar, surface, found, local)
}

/// The terms of the corpus that are similar to a term, the nearest first, each with its cosine.
fn similar_to<'l, 'a>(anchor: &'l Anchor<'a>, term: TermId) -> &'l [(TermId, &'a str, f32)] {
    anchor
        .similar_terms
        .get(&term)
        .map_or(&[][..], Vec::as_slice)
}

/// The terms from which wrong choices are taken, in the order of [`wrong_terms`]. For each term: id, text, its cosine
/// with the asked term (0 if no list gives it), and whether it is in the list of terms similar to the asked term.
fn considered<'a>(
    anchor: &Anchor<'a>,
    asked: TermId,
    local: bool,
) -> Vec<(TermId, &'a str, f32, bool)> {
    let near = similar_to(anchor, asked);
    let close = near
        .iter()
        .map(|(id, other, cosine)| (*id, *other, *cosine, true))
        .take(SIMILAR);
    let farther = near
        .iter()
        .take(SIMILAR)
        .flat_map(|(id, _, _)| similar_to(anchor, *id).iter().take(SECOND));
    // Terms similar to the sentence's other terms. Two of them form a pair, just as the answer and a similar term do.
    let beside = anchor
        .terms
        .iter()
        .filter(|t| t.id != asked)
        .flat_map(|t| similar_to(anchor, t.id).iter().take(SECOND));
    let far = farther
        .chain(beside)
        .map(|(id, other, cosine)| (*id, *other, *cosine, false));
    let standing = anchor
        .local_terms
        .iter()
        .filter(|_| local)
        .map(|(id, other)| (*id, *other, 0.0, false));
    close.chain(far).chain(standing).collect()
}

/// Those candidates that a reader cannot exclude at sight.
fn narrowed(
    grammar: &dyn Grammar,
    surface: &str,
    mut found: Vec<Candidate>,
    local: bool,
) -> Vec<Candidate> {
    // An actor who could do what the rule says is harder to exclude than one who could not.
    if local && grammar.is_agent(surface) {
        let (mut able, mut others): (Vec<Candidate>, Vec<Candidate>) = found
            .into_iter()
            .partition(|c| grammar.interchangeable(surface, &c.text));
        // If fewer actors could do what the rule says than choices are needed, other terms fill the remaining places.
        // If no actor could do it, the question is not asked.
        others.truncate(if able.is_empty() {
            0
        } else {
            WRONG.saturating_sub(able.len())
        });
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
    let initials: String = words
        .iter()
        .filter_map(|w| w.chars().next())
        .collect::<String>()
        .to_uppercase();
    text.split(|c: char| !c.is_alphanumeric())
        .any(|w| w == initials || w.strip_suffix('s') == Some(initials.as_str()))
}

/// The similarity of two terms, each given by its id and its shown text.
pub(crate) type Likeness<'l> = dyn Fn((TermId, &str), (TermId, &str)) -> f64 + 'l;

/// Keeps `most` wrong terms. The answer must not always be the longest term, or always the term in the middle, because
/// somebody who sees only the choices could then guess it. If only the terms nearest to the answer were shown, the
/// answer would be in their middle. So terms that are near to the wrong terms are shown as well. Two random numbers
/// decide whether the answer is the longest and whether it is in the middle. The probability of each is one divided by
/// the number of choices. `alike` gives the similarity of two terms.
pub(crate) fn terms(
    answer: (TermId, &str),
    wrong: &mut Vec<Candidate>,
    most: usize,
    alike: &Likeness<'_>,
    rng: &mut ChaCha8Rng,
) {
    let size = most.min(wrong.len());
    let share = 1.0 / (size + 1) as f64;
    let (longest, middle) = (rng.random_bool(share), rng.random_bool(share / 2.0));
    let shortest = !longest && rng.random_bool(share);
    let mut sets = subsets(wrong.len(), size);
    sets.shuffle(rng);
    let best = sets.into_iter().min_by_key(|set| {
        let chosen: Vec<&Candidate> = set.iter().filter_map(|i| wrong.get(*i)).collect();
        let is_longest = chosen.iter().all(|c| length(&c.text) < length(answer.1));
        let is_shortest = chosen.iter().all(|c| length(&c.text) > length(answer.1));
        let shown: Vec<(TermId, &str)> = std::iter::once(answer)
            .chain(chosen.iter().map(|c| (c.id, c.text.as_str())))
            .collect();
        let misses = 2 * usize::from(is_middle(&shown, alike) != middle)
            + usize::from(is_longest != longest)
            + usize::from(is_shortest != shortest);
        let far = usize::from(!chosen.iter().any(|c| c.near));
        // Nearer terms are harder to tell apart.
        (far, misses, set.iter().sum::<usize>() / 3)
    });
    if let Some(best) = best {
        *wrong = best
            .into_iter()
            .filter_map(|i| wrong.get(i).cloned())
            .collect();
    }
}

/// Whether the first term is more like the others than any of them is.
fn is_middle(shown: &[(TermId, &str)], alike: &Likeness<'_>) -> bool {
    let total = |i: usize| -> f64 {
        let own = shown.get(i).copied();
        let others = shown.iter().enumerate().filter(|(j, _)| *j != i);
        others
            .filter_map(|(_, other)| own.map(|own| alike(own, *other)))
            .sum()
    };
    let first = total(0);
    (1..shown.len()).all(|i| total(i) < first)
}

/// Share of common pieces of two terms: characters in Chinese, trigrams otherwise.
pub(crate) fn spelt_alike(a: &str, b: &str) -> f64 {
    let pieces = |t: &str| -> HashSet<String> {
        let chars: Vec<char> = t.to_lowercase().chars().collect();
        let size = if chars.iter().copied().any(is_han) {
            1
        } else {
            3
        };
        chars.windows(size).map(|w| w.iter().collect()).collect()
    };
    jaccard_of_sets(&pieces(a), &pieces(b))
}

/// A draft with these choices in a random order. The first of them is the right one.
pub(crate) fn with_choices(
    draft: QcaDraft,
    choices: Vec<(String, ChoiceOrigin)>,
    rng: &mut ChaCha8Rng,
) -> QcaDraft {
    let mut numbered: Vec<(usize, (String, ChoiceOrigin))> =
        choices.into_iter().enumerate().collect();
    numbered.shuffle(rng);
    let answer = numbered
        .iter()
        .position(|(from, _)| *from == 0)
        .unwrap_or(0);
    let (choices, origins) = numbered.into_iter().map(|(_, choice)| choice).unzip();
    QcaDraft {
        choices,
        answer,
        origins,
        ..draft
    }
}

/// All subsets of `size` of the first `count` numbers.
pub(crate) fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (size..=count)
        .flat_map(|last| {
            subsets(last - 1, size - 1).into_iter().map(move |mut set| {
                set.push(last - 1);
                set
            })
        })
        .collect()
}

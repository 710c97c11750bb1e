//! English candidates: stop-word-bounded chunks, their sub-phrases, and the statistics that rank them.

use super::cvalue::cvalues;
use super::lexicon::{EMPTY_MODIFIER, GENERIC, LIGHT_HEAD, STRUCTURE};
use super::plural::singular;
use super::tokens::{Token, tokenise};
use super::usage::Usage;
use super::{abbreviations, defined, is_text};
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Most words of a phrase.
const LONGEST: usize = 5;
/// Weight of a single word that nobody defines.
const SINGLE: f64 = 0.4;
/// What defined terms and abbreviations get on top, so that a rare one stands among the phrases of note.
const DEFINED_BONUS: f64 = 10.0;
const ABBREVIATION_BONUS: f64 = 4.0;

/// Counts of one candidate.
#[derive(Debug, Default)]
struct Counted {
    count: u32,
    /// Occurrences that fill a whole chunk: nothing nominal stands before or after.
    whole: u32,
    /// Occurrences right before "of": the phrase goes on.
    before_of: u32,
    /// How it was written.
    forms: BTreeMap<String, u32>,
}

pub(super) fn candidates(sentences: &[(SentenceKind, &str)]) -> Vec<TermCandidate> {
    let texts: Vec<&str> = sentences.iter().filter(|(kind, _)| is_text(*kind)).map(|(_, text)| *text).collect();
    let tokens: Vec<Vec<Token>> = texts.iter().map(|t| tokenise(t)).collect();
    let usage = Usage::learn(&tokens);
    let mut counted: HashMap<Vec<String>, Counted> = HashMap::new();
    for sentence in &tokens {
        for chunk in chunks(sentence, &usage) {
            let before_of = sentence.get(chunk.end).is_some_and(|t| t.lower == "of");
            count_phrases(&sentence[chunk], before_of, &usage, &mut counted);
        }
        count_of_phrases(sentence, &usage, &mut counted);
    }
    let least = if texts.len() > 1500 { 3 } else { 2 };
    counted.retain(|words, c| c.count >= if words.len() == 1 { least + 1 } else { least });
    let frequency: HashMap<Vec<String>, u32> = counted.iter().map(|(w, c)| (w.clone(), c.count)).collect();
    let values = cvalues(&frequency);

    let mut found: HashMap<String, TermCandidate> = HashMap::new();
    for (words, c) in &counted {
        let independence = f64::from(c.whole) / f64::from(c.count);
        if !stands_alone(words, c, independence, &usage) || repeats_of_phrase(words, &counted) {
            continue;
        }
        // One word says less than two: it must be frequent to stand beside them.
        let weight = if words.len() == 1 { SINGLE } else { 1.0 };
        let score = weight * values[words] * (0.25 + 0.75 * independence);
        if score > 0.0 {
            let normal = words.join(" ");
            found.insert(normal.clone(), candidate(display(&c.forms), normal, FoundBy::Phrase, score, c.count));
        }
    }
    let joined: HashMap<String, &Counted> = counted.iter().map(|(w, c)| (w.join(" "), c)).collect();
    add_abbreviations(&texts, &tokens, &joined, &mut found);
    add_defined(sentences, &tokens, &joined, &mut found);
    found.into_values().collect()
}

fn candidate(text: String, normal: String, found: FoundBy, score: f64, count: u32) -> TermCandidate {
    TermCandidate { text, normal, found, score, count, definition: None, language: Language::En }
}

/// The key under which variants of a term are one: lower case, the head in the singular.
pub(super) fn key(words: &[&str]) -> String {
    let mut folded: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    let last = folded.len().saturating_sub(1);
    let head = folded.iter().position(|w| w == "of").map_or(last, |p| p.saturating_sub(1));
    if let Some(word) = folded.get_mut(head) {
        *word = singular(word);
    }
    folded.join(" ")
}

/// The stretches of a sentence between breaks.
fn chunks(tokens: &[Token], usage: &Usage) -> Vec<Range<usize>> {
    let breaks = |t: &Token| {
        !t.word
            || t.lower.chars().count() < 2
            || usage.breaks(&t.lower)
            || STRUCTURE.contains(t.lower.as_str())
            || is_roman(&t.text)
    };
    let mut chunks = Vec::new();
    let mut start = 0;
    for (end, last) in tokens.iter().enumerate().map(|(i, t)| (i, breaks(t))).chain([(tokens.len(), true)]) {
        if last {
            if start < end {
                chunks.push(start..end);
            }
            start = end + 1;
        }
    }
    chunks
}

fn is_roman(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
}

/// Counts every admissible sub-phrase of a chunk.
fn count_phrases(chunk: &[Token], before_of: bool, usage: &Usage, counted: &mut HashMap<Vec<String>, Counted>) {
    // Empty modifiers at the front belong to no term; without them the rest is the whole chunk.
    let skipped = chunk.iter().take_while(|t| EMPTY_MODIFIER.contains(t.lower.as_str())).count();
    let chunk = &chunk[skipped.min(chunk.len().saturating_sub(1))..];
    for start in 0..chunk.len() {
        for end in start + 1..=chunk.len().min(start + LONGEST) {
            let phrase = &chunk[start..end];
            let (first, last) = (&phrase[0].lower, &phrase[phrase.len() - 1].lower);
            if !usage.heads(last) || !usage.begins(first) || EMPTY_MODIFIER.contains(first.as_str()) {
                continue;
            }
            let mut words: Vec<String> = phrase.iter().map(|t| t.lower.clone()).collect();
            let head = words.len() - 1;
            words[head] = singular(&words[head]);
            let entry = note(counted, words, phrase, phrase.len() == chunk.len());
            entry.before_of += u32::from(before_of && end == chunk.len());
        }
    }
}

/// Counts "N of N" phrases: "right of access", "processing of personal data". No article after the preposition,
/// no light noun before it.
fn count_of_phrases(tokens: &[Token], usage: &Usage, counted: &mut HashMap<Vec<String>, Counted>) {
    let nominal = |t: &Token| {
        t.word
            && t.lower.chars().count() > 1
            && !usage.breaks(&t.lower)
            && !STRUCTURE.contains(t.lower.as_str())
            && !EMPTY_MODIFIER.contains(t.lower.as_str())
    };
    for (of, _) in tokens.iter().enumerate().filter(|(_, t)| t.lower == "of") {
        let Some(head) = of.checked_sub(1).map(|h| &tokens[h]) else { continue };
        if !nominal(head) || !usage.heads(&head.lower) || LIGHT_HEAD.contains(head.lower.as_str()) {
            continue;
        }
        let right = tokens[of + 1..].iter().take(3).take_while(|t| nominal(t)).count();
        if right == 0 || !usage.heads(&tokens[of + right].lower) {
            continue;
        }
        let first = of - 1;
        let phrase = &tokens[first..=of + right];
        let mut words: Vec<String> = phrase.iter().map(|t| t.lower.clone()).collect();
        words[0] = singular(&words[0]);
        let bounded = first == 0 || !nominal(&tokens[first - 1]);
        note(counted, words, phrase, bounded);
    }
}

fn note<'a>(
    counted: &'a mut HashMap<Vec<String>, Counted>,
    words: Vec<String>,
    phrase: &[Token],
    whole: bool,
) -> &'a mut Counted {
    let entry = counted.entry(words).or_default();
    entry.count += 1;
    entry.whole += u32::from(whole);
    let written: Vec<&str> = phrase.iter().map(|t| t.text.as_str()).collect();
    *entry.forms.entry(written.join(" ")).or_default() += 1;
    entry
}

/// The form most often written; a capital that only the beginning of a sentence explains is not kept.
fn display(forms: &BTreeMap<String, u32>) -> String {
    // Capitals throughout come from headings, except where a term is written no other way.
    let shouted = |form: &str| form.contains(' ') && !form.chars().any(char::is_lowercase);
    let quiet = forms.keys().any(|f| !shouted(f));
    let most = forms
        .iter()
        .filter(|(f, _)| !quiet || !shouted(f))
        .max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)))
        .map(|(form, _)| form.clone())
        .unwrap_or_default();
    let lower = most.to_lowercase();
    if forms.contains_key(&lower) && most.chars().filter(|c| c.is_uppercase()).count() == 1 { lower } else { most }
}

/// Whether a phrase can be a term by its words and its independence.
fn stands_alone(words: &[String], c: &Counted, independence: f64, usage: &Usage) -> bool {
    let generic = |w: &String| {
        GENERIC.contains(w.as_str()) || GENERIC.contains(singular(w).as_str()) || EMPTY_MODIFIER.contains(w.as_str())
    };
    if words.iter().any(|w| w == "of") {
        let rest: Vec<&String> = words.iter().filter(|w| *w != "of").collect();
        return c.count >= 3 && rest.iter().filter(|w| generic(w)).count() < rest.len();
    }
    if f64::from(c.before_of) > 0.6 * f64::from(c.count) {
        return false;
    }
    if words.len() == 1 {
        let word = &words[0];
        let noun = c.forms.keys().any(|form| usage.is_noun(&form.to_lowercase()));
        return !generic(word) && noun && word.chars().count() > 3 && independence >= 0.25;
    }
    // Two generic words may still make a term ("risk management"), but then it must be met on its own.
    let weak = words.iter().filter(|w| generic(w)).count();
    if weak == words.len() { independence >= 0.5 && c.count >= 4 } else { independence >= 0.15 }
}

/// "processing personal data" beside "processing of personal data": the verb's form, not a term of its own.
fn repeats_of_phrase(words: &[String], counted: &HashMap<Vec<String>, Counted>) -> bool {
    words.len() > 1 && words[0].ends_with("ing") && {
        let of_phrase: Vec<String> = [&words[..1], &["of".to_owned()], &words[1..]].concat();
        let last = words.len();
        counted.contains_key(&of_phrase) || {
            let mut plural = of_phrase;
            plural[last] = super::plural::plural(&plural[last]);
            counted.contains_key(&plural)
        }
    }
}

fn add_abbreviations(
    texts: &[&str],
    tokens: &[Vec<Token>],
    joined: &HashMap<String, &Counted>,
    found: &mut HashMap<String, TermCandidate>,
) {
    let mut long_of: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for text in texts {
        for (short, long) in abbreviations::find(text) {
            *long_of.entry(short).or_default().entry(long).or_default() += 1;
        }
    }
    let mut written: HashMap<&str, u32> = HashMap::new();
    for token in tokens.iter().flatten() {
        *written.entry(token.text.as_str()).or_default() += 1;
    }
    for (short, longs) in long_of {
        let count = written.get(short.as_str()).copied().unwrap_or(0)
            + written.get(format!("{short}s").as_str()).copied().unwrap_or(0);
        let long = display(&longs);
        let words: Vec<&str> = long.split_whitespace().collect();
        let long_key = key(&words);
        if (2..=8).contains(&words.len()) && !long_key.is_empty() {
            let counted = joined.get(&long_key).map_or(longs.values().sum(), |c| c.count);
            found.entry(long_key.clone()).and_modify(|c| c.score += ABBREVIATION_BONUS).or_insert_with(|| {
                candidate(
                    long.clone(),
                    long_key.clone(),
                    FoundBy::Phrase,
                    f64::from(counted) + ABBREVIATION_BONUS,
                    counted,
                )
            });
        }
        let mut abbreviation = candidate(
            short.clone(),
            short.to_lowercase(),
            FoundBy::Abbreviation,
            f64::from(count) + ABBREVIATION_BONUS,
            count,
        );
        abbreviation.definition = Some(long);
        found.insert(short.to_lowercase(), abbreviation);
    }
}

fn add_defined(
    sentences: &[(SentenceKind, &str)],
    tokens: &[Vec<Token>],
    joined: &HashMap<String, &Counted>,
    found: &mut HashMap<String, TermCandidate>,
) {
    let key_of = |term: &str| {
        let term = term.trim_matches(|c: char| !c.is_alphanumeric() && c != ')');
        key(&term.split_whitespace().collect::<Vec<_>>())
    };
    let defined = defined(sentences, Language::En, key_of);
    let counts = occurrences(tokens, defined.keys().filter(|k| !joined.contains_key(*k)));
    for (normal, (term, definition)) in defined {
        if term.split_whitespace().count() > 10 || !term.chars().any(char::is_alphabetic) || is_date(&term) {
            continue;
        }
        let known = joined.get(&normal);
        let count = known.map_or_else(|| counts.get(&normal).copied().unwrap_or(1), |c| c.count).max(1);
        let text = known.map_or_else(|| term.clone(), |c| display(&c.forms));
        let entry = found
            .entry(normal.clone())
            .or_insert_with(|| candidate(text, normal, FoundBy::Defined, f64::from(count), count));
        entry.found = FoundBy::Defined;
        entry.score = entry.score.max(f64::from(count)) + DEFINED_BONUS;
        entry.definition = Some(definition);
    }
}

/// How often each of some keys occurs as a run of words, the head in the singular.
fn occurrences<'a>(tokens: &[Vec<Token>], keys: impl Iterator<Item = &'a String>) -> HashMap<String, u32> {
    let mut counts: HashMap<String, u32> = keys.map(|k| (k.clone(), 0)).collect();
    let longest = counts.keys().map(|k| k.split(' ').count()).max().unwrap_or(0);
    for sentence in tokens {
        for start in 0..sentence.len() {
            for length in 1..=longest.min(sentence.len() - start) {
                let words: Vec<&str> = sentence[start..start + length].iter().map(|t| t.lower.as_str()).collect();
                if let Some(count) = counts.get_mut(&key(&words)) {
                    *count += 1;
                }
            }
        }
    }
    counts
}

fn is_date(term: &str) -> bool {
    let months = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let digits = term.chars().filter(char::is_ascii_digit).count();
    digits >= 4 || (digits > 0 && months.iter().any(|m| term.to_lowercase().contains(m)))
}

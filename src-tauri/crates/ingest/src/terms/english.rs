//! English candidates: stop-word-bounded chunks, their sub-phrases, and the statistics that rank them.

mod termhood;

use self::termhood::Termhood;
use super::abbreviations;
use super::candidate;
use super::cvalue::cvalues;
use super::named::{add_name, is_text, named};
use super::phrases::{self, Counted};
use super::tokens::{Token, Words};
use super::usage::Usage;
use lexforge_domain::extract::Defined;
use lexforge_domain::term::{FoundBy, TermCandidate};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_text::addresses::outside_addresses;
use lexforge_text::calendar::MONTHS;
use lexforge_text::plural::singular;
use std::collections::{BTreeMap, HashMap};

/// Weight of a single word that nobody defines.
const SINGLE: f64 = 0.3;
/// Weight of "N of N": what is done to a thing is said less as one word than what the thing is called.
const OF_PHRASE: f64 = 0.6;
/// The bonus of defined terms and abbreviations, so that a rare one still ranks among important phrases.
const DEFINED_BONUS: f64 = 10.0;
const ABBREVIATION_BONUS: f64 = 4.0;

pub(super) fn candidates(
    sentences: &[(SentenceKind, &str)],
    defined: &[Defined],
) -> Vec<TermCandidate> {
    let texts: Vec<&str> = sentences
        .iter()
        .filter(|(kind, _)| is_text(*kind))
        .map(|(_, text)| *text)
        .collect();
    let mut words = Words::new();
    let tokens: Vec<Vec<Token>> = texts
        .iter()
        .map(|text| without_addresses(text, &mut words))
        .collect();
    let usage = Usage::learn(&tokens, &words);
    let least = if texts.len() > 1500 { 3 } else { 2 };
    let counted = phrases::counted(&tokens, &mut words, &usage, least);
    let frequency: HashMap<Vec<String>, u32> =
        counted.iter().map(|(w, c)| (w.clone(), c.count)).collect();
    let values = cvalues(&frequency);

    let termhood = Termhood::new(&counted, &usage, least);
    let mut found: HashMap<String, TermCandidate> = HashMap::new();
    let mut joined: HashMap<String, Counted> = HashMap::new();
    for (words, c) in counted.iter() {
        join(joined.entry(normal(words)).or_default(), c);
        let independence = f64::from(c.whole) / f64::from(c.count);
        if !termhood.holds(words, c) {
            continue;
        }
        // One word is less informative than two, so it must be more frequent to rank equally.
        let weight = match words.len() {
            1 => SINGLE,
            _ if words.iter().any(|w| w == "of") => OF_PHRASE,
            _ => 1.0,
        };
        let score = weight * values[words] * (0.25 + 0.75 * independence);
        if score > 0.0 {
            let normal = normal(words);
            let known = found
                .entry(normal.clone())
                .or_insert_with(|| candidate(String::new(), normal, FoundBy::Phrase, 0.0, 0));
            known.score += score;
            known.count += c.count;
        }
    }
    for (normal, candidate) in &mut found {
        candidate.text = joined
            .get(normal)
            .map(|c| display(&c.forms))
            .unwrap_or_default();
    }
    join_turned(&mut found);
    add_abbreviations(&texts, &tokens, &words, &joined, &mut found);
    add_defined(defined, &tokens, &mut words, &joined, &mut found);
    found.into_values().collect()
}

/// The tokens of a sentence without its addresses.
fn without_addresses(text: &str, words: &mut Words) -> Vec<Token> {
    let parts = outside_addresses(text);
    if let [all] = parts.as_slice() {
        return words.tokenise(all);
    }
    let mut tokens = Vec::new();
    for part in parts {
        // A separator replaces the text that was left out, so that no phrase extends across it.
        tokens.extend(words.tokenise(part));
        tokens.extend(words.tokenise("|"));
    }
    tokens
}

/// Adds the counts of a spelling with or without a hyphen.
fn join(sum: &mut Counted, part: &Counted) {
    sum.count += part.count;
    sum.whole += part.whole;
    sum.before_of += part.before_of;
    sum.governed += part.governed;
    for (form, n) in &part.forms {
        *sum.forms.entry(form.clone()).or_default() += n;
    }
}

/// The key of a phrase whose head is in the singular: a hyphen is no difference.
fn normal(words: &[String]) -> String {
    words.join(" ").replace('-', " ")
}

/// "personal data processing" and "processing of personal data" are one term in two word orders. The rarer form becomes
/// another name of the more frequent one.
fn join_turned(found: &mut HashMap<String, TermCandidate>) {
    let turned: Vec<(String, String)> = found
        .keys()
        .filter_map(|of| {
            let (head, rest) = of.split_once(" of ")?;
            let of_first = rest
                .rsplit_once(' ')
                .map_or_else(|| singular(rest), |(a, b)| format!("{a} {}", singular(b)));
            [format!("{rest} {head}"), format!("{of_first} {head}")]
                .into_iter()
                .find(|other| found.contains_key(other))
                .map(|other| (of.clone(), other))
        })
        .collect();
    for (one, other) in turned {
        let (Some(a), Some(b)) = (found.get(&one), found.get(&other)) else {
            continue;
        };
        let (more, less) = if a.count >= b.count {
            (one, other)
        } else {
            (other, one)
        };
        if let Some(less) = found.remove(&less)
            && let Some(more) = found.get_mut(&more)
        {
            more.score += less.score;
            more.count += less.count;
            add_name(&mut more.names, less.text);
        }
    }
}

fn candidate(
    text: String,
    normal: String,
    found: FoundBy,
    score: f64,
    count: u32,
) -> TermCandidate {
    TermCandidate {
        normal,
        ..candidate::candidate(text, Language::En, found, score, count)
    }
}

/// The key under which variants of a term are one: lower case, the head in the singular, no hyphens.
fn key(words: &[&str]) -> String {
    let mut folded: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    if let Some(word) = folded.get_mut(head_of(words)) {
        *word = singular(word);
    }
    normal(&folded)
}

/// The index of a term's head: the word before "of", or else the last word.
fn head_of(words: &[&str]) -> usize {
    let of = words.iter().position(|w| w.eq_ignore_ascii_case("of"));
    of.map_or(words.len().saturating_sub(1), |p| p.saturating_sub(1))
}

/// The key of a term as written.
pub(super) fn key_of(term: &str) -> String {
    let term = term.trim_matches(|c: char| !c.is_alphanumeric() && c != ')');
    let plain: String = term
        .chars()
        .map(|c| {
            if matches!(c, '\u{2010}' | '\u{2011}') {
                '-'
            } else {
                c
            }
        })
        .collect();
    key(&plain.split_whitespace().collect::<Vec<_>>())
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
    if forms.contains_key(&lower) && most.chars().filter(|c| c.is_uppercase()).count() == 1 {
        lower
    } else {
        most
    }
}

fn add_abbreviations(
    texts: &[&str],
    tokens: &[Vec<Token>],
    words: &Words,
    joined: &HashMap<String, Counted>,
    found: &mut HashMap<String, TermCandidate>,
) {
    let mut long_of: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for text in texts {
        for (short, long) in abbreviations::find(text) {
            *long_of.entry(short).or_default().entry(long).or_default() += 1;
        }
    }
    if long_of.is_empty() {
        return;
    }
    let mut written: HashMap<&str, u32> = HashMap::new();
    for token in tokens.iter().flatten() {
        *written.entry(words.text(token.written)).or_default() += 1;
    }
    for (short, longs) in long_of {
        let count = written.get(short.as_str()).copied().unwrap_or(0)
            + written
                .get(format!("{short}s").as_str())
                .copied()
                .unwrap_or(0);
        let long = display(&longs);
        let words: Vec<&str> = long.split_whitespace().collect();
        let long_key = key(&words);
        if (2..=8).contains(&words.len()) && !long_key.is_empty() {
            let counted = joined
                .get(&long_key)
                .map_or(longs.values().sum(), |c| c.count);
            let score = f64::from(counted);
            let known = found.entry(long_key.clone()).or_insert_with(|| {
                candidate(long.clone(), long_key, FoundBy::Phrase, score, counted)
            });
            known.score += ABBREVIATION_BONUS;
            add_name(&mut known.names, short.clone());
        }
        let score = f64::from(count) + ABBREVIATION_BONUS;
        let mut abbreviation = candidate(
            short.clone(),
            short.to_lowercase(),
            FoundBy::Abbreviation,
            score,
            count,
        );
        abbreviation.definition = Some(long.clone());
        abbreviation.names.push(long);
        found.insert(short.to_lowercase(), abbreviation);
    }
}

fn add_defined(
    defined: &[Defined],
    tokens: &[Vec<Token>],
    words: &mut Words,
    joined: &HashMap<String, Counted>,
    found: &mut HashMap<String, TermCandidate>,
) {
    let named = named(defined, key_of);
    let counts = occurrences(
        tokens,
        words,
        named.keys().filter(|k| !joined.contains_key(*k)),
    );
    for (normal, term) in named {
        let written = term.written;
        if written.split_whitespace().count() > 10
            || !written.chars().any(char::is_alphabetic)
            || is_date(&written)
        {
            continue;
        }
        let known = joined.get(&normal);
        let count = known
            .map_or_else(|| counts.get(&normal).copied().unwrap_or(1), |c| c.count)
            .max(1);
        let text = known.map_or_else(|| written.clone(), |c| display(&c.forms));
        let entry = found
            .entry(normal.clone())
            .or_insert_with(|| candidate(text, normal, FoundBy::Defined, f64::from(count), count));
        entry.found = FoundBy::Defined;
        entry.score = entry.score.max(f64::from(count)) + DEFINED_BONUS;
        entry.definition = Some(term.definition);
        for name in term.names {
            add_name(&mut entry.names, name);
        }
    }
}

/// How often each of some keys occurs as a run of words, the head in the singular.
fn occurrences<'a>(
    tokens: &[Vec<Token>],
    words: &mut Words,
    keys: impl Iterator<Item = &'a String>,
) -> HashMap<String, u32> {
    /// A key with its words' numbers and the place of its head.
    type Key<'a> = (Vec<u32>, usize, &'a String);
    let mut by_first: HashMap<u32, Vec<Key<'a>>> = HashMap::new();
    let mut counts: HashMap<String, u32> = HashMap::new();
    for key in keys {
        let parts: Vec<&str> = key.split(' ').collect();
        let ids: Vec<u32> = parts.iter().map(|part| words.id(part)).collect();
        by_first
            .entry(ids[0])
            .or_default()
            .push((ids, head_of(&parts), key));
        counts.insert(key.clone(), 0);
    }
    if counts.is_empty() {
        return counts;
    }
    let singular: Vec<u32> = {
        let texts: Vec<String> = words.texts().map(singular).collect();
        texts.iter().map(|text| words.id(text)).collect()
    };
    // A word with a hyphen counts as its parts, as it does in a key.
    let parts: Vec<Vec<u32>> = {
        let texts: Vec<String> = words
            .texts()
            .take(singular.len())
            .map(str::to_owned)
            .collect();
        let hyphened = |text: &String| text.contains('-') && text.len() > 1;
        texts
            .iter()
            .map(|text| {
                if hyphened(text) {
                    text.split('-').map(|p| words.id(p)).collect()
                } else {
                    Vec::new()
                }
            })
            .collect()
    };
    let folded = |id: u32| singular.get(id as usize).copied().unwrap_or(id);
    let mut run: Vec<u32> = Vec::new();
    for sentence in tokens {
        run.clear();
        for token in sentence {
            match parts.get(token.lower as usize) {
                Some(parts) if !parts.is_empty() => run.extend(parts),
                _ => run.push(token.lower),
            }
        }
        for start in 0..run.len() {
            let (first, one) = (run[start], folded(run[start]));
            let places = [
                by_first.get(&first),
                by_first.get(&one).filter(|_| one != first),
            ];
            for (ids, head, key) in places.into_iter().flatten().flatten() {
                let here =
                    run[start..]
                        .iter()
                        .zip(ids)
                        .enumerate()
                        .take_while(|(i, (word, wanted))| {
                            *word == *wanted || (*i == *head && folded(**word) == **wanted)
                        });
                if here.count() == ids.len()
                    && let Some(count) = counts.get_mut(*key)
                {
                    *count += 1;
                }
            }
        }
    }
    counts
}

fn is_date(term: &str) -> bool {
    let digits = term.chars().filter(char::is_ascii_digit).count();
    digits >= 4 || (digits > 0 && MONTHS.iter().any(|m| term.to_lowercase().contains(m)))
}

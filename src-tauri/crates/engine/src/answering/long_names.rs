//! Handles names that have one form in the question and another in the documents: a short name ("DPO") that the
//! documents write out, or a long name that the documents shorten. Short forms are those that the documents declare
//! themselves, or else the initials of a heading or of a frequent phrase.

use super::Answering;
use super::clauses::Clauses;
use super::share::share;
use super::short_names::{LETTERS, long_form};
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::api::AnswerNote;
use lexforge_ingest::terms::{short_forms, spelt_out};
use lexforge_store::{ClauseHit, words};
use lexforge_text::{asked, is_han};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Letters of a short name that a document declares.
const DECLARED_LETTERS: std::ops::RangeInclusive<usize> = 2..=8;
/// If no document declares a short name, a phrase must occur at least this often to be its long form.
const OFTEN: usize = 5;

/// The short forms that the documents declare, each with its long forms and how often they do.
type Declared = BTreeMap<String, BTreeMap<String, u32>>;

/// The declared names of the last corpus, by its hash.
#[derive(Default)]
struct Kept(Mutex<Option<(String, Arc<Declared>)>>);

impl Answering<'_> {
    /// Replaces the names in a question by the form that the documents use: short names are written out, or long names
    /// are shortened. The chosen form is the one that occurs together with more of the question's other words. If a
    /// long name and its short form occur with equally many, the form that is in more clauses is chosen. For a name
    /// that occurs in no document, a note says how it was read.
    pub(super) fn by_their_names(
        &self,
        question: &str,
        clauses: &Clauses,
    ) -> Result<(String, Vec<AnswerNote>)> {
        let mut notes = Vec::new();
        if question.chars().any(is_han) {
            return Ok((question.to_owned(), notes));
        }
        let declared = self.declared(&clauses.corpus)?;
        let question = match asked::meaning_of(question).or_else(|| asked::looked_up(question)) {
            // A question for the meaning of a name has the name in the form in which it is to be looked for.
            Some(_) => question.to_owned(),
            None => self.shortened(question, &declared, clauses)?,
        };
        let mut out = String::with_capacity(question.len());
        // Each piece is a word with the sign after it.
        for part in question.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let name = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            let long = match short_of(name) {
                Some(short) if !has_long(&question, short, &declared) => {
                    self.long_name(&question, name, short, (&declared, clauses), &mut notes)?
                }
                _ => None,
            };
            out.push_str(long.as_deref().unwrap_or(name));
            out.push_str(&part[name.len()..]);
        }
        Ok((out, notes))
    }

    /// The long form that replaces a short name of a question, if there is one.
    fn long_name(
        &self,
        question: &str,
        name: &str,
        short: &str,
        (declared, clauses): (&Declared, &Clauses),
        notes: &mut Vec<AnswerNote>,
    ) -> Result<Option<String>> {
        let mut best: Option<(usize, &String)> = None;
        for long in declared.get(short).into_iter().flat_map(BTreeMap::keys) {
            let times = self.times(long, clauses)?;
            if times > 0 && best.is_none_or(|(most, _)| times > most) {
                best = Some((times, long));
            }
        }
        let stands = self.times(short, clauses)? > 0;
        if let Some((_, long)) = best {
            let written = question.replacen(name, long, 1);
            let fits = !stands
                || self.beside(&written, long, clauses)? > self.beside(question, short, clauses)?;
            return Ok(fits.then(|| long.clone()));
        }
        if stands || !LETTERS.contains(&short.len()) {
            return Ok(None);
        }
        let long = match long_form(short, &clauses.headings) {
            Some(long) => Some(long),
            None => self.frequent(short)?,
        };
        if let Some(long) = &long {
            notes.push(AnswerNote::ReadAs {
                typed: name.to_owned(),
                read: long.clone(),
            });
        }
        Ok(long)
    }

    /// A question with a long name by its short form, where more of the question is beside that.
    fn shortened(&self, question: &str, declared: &Declared, clauses: &Clauses) -> Result<String> {
        let names = || {
            question
                .split(|c: char| !c.is_alphanumeric())
                .filter_map(short_of)
        };
        let mut found: Option<(Range<usize>, &str)> = None;
        for (short, longs) in declared {
            if words(short).is_empty() || names().any(|name| name == short) {
                continue;
            }
            for place in longs.keys().filter_map(|long| place_of(question, long)) {
                // A name within a longer one is a part of it.
                if found
                    .as_ref()
                    .is_none_or(|(known, _)| place.len() > known.len())
                {
                    found = Some((place, short.as_str()));
                }
            }
        }
        let Some((place, short)) = found else {
            return Ok(question.to_owned());
        };
        let long = &question[place.clone()];
        let mut written = question.to_owned();
        written.replace_range(place, short);
        let times = self.times(short, clauses)?;
        let by_short = (self.beside(&written, short, clauses)?, times);
        let by_long = (
            self.beside(question, long, clauses)?,
            self.times(long, clauses)?,
        );
        let fits = times > 0 && is_better(by_short, by_long);
        Ok(if fits { written } else { question.to_owned() })
    }

    /// The short forms that the documents declare. They are looked for once somebody asks, and not before.
    fn declared(&self, corpus: &str) -> Result<Arc<Declared>> {
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, declared)) = kept.as_ref()
            && of == corpus
        {
            return Ok(Arc::clone(declared));
        }
        let mut declared = Declared::new();
        self.each_text(|text| {
            for (short, long) in short_forms(text) {
                let long = long.to_lowercase();
                *declared.entry(short).or_default().entry(long).or_default() += 1;
            }
        })?;
        let declared = Arc::new(declared);
        *kept = Some((corpus.to_owned(), Arc::clone(&declared)));
        Ok(declared)
    }

    /// The phrase with these first letters that the documents have often; of several the most frequent.
    fn frequent(&self, short: &str) -> Result<Option<String>> {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        self.each_text(|text| {
            for phrase in phrases(text, short) {
                *times.entry(phrase.to_lowercase()).or_default() += 1;
            }
        })?;
        let often = times.into_iter().filter(|(_, times)| *times >= OFTEN);
        let most = often.max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        Ok(most.map(|(phrase, _)| phrase))
    }

    /// Hears the text of each sentence.
    fn each_text(&self, mut hears: impl FnMut(&str)) -> Result<()> {
        let store = &self.workspace.store;
        for (_, first, sentences) in store.read(|r| r.sentence_ranges())? {
            let last = SentenceId(first.0 + i64::from(sentences) - 1);
            let texts = store.read(|r| r.texts_between(first, last))?;
            texts.iter().for_each(|text| hears(text));
        }
        Ok(())
    }

    /// The number of clauses in which a name occurs.
    fn times(&self, name: &str, clauses: &Clauses) -> Result<usize> {
        let store = &self.workspace.store;
        let found = store.read(|r| r.rank_clauses(name, &clauses.map, |_| true, usize::MAX))?;
        let whole = |hit: &&ClauseHit| hit.words.iter().chain(&hit.pairs).all(|has| *has);
        Ok(match found.words.is_empty() && !words(name).is_empty() {
            // The name is too common to be looked for.
            true => usize::MAX,
            false => found.hits.iter().filter(whole).count(),
        })
    }

    /// The largest share of the rest of a question in a clause that has a name of it.
    fn beside(&self, question: &str, name: &str, clauses: &Clauses) -> Result<f64> {
        let subject = asked::subject(question);
        let store = &self.workspace.store;
        let found = store.read(|r| r.rank_clauses(&subject, &clauses.map, |_| true, usize::MAX))?;
        let mut own: Vec<String> = Vec::new();
        for word in words(&subject) {
            if !own.contains(&word) {
                own.push(word);
            }
        }
        // Where words were left out as too common it is not known which is which.
        if own.len() != found.words.len() {
            return Ok(0.0);
        }
        let name = words(name);
        let of_the_name: Vec<bool> = own.iter().map(|word| name.contains(word)).collect();
        let weights = found.words.iter().zip(&of_the_name);
        let rest: Vec<f64> = weights
            .map(|(weight, of_it)| if *of_it { 0.0 } else { *weight })
            .collect();
        let has_name = |hit: &&ClauseHit| {
            let mut both = hit.words.iter().zip(&of_the_name);
            both.all(|(has, of_it)| *has || !of_it)
        };
        let shares = found.hits.iter().filter(has_name);
        Ok(shares
            .map(|hit| share(&rest, &hit.words))
            .fold(0.0, f64::max))
    }
}

/// Whether one name of a thing is better than its other name. The better name occurs together with more of the
/// question's words. If both occur with equally many, the better name is in more clauses.
fn is_better((beside, times): (f64, usize), (of_other, times_other): (f64, usize)) -> bool {
    beside > of_other || (beside >= of_other && times > times_other)
}

/// The short name that a word is, in the singular.
fn short_of(word: &str) -> Option<&str> {
    let name = word.strip_suffix('s').unwrap_or(word);
    let is_short =
        DECLARED_LETTERS.contains(&name.len()) && name.chars().all(|c| c.is_ascii_uppercase());
    (is_short && !words(name).is_empty()).then_some(name)
}

/// Whether a question has a long form of a short name, too.
fn has_long(question: &str, short: &str, declared: &Declared) -> bool {
    let longs = declared.get(short).into_iter().flatten();
    let mut places = longs.filter_map(|(long, _)| place_of(question, long));
    places.next().is_some()
}

/// Where a question has a name, in lower case, in the singular or the plural.
fn place_of(question: &str, long: &str) -> Option<Range<usize>> {
    let lower = question.to_ascii_lowercase();
    let long = long.strip_suffix('s').unwrap_or(long);
    lower.match_indices(long).find_map(|(at, _)| {
        let begins = lower[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric());
        let end = at + long.len();
        let end = end + usize::from(lower[end..].starts_with('s'));
        let ends = lower[end..]
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric());
        (begins && ends).then_some(at..end)
    })
}

/// The phrases of a text that a short name may stand for: words with its letters, small words between them.
fn phrases<'t>(text: &'t str, short: &'t str) -> impl Iterator<Item = &'t str> {
    let first = short.chars().next().map(|c| c.to_ascii_lowercase());
    let starts = text.char_indices().filter(move |(at, c)| {
        // The s of "officer’s" begins no word.
        let begins = text[..*at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
        begins && Some(c.to_ascii_lowercase()) == first
    });
    starts.filter_map(move |(at, _)| {
        let phrase = spelt_out(&text[at..], short)?;
        // Each letter must come from a content word: "right to object" has no short form RTO.
        let tells = |part: &&str| !words(part).is_empty();
        let telling = phrase.split(|c: char| !c.is_alphanumeric()).filter(tells);
        (telling.count() == short.len()).then_some(phrase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_names_with_as_much_beside_them_the_more_frequent_is_looked_for() {
        for (one, other, better) in [
            ((0.9, 1), (0.5, 9), true),
            ((0.5, 9), (0.9, 1), false),
            ((0.5, 9), (0.5, 1), true),
            ((0.5, 1), (0.5, 1), false),
            ((0.5, 1), (0.5, 9), false),
        ] {
            assert_eq!(is_better(one, other), better, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_short_name_is_a_word_of_capitals() {
        for (word, short) in [
            ("HSO", Some("HSO")),
            ("HSOs", Some("HSO")),
            ("hso", None),
            ("Hso", None),
            ("H", None),
            // A stop word of the index cannot be looked for.
            ("IT", None),
        ] {
            assert_eq!(short_of(word), short, "{word}");
        }
    }

    #[test]
    fn a_long_name_is_found_as_a_whole() {
        let place = |question: &str, long: &str| {
            place_of(question, long).map(|place| question[place].to_owned())
        };
        let question = "Who gives Night Mooring Permits to barges?";
        let found = Some("Night Mooring Permits".to_owned());
        assert_eq!(place(question, "night mooring permit"), found);
        assert_eq!(place(question, "night mooring permits"), found);
        assert_eq!(
            place("Who gives it at overnight mooring?", "night mooring"),
            None
        );
        assert_eq!(
            place("Who does night mooringlike work?", "night mooring"),
            None
        );
    }

    #[test]
    fn a_phrase_has_a_word_that_says_something_for_each_letter() {
        let of = |text, short| phrases(text, short).collect::<Vec<&str>>();
        let text = "The harbour safety officer has a right to object, and each Head of Safety and Oil does.";
        assert_eq!(
            of(text, "HSO"),
            ["harbour safety officer", "Head of Safety and Oil"]
        );
        assert!(of(text, "RTO").is_empty());
        assert!(of("It keeps the harbour’s safety office.", "SSO").is_empty());
    }
}

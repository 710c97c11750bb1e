//! Misspelled words of a question, and words in another spelling than the documents have. Such a word occurs nowhere in
//! the documents, but a similar word does: "notifcation", "crossborder".

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::api::{Answer, AnswerNote};
use lexforge_text::{asked, is_han, spelling, words};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Letters of each half of a word that is parted in two.
const SHORTEST_HALF: usize = 3;
/// A question with more words that stand nowhere is in another language, or makes no sense: none of them is put right.
const MOST_UNKNOWN: usize = 8;

/// How often each word is in the documents, in lower case.
pub(super) type Vocabulary = HashMap<String, u32>;

/// The words of the corpus as it was last, by its hash.
#[derive(Default)]
struct Kept(Mutex<Option<(String, Arc<Vocabulary>)>>);

impl Answering<'_> {
    /// The words of the documents. They are counted once a word of a question stands nowhere, and not before.
    pub(super) fn vocabulary(&self, corpus: &str) -> Result<Arc<Vocabulary>> {
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, vocabulary)) = kept.as_ref()
            && of == corpus
        {
            return Ok(Arc::clone(vocabulary));
        }
        let mut counts = Vocabulary::new();
        let store = &self.workspace.store;
        for (_, first, sentences) in store.read(|r| r.sentence_ranges())? {
            let last = SentenceId(first.0 + i64::from(sentences) - 1);
            let texts = store.read(|r| r.texts_between(first, last))?;
            for word in texts.iter().flat_map(|text| words(text)) {
                *counts.entry(word).or_default() += 1;
            }
        }
        let vocabulary = Arc::new(counts);
        *kept = Some((corpus.to_owned(), Arc::clone(&vocabulary)));
        Ok(vocabulary)
    }
}

/// Corrects misspelled words of a question, and lists each correction. A word counts as misspelled if it occurs nowhere
/// in the documents and the documents have another word that was probably meant. The caller gives three functions:
/// `stands` says whether a word occurs anywhere, `together` whether two words occur next to each other, and `is_word`
/// whether a word in lower case is an English word. An English word is never corrected.
pub(super) fn put_right(
    question: &str,
    mut stands: impl FnMut(&str) -> Result<bool>,
    mut together: impl FnMut(&str, &str) -> Result<bool>,
    is_word: impl Fn(&str) -> bool,
    vocabulary: impl FnOnce() -> Result<Arc<Vocabulary>>,
) -> Result<(String, Vec<AnswerNote>)> {
    let mut notes = Vec::new();
    let as_it_is = || question.to_owned();
    if question.chars().any(is_han) {
        return Ok((as_it_is(), notes));
    }
    let all = pieces(question);
    let mut unknown = Vec::with_capacity(all.len());
    for piece in &all {
        let word = &question[piece.clone()];
        unknown.push(may_be_a_slip(word, piece.start) && !stands(word)?);
    }
    let how_many = unknown.iter().filter(|unknown| **unknown).count();
    if !(1..=MOST_UNKNOWN).contains(&how_many) {
        return Ok((as_it_is(), notes));
    }
    let slips: Vec<bool> = all
        .iter()
        .zip(&unknown)
        .map(|(piece, unknown)| *unknown && !is_word(&question[piece.clone()].to_lowercase()))
        .collect();
    if !slips.contains(&true) && !question.contains('-') {
        return Ok((as_it_is(), notes));
    }
    let vocabulary = vocabulary()?;
    let (mut out, mut done, mut at) = (String::with_capacity(question.len()), 0, 0);
    while let Some(piece) = all.get(at) {
        let pair = all.get(at + 1).filter(|next| {
            let is_unknown = unknown[at] || unknown[at + 1];
            is_unknown && question[piece.end..next.start] == *"-"
        });
        let joined = pair.map(|next| (piece.start..next.end, 2, joined(question, piece, next)));
        let alone = slips[at].then(|| (piece.clone(), 1, question[piece.clone()].to_lowercase()));
        at += 1;
        for (range, pieces, word) in joined.into_iter().chain(alone) {
            let meant = match pieces {
                2 => vocabulary.contains_key(&word).then_some(word),
                _ => match parted(&word, &vocabulary, &mut together)? {
                    None => meant(&word, &vocabulary),
                    parted => parted,
                },
            };
            let Some(meant) = meant else { continue };
            out.push_str(&question[done..range.start]);
            out.push_str(&meant);
            done = range.end;
            at += pieces - 1;
            notes.push(AnswerNote::ReadAs {
                typed: question[range].to_owned(),
                read: meant,
            });
            break;
        }
    }
    out.push_str(&question[done..]);
    Ok((out, notes))
}

/// The words of a question that were corrected before it was answered, as text: "breech → breach". `None` if nothing
/// was corrected.
pub(super) fn read_otherwise(answer: &Answer) -> Option<String> {
    let readings = answer.notes.iter().filter_map(|note| match note {
        AnswerNote::ReadAs { typed, read } => Some(format!("{typed} → {read}")),
        AnswerNote::OtherScript { read } => Some(read.clone()),
        _ => None,
    });
    let readings: Vec<String> = readings.collect();
    (!readings.is_empty()).then(|| readings.join("; "))
}

/// The words of a question that stand in no document, as text. `None` if there are none.
pub(super) fn stand_nowhere(answer: &Answer) -> Option<String> {
    answer.notes.iter().find_map(|note| match note {
        AnswerNote::StandNowhere { words } => Some(words.join(", ")),
        _ => None,
    })
}

/// The places of the words of a text: runs of letters, digits and apostrophes.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() && !matches!(c, '\'' | '’') {
            continue;
        }
        let end = at + c.len_utf8();
        match found.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = end,
            None => found.push(at..end),
        }
    }
    found
}

/// A name, a number and a word that only helps to ask are none.
fn may_be_a_slip(word: &str, start: usize) -> bool {
    let is_capital = |letter: char| letter.is_ascii_uppercase();
    // A question begins with a capital, but not with a word of capitals: "FINTRAC".
    let is_name = word.starts_with(is_capital)
        && (start > 0 || word.chars().filter(|c| is_capital(*c)).count() > 1);
    let of_letters = word.bytes().all(|b| b.is_ascii_alphabetic());
    of_letters && !is_name && !asked::helps_to_ask(word)
}

/// Two words as one.
fn joined(question: &str, one: &Range<usize>, other: &Range<usize>) -> String {
    let (one, other) = (&question[one.clone()], &question[other.clone()]);
    format!("{one}{other}").to_lowercase()
}

/// A word as the two that are next to each other in the documents: "crossborder".
fn parted(
    word: &str,
    vocabulary: &Vocabulary,
    together: &mut impl FnMut(&str, &str) -> Result<bool>,
) -> Result<Option<String>> {
    for at in SHORTEST_HALF..(word.len() + 1).saturating_sub(SHORTEST_HALF) {
        let (one, other) = word.split_at(at);
        let known = vocabulary.contains_key(one) && vocabulary.contains_key(other);
        if known && together(one, other)? {
            return Ok(Some(format!("{one}-{other}")));
        }
    }
    Ok(None)
}

/// The word that was meant: the nearest, and of equals the one that is there most often.
fn meant(word: &str, vocabulary: &Vocabulary) -> Option<String> {
    vocabulary
        .iter()
        .filter_map(|(known, times)| Some((spelling::slips(word, known)?, Reverse(*times), known)))
        .min()
        .map(|(.., known)| known.clone())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_read_as_the_word_that_was_meant() {
        let known = [
            ("notification", 9),
            ("notifications", 2),
            ("breach", 9),
            ("cross", 4),
            ("border", 4),
            ("subcontractor", 3),
            ("contractor", 3),
            ("harbour", 5),
            ("translation", 3),
            ("the", 99),
        ];
        let vocabulary: Vocabulary = known.map(|(word, n)| (word.to_owned(), n)).into();
        let vocabulary = Arc::new(vocabulary);
        let small = ["is", "a", "of", "who", "needs"];
        for (question, expected, read) in [
            (
                "Who needs the notifcation of a breech?",
                "Who needs the notification of a breach?",
                2,
            ),
            (
                "Is crossborder the notification?",
                "Is cross-border the notification?",
                1,
            ),
            // Two words that never stand together.
            ("Is borderharbour?", "Is borderharbour?", 0),
            ("Who is a sub-contractor?", "Who is a subcontractor?", 1),
            ("Breech of notification?", "breach of notification?", 1),
            // A name, a word of its own, and Chinese.
            ("Who is Harbuor?", "Who is Harbuor?", 0),
            ("Who needs a transaction?", "Who needs a transaction?", 0),
            ("HARBOR needs a pilot?", "HARBOR needs a pilot?", 0),
            ("Who needs a zeppelin?", "Who needs a zeppelin?", 0),
            // More words that stand nowhere than a slip or two.
            (
                "notifcation breech cccccc dddddd eeeeee ffffff gggggg hhhhhh iiiiii",
                "notifcation breech cccccc dddddd eeeeee ffffff gggggg hhhhhh iiiiii",
                0,
            ),
            ("谁需要 notifcation？", "谁需要 notifcation？", 0),
        ] {
            let (out, notes) = put_right(
                question,
                |word| {
                    let word = word.to_lowercase();
                    Ok(vocabulary.contains_key(&word) || small.contains(&word.as_str()))
                },
                |one, other| Ok((one, other) == ("cross", "border")),
                |word| ["transaction", "sub"].contains(&word),
                || Ok(Arc::clone(&vocabulary)),
            )
            .unwrap();
            assert_eq!(out, expected, "{question}");
            assert_eq!(notes.len(), read, "{question}: {notes:?}");
        }
    }

    #[test]
    fn what_was_read_otherwise_is_told() {
        let mut answer = crate::answering::made::answer(&["Breaches are notified."], 0.8);
        assert_eq!(read_otherwise(&answer), None);
        answer.notes = vec![
            AnswerNote::WordsOnly,
            AnswerNote::ReadAs {
                typed: "breech".to_owned(),
                read: "breach".to_owned(),
            },
            AnswerNote::OtherScript {
                read: "停泊费".to_owned(),
            },
        ];
        let told = read_otherwise(&answer);
        assert_eq!(told.as_deref(), Some("breech → breach; 停泊费"));
    }

    #[test]
    fn where_every_word_stands_no_words_are_counted() {
        let stand = |_: &str| Ok(true);
        let (out, notes) = put_right(
            "Who pays?",
            stand,
            |_, _| Ok(true),
            |_| false,
            || unreachable!("the words were counted"),
        )
        .unwrap();
        assert!(out == "Who pays?" && notes.is_empty());
    }
}

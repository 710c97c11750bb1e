//! Chinese questions whose characters or words differ from those of the documents: traditional characters, a wrong
//! character that sounds like the right one, or an everyday word instead of a word that rules use.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::api::AnswerNote;
use lexforge_text::{articles_han, asked, everyday_han, is_han, seams, variants};
use std::collections::HashSet;
use std::ops::Range;

/// A character is corrected only if the documents contain a sequence of this many characters around it. With a shorter
/// sequence the correction would be a guess. Measured in a prototype: of 762 everyday questions about statutes (STARD)
/// five are changed, two of them wrongly.
const TOGETHER: usize = 4;
/// Characters of a question that are put right.
const MOST: usize = 2;
/// Characters that are beside their neighbours nowhere: in a question with more of them it is not one that is wrong.
const MOST_DOUBTFUL: usize = 24;
/// Clauses in which characters are looked for together.
const LOOKED_AT: usize = 20;

impl Answering<'_> {
    /// A Chinese question in the characters and the words of the documents, and what was read as what.
    pub(super) fn in_their_characters(
        &self,
        question: &str,
        clauses: &Clauses,
    ) -> Result<(String, Vec<AnswerNote>)> {
        let standing = |text: &str| -> Result<HashSet<String>> {
            let store = &self.workspace.store;
            Ok(store.read(|r| r.standing(text, &clauses.map))?)
        };
        let (question, script) = in_their_script(question, standing)?;
        let together = |text: &str| self.stands_as_it_is(text, clauses);
        let (question, words) = in_their_words(&question, standing, together)?;
        let (question, slips) = put_right(&question, standing, together)?;
        let read = script.into_iter().chain(words).chain(slips);
        Ok((question, read.collect()))
    }

    /// Whether some clause has these characters one after the other.
    fn stands_as_it_is(&self, text: &str, clauses: &Clauses) -> Result<bool> {
        let store = &self.workspace.store;
        let found = store.read(|r| r.rank_clauses(text, &clauses.map, |_| true, LOOKED_AT))?;
        let pairs = text.chars().count().saturating_sub(2);
        let has_all = |has: &Vec<bool>| has.len() == pairs && has.iter().all(|has| *has);
        Ok(found.hits.iter().any(|hit| has_all(&hit.pairs)))
    }
}

/// A question in the script in which more of it stands in the documents. `standing` gives the words of a text that do.
fn in_their_script(
    question: &str,
    standing: impl Fn(&str) -> Result<HashSet<String>>,
) -> Result<(String, Option<AnswerNote>)> {
    let as_it_is = || (question.to_owned(), None);
    if !question.chars().any(is_han) {
        return Ok(as_it_is());
    }
    let simplified = variants::simplified(question);
    let traditional = variants::traditional(question);
    let known = standing(question)?.len();
    let mut best = (known, None);
    for other in [simplified, traditional] {
        if other == question {
            continue;
        }
        let known = standing(&other)?.len();
        if known > best.0 {
            best = (known, Some(other));
        }
    }
    Ok(best.1.map_or_else(as_it_is, |read| {
        let note = AnswerNote::OtherScript { read: read.clone() };
        (read, Some(note))
    }))
}

/// A Chinese question in the words of the documents. Everyday words that no document contains are replaced by the
/// words that rules use. Numbers of articles get 第 before them.
fn in_their_words(
    question: &str,
    standing: impl Fn(&str) -> Result<HashSet<String>>,
    together: impl Fn(&str) -> Result<bool>,
) -> Result<(String, Vec<AnswerNote>)> {
    if !question.chars().any(is_han) {
        return Ok((question.to_owned(), Vec::new()));
    }
    let question = articles_han::with_ordinals(question);
    let pairs = standing(&question)?;
    let (read, swapped) = everyday_han::in_words_of_rules(&question, &pairs, together)?;
    let notes = swapped.into_iter().map(|(typed, read)| AnswerNote::ReadAs {
        typed: typed.to_owned(),
        read: read.to_owned(),
    });
    Ok((read, notes.collect()))
}

/// Corrects characters of a question that sound like the right ones but are wrong: "但保" where the documents have
/// "担保". `together` says whether these characters follow each other in some clause.
fn put_right(
    question: &str,
    standing: impl Fn(&str) -> Result<HashSet<String>>,
    together: impl Fn(&str) -> Result<bool>,
) -> Result<(String, Vec<AnswerNote>)> {
    let mut notes = Vec::new();
    let mut question = question.to_owned();
    if !question.chars().any(is_han) {
        return Ok((question, notes));
    }
    let subject = asked::subject(&question);
    let known = standing(&subject)?;
    let pieces: Vec<Vec<char>> = subject
        .split(|c: char| !is_han(c))
        .map(|piece| piece.chars().collect())
        .filter(|piece: &Vec<char>| piece.len() >= TOGETHER)
        .collect();
    let doubtful = |piece: &Vec<char>| {
        let places = 0..piece.len();
        places.filter(|at| is_doubtful(piece, *at, &known)).count()
    };
    if pieces.iter().map(doubtful).sum::<usize>() > MOST_DOUBTFUL {
        return Ok((question, notes));
    }
    for piece in pieces {
        for at in 0..piece.len() {
            let is_right = || pairs(&piece, at).any(|pair| variants::is_no_slip(&pair));
            if notes.len() == MOST || !is_doubtful(&piece, at, &known) || is_right() {
                continue;
            }
            let Some(meant) = meant(&piece, at, &standing, &together)? else {
                continue;
            };
            // The neighbouring characters are included, because the same character may occur elsewhere in the question.
            let around = at.saturating_sub(1)..(at + 2).min(piece.len());
            let typed = String::from_iter(&piece[around.clone()]);
            let mut read = piece.clone();
            read[at] = meant;
            let read = String::from_iter(&read[around]);
            question = question.replace(&typed, &read);
            notes.push(AnswerNote::ReadAs { typed, read });
            break;
        }
    }
    Ok((question, notes))
}

/// Whether a character stands together with one of its neighbours nowhere.
fn is_doubtful(piece: &[char], at: usize, known: &HashSet<String>) -> bool {
    pairs(piece, at).any(|pair| !known.contains(&pair))
}

/// The places of the pieces of [`TOGETHER`] characters that hold a character with both of its neighbours.
fn around(piece: &[char], at: usize) -> impl Iterator<Item = Range<usize>> {
    let last = piece.len().saturating_sub(1);
    let first = (at + 1).saturating_sub(TOGETHER);
    (first..=at)
        .map(|from| from..from + TOGETHER)
        .filter(move |places| {
            let has_before = places.start < at || at == 0;
            let has_after = at + 1 < places.end || at == last;
            has_before && has_after && places.end <= last + 1
        })
}

/// A character together with the one before it, and together with the one after it.
fn pairs(piece: &[char], at: usize) -> impl Iterator<Item = String> {
    let before = at.checked_sub(1).and_then(|from| piece.get(from..=at));
    let after = piece.get(at..at + 2);
    before.into_iter().chain(after).map(String::from_iter)
}

/// The character that was probably meant in the place of this one. It sounds the same, and in the documents it occurs
/// next to the neighbouring characters. `None` if no character or more than one fits.
fn meant(
    piece: &[char],
    at: usize,
    standing: impl Fn(&str) -> Result<HashSet<String>>,
    together: impl Fn(&str) -> Result<bool>,
) -> Result<Option<char>> {
    let with = |other: char| {
        let mut piece = piece.to_vec();
        piece[at] = other;
        piece
    };
    let Some(c) = piece.get(at) else {
        return Ok(None);
    };
    let others: Vec<char> = variants::sound_alike(*c).collect();
    let all: Vec<String> = others
        .iter()
        .flat_map(|other| pairs(&with(*other), at).collect::<Vec<_>>())
        .collect();
    let known = standing(&all.join(" "))?;
    let mut meant = None;
    for other in others {
        let read = with(other);
        if is_doubtful(&read, at, &known) {
            continue;
        }
        let (mut there, mut all) = (0, 0);
        for window in around(&read, at).filter_map(|places| read.get(places)) {
            all += 1;
            there += usize::from(together(&String::from_iter(window))?);
        }
        // A character that joins words occurs beside many others. So all its surroundings must occur in the documents.
        let is_there = match seams::joins_words(*c) {
            true => all > 1 && there == all,
            false => there > 0,
        };
        if is_there && meant.replace(other).is_some() {
            return Ok(None);
        }
    }
    Ok(meant)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str =
        "船舶停泊的，应当向港务管理机构缴纳停泊费。船舶所有人承担责任。到期退还定金。";

    fn standing(text: &str) -> Result<HashSet<String>> {
        let words = lexforge_store::words(text).into_iter();
        Ok(words.filter(|word| TEXT.contains(word.as_str())).collect())
    }

    #[test]
    fn a_traditional_question_is_read_in_simplified_characters() {
        for (question, expected) in [
            ("船舶停泊要繳納停泊費嗎？", Some("船舶停泊要缴纳停泊费吗？")),
            ("船舶停泊要缴纳停泊费吗？", None),
            ("誰開食堂？", None),
            ("Who pays?", None),
        ] {
            let (read, note) = in_their_script(question, standing).unwrap();
            assert_eq!(read, expected.unwrap_or(question));
            assert_eq!(note.is_some(), expected.is_some(), "{question}");
        }
    }

    #[test]
    fn an_everyday_word_is_read_as_that_of_rules() {
        for (question, expected) in [
            ("船舶停泊，年终奖怎么算？", "船舶停泊，报酬怎么算？"),
            ("缴费办法24条讲什么？", "缴费办法第24条讲什么？"),
            ("船舶停泊，停泊费怎么算？", "船舶停泊，停泊费怎么算？"),
            ("Who pays?", "Who pays?"),
        ] {
            let together = |text: &str| Ok(TEXT.contains(text) || text == "报酬");
            let (read, notes) = in_their_words(question, standing, together).unwrap();
            assert_eq!(read, expected);
            assert_eq!(
                notes.len(),
                usize::from(question.contains("年终奖")),
                "{question}"
            );
        }
    }

    #[test]
    fn a_wrong_character_that_sounds_right_is_put_right() {
        for (question, expected) in [
            ("由谁缴纳停博费？", Some("由谁缴纳停泊费？")),
            ("港务观理机构是谁？", Some("港务管理机构是谁？")),
            ("到期推还定金吗？", Some("到期退还定金吗？")),
            // Another thing that sounds the same.
            ("到期退还订金吗？", None),
            // Right as it is; another word; too little around it; nothing that sounds like it.
            ("由谁缴纳停泊费？", None),
            ("船舶食堂由谁管？", None),
            ("停博吗？", None),
            ("由谁缴纳停车费？", None),
            ("Who pays?", None),
        ] {
            let together = |text: &str| Ok(TEXT.contains(text));
            let (read, notes) = put_right(question, standing, together).unwrap();
            assert_eq!(read, expected.unwrap_or(question), "{question}");
            assert_eq!(notes.len(), usize::from(expected.is_some()), "{question}");
        }
    }
}

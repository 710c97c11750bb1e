//! What of a question the nearest clauses do not speak of, where nothing is answered.

use super::Answering;
use super::clauses::Clauses;
use super::find::language_of;
use super::other_words::{is_spelled_out, says_nothing};
use super::short_names::named;
use crate::workspace::Result;
use lexforge_domain::api::Clause;
use lexforge_ingest::terms::is_verb;
use lexforge_store::{formal, words};
use lexforge_text::{is_han, is_unspaced, seams, spelling};
use std::collections::HashSet;

/// The most words that are named for a clause.
const MOST: usize = 8;
/// Two words that begin with this many equal letters count as forms of one word ("notifying", "notification"). Without
/// this rule a word would be reported as missing although another form of it is there.
const OF_ONE_WORD: usize = 6;
/// A word that is the beginning of another word counts as a form of it if it has at least this many letters: "bank",
/// "banking".
const BEGINS: usize = 4;

impl Answering<'_> {
    /// Lists for each clause the words of the question's subject that are missing in the clause, in the headings above
    /// it and in the names of its document.
    pub(super) fn tell_what_is_lacking(
        &self,
        question: &str,
        clauses: &Clauses,
        passages: &mut [Clause],
    ) -> Result<()> {
        let subject = self.subject(question, clauses)?;
        let language = language_of(question, &clauses.documents);
        // A clause in another language has none of the words, and may say all of it.
        for passage in passages.iter_mut().filter(|p| p.place.language == language) {
            let place = &passage.place;
            let mut texts = vec![passage.text.clone(), place.section.clone()];
            if let Some(clause) = clauses.map.clause(place.sentence) {
                if let Some((from, to)) = clauses.map.sentences(clause) {
                    let store = &self.workspace.store;
                    texts.extend(store.read(|r| r.texts_between(from, to))?);
                }
                texts.extend(clauses.document_of(clause).map(named));
            }
            passage.lacks = lacking(question, &subject, &texts);
        }
        Ok(())
    }
}

/// The words of a subject that occur in none of the texts, spelled as in the question. Words that are next to each
/// other in the question are named together ("fire extinguishers"). Verbs are not named, because the text may have
/// another form of them ("pays", "paid"). In a Chinese question, pieces of the subject are named instead of words:
/// those of which no two neighbouring characters occur in the texts.
fn lacking(question: &str, subject: &str, texts: &[String]) -> Vec<String> {
    let mut lacks: Vec<String> = Vec::new();
    if subject.chars().any(is_han) {
        let has = |pair: &str| texts.iter().any(|text| text.contains(pair));
        lacks.extend(seams::unknown(subject, has));
    }
    let lists: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let has: HashSet<&str> = lists.iter().flatten().map(String::as_str).collect();
    let parts = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
    let mut was_lacking = false;
    for written in subject.split(parts) {
        let is_word = written.chars().any(char::is_alphabetic)
            && !written.chars().any(is_unspaced)
            && !words(written).is_empty()
            && !says_nothing(written)
            && !is_verb(&written.to_lowercase())
            && question.contains(written);
        if !is_word || stands(written, &lists, &has) {
            was_lacking = false;
            continue;
        }
        let together = lacks
            .last()
            .filter(|_| was_lacking)
            .map(|last| format!("{last} {written}"));
        match together.filter(|both| question.contains(both.as_str())) {
            Some(both) => {
                lacks.pop();
                lacks.push(both);
            }
            None => lacks.push(written.to_owned()),
        }
        was_lacking = true;
    }
    let mut told = HashSet::new();
    lacks.retain(|word| told.insert(word.to_lowercase()));
    lacks.truncate(MOST);
    lacks
}

/// Whether a word occurs in the texts: as it is, in another spelling or form, as the long form of an abbreviation, or
/// as the word that rules use instead of it.
fn stands(written: &str, texts: &[Vec<String>], has: &HashSet<&str>) -> bool {
    let own = words(written);
    let spelt = spelling::others(written);
    let spelt = spelt.iter().flat_map(|other| words(other));
    let mut itself = spelt.chain(own.iter().cloned());
    itself.any(|word| has.contains(word.as_str()))
        || is_spelled_out(written, texts)
        || own.iter().any(|word| {
            let mut others = formal(word).iter();
            others.any(|other| other.split(' ').all(|part| has.contains(part)))
                || has.iter().any(|there| are_forms_of_one(word, there))
        })
}

/// Whether two words are taken for forms of one.
fn are_forms_of_one(one: &str, other: &str) -> bool {
    let same = one.chars().zip(other.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    let shorter = one.chars().count().min(other.chars().count());
    same >= OF_ONE_WORD || (same == shorter && same >= BEGINS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_clause_does_not_have_is_named() {
        let clause = "The master of a ship pays the harbour dues before departure.";
        for (question, text, lacks) in [
            ("Who pays the harbour dues?", clause, &[][..]),
            ("Who pays the lighthouse dues?", clause, &["lighthouse"]),
            // What stands together is named together, and each thing once.
            (
                "May lawn mowers be parked on a ship, and may lawn mowers be sold?",
                clause,
                &["lawn mowers", "parked", "sold"],
            ),
            (
                "May a landlord keep the deposit?",
                clause,
                &["landlord", "deposit"],
            ),
            ("Who paid the harbour dues?", clause, &[]),
            // Other forms of a word, and words that only help to ask.
            ("Does a departing ship pay?", clause, &[]),
            // Other letters for the same name.
            (
                "Who is the DPO?",
                "The data protection officer is named.",
                &[],
            ),
            ("港口费由谁缴纳？", "港口费由船长缴纳。", &[]),
            ("宠物托运由谁缴纳？", "港口费由船长缴纳。", &["宠物托运"]),
        ] {
            let subject = lexforge_text::asked::subject(question);
            let found = lacking(question, &subject, &[text.to_owned()]);
            assert_eq!(found, lacks, "{question}");
        }
    }
}

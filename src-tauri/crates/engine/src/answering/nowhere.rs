//! The words of a question that occur in no clause, and the words that were not searched.

use super::Answering;
use super::clauses::Clauses;
use crate::workspace::Result;
use lexforge_domain::api::{Answer, AnswerNote};
use lexforge_text::{asked, is_han, is_unspaced, seams};

/// An answer names at most this number of words that occur in no clause. If there are more, the question is in another
/// language or makes no sense.
const MOST_NOWHERE: usize = 8;

impl Answering<'_> {
    /// Notes the words of a question that stand nowhere, and how many were left out because there were too many.
    pub(super) fn note_what_was_not_searched(
        &self,
        question: &str,
        left_out: usize,
        clauses: &Clauses,
        answer: &mut Answer,
    ) -> Result<()> {
        let foreign = |note: &AnswerNote| matches!(note, AnswerNote::OtherLanguage { .. });
        let nowhere = self.nowhere(question, clauses)?;
        if !nowhere.is_empty() && !answer.notes.iter().any(foreign) {
            answer
                .notes
                .push(AnswerNote::StandNowhere { words: nowhere });
        }
        if left_out > 0 {
            answer
                .notes
                .push(AnswerNote::QuestionCut { words: left_out });
        }
        Ok(())
    }

    /// The words of a question that occur in no clause, spelled as in the question. Chinese has no blanks between
    /// words. So in Chinese these are the pieces whose pairs of neighbouring characters occur in no clause.
    fn nowhere(&self, question: &str, clauses: &Clauses) -> Result<Vec<String>> {
        let mut nowhere: Vec<String> = Vec::new();
        let subject = asked::subject(question);
        if subject.chars().any(is_han) {
            let standing = self
                .workspace
                .store
                .read(|r| r.standing(&subject, &clauses.map))?;
            nowhere = seams::unknown(&subject, |pair| standing.contains(pair));
        }
        let parts = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
        for word in subject.split(parts) {
            if nowhere.len() >= MOST_NOWHERE {
                break;
            }
            let has_letters = word.chars().any(char::is_alphabetic);
            let helps = asked::helps_to_ask(word);
            // A verb of two words is looked for as one that nobody typed.
            if !has_letters
                || helps
                || !question.contains(word)
                || word.chars().any(is_unspaced)
                || nowhere.iter().any(|w| w == word)
            {
                continue;
            }
            if !self.stands(word, clauses)? {
                nowhere.push(word.to_owned());
            }
        }
        nowhere.truncate(MOST_NOWHERE);
        Ok(nowhere)
    }
}

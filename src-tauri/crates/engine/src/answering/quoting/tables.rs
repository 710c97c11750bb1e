//! Tables: the names of a row's table and columns, and the rows of a table that is named.

use super::fitting::fitting;
use crate::answering::Answering;
use crate::answering::clauses::{Clauses, is_listed};
use crate::workspace::Result;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::SentenceKind;
use lexforge_text::numerals::is_chinese_numeral;

impl Answering<'_> {
    /// Puts before a row of a table the names of its columns and of the table.
    pub(super) fn table_head(&self, body: &mut Vec<Sentence>, clauses: &Clauses) -> Result<()> {
        let mut head = Vec::new();
        let first = body.first().cloned();
        self.walk(first.as_ref(), clauses, false, |sentence| {
            let is_head = names_a_table(&sentence);
            if is_row(&sentence) && head.is_empty() {
                return true;
            }
            let ends = sentence.kind != SentenceKind::TableCell;
            if is_head {
                head.push(sentence);
            }
            is_head && !ends
        })?;
        head.reverse();
        drop(body.splice(0..0, head));
        Ok(())
    }

    /// Adds the rows of a table if the quoted text is the name of the table. The rows are those that share the most
    /// words with the question, or the first ones if no row shares any.
    pub(super) fn table_rows(
        &self,
        question: &str,
        body: &mut Vec<Sentence>,
        clauses: &Clauses,
    ) -> Result<()> {
        let (mut head, mut rows) = (Vec::new(), Vec::new());
        let last = body.last().cloned();
        self.walk(last.as_ref(), clauses, true, |sentence| {
            if is_row(&sentence) {
                rows.push(sentence);
                return true;
            }
            let goes_on = rows.is_empty() && names_a_table(&sentence);
            if goes_on {
                head.push(sentence);
            }
            goes_on
        })?;
        let rows = fitting(question, body, rows);
        if !rows.is_empty() {
            body.extend(head);
            body.extend(rows);
        }
        Ok(())
    }
}

/// Whether a sentence is a row of a table that can be understood alone.
pub(super) fn is_row(sentence: &Sentence) -> bool {
    sentence.kind == SentenceKind::TableCell && sentence.complete.is_some()
}

/// The name of a table, or of its columns.
pub(super) fn names_a_table(sentence: &Sentence) -> bool {
    if sentence.kind == SentenceKind::TableCell {
        let is_prose = sentence.text.trim_end().ends_with(['.', '。', ';', '；']);
        return sentence.complete.is_none() && !is_prose && !is_listed(sentence);
    }
    let text = sentence.text.as_str();
    let english = text.strip_prefix("Table ").is_some_and(|rest| {
        let number = rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '.');
        number.take(8).any(|c| c.is_ascii_digit())
    });
    let chinese = text.strip_prefix('表').is_some_and(|rest| {
        rest.trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || is_chinese_numeral(c))
    });
    english || chinese
}

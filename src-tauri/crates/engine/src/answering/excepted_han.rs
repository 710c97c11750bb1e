//! Exceptions from a Chinese article that another article states. Either the article refers to that other article
//! ("除本办法第五条规定的情形外"), or the other article limits this one ("前条规定不适用于…").

use super::Answering;
use super::clauses::Clauses;
use crate::corpus::Corpus;
use crate::workspace::Result;
use lexforge_domain::SentenceId;
use lexforge_domain::document::Sentence;
use lexforge_domain::reference::CrossReference;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_ingest::references;

/// Clauses before and after an article that may take it back.
const AROUND: u32 = 12;
/// Signs that end a part of a sentence.
const ENDS: [char; 6] = ['，', ',', '。', '；', ';', '：'];
/// Words by which a part of a sentence suspends the rule that it names.
const TAKES_BACK: [&str; 3] = ["不适用", "不受", "不在此限"];

impl Answering<'_> {
    /// The clause of the same document that makes an exception from this one. `None` if there is none.
    pub(super) fn excepted_elsewhere(&self, clause: u32, clauses: &Clauses) -> Result<Option<u32>> {
        let Some(document) = clauses.document_of(clause) else {
            return Ok(None);
        };
        if document.language != Language::Zh {
            return Ok(None);
        }
        let index = Corpus::of(self.workspace).reference_index()?;
        let named = |sentence: &Sentence, says: fn(&str, &CrossReference) -> bool| -> Vec<u32> {
            let found = references::find(&sentence.text, Language::Zh).into_iter();
            found
                .filter(|one| one.instrument.is_none() && says(&sentence.text, one))
                .flat_map(|one| index.resolve(&one, sentence.id))
                .filter_map(|id| clauses.map.clause(id))
                .filter(|other| clauses.document_of(*other).map(|d| d.id) == Some(document.id))
                .collect()
        };
        for sentence in self.running(clause, clauses)? {
            let other = named(&sentence, is_excepted)
                .into_iter()
                .find(|c| *c != clause);
            if other.is_some() {
                return Ok(other);
            }
        }
        let after = clause + 1..=clause + AROUND;
        for other in after.chain((clause.saturating_sub(AROUND)..clause).rev()) {
            for sentence in self.running(other, clauses)? {
                if sentence.document == document.id
                    && named(&sentence, takes_back).contains(&clause)
                {
                    return Ok(Some(other));
                }
            }
        }
        Ok(None)
    }

    /// The sentences of a clause that are no headings.
    pub(super) fn running(&self, clause: u32, clauses: &Clauses) -> Result<Vec<Sentence>> {
        let Some((from, to)) = clauses.map.sentences(clause) else {
            return Ok(Vec::new());
        };
        let ids: Vec<SentenceId> = (from.0..=to.0).map(SentenceId).collect();
        let mut all = self.workspace.store.read(|r| r.sentences_by_ids(&ids))?;
        all.retain(|s| s.kind != SentenceKind::Heading);
        Ok(all)
    }
}

/// The part of a sentence in which a reference stands: what stands before it, and after it.
fn part<'t>(text: &'t str, reference: &CrossReference) -> (&'t str, &'t str) {
    let place = |scalar: usize| {
        let found = text.char_indices().nth(scalar).map(|(at, _)| at);
        found.unwrap_or(text.len())
    };
    let (before, after) = (
        &text[..place(reference.start)],
        &text[place(reference.end)..],
    );
    let before = before.rsplit(ENDS).next().unwrap_or_default();
    (before, after.split(ENDS).next().unwrap_or_default())
}

/// Whether a sentence leaves what the reference names out of its rule.
fn is_excepted(text: &str, reference: &CrossReference) -> bool {
    let (before, after) = part(text, reference);
    let named_out = before.contains('除') && after.ends_with('外');
    named_out || after.ends_with("除外")
}

/// Whether a sentence says that what the reference names does not count for something.
fn takes_back(text: &str, reference: &CrossReference) -> bool {
    let (before, after) = part(text, reference);
    TAKES_BACK
        .iter()
        .any(|phrase| before.contains(phrase) || after.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_named_or_names_its_rule() {
        for (text, excepted, back) in [
            ("除本办法第三条规定的情形外，船舶应当缴费。", true, false),
            (
                "除本法第三条、第四条规定的费用以外，不得收费。",
                true,
                false,
            ),
            ("船舶应当缴费，但第三条规定的渔船除外。", true, false),
            ("前条规定不适用于渔船。", false, true),
            ("渔船不受第三条规定限制。", false, true),
            ("符合第三条规定的船舶，免缴费用，渔船除外。", false, false),
            ("依照第三条规定缴费的，不适用滞纳金。", false, false),
        ] {
            let found = references::find(text, Language::Zh);
            let said =
                |says: fn(&str, &CrossReference) -> bool| found.iter().any(|r| says(text, r));
            assert_eq!(said(is_excepted), excepted, "{text}");
            assert_eq!(said(takes_back), back, "{text}");
        }
    }
}

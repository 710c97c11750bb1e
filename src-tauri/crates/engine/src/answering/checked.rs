//! What holds of the statements of a model: a statement counts only as far as the clauses say it.

use super::Answering;
use super::located::located;
use super::statements::{Quote, cited};
use super::support::Claim;
use super::writer::Brief;
use crate::workspace::Result;
use lexforge_augment::WrittenStatement;
use lexforge_domain::api::{Citation, Statement, Unsupported};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_ingest::addressed;
use lexforge_store::marks;

impl Answering<'_> {
    /// Checks a statement that a model wrote, and marks it as kept or struck. The result has only those citations of
    /// the statement that could be found in the clauses. `quotes` are the clauses that the model was given.
    pub(super) fn checked(
        &self,
        brief: &Brief<'_>,
        given: (&[Quote], Language),
        written: &WrittenStatement,
        citations: &mut Vec<Citation>,
    ) -> Result<Statement> {
        let text = lexforge_text::fold::tidy(&written.text);
        let mut fault = written
            .cites
            .is_empty()
            .then_some(Unsupported::NothingCited);
        let mut places = Vec::new();
        let mut sentences: Vec<&Sentence> = Vec::new();
        for cites in &written.cites {
            let number = usize::try_from(cites.clause).unwrap_or(usize::MAX);
            let quote = number.checked_sub(1).and_then(|n| given.0.get(n));
            let Some(quote) = quote else {
                fault = Some(Unsupported::NotGiven);
                continue;
            };
            let found = located(quote, &cites.quote);
            let Some((found, held)) = found.and_then(|found| {
                let held = quote.sentences.get(found.sentences.clone())?;
                Some((found, held))
            }) else {
                fault.get_or_insert(Unsupported::NotQuoted);
                continue;
            };
            let Some(citation) = cited(held, found.words, brief.clauses, brief.in_force) else {
                continue;
            };
            let known = citations.iter().position(|c| {
                (c.sentence, c.quote.as_str()) == (citation.sentence, citation.quote.as_str())
            });
            let place = known.unwrap_or_else(|| {
                citations.push(citation);
                citations.len() - 1
            });
            if !places.contains(&place) {
                places.push(place);
            }
            for sentence in held {
                if !sentences.iter().any(|s| s.id == sentence.id) {
                    sentences.push(sentence);
                }
            }
        }
        let fault = match fault {
            Some(fault) => Some(fault),
            None => self
                .fault(brief.question, given.1, &text, &sentences)?
                .or_else(|| {
                    let order = sentences.iter().any(|s| addressed::to_a_model(&s.text));
                    order.then_some(Unsupported::SpeaksToModel)
                }),
        };
        Ok(Statement {
            marks: marks(brief.question, &text),
            text,
            citations: places,
            kept: fault.is_none(),
            reason: fault,
        })
    }

    /// The reason why these sentences do not support a statement.
    fn fault(
        &self,
        question: &str,
        language: Language,
        text: &str,
        sentences: &[&Sentence],
    ) -> Result<Option<Unsupported>> {
        // An item of a list is read with its lead-in.
        let read: Vec<&str> = sentences
            .iter()
            .map(|s| s.complete.as_deref().unwrap_or(&s.text))
            .collect();
        let cited = read.join(if language == Language::Zh { "" } else { " " });
        let mut places: Vec<&str> = sentences.iter().map(|s| s.section.as_str()).collect();
        places.dedup();
        let terms = self.term_names_in(&format!("{text}\n{cited}"))?;
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        let claim = Claim {
            text,
            cited: &cited,
            place: &places.join(" "),
            question,
            language,
            terms: &terms,
        };
        Ok(claim.fault())
    }
}

//! Facts to look at before the documents are used for training: personal data, tokens that are not words, licences, and
//! the number of questions of each type.

use super::Corpus;
use crate::workspace::Result;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{
    ClassCheck, CorpusCheck, DocumentCheck, DocumentRow, PersonalFinding, PersonalKind,
    QuestionFilter,
};
use lexforge_domain::document::Sentence;
use lexforge_domain::term::ReviewStatus;
use lexforge_ingest::{noise, personal};
use std::collections::BTreeMap;

/// Places of personal data that are listed.
const LISTED: usize = 2_000;
/// Odd words that are shown of a document.
const SHOWN: usize = 5;
/// A greater share of odd words is no chance.
const NOISY: f64 = 0.02;
/// Fewer words are no ground for a judgement.
const FEWEST_WORDS: u64 = 50;

impl Corpus<'_> {
    /// Checks the document `only`, or all documents if it is `None`.
    ///
    /// # Errors
    /// When there is no such document, or the workspace cannot be read.
    pub fn check(&self, only: Option<DocumentId>) -> Result<CorpusCheck> {
        let store = &self.workspace.store;
        let documents = match only {
            Some(id) => vec![store.read(|r| r.document(id))?],
            None => store.read(|r| r.documents())?,
        };
        let mut check = CorpusCheck::default();
        for document in &documents {
            let sentences = store.read(|r| r.sentences(Some(document.id)))?;
            let one = checked(document, &sentences, &mut check.findings);
            for (kind, n) in &one.personal {
                *check.personal.entry(*kind).or_default() += n;
            }
            check.documents.push(one);
        }
        check.classes = self.classes()?;
        Ok(check)
    }

    /// How many questions there are of each type.
    fn classes(&self) -> Result<Vec<ClassCheck>> {
        let questions = self
            .workspace
            .store
            .read(|r| r.questions(&QuestionFilter::default()))?;
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for row in &questions.rows {
            let question = &row.question;
            if question.status != ReviewStatus::Rejected {
                let draft = &question.draft;
                let class = (draft.level.tag(), draft.question_type.tag());
                *counts.entry(class).or_default() += 1;
            }
        }
        Ok(balance(&counts))
    }
}

/// Data of persons in some sentences, by kind.
pub(crate) fn personal_counts<'s>(
    sentences: impl Iterator<Item = &'s Sentence>,
) -> BTreeMap<PersonalKind, u64> {
    let mut counts = BTreeMap::new();
    for (kind, _) in sentences.flat_map(|sentence| personal::find(&sentence.text)) {
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

fn checked(
    document: &DocumentRow,
    sentences: &[Sentence],
    findings: &mut Vec<PersonalFinding>,
) -> DocumentCheck {
    let (mut words, mut odd) = (0, 0);
    let mut examples: Vec<String> = Vec::new();
    for sentence in sentences {
        let (looked_at, found) = noise::odd_words(&sentence.text);
        words += looked_at;
        odd += found.len() as u64;
        for word in found {
            if examples.len() < SHOWN && !examples.iter().any(|known| known == word) {
                examples.push(word.to_owned());
            }
        }
        for (kind, place) in personal::find(&sentence.text) {
            if findings.len() < LISTED {
                findings.push(PersonalFinding {
                    kind,
                    document: document.id,
                    page: sentence.page,
                    sentence: sentence.id,
                    text: sentence.text.get(place).unwrap_or_default().to_owned(),
                });
            }
        }
    }
    DocumentCheck {
        document: document.id,
        file: document.file.clone(),
        title: document.title.clone(),
        licence: document.metadata.licence.clone(),
        personal: personal_counts(sentences.iter()),
        words,
        odd,
        examples,
        from_pictures: document.engines.ocr,
        noisy: words >= FEWEST_WORDS && odd as f64 > NOISY * words as f64,
    }
}

/// The types of each level with their shares.
fn balance(counts: &BTreeMap<(&str, &str), u64>) -> Vec<ClassCheck> {
    let of_level = |level: &str| {
        let types = counts.iter().filter(move |((l, _), _)| *l == level);
        types.fold((0_u64, 0_u64), |(sum, n), (_, count)| (sum + count, n + 1))
    };
    counts
        .iter()
        .map(|((level, class), questions)| {
            let (all, types) = of_level(level);
            ClassCheck {
                level: (*level).to_owned(),
                class: (*class).to_owned(),
                questions: *questions,
                share: *questions as f64 / all.max(1) as f64,
                thin: 2 * questions * types < all,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thin_type_has_less_than_half_of_an_even_share() {
        let counts = BTreeMap::from([
            (("sentence", "definition"), 100),
            (("sentence", "threshold"), 60),
            (("sentence", "exception"), 20),
            (("token", "term"), 3),
        ]);
        let found = balance(&counts);
        let told: Vec<(&str, bool)> = found.iter().map(|c| (c.class.as_str(), c.thin)).collect();
        let expected = [
            ("definition", false),
            ("exception", true),
            ("threshold", false),
            ("term", false),
        ];
        assert_eq!(told, expected);
        assert!((found[0].share - 100.0 / 180.0).abs() < 1e-12);
    }
}

//! What anchors are made of: the documents, their terms and how they write them.

use crate::review::{JoinedTerms, Review};
use crate::workspace::{OpenWorkspace, Result};
use lexforge_augment::Usage;
use lexforge_domain::api::{TermDefinition, TermFilter};
use lexforge_domain::document::{Section, Sentence};
use lexforge_domain::term::{Mention, Term};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{DocumentId, SectionId, SentenceId, TermId};
use lexforge_text::wording::{only_refers, same};
use std::collections::HashMap;

/// The definition of one act for a term that acts define differently.
pub(super) struct Elsewhere {
    pub(super) term: String,
    /// The definition in this act.
    pub(super) meaning: String,
    /// The definitions of other acts, with their sentences.
    pub(super) others: Vec<(SentenceId, String)>,
}

/// What anchors are made of, looked up by id.
pub(crate) struct Material {
    pub(super) titles: HashMap<DocumentId, String>,
    pub(super) languages: HashMap<DocumentId, Language>,
    pub(super) terms: HashMap<TermId, Term>,
    pub(super) mentions: HashMap<SentenceId, Vec<Mention>>,
    /// The forms as extracted of the terms whose text reviewers changed.
    pub(super) extracted: HashMap<TermId, String>,
    pub(super) joined: JoinedTerms,
    /// How documents write the terms that they write otherwise than the list of terms does ("Board" for "board").
    pub(super) written: HashMap<TermId, String>,
    pub(super) headings: HashMap<SentenceId, Vec<String>>,
    pub(super) lead_ins: HashMap<SentenceId, String>,
    /// The place of a sentence in a document that numbers its paragraphs from beginning to end.
    paragraphs: HashMap<SentenceId, String>,
    /// For a sentence that defines a term: the definitions of other acts, if they define it differently.
    pub(super) elsewhere: HashMap<SentenceId, Elsewhere>,
    /// Which words occur beside which in all documents. Only the offline writer needs this; a language model knows it.
    pub(super) usage: Option<Usage>,
}

impl Material {
    pub(crate) fn load(workspace: &OpenWorkspace) -> Result<Self> {
        let (documents, terms, mentions, sentences) = workspace.store.read(|r| {
            Ok((
                r.documents()?,
                r.terms(&TermFilter::default())?.rows,
                r.mentions()?,
                r.sentences(None)?,
            ))
        })?;
        let extracted = workspace.store.read(|r| r.texts_before_review())?;
        let joined = Review::of(workspace).terms_in_use()?;
        let mut sections = HashMap::new();
        for document in &documents {
            let of_document = workspace.store.read(|r| r.sections(document.id))?;
            sections.extend(of_document.into_iter().map(|s| (s.id, s)));
        }
        let terms: HashMap<TermId, Term> = terms.into_iter().map(|t| (t.id, t)).collect();
        let written = written(&sentences, &mentions, &terms);
        let mut told_apart = HashMap::new();
        for term in terms.values().filter(|t| t.definition.is_some()) {
            if joined.standing.get(&term.id) == Some(&term.id) {
                let definitions = workspace.store.read(|r| r.definitions_of(term.id))?;
                told_apart.extend(elsewhere(&term.text, &definitions));
            }
        }
        let mut by_sentence: HashMap<SentenceId, Vec<Mention>> = HashMap::new();
        for mention in mentions {
            by_sentence
                .entry(mention.sentence)
                .or_default()
                .push(mention);
        }
        Ok(Self {
            titles: documents.iter().map(|d| (d.id, d.title.clone())).collect(),
            languages: documents.iter().map(|d| (d.id, d.language)).collect(),
            terms,
            mentions: by_sentence,
            extracted,
            joined,
            written,
            headings: headings(&sentences, &sections),
            lead_ins: lead_ins(&sentences),
            paragraphs: paragraphs(&sentences),
            elsewhere: told_apart,
            usage: None,
        })
    }

    /// Adds the counts of which words occur beside which in all documents.
    pub(crate) fn with_usage(self, workspace: &OpenWorkspace) -> Result<Self> {
        let sentences = workspace.store.read(|r| r.sentences(None))?;
        Ok(Self {
            usage: Some(Usage::of(sentences.iter().map(|s| s.text.as_str()))),
            ..self
        })
    }

    /// A term in use, together with the term that represents it.
    pub(super) fn standing(&self, term: TermId) -> Option<(TermId, &Term)> {
        Some((*self.joined.standing.get(&term)?, self.terms.get(&term)?))
    }

    /// A term as documents write it.
    pub(super) fn shown(&self, term: TermId) -> Option<&str> {
        let listed = self.terms.get(&term)?;
        Some(self.written.get(&term).unwrap_or(&listed.text))
    }

    /// Headings of the sections that a sentence is in, nearest first.
    pub(super) fn headings(&self, sentence: SentenceId) -> impl Iterator<Item = &str> {
        self.headings
            .get(&sentence)
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    /// "Paragraph 118 › (a)": the number of a sentence's paragraph, in a document that numbers its paragraphs from
    /// beginning to end. Such a number says more than the path of the section.
    pub(super) fn paragraph(&self, sentence: SentenceId) -> Option<&str> {
        self.paragraphs.get(&sentence).map(String::as_str)
    }

    /// The sentence that opens the list in which a sentence is an item.
    pub(super) fn lead_in(&self, sentence: SentenceId) -> Option<&str> {
        self.lead_ins.get(&sentence).map(String::as_str)
    }
}

/// Each definition of a term that other acts define differently. A mere reference to another act is no definition.
fn elsewhere(term: &str, definitions: &[TermDefinition]) -> Vec<(SentenceId, Elsewhere)> {
    let own: Vec<&TermDefinition> = definitions
        .iter()
        .filter(|d| !only_refers(term, &d.text))
        .collect();
    let of = |one: &TermDefinition| -> Vec<(SentenceId, String)> {
        own.iter()
            .filter(|d| d.document != one.document && d.language == one.language)
            .filter(|d| !same(&d.text, &one.text))
            .map(|d| (d.sentence, d.text.clone()))
            .collect()
    };
    own.iter()
        .map(|one| {
            let told = Elsewhere {
                term: term.to_owned(),
                meaning: one.text.clone(),
                others: of(one),
            };
            (one.sentence, told)
        })
        .filter(|(_, told)| !told.others.is_empty())
        .collect()
}

/// For each term in lower case the capitals that most of its mentions inside a sentence have, where they have any.
fn written(
    sentences: &[Sentence],
    mentions: &[Mention],
    terms: &HashMap<TermId, Term>,
) -> HashMap<TermId, String> {
    let texts: HashMap<SentenceId, &str> =
        sentences.iter().map(|s| (s.id, s.text.as_str())).collect();
    let mut forms: HashMap<TermId, HashMap<String, usize>> = HashMap::new();
    for mention in mentions.iter().filter(|m| m.start > 0) {
        let Some(term) = terms.get(&mention.term).filter(|t| t.text.is_ascii()) else {
            continue;
        };
        if term.text.chars().any(char::is_uppercase) {
            continue;
        }
        let Some(text) = texts.get(&mention.sentence) else {
            continue;
        };
        let span = mention.end.saturating_sub(mention.start) as usize;
        let form: String = text
            .chars()
            .skip(mention.start as usize)
            .take(span)
            .collect();
        if form.to_lowercase() == term.text {
            *forms
                .entry(mention.term)
                .or_default()
                .entry(form)
                .or_default() += 1;
        }
    }
    forms
        .into_iter()
        .filter_map(|(id, counts)| {
            let (form, _) = counts
                .into_iter()
                .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)))?;
            form.chars().any(char::is_uppercase).then_some((id, form))
        })
        .collect()
}

/// The titles of the sections that each sentence is in, nearest first; sections without a title are skipped.
fn headings(
    sentences: &[Sentence],
    sections: &HashMap<SectionId, Section>,
) -> HashMap<SentenceId, Vec<String>> {
    let section = |at: Option<SectionId>| at.and_then(|id| sections.get(&id));
    let titles = |at: Option<SectionId>| -> Vec<String> {
        std::iter::successors(section(at), |s| section(s.parent))
            .filter(|s| !s.title.is_empty())
            .map(|s| s.title.clone())
            .collect()
    };
    sentences
        .iter()
        .map(|s| (s.id, titles(s.section_id)))
        .collect()
}

/// Fewest numbered paragraphs of a document that numbers them throughout, and not again in every article.
const THROUGHOUT: usize = 30;

/// The paragraph number of each sentence, with the letter of its item. The number is given only in documents that
/// number their paragraphs from beginning to end, as guidelines do: there "118." is enough to find a paragraph,
/// whatever its section.
fn paragraphs(sentences: &[Sentence]) -> HashMap<SentenceId, String> {
    let mut found = HashMap::new();
    for of_document in sentences.chunk_by(|a, b| a.document == b.document) {
        // One row for each time that the numbers begin again: the sentences with their numbers and letters.
        let mut rows: Vec<Vec<(SentenceId, usize, Option<String>)>> = Vec::new();
        let (mut number, mut letter) = (0, None);
        for sentence in of_document
            .iter()
            .filter(|s| matches!(s.kind, SentenceKind::Rule | SentenceKind::ListItem))
        {
            match opening_number(&sentence.text) {
                Some(1) => {
                    (number, letter) = (1, None);
                    rows.push(Vec::new());
                }
                Some(next) if number > 0 && (number + 1..=number + 2).contains(&next) => {
                    (number, letter) = (next, None)
                }
                _ => {}
            }
            if sentence.kind == SentenceKind::ListItem
                && let Some(own) = sentence
                    .text
                    .strip_prefix('(')
                    .and_then(|t| t.split_once(')'))
                    .map(|t| t.0)
            {
                letter = (own.len() < 3).then(|| own.to_owned());
            }
            if let Some(row) = rows.last_mut() {
                let item = sentence.kind == SentenceKind::ListItem;
                row.push((sentence.id, number, letter.clone().filter(|_| item)));
            }
        }
        let throughout = |row: &Vec<(SentenceId, usize, Option<String>)>| {
            row.last().is_some_and(|r| r.1 >= THROUGHOUT)
        };
        found.extend(
            rows.into_iter()
                .filter(throughout)
                .flatten()
                .map(|(id, number, letter)| {
                    let letter = letter.map(|l| format!(" › ({l})")).unwrap_or_default();
                    (id, format!("Paragraph {number}{letter}"))
                }),
        );
    }
    found
}

/// "118" of "118. As a minimum, …".
fn opening_number(text: &str) -> Option<usize> {
    let (number, rest) = text.split_once('.')?;
    let opens = rest.trim_start().starts_with(|c: char| c.is_uppercase());
    number.parse().ok().filter(|_| opens && number.len() < 4)
}

/// For each item of a list, the sentence that introduces the list: the last sentence before the item that ends in a
/// colon and is in the same section or a section above. Sentences are given in reading order.
fn lead_ins(sentences: &[Sentence]) -> HashMap<SentenceId, String> {
    let mut open: Vec<&Sentence> = Vec::new();
    let mut found = HashMap::new();
    for sentence in sentences {
        open.retain(|lead| {
            lead.document == sentence.document
                && (sentence.section == lead.section
                    || sentence
                        .section
                        .starts_with(&format!("{} › ", lead.section)))
        });
        if sentence.kind == SentenceKind::ListItem
            && let Some(lead) = open.last()
        {
            found.insert(sentence.id, lead.text.clone());
        }
        if sentence.text.trim_end().ends_with([':', '：']) && sentence.kind != SentenceKind::Heading
        {
            // A second opening on the same level takes the place of the first.
            open.retain(|lead| lead.section != sentence.section);
            open.push(sentence);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(id: i64, section: &str, kind: SentenceKind, text: &str) -> Sentence {
        Sentence {
            position: id as u32,
            section_id: Some(SectionId(id)),
            section: section.to_owned(),
            ..Sentence::alone(SentenceId(id), DocumentId(1), kind, text)
        }
    }

    #[test]
    fn paragraphs_that_are_numbered_throughout_are_places() {
        let mut all: Vec<Sentence> = Vec::new();
        let mut put =
            |kind, text: String| all.push(sentence(all.len() as i64 + 1, "", kind, &text));
        for number in 1..=THROUGHOUT {
            put(
                SentenceKind::Rule,
                format!("{number}. Keepers shall weigh the goods."),
            );
            put(SentenceKind::ListItem, "(b) in the hall;".to_owned());
            put(SentenceKind::Rule, "They shall also count them.".to_owned());
        }
        let found = paragraphs(&all);
        let place = |id| found.get(&SentenceId(id)).map(String::as_str);
        assert_eq!(place(4), Some("Paragraph 2"));
        assert_eq!(place(5), Some("Paragraph 2 › (b)"));
        assert_eq!(place(6), Some("Paragraph 2"));
        // Articles number their paragraphs again.
        assert!(paragraphs(&all[..9]).is_empty());
    }

    #[test]
    fn an_item_belongs_to_the_opening_above_it() {
        use SentenceKind::{ListItem, Rule};
        let sentences = [
            sentence(1, "Article 1", Rule, "The bank shall:"),
            sentence(2, "Article 1 › (a)", ListItem, "keep records that show:"),
            sentence(3, "Article 1 › (a) › (i)", ListItem, "the amount;"),
            sentence(4, "Article 1 › (b)", ListItem, "report losses."),
            sentence(5, "Article 2", Rule, "This Article has no list."),
            sentence(6, "Article 2 › (a)", ListItem, "a stray item"),
        ];
        let found = lead_ins(&sentences);
        let of = |id| found.get(&SentenceId(id)).map(String::as_str);
        assert_eq!(of(2), Some("The bank shall:"));
        assert_eq!(of(3), Some("keep records that show:"));
        assert_eq!(of(4), Some("The bank shall:"));
        assert_eq!(of(5), None);
        assert_eq!(of(6), None);
    }

    #[test]
    fn a_sentence_without_a_heading_takes_the_one_above() {
        let section = |id, parent: Option<i64>, title: &str| Section {
            id: SectionId(id),
            parent: parent.map(SectionId),
            level: 0,
            label: String::new(),
            title: title.to_owned(),
            path: String::new(),
            page: 1,
            sentences: 0,
        };
        let sections = HashMap::from([
            (SectionId(1), section(1, None, "Capital")),
            (SectionId(2), section(2, Some(1), "")),
        ]);
        let found = headings(&[sentence(2, "", SentenceKind::Rule, "x")], &sections);
        assert_eq!(
            found.get(&SentenceId(2)).map(Vec::as_slice),
            Some(&["Capital".to_owned()][..])
        );
    }
}

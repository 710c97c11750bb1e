//! The corpus grouped by the encoder that covers its languages, as nodes of the graph.

use super::Graph;
use crate::corpus::Corpus;
use crate::models::lsa_label;
use crate::review::Review;
use crate::terms::Terms;
use crate::workspace::Result;
use lexforge_domain::api::TermFilter;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::Sentence;
use lexforge_domain::graph::TypeOrigin;
use lexforge_domain::term::Mention;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, Remedy, SentenceId, TermId};
use lexforge_graph::{EntityNode, Matrix, SentenceNode};
use lexforge_text::is_han;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The part of the corpus that one encoder covers. Cosines of different encoders cannot be compared, so the languages
/// of each encoder have a graph of their own.
pub(crate) struct Partition {
    pub(crate) languages: Vec<Language>,
    pub(crate) encoder: String,
    pub(crate) sentences: Vec<SentenceNode>,
    pub(crate) sentence_vectors: Matrix,
    pub(crate) entities: Vec<EntityNode>,
    pub(crate) entity_vectors: Matrix,
    /// The sub-words of each sentence, if lexical edges compare sub-words and must be computed now.
    pub(crate) pieces: Option<Vec<String>>,
    /// Counted vectors only: what later texts are placed by.
    pub(crate) basis: Option<Vec<u8>>,
    /// SHA-256 of the vectors: of all of them, or of the parent's hash and those that were added.
    pub(crate) identity: String,
}

impl Partition {
    /// The texts of its sentences, then of its terms.
    pub(super) fn texts(&self) -> Vec<&str> {
        self.sentences
            .iter()
            .map(|s| s.text.as_str())
            .chain(self.entities.iter().map(|e| e.text.as_str()))
            .collect()
    }

    /// The partition of some of its sentences; the terms stay.
    pub(crate) fn only(&self, wanted: impl Fn(SentenceId) -> bool) -> Self {
        let rows: Vec<usize> = (0..self.sentences.len())
            .filter(|i| wanted(self.sentences[*i].id))
            .collect();
        Self {
            languages: self.languages.clone(),
            encoder: self.encoder.clone(),
            sentences: rows.iter().map(|i| self.sentences[*i].clone()).collect(),
            sentence_vectors: self.sentence_vectors.select(&rows),
            entities: self.entities.clone(),
            entity_vectors: self.entity_vectors.clone(),
            pieces: None,
            basis: None,
            identity: String::new(),
        }
    }
}

/// The sentences that one encoder covers.
struct Group {
    /// The name of its vectors; `None` = they are counted.
    label: Option<String>,
    languages: Vec<Language>,
    sentences: Vec<Sentence>,
}

impl Graph<'_> {
    /// The sentences of the corpus by their language.
    ///
    /// # Errors
    /// When the corpus has no sentence.
    pub(super) fn sentences(&self) -> Result<BTreeMap<Language, Vec<Sentence>>> {
        let sentences = Corpus::of(self.workspace).sentences_by_language()?;
        if sentences.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is nothing to build a graph of.",
                Remedy::ImportDocument,
            ));
        }
        Ok(sentences)
    }

    /// Groups sentences by their encoder; the matrices are still empty. `label` gives the name of a language's vectors
    /// if a model makes them, and `None` if they are made by counting.
    pub(super) fn partitions(
        &self,
        sentences: BTreeMap<Language, Vec<Sentence>>,
        label: impl Fn(Language) -> Option<String>,
    ) -> Result<Vec<Partition>> {
        let (terms, mentions) = self
            .workspace
            .store
            .read(|r| Ok((r.terms(&TermFilter::default())?.rows, r.mentions()?)))?;
        if terms.is_empty() {
            return Err(no_term(Terms::of(self.workspace).were_looked_for()?));
        }
        // Terms that reviewers joined are one entity. Terms that they rejected, or disagree about, are no entities.
        let policy = Review::of(self.workspace).term_policy()?;
        let joined = Review::of(self.workspace).joined_terms(policy)?;
        if joined.standing.is_empty() {
            return Err(no_term_in_use(terms.len(), policy));
        }
        let of_sentence = terms_by_sentence(&mentions, |id| joined.standing.get(&id).copied());
        let titles = Corpus::of(self.workspace).titles()?;
        let classes = self.document_classes()?;

        let index = Corpus::of(self.workspace).reference_index()?;
        let mut grouped: Vec<Group> = Vec::new();
        for (language, mut list) in sentences {
            if language == Language::Zh {
                list.iter_mut()
                    .for_each(|s| s.text = full_width_punctuation(&s.text));
            }
            let label = label(language);
            match grouped.iter_mut().find(|group| group.label == label) {
                Some(group) => {
                    group.languages.push(language);
                    group.sentences.append(&mut list);
                }
                None => grouped.push(Group {
                    label,
                    languages: vec![language],
                    sentences: list,
                }),
            }
        }
        // What models read comes first.
        grouped.sort_by_key(|group| group.label.is_none());
        let mut partitions = Vec::new();
        for group in grouped {
            let (languages, list) = (group.languages, group.sentences);
            let nodes: Vec<SentenceNode> = list
                .into_iter()
                .map(|s| {
                    let (group, type_origin) = group_of(&s, &titles, &classes);
                    SentenceNode {
                        id: s.id,
                        document: s.document,
                        group,
                        type_origin,
                        refers_to: index.of(&s),
                        section: s.section,
                        kind: s.kind,
                        entities: of_sentence.get(&s.id).cloned().unwrap_or_default(),
                        text: s.text,
                    }
                })
                .collect();
            let mentioned: HashSet<TermId> = nodes
                .iter()
                .flat_map(|n| n.entities.iter().copied())
                .collect();
            let entities: Vec<EntityNode> = terms
                .iter()
                .filter(|t| mentioned.contains(&t.id))
                .map(|t| EntityNode {
                    id: t.id,
                    text: t.text.clone(),
                })
                .collect();
            let encoder = group.label.unwrap_or_else(|| lsa_label(&languages));
            let empty = || Matrix {
                rows: 0,
                dim: 0,
                data: Vec::new(),
            };
            partitions.push(Partition {
                languages,
                encoder,
                sentences: nodes,
                sentence_vectors: empty(),
                entities,
                entity_vectors: empty(),
                pieces: None,
                basis: None,
                identity: String::new(),
            });
        }
        Ok(partitions)
    }
}

/// The different terms of each sentence, in order of their first mention. `standing` gives the term that represents a
/// term, and `None` if the term is not used.
pub(super) fn terms_by_sentence(
    mentions: &[Mention],
    standing: impl Fn(TermId) -> Option<TermId>,
) -> HashMap<SentenceId, Vec<TermId>> {
    let mut of: HashMap<SentenceId, Vec<TermId>> = HashMap::new();
    for mention in mentions {
        let Some(term) = standing(mention.term) else {
            continue;
        };
        let terms = of.entry(mention.sentence).or_default();
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    of
}

/// The type of a sentence: the user's class of its document, else its top-level section (docs/methods.md, "The sentence
/// graph").
fn group_of(
    sentence: &Sentence,
    titles: &HashMap<DocumentId, String>,
    classes: &BTreeMap<DocumentId, String>,
) -> (String, TypeOrigin) {
    if let Some(class) = classes.get(&sentence.document) {
        return (class.clone(), TypeOrigin::UserClass);
    }
    let top = sentence.section.split(" › ").next().unwrap_or_default();
    let title = titles.get(&sentence.document).map_or("", String::as_str);
    (format!("{title} › {top}"), TypeOrigin::TopSection)
}

/// Chinese text with ASCII punctuation replaced by Chinese punctuation. Many documents have ASCII commas and brackets
/// between ideographs. These signs mean the same, but a program that analyses sentences would take them for another
/// language. Each character is replaced by one character, so offsets stay right.
pub(crate) fn full_width_punctuation(text: &str) -> String {
    let is_chinese = |c: char| is_han(c) || "）》”】".contains(c);
    let chars: Vec<char> = text.chars().collect();
    let beside_han = |i: usize| {
        let near = |j: Option<usize>| j.and_then(|j| chars.get(j)).is_some_and(|c| is_chinese(*c));
        near(i.checked_sub(1)) || near(Some(i + 1))
    };
    let wide = |(i, c): (usize, &char)| match c {
        ',' if beside_han(i) => '，',
        ';' if beside_han(i) => '；',
        ':' if beside_han(i) => '：',
        '?' if beside_han(i) => '？',
        '(' if beside_han(i) => '（',
        ')' if beside_han(i) => '）',
        c => *c,
    };
    chars.iter().enumerate().map(wide).collect()
}

/// The failure if there are no terms by which sentences can be linked. `looked_for` says that terms were searched and
/// none was found. Then the failure does not advise to search again.
fn no_term(looked_for: bool) -> Failure {
    if looked_for {
        return Failure::new(
            Code::TooLittleData,
            "No term was found in these documents, so no graph can be built.",
            "Import longer documents or a glossary, or have a language model find terms.",
        );
    }
    Failure::new(
        Code::StepMissing,
        "The corpus has no terms yet.",
        Remedy::FindTerms,
    )
}

fn no_term_in_use(terms: usize, policy: ReviewPolicy) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!(
            "Of {terms} terms none may be used: the review plan takes those that meet “{}”.",
            policy.label()
        ),
        Remedy::ReviewTerms,
    )
}

#[cfg(test)]
mod tests;

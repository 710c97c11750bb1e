//! Vectors of sentences and terms: by the worker's encoder where it knows the language, by counting otherwise.

use crate::graph::Encoder;
use crate::graph::terms_by_sentence;
use crate::models::{BaseModel, DEFAULT_ENCODER};
use crate::watcher::tell;
use crate::{DEFAULT_SEED, Engine, Result, Watcher};
use lexforge_domain::api::{Stage, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, SentenceId, TermId};
use lexforge_graph::{EntityNode, Matrix, SentenceNode, lsa};
use lexforge_store::EmbeddingKind;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Dimension of the counted vectors.
pub(crate) const LSA_DIM: usize = 128;
/// Setting under which the encoder of each language is kept.
const ENCODERS_SETTING: &str = "graph.encoders";

/// The part of the corpus that one encoder covers: cosines of different encoders cannot be compared, so each
/// language group has a graph of its own.
pub(crate) struct Partition {
    pub(crate) languages: Vec<Language>,
    pub(crate) encoder: String,
    pub(crate) sentences: Vec<SentenceNode>,
    pub(crate) sentence_vectors: Matrix,
    pub(crate) entities: Vec<EntityNode>,
    pub(crate) entity_vectors: Matrix,
}

impl Partition {
    /// The partition of some of its sentences; the terms stay.
    pub(crate) fn only(&self, wanted: impl Fn(SentenceId) -> bool) -> Self {
        let rows: Vec<usize> = (0..self.sentences.len()).filter(|i| wanted(self.sentences[*i].id)).collect();
        Self {
            languages: self.languages.clone(),
            encoder: self.encoder.clone(),
            sentences: rows.iter().map(|i| self.sentences[*i].clone()).collect(),
            sentence_vectors: self.sentence_vectors.select(&rows),
            entities: self.entities.clone(),
            entity_vectors: self.entity_vectors.clone(),
        }
    }
}

/// Which encoder made the vectors of which languages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EncoderUse {
    pub(crate) encoder: String,
    pub(crate) languages: Vec<Language>,
}

/// The name that is recorded with the default encoder's vectors.
pub(crate) fn minilm_label() -> String {
    format!("{DEFAULT_ENCODER} (mean)")
}

fn lsa_label(languages: &[Language]) -> String {
    let tags: Vec<_> = languages.iter().map(|l| l.tag()).collect();
    format!("char-ngram LSA ({LSA_DIM}, {})", tags.join(" "))
}

/// MiniLM was trained on English only.
pub(crate) fn suits_minilm(language: Language) -> bool {
    language == Language::En
}

impl Engine {
    /// Embed every sentence and every unique term, and keep the vectors.
    pub(crate) fn embed_corpus(&self, encoder: Encoder, watcher: &dyn Watcher) -> Result<Vec<Partition>> {
        let mut partitions = self.partitions(|language| match encoder {
            Encoder::Auto => suits_minilm(language),
            Encoder::MiniLm => true,
            Encoder::Lsa => false,
        })?;
        for partition in &mut partitions {
            let texts: Vec<&str> = partition
                .sentences
                .iter()
                .map(|s| s.text.as_str())
                .chain(partition.entities.iter().map(|e| e.text.as_str()))
                .collect();
            let all = if partition.encoder == minilm_label() {
                self.embed_texts(&BaseModel::named(None), None, &texts, Stage::Embed, watcher)?.0
            } else {
                tell(watcher, Stage::Embed, &partition.encoder, 0, texts.len() as u64);
                let all = lsa::char_ngram_lsa(&texts, LSA_DIM, DEFAULT_SEED);
                tell(watcher, Stage::Embed, &partition.encoder, texts.len() as u64, texts.len() as u64);
                all
            };
            let split = partition.sentences.len() * all.dim;
            let (head, tail) = all.data.split_at(split.min(all.data.len()));
            partition.sentence_vectors = Matrix { rows: partition.sentences.len(), dim: all.dim, data: head.to_vec() };
            partition.entity_vectors = Matrix { rows: partition.entities.len(), dim: all.dim, data: tail.to_vec() };
        }
        let encoders: Vec<EncoderUse> = partitions
            .iter()
            .map(|p| EncoderUse { encoder: p.encoder.clone(), languages: p.languages.clone() })
            .collect();
        self.store.write(&self.actor, |w| {
            for p in &partitions {
                let sentence_ids: Vec<i64> = p.sentences.iter().map(|s| s.id.0).collect();
                let term_ids: Vec<i64> = p.entities.iter().map(|e| e.id.0).collect();
                let (s, e) = (&p.sentence_vectors, &p.entity_vectors);
                w.put_embeddings(EmbeddingKind::Sentence, &p.encoder, &sentence_ids, s.dim, &s.data)?;
                w.put_embeddings(EmbeddingKind::Term, &p.encoder, &term_ids, e.dim, &e.data)?;
            }
            w.set_setting(ENCODERS_SETTING, &serde_json::json!(encoders).to_string())
        })?;
        Ok(partitions)
    }

    /// The partitions with the vectors that were kept at the last build.
    pub(crate) fn stored_partitions(&self) -> Result<Vec<Partition>> {
        let encoders = self.encoders()?;
        if encoders.is_empty() {
            return Err(no_graph());
        }
        let by_minilm =
            |language| encoders.iter().any(|u| u.encoder == minilm_label() && u.languages.contains(&language));
        let mut partitions = self.partitions(by_minilm)?;
        for p in &mut partitions {
            let ids: Vec<i64> = p.sentences.iter().map(|s| s.id.0).collect();
            p.sentence_vectors = self.stored_vectors(EmbeddingKind::Sentence, &p.encoder, &ids)?;
            let ids: Vec<i64> = p.entities.iter().map(|e| e.id.0).collect();
            p.entity_vectors = self.stored_vectors(EmbeddingKind::Term, &p.encoder, &ids)?;
        }
        Ok(partitions)
    }

    /// Which encoder covers which languages; empty before the first build.
    pub(crate) fn encoders(&self) -> Result<Vec<EncoderUse>> {
        let kept = self.store.read(|r| r.setting(ENCODERS_SETTING))?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Kept vectors in the order of `ids`.
    pub(crate) fn stored_vectors(&self, kind: EmbeddingKind, encoder: &str, ids: &[i64]) -> Result<Matrix> {
        let kept = self.store.read(|r| r.embeddings(kind, encoder))?.ok_or_else(no_graph)?;
        let dim = kept.dim;
        let at: HashMap<i64, usize> = kept.ids.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let mut ordered = Vec::with_capacity(ids.len() * dim);
        for id in ids {
            let i = *at.get(id).ok_or_else(stale_graph)?;
            ordered.extend_from_slice(&kept.vectors[i * dim..(i + 1) * dim]);
        }
        Ok(Matrix { rows: ids.len(), dim, data: ordered })
    }

    /// Group the corpus by encoder; the matrices are still empty.
    fn partitions(&self, by_minilm: impl Fn(Language) -> bool) -> Result<Vec<Partition>> {
        let sentences = self.sentences_by_language()?;
        if sentences.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is nothing to build a graph of.",
                "Import a document first: lexforge import WORKSPACE FILE.",
            ));
        }
        let (terms, mentions) = self.store.read(|r| Ok((r.terms(&TermFilter::default())?.rows, r.mentions()?)))?;
        if terms.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "The corpus has no terms yet.",
                "Find them first: lexforge terms extract WORKSPACE.",
            ));
        }
        // Terms that reviewers joined are one entity; what they rejected, or differ about, is none.
        let policy = self.term_policy()?;
        let joined = self.joined_terms(policy)?;
        if joined.standing.is_empty() {
            return Err(no_term_in_use(terms.len(), policy));
        }
        let of_sentence = terms_by_sentence(&mentions, |id| joined.standing.get(&id).copied());
        let titles: HashMap<DocumentId, String> =
            self.store.read(|r| r.documents())?.into_iter().map(|d| (d.id, d.title)).collect();

        let index = self.reference_index()?;
        let mut grouped: BTreeMap<bool, (Vec<Language>, Vec<Sentence>)> = BTreeMap::new();
        for (language, mut list) in sentences {
            if language == Language::Zh {
                list.iter_mut().for_each(|s| s.text = full_width_punctuation(&s.text));
            }
            let group = grouped.entry(!by_minilm(language)).or_default();
            group.0.push(language);
            group.1.append(&mut list);
        }
        let mut partitions = Vec::new();
        for (counted, (languages, list)) in grouped {
            let nodes: Vec<SentenceNode> = list
                .into_iter()
                .map(|s| SentenceNode {
                    id: s.id,
                    document: s.document,
                    group: group_of(&s, &titles),
                    refers_to: index.of(&s),
                    section: s.section,
                    kind: s.kind,
                    entities: of_sentence.get(&s.id).cloned().unwrap_or_default(),
                    text: s.text,
                })
                .collect();
            let mentioned: HashSet<TermId> = nodes.iter().flat_map(|n| n.entities.iter().copied()).collect();
            let entities: Vec<EntityNode> = terms
                .iter()
                .filter(|t| mentioned.contains(&t.id))
                .map(|t| EntityNode { id: t.id, text: t.text.clone() })
                .collect();
            let encoder = if counted { lsa_label(&languages) } else { minilm_label() };
            let empty = || Matrix { rows: 0, dim: 0, data: Vec::new() };
            partitions.push(Partition {
                languages,
                encoder,
                sentences: nodes,
                sentence_vectors: empty(),
                entities,
                entity_vectors: empty(),
            });
        }
        Ok(partitions)
    }
}

/// A sentence's type where the user has given the document no class: its top-level section (METHODS §1.1).
fn group_of(sentence: &Sentence, titles: &HashMap<DocumentId, String>) -> String {
    let top = sentence.section.split(" › ").next().unwrap_or_default();
    let title = titles.get(&sentence.document).map_or("", String::as_str);
    format!("{title} › {top}")
}

/// Chinese text with the punctuation of Chinese text: many documents set ASCII commas and brackets between ideographs,
/// which means the same and would look like another language to whoever takes sentences apart. One character stands for
/// one, so that offsets hold.
pub(crate) fn full_width_punctuation(text: &str) -> String {
    let is_han = |c: char| ('\u{4E00}'..='\u{9FFF}').contains(&c) || "）》”】".contains(c);
    let chars: Vec<char> = text.chars().collect();
    let beside_han = |i: usize| {
        let near = |j: Option<usize>| j.and_then(|j| chars.get(j)).is_some_and(|c| is_han(*c));
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

fn no_term_in_use(terms: usize, policy: ReviewPolicy) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!("Of {terms} terms none may be used: the review plan takes those that meet “{}”.", policy.label()),
        "Review terms, or choose a looser rule in the review plan: lexforge people plan WORKSPACE --terms unreviewed.",
    )
}

pub(crate) fn no_graph() -> Failure {
    Failure::new(
        Code::StepMissing,
        "The sentence graph was not built yet.",
        "Build it first: lexforge graph build WORKSPACE.",
    )
}

fn stale_graph() -> Failure {
    Failure::new(
        Code::StepMissing,
        "Documents or terms changed since the graph was built.",
        "Build it again: lexforge graph build WORKSPACE.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_between_ideographs_is_chinese() {
        for (input, expected) in [
            ("本办法所称贷款,是指:", "本办法所称贷款，是指："),
            ("(一)金额为1,000元;", "（一）金额为1,000元；"),
            ("依据 Basel III (2017) 制定", "依据 Basel III (2017) 制定"),
        ] {
            assert_eq!(full_width_punctuation(input), expected);
            assert_eq!(input.chars().count(), expected.chars().count());
        }
    }
}

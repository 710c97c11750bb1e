//! Vectors of sentences and terms: by the worker's encoder where it knows the language, by counting otherwise.

use super::Graph;
use super::kept_vectors::{Gathered, Vectors, matrix, stale_graph, vectors_hash};
use crate::corpus::Corpus;
use crate::models::{
    BaseModel, ENCODERS_SETTING, Embedding, EncoderUse, LSA_DIM, Models, basis_name, is_counted,
    lsa_label, minilm_label, no_graph, suits_minilm,
};
use crate::review::Review;
use crate::terms::Terms;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, tell};
use lexforge_domain::api::{EncoderChoice, Stage, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::Sentence;
use lexforge_domain::graph::TypeOrigin;
use lexforge_domain::protocol::TextSide;
use lexforge_domain::term::Mention;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, Failure, Remedy, SentenceId, TermId};
use lexforge_graph::kept::{Kept, term_mark, text_mark};
use lexforge_graph::{EntityNode, Matrix, SentenceNode, lsa};
use lexforge_store::EmbeddingKind;
use lexforge_text::is_han;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Where the vectors come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Encoder {
    /// MiniLM for English, counted vectors otherwise.
    #[default]
    Auto,
    /// MiniLM for everything.
    MiniLm,
    /// Counted vectors (character-n-gram LSA) for everything; needs no model.
    Lsa,
    /// A model of the user's for everything, or one with an adapter that was tuned here.
    Named(EncoderChoice),
}

/// The model that makes vectors for the graph.
struct OfGraph {
    base: BaseModel,
    adapter: Option<PathBuf>,
    /// The name that is recorded with its vectors.
    label: String,
    /// What the user named; none = the default encoder.
    choice: Option<EncoderChoice>,
}

/// The part of the corpus that one encoder covers: cosines of different encoders cannot be compared, so each
/// language group has a graph of its own.
pub(crate) struct Partition {
    pub(crate) languages: Vec<Language>,
    pub(crate) encoder: String,
    pub(crate) sentences: Vec<SentenceNode>,
    pub(crate) sentence_vectors: Matrix,
    pub(crate) entities: Vec<EntityNode>,
    pub(crate) entity_vectors: Matrix,
    /// What a tokenizer makes of each sentence, where lexical edges stand on sub-words and are to be found anew.
    pub(crate) pieces: Option<Vec<String>>,
    /// Counted vectors only: what later texts are placed by.
    pub(crate) basis: Option<Vec<u8>>,
    /// SHA-256 of the vectors: of all of them, or of the parent's hash and those that were added.
    pub(crate) identity: String,
}

impl Partition {
    /// The texts of its sentences, then of its terms.
    fn texts(&self) -> Vec<&str> {
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

impl OfGraph {
    /// What the user named, of a partition that this model covers.
    fn choice_of(&self, partition: &Partition) -> Option<EncoderChoice> {
        let covered = !is_counted(&partition.encoder);
        self.choice.clone().filter(|_| covered)
    }
}

impl Graph<'_> {
    /// Embed every sentence and every unique term, and keep the vectors.
    pub(crate) fn embed_corpus(
        &self,
        encoder: &Encoder,
        watcher: &dyn Watcher,
    ) -> Result<Vec<Partition>> {
        let model = self.model(match encoder {
            Encoder::Named(choice) => Some(choice),
            Encoder::Auto | Encoder::MiniLm | Encoder::Lsa => None,
        })?;
        let mut partitions = self.partitions(&model.label, |language| match encoder {
            Encoder::Auto => suits_minilm(language),
            Encoder::MiniLm | Encoder::Named(_) => true,
            Encoder::Lsa => false,
        })?;
        for partition in &mut partitions {
            let texts = partition.texts();
            let (all, basis) = if !is_counted(&partition.encoder) {
                (self.by_model(&model, &texts, watcher)?, None)
            } else {
                tell(
                    watcher,
                    Stage::Embed,
                    &partition.encoder,
                    0,
                    texts.len() as u64,
                );
                let (basis, all) = lsa::fitted(&texts, LSA_DIM, DEFAULT_SEED);
                tell(
                    watcher,
                    Stage::Embed,
                    &partition.encoder,
                    texts.len() as u64,
                    texts.len() as u64,
                );
                (all, Some(basis.to_bytes()))
            };
            partition.identity = vectors_hash("", &all.data);
            partition.basis = basis;
            let split = partition.sentences.len() * all.dim;
            let (head, tail) = all.data.split_at(split.min(all.data.len()));
            partition.sentence_vectors = Matrix {
                rows: partition.sentences.len(),
                dim: all.dim,
                data: head.to_vec(),
            };
            partition.entity_vectors = Matrix {
                rows: partition.entities.len(),
                dim: all.dim,
                data: tail.to_vec(),
            };
        }
        let encoders: Vec<EncoderUse> = partitions
            .iter()
            .map(|p| EncoderUse {
                encoder: p.encoder.clone(),
                languages: p.languages.clone(),
                choice: model.choice_of(p),
            })
            .collect();
        self.workspace.store.write(&self.workspace.actor, |w| {
            for p in &partitions {
                let sentence_ids: Vec<i64> = p.sentences.iter().map(|s| s.id.0).collect();
                let term_ids: Vec<i64> = p.entities.iter().map(|e| e.id.0).collect();
                let (s, e) = (&p.sentence_vectors, &p.entity_vectors);
                w.put_embeddings(
                    EmbeddingKind::Sentence,
                    &p.encoder,
                    &sentence_ids,
                    s.dim,
                    &s.data,
                )?;
                w.put_embeddings(EmbeddingKind::Term, &p.encoder, &term_ids, e.dim, &e.data)?;
            }
            w.set_setting(ENCODERS_SETTING, &serde_json::json!(encoders).to_string())
        })?;
        Ok(partitions)
    }

    /// The partitions of now, with the kept vectors of the texts that the last build covers; the others are embedded, by
    /// the same encoder on the same basis, and kept beside them. None where an encoder has nothing to go on: then everything
    /// must be embedded. `covered` has what the last build left, by encoder.
    pub(crate) fn embed_what_is_new(
        &self,
        covered: &HashMap<String, Kept>,
        watcher: &dyn Watcher,
    ) -> Result<Option<Vec<Partition>>> {
        let by_model = self.by_model_at_present()?;
        let used = Models::of(self.workspace).encoders()?;
        // Where the model's weights are others now, so is its name, and nothing is kept under that.
        let model = self.model(used.iter().find_map(|u| u.choice.as_ref()))?;
        let mut partitions = self.partitions(&model.label, by_model)?;
        let mut added: Vec<(EmbeddingKind, String, Vec<i64>, Matrix)> = Vec::new();
        for p in &mut partitions {
            let (Some(kept), Some((sentences, terms))) =
                (covered.get(&p.encoder), self.kept_vectors(&p.encoder)?)
            else {
                return Ok(None);
            };
            let texts_then: HashMap<i64, u64> =
                kept.sentences.iter().map(|s| (s.id.0, s.text)).collect();
            let terms_then: HashMap<i64, u64> =
                kept.terms.iter().map(|(id, mark)| (id.0, *mark)).collect();
            let sentences_now = p
                .sentences
                .iter()
                .map(|s| (s.id.0, text_mark(s), s.text.as_str()));
            let terms_now = p
                .entities
                .iter()
                .map(|e| (e.id.0, term_mark(e), e.text.as_str()));
            let mut of_sentences = Gathered::new(sentences_now, &texts_then, &sentences);
            let mut of_terms = Gathered::new(terms_now, &terms_then, &terms);
            let texts: Vec<&str> = of_sentences
                .texts
                .iter()
                .chain(&of_terms.texts)
                .copied()
                .collect();
            p.identity = self.vectors_identity(&p.encoder)?;
            p.basis = self
                .workspace
                .store
                .read(|r| r.graph_kept(&basis_name(&p.encoder)))?;
            if !texts.is_empty() {
                let new = if !is_counted(&p.encoder) {
                    self.by_model(&model, &texts, watcher)?
                } else {
                    let Some(basis) = p.basis.as_deref().and_then(lsa::Basis::from_bytes) else {
                        return Ok(None);
                    };
                    tell(watcher, Stage::Embed, &p.encoder, 0, texts.len() as u64);
                    let new = basis.vectors(&texts);
                    tell(
                        watcher,
                        Stage::Embed,
                        &p.encoder,
                        texts.len() as u64,
                        texts.len() as u64,
                    );
                    new
                };
                p.identity = vectors_hash(&p.identity, &new.data);
                let (head, tail) = new.data.split_at(of_sentences.texts.len() * new.dim);
                added.push((
                    EmbeddingKind::Sentence,
                    p.encoder.clone(),
                    of_sentences.fill(head)?,
                    matrix(new.dim, head),
                ));
                added.push((
                    EmbeddingKind::Term,
                    p.encoder.clone(),
                    of_terms.fill(tail)?,
                    matrix(new.dim, tail),
                ));
            }
            (p.sentence_vectors, p.entity_vectors) = (of_sentences.all, of_terms.all);
        }
        let encoders: Vec<EncoderUse> = partitions
            .iter()
            .map(|p| EncoderUse {
                encoder: p.encoder.clone(),
                languages: p.languages.clone(),
                choice: model.choice_of(p),
            })
            .collect();
        let before = Models::of(self.workspace).encoders()?;
        self.workspace.store.write(&self.workspace.actor, |w| {
            for (kind, encoder, ids, m) in added.iter().filter(|(_, _, ids, _)| !ids.is_empty()) {
                w.add_embeddings(*kind, encoder, ids, m.dim, &m.data)?;
            }
            if encoders != before {
                w.set_setting(ENCODERS_SETTING, &serde_json::json!(encoders).to_string())?;
            }
            Ok(())
        })?;
        Ok(Some(partitions))
    }

    /// The kept vectors of an encoder, of sentences and of terms; none if there are none.
    fn kept_vectors(&self, encoder: &str) -> Result<Option<(Vectors, Vectors)>> {
        let (sentences, terms) = self.workspace.store.read(|r| {
            Ok((
                r.embeddings(EmbeddingKind::Sentence, encoder)?,
                r.embeddings(EmbeddingKind::Term, encoder)?,
            ))
        })?;
        let dim = sentences.as_ref().map(|s| s.dim);
        Ok(sentences.map(|s| {
            (
                Vectors::new(s),
                terms
                    .map(Vectors::new)
                    .unwrap_or_else(|| Vectors::none(dim.unwrap_or(0))),
            )
        }))
    }

    /// The identity of an encoder's vectors in the newest build; empty where none was recorded.
    fn vectors_identity(&self, encoder: &str) -> Result<String> {
        let newest = self.workspace.store.read(|r| r.latest_graph())?;
        let parts = newest.map(|g| g.stats.parts).unwrap_or_default();
        Ok(parts
            .into_iter()
            .find(|p| p.encoder == encoder)
            .map(|p| p.vectors)
            .unwrap_or_default())
    }

    /// The model that was named, or the default encoder.
    fn model(&self, choice: Option<&EncoderChoice>) -> Result<OfGraph> {
        let Some(choice) = choice else {
            return Ok(OfGraph {
                base: BaseModel::named(None),
                adapter: None,
                label: minilm_label(),
                choice: None,
            });
        };
        let (base, adapter, label) = Corpus::of(self.workspace).encoder_of_graph(choice)?;
        let mut choice = choice.clone();
        // A graph outlives the folder that it was built from.
        if let Some(path) = choice.model.as_deref().map(Path::new)
            && path.is_dir()
            && let Ok(whole) = path.canonicalize()
        {
            choice.model = Some(whole.display().to_string());
        }
        Ok(OfGraph {
            base,
            adapter,
            label,
            choice: Some(choice),
        })
    }

    /// Vectors of unit length by a model, which reads the texts as what questions are to find.
    fn by_model(&self, model: &OfGraph, texts: &[&str], watcher: &dyn Watcher) -> Result<Matrix> {
        let what = Embedding {
            side: TextSide::Passage,
            ..Embedding::of(Stage::Embed)
        };
        let models = Models::of(self.workspace);
        let adapter = model.adapter.as_deref();
        let (vectors, _) = models.embed_as(&model.base, adapter, texts, &what, watcher)?;
        Ok(match model.choice {
            Some(_) => vectors.normalized(),
            None => vectors,
        })
    }

    /// Which languages a model covers at present.
    fn by_model_at_present(&self) -> Result<impl Fn(Language) -> bool + use<>> {
        let encoders = Models::of(self.workspace).encoders()?;
        if encoders.is_empty() {
            return Err(no_graph());
        }
        Ok(move |language| {
            encoders
                .iter()
                .any(|u| !is_counted(&u.encoder) && u.languages.contains(&language))
        })
    }

    /// The partitions that the last build covers, with their vectors. What came since is left out: it stands in no graph
    /// until the graph is updated.
    pub(crate) fn stored_partitions(&self) -> Result<Vec<Partition>> {
        let used = Models::of(self.workspace).encoders()?;
        let label = used
            .iter()
            .find(|u| !is_counted(&u.encoder))
            .map_or_else(minilm_label, |u| u.encoder.clone());
        let mut partitions = self.partitions(&label, self.by_model_at_present()?)?;
        for p in &mut partitions {
            let (sentences, terms) = self.kept_vectors(&p.encoder)?.unwrap_or_default();
            p.sentences.retain(|s| sentences.at.contains_key(&s.id.0));
            p.entities.retain(|e| terms.at.contains_key(&e.id.0));
            let ids: Vec<i64> = p.sentences.iter().map(|s| s.id.0).collect();
            p.sentence_vectors = sentences.of(&ids);
            let ids: Vec<i64> = p.entities.iter().map(|e| e.id.0).collect();
            p.entity_vectors = terms.of(&ids);
        }
        partitions.retain(|p| !p.sentences.is_empty());
        if partitions.is_empty() || partitions.iter().all(|p| p.entities.is_empty()) {
            return Err(stale_graph());
        }
        Ok(partitions)
    }

    /// Group the corpus by encoder; the matrices are still empty.
    /// `label` is the name of the model's vectors.
    fn partitions(
        &self,
        label: &str,
        by_model: impl Fn(Language) -> bool,
    ) -> Result<Vec<Partition>> {
        let sentences = Corpus::of(self.workspace).sentences_by_language()?;
        if sentences.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is nothing to build a graph of.",
                Remedy::ImportDocument,
            ));
        }
        let (terms, mentions) = self
            .workspace
            .store
            .read(|r| Ok((r.terms(&TermFilter::default())?.rows, r.mentions()?)))?;
        if terms.is_empty() {
            return Err(no_term(Terms::of(self.workspace).were_looked_for()?));
        }
        // Terms that reviewers joined are one entity; what they rejected, or differ about, is none.
        let policy = Review::of(self.workspace).term_policy()?;
        let joined = Review::of(self.workspace).joined_terms(policy)?;
        if joined.standing.is_empty() {
            return Err(no_term_in_use(terms.len(), policy));
        }
        let of_sentence = terms_by_sentence(&mentions, |id| joined.standing.get(&id).copied());
        let titles: HashMap<DocumentId, String> = self
            .workspace
            .store
            .read(|r| r.documents())?
            .into_iter()
            .map(|d| (d.id, d.title))
            .collect();
        let classes = self.document_classes()?;

        let index = Corpus::of(self.workspace).reference_index()?;
        let mut grouped: BTreeMap<bool, (Vec<Language>, Vec<Sentence>)> = BTreeMap::new();
        for (language, mut list) in sentences {
            if language == Language::Zh {
                list.iter_mut()
                    .for_each(|s| s.text = full_width_punctuation(&s.text));
            }
            let group = grouped.entry(!by_model(language)).or_default();
            group.0.push(language);
            group.1.append(&mut list);
        }
        let mut partitions = Vec::new();
        for (counted, (languages, list)) in grouped {
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
            let encoder = if counted {
                lsa_label(&languages)
            } else {
                label.to_owned()
            };
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

/// The different terms of each sentence, in order of their first mention; `standing` says which term stands for another.
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

/// The type of a sentence: the user's class of its document, else its top-level section (METHODS §1.1).
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

/// Chinese text with the punctuation of Chinese text: many documents set ASCII commas and brackets between ideographs,
/// which means the same and would look like another language to whoever takes sentences apart. One character stands for
/// one, so that offsets hold.
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

/// Nothing to link sentences by. Where terms were looked for already, looking once more finds none either.
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

//! Vectors of sentences and terms: by the worker's encoder where it knows the language, by counting otherwise.

use super::Graph;
use super::encoder::{Made, forget_ahead};
use super::kept_vectors::{Gathered, Vectors, matrix, stale_graph, vectors_hash};
use super::partitions::Partition;
use crate::models::{
    ENCODERS_SETTING, EncoderUse, LSA_DIM, Models, basis_name, is_counted, no_graph, suits_minilm,
};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, tell};
use lexforge_domain::api::{EncoderChoice, Stage};
use lexforge_domain::text::Language;
use lexforge_graph::kept::{Kept, term_mark, text_mark};
use lexforge_graph::{Matrix, lsa};
use lexforge_store::EmbeddingKind;
use std::collections::HashMap;

/// The source of the vectors.
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
    /// One for each of these languages, and the usual one for all others.
    ByLanguage(Vec<(Language, Encoder)>),
}

impl From<EncoderChoice> for Encoder {
    /// A choice that names nothing means the usual encoder.
    fn from(choice: EncoderChoice) -> Self {
        match choice == EncoderChoice::default() {
            true => Self::Auto,
            false => Self::Named(choice),
        }
    }
}

impl Encoder {
    /// What a window asks for: an encoder for each language, or else one for all of them; `None` = the one in use.
    pub fn asked(
        whole: Option<EncoderChoice>,
        by_language: Option<Vec<(Language, EncoderChoice)>>,
    ) -> Option<Self> {
        let by_language = by_language.map(|of| {
            let of = of.into_iter();
            Self::ByLanguage(of.map(|(l, choice)| (l, choice.into())).collect())
        });
        by_language.or(whole.map(Self::from))
    }

    /// The source of the vectors of texts in this language.
    pub(super) fn made(&self, language: Language) -> Made {
        match self {
            Self::Auto if suits_minilm(language) => Made::By(None),
            Self::Auto | Self::Lsa => Made::ByCounting,
            Self::MiniLm => Made::By(None),
            Self::Named(choice) => Made::By(Some(choice.clone())),
            Self::ByLanguage(all) => match all.iter().find(|(of, _)| *of == language) {
                Some((_, encoder)) => encoder.made(language),
                None => Self::Auto.made(language),
            },
        }
    }
}

impl Graph<'_> {
    /// Embed every sentence and every unique term, and keep the vectors.
    pub(crate) fn embed_corpus(
        &self,
        encoder: &Encoder,
        watcher: &dyn Watcher,
    ) -> Result<Vec<Partition>> {
        let sentences = self.sentences()?;
        let models = self.models_of(sentences.keys().copied(), |l| encoder.made(l))?;
        let mut partitions = self.partitions(sentences, |language| models.label(language))?;
        for partition in &mut partitions {
            let texts = partition.texts();
            let (all, basis) = if let Some(model) = models.named(&partition.encoder) {
                (self.by_model(model, &texts, watcher)?, None)
            } else {
                let of = texts.len() as u64;
                tell(watcher, Stage::Embed, &partition.encoder, 0, of);
                let (basis, all) = lsa::fitted(&texts, LSA_DIM, DEFAULT_SEED);
                tell(watcher, Stage::Embed, &partition.encoder, of, of);
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
        let by_language = matches!(encoder, Encoder::ByLanguage(_));
        let encoders = models.uses(&partitions, by_language);
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
            forget_ahead(w)?;
            w.set_setting(ENCODERS_SETTING, &serde_json::json!(encoders).to_string())
        })?;
        Ok(partitions)
    }

    /// Makes the partitions of the present corpus, with vectors. Texts that the last build contained keep their stored
    /// vectors. The other texts get new vectors of the same encoder, which are stored, too. Returns `None` if an
    /// encoder cannot make these new vectors; then all texts need new vectors. `covered` holds what the last build
    /// stored, by encoder.
    pub(crate) fn embed_what_is_new(
        &self,
        covered: &HashMap<String, Kept>,
        watcher: &dyn Watcher,
    ) -> Result<Option<Vec<Partition>>> {
        let used = self.used()?;
        let sentences = self.sentences()?;
        // If a model's weights have changed, so has its name, and no vectors are stored under the new name.
        let models = self.models_of(sentences.keys().copied(), |language| {
            by_model_for(&used, language)
                .map_or(Made::ByCounting, |part| Made::By(part.choice.clone()))
        })?;
        let mut partitions = self.partitions(sentences, |language| models.label(language))?;
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
                let new = if let Some(model) = models.named(&p.encoder) {
                    self.by_model(model, &texts, watcher)?
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
        let encoders = models.uses(&partitions, used.iter().any(|part| part.by_language));
        self.workspace.store.write(&self.workspace.actor, |w| {
            for (kind, encoder, ids, m) in added.iter().filter(|(_, _, ids, _)| !ids.is_empty()) {
                w.add_embeddings(*kind, encoder, ids, m.dim, &m.data)?;
            }
            forget_ahead(w)?;
            if encoders != used {
                w.set_setting(ENCODERS_SETTING, &serde_json::json!(encoders).to_string())?;
            }
            Ok(())
        })?;
        Ok(Some(partitions))
    }

    /// The kept vectors of an encoder, of sentences and of terms; `None` if there are none.
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

    /// The choice of encoder that the vectors of now come from.
    pub(super) fn encoder_in_use(&self) -> Result<Encoder> {
        let used = Models::of(self.workspace).encoders()?;
        if used.iter().any(|part| part.by_language) {
            return Ok(Encoder::ByLanguage(each_language(&used)));
        }
        if let Some(choice) = used.iter().find_map(|u| u.choice.clone()) {
            return Ok(Encoder::Named(choice));
        }
        let of = |by_minilm: bool| {
            used.iter()
                .filter(move |u| is_counted(&u.encoder) != by_minilm)
                .flat_map(|u| &u.languages)
        };
        Ok(if of(true).any(|l| !suits_minilm(*l)) {
            Encoder::MiniLm
        } else if of(false).any(|l| suits_minilm(*l)) {
            Encoder::Lsa
        } else {
            Encoder::Auto
        })
    }

    /// The identity of the vectors of an encoder in the newest build. Empty if none was recorded.
    fn vectors_identity(&self, encoder: &str) -> Result<String> {
        let newest = self.workspace.store.read(|r| r.latest_graph())?;
        let parts = newest.map(|g| g.stats.parts).unwrap_or_default();
        Ok(parts
            .into_iter()
            .find(|p| p.encoder == encoder)
            .map(|p| p.vectors)
            .unwrap_or_default())
    }

    /// The encoders of the graph.
    ///
    /// # Errors
    /// When no graph was built.
    fn used(&self) -> Result<Vec<EncoderUse>> {
        let used = Models::of(self.workspace).encoders()?;
        match used.is_empty() {
            true => Err(no_graph()),
            false => Ok(used),
        }
    }

    /// The partitions that the last build contained, with their vectors. Newer texts are left out, because they are in
    /// no graph until the graph is updated.
    pub(crate) fn stored_partitions(&self) -> Result<Vec<Partition>> {
        let used = self.used()?;
        let label = |language| Some(by_model_for(&used, language)?.encoder.clone());
        let mut partitions = self.partitions(self.sentences()?, label)?;
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
}

/// The model that covers a language at present; `None` if its vectors are counted, or it is new.
fn by_model_for(used: &[EncoderUse], language: Language) -> Option<&EncoderUse> {
    used.iter()
        .find(|part| !is_counted(&part.encoder) && part.languages.contains(&language))
}

/// The encoder of each language, as it is recorded.
fn each_language(used: &[EncoderUse]) -> Vec<(Language, Encoder)> {
    let of = |part: &EncoderUse| match &part.choice {
        Some(choice) => Encoder::Named(choice.clone()),
        None if is_counted(&part.encoder) => Encoder::Lsa,
        None => Encoder::MiniLm,
    };
    used.iter()
        .flat_map(|part| part.languages.iter().map(move |l| (*l, of(part))))
        .collect()
}

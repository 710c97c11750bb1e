//! Vectors for the search before there is a graph, made by the encoders that come with the product. With them, right
//! after an import, questions also find clauses that use other words. When the graph is built, it reuses the English
//! vectors. In other languages, the graph's own vectors are made by counting; there the search uses the vectors of this
//! file instead.

use super::Corpus;
use super::encoders::{Wanted, mark_of};
use crate::models::{EncoderUse, Models, Shipped, is_counted, suits_minilm};
use crate::workspace::{Result, Watcher};
use lexforge_domain::api::EncoderVectors;
use lexforge_domain::text::Language;
use lexforge_store::{EmbeddingKind, Embeddings, Scope};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// Sentences whose vectors are kept together: some seconds of work, so that little is lost when it is ended.
const TOGETHER: usize = 1_024;

/// Vectors by their texts, as they were made ahead of the graph.
pub(crate) struct Ahead {
    kept: Embeddings,
    at: HashMap<u64, usize>,
}

/// Numbers of sentences that have a vector.
#[derive(Clone, Copy)]
struct Embedded {
    /// With one that was made before the graph.
    ahead: u64,
    /// With one that was made before the graph or by the graph.
    at_all: u64,
}

/// The numbers of an encoder, with the state of the vectors that was counted: the newest audit rows that cover them.
struct Counted {
    shipped: Shipped,
    state: [i64; 2],
    embedded: Embedded,
}

/// What was counted last, one entry an encoder.
#[derive(Default)]
struct Counts(Mutex<Vec<Counted>>);

impl Ahead {
    /// The vector of a text; `None` where none was made.
    pub(crate) fn of(&self, text: &str) -> Option<&[f32]> {
        let at = self.at.get(&mark_of(text))? * self.kept.dim;
        self.kept.vectors.get(at..at + self.kept.dim)
    }
}

impl Corpus<'_> {
    /// Makes the vectors that sentences lack, batch by batch, with the encoders that come with the product. If the
    /// graph has vectors of another model, this makes none. A language whose encoder is missing gets none, either.
    ///
    /// # Errors
    /// When the worker or the encoder is missing, the workspace cannot be written, or the watcher cancels. Vectors that
    /// were made before that are kept.
    pub(crate) fn make_ahead(&self, watcher: &dyn Watcher) -> Result<EncoderVectors> {
        self.workspace.require_writable()?;
        let encoders = Models::of(self.workspace).encoders()?;
        let mut all = EncoderVectors::default();
        for shipped in Shipped::ALL {
            let languages = here(shipped, &encoders);
            if self.lacking_in(shipped, &languages)? == 0 {
                continue;
            }
            let made = self.made_ahead(shipped, &languages, watcher)?;
            all = EncoderVectors {
                encoder: match all.encoder.is_empty() {
                    true => made.encoder,
                    false => format!("{}, {}", all.encoder, made.encoder),
                },
                sentences: all.sentences + made.sentences,
                made: all.made + made.made,
                clauses: 0,
                removed: all.removed + made.removed,
            };
        }
        Ok(all)
    }

    /// Makes the vectors by one encoder, for these languages.
    fn made_ahead(
        &self,
        shipped: Shipped,
        languages: &[Language],
        watcher: &dyn Watcher,
    ) -> Result<EncoderVectors> {
        let of_graph = self.workspace.store.read(|r| {
            let ids = r.embedded(EmbeddingKind::Sentence, &shipped.label())?;
            Ok(ids.into_iter().collect::<HashSet<i64>>())
        })?;
        let mut sentences = self.marked(|language| languages.contains(&language))?;
        sentences.retain(|sentence| !of_graph.contains(&sentence.id));
        let base = shipped.base();
        let read = Models::of(self.workspace).read_by(&base, None)?;
        let wanted = Wanted {
            label: &shipped.ahead_label(),
            base: &base,
            adapter: None,
            read: &read,
            together: TOGETHER,
            handed_back: false,
        };
        let (_, made, removed) = self.completed(&wanted, &sentences, watcher)?;
        Ok(EncoderVectors {
            encoder: shipped.label(),
            sentences: (of_graph.len() + sentences.len()) as u64,
            made,
            clauses: 0,
            removed,
        })
    }

    /// The number of sentences without a vector in languages for which the product has an encoder. 0 if the workspace
    /// cannot be written.
    pub(crate) fn lacking(&self) -> Result<u64> {
        let mut all = 0;
        for shipped in Shipped::ALL {
            all += self.lacking_by(shipped)?;
        }
        Ok(all)
    }

    /// The number of sentences without a vector by this encoder.
    pub(crate) fn lacking_by(&self, shipped: Shipped) -> Result<u64> {
        if self.is_read_only() {
            return Ok(0);
        }
        let encoders = Models::of(self.workspace).encoders()?;
        self.lacking_in(shipped, &here(shipped, &encoders))
    }

    fn lacking_in(&self, shipped: Shipped, languages: &[Language]) -> Result<u64> {
        if languages.is_empty() {
            return Ok(0);
        }
        let there = self.embedded_by(shipped)?.at_all;
        let all: u64 = self.workspace.store.read(|r| {
            let documents = r.documents()?.into_iter();
            let read = documents.filter(|d| languages.contains(&d.language));
            Ok(read.map(|d| u64::from(d.sentences)).sum())
        })?;
        Ok(all.saturating_sub(there))
    }

    /// How many sentences have a vector by this encoder. It is counted once for a state of the vectors, since every
    /// search needs the number, and a million of them take a tenth of a second to count.
    fn embedded_by(&self, shipped: Shipped) -> Result<Embedded> {
        let labels = [shipped.label(), shipped.ahead_label()];
        let state = [self.newest_of(&labels[0])?, self.newest_of(&labels[1])?];
        let memo = self.workspace.memo::<Counts>();
        let mut counts = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = counts
            .iter()
            .find(|known| known.shipped == shipped && known.state == state)
        {
            return Ok(known.embedded);
        }
        let embedded = self.workspace.store.read(|r| {
            let ahead = r.embedded(EmbeddingKind::Sentence, &labels[1])?;
            let mut there: HashSet<i64> = ahead.iter().copied().collect();
            there.extend(r.embedded(EmbeddingKind::Sentence, &labels[0])?);
            Ok(Embedded {
                ahead: ahead.len() as u64,
                at_all: there.len() as u64,
            })
        })?;
        counts.retain(|known| known.shipped != shipped);
        counts.push(Counted {
            shipped,
            state,
            embedded,
        });
        Ok(embedded)
    }

    /// The encoders whose vectors are searched: those of the graph, and those whose vectors were made before there was
    /// a graph. Vectors of the second kind are searched only if every sentence of their language has one, because a
    /// sentence without a vector would be found less often. If vectors of the second kind are searched in a language,
    /// its vectors that were made by counting parts of words (LSA), without a model, are not searched.
    pub(crate) fn encoders_searched(&self) -> Result<Vec<EncoderUse>> {
        let of_graph = Models::of(self.workspace).encoders()?;
        let mut searched = of_graph.clone();
        for shipped in Shipped::ALL {
            if of_graph.iter().any(|u| u.encoder == shipped.label()) {
                continue;
            }
            let languages = here(shipped, &of_graph);
            if languages.is_empty()
                || self.embedded_by(shipped)?.ahead == 0
                || self.lacking_in(shipped, &languages)? > 0
            {
                continue;
            }
            for counted in searched.iter_mut().filter(|u| is_counted(&u.encoder)) {
                counted.languages.retain(|l| !languages.contains(l));
            }
            searched.retain(|u| !u.languages.is_empty());
            searched.push(EncoderUse {
                encoder: shipped.label(),
                languages,
                choice: None,
                by_language: false,
            });
        }
        Ok(searched)
    }

    /// Number of the newest audit row of the vectors that an encoder made ahead; 0 where none were ever made.
    pub(super) fn newest_ahead(&self, shipped: Shipped) -> Result<i64> {
        self.newest_of(&shipped.ahead_label())
    }

    /// Number of the newest audit row of the sentence vectors that are kept under this name.
    fn newest_of(&self, label: &str) -> Result<i64> {
        let scope = Scope::Embeddings(format!("{} {label}", EmbeddingKind::Sentence.tag()));
        Ok(self.workspace.store.read(|r| r.newest_row_of(&scope))?)
    }

    /// The kept sentence vectors of an encoder, with those that were made ahead of the graph.
    pub(super) fn kept_and_ahead(&self, encoder: &str) -> Result<Option<Embeddings>> {
        let (kept, ahead) = self.workspace.store.read(|r| {
            let ahead = match Shipped::of_label(encoder) {
                Some(shipped) => r.embeddings(EmbeddingKind::Sentence, &shipped.ahead_label())?,
                None => None,
            };
            Ok((r.embeddings(EmbeddingKind::Sentence, encoder)?, ahead))
        })?;
        let (mut all, ahead) = match (kept, ahead) {
            (Some(kept), Some(ahead)) => (kept, ahead),
            (kept, ahead) => return Ok(kept.or(ahead)),
        };
        if all.dim == ahead.dim {
            let mut there: HashSet<i64> = all.ids.iter().copied().collect();
            let rows = ahead.vectors.chunks(ahead.dim.max(1));
            for (id, row) in ahead.ids.iter().zip(rows) {
                if there.insert(*id) {
                    all.ids.push(*id);
                    all.vectors.extend_from_slice(row);
                }
            }
        }
        Ok(Some(all))
    }

    /// The vectors that the default encoder made before the graph was built. `None` if none are stored.
    pub(crate) fn ahead(&self) -> Result<Option<Ahead>> {
        let (kept, marks) = self.workspace.store.read(|r| {
            let label = Shipped::MiniLm.ahead_label();
            Ok((
                r.embeddings(EmbeddingKind::Sentence, &label)?,
                r.marks_of(&label)?,
            ))
        })?;
        let marks = marks.into_iter().enumerate();
        Ok(kept.map(|kept| Ahead {
            kept,
            at: marks.map(|(at, (_, mark))| (mark, at)).collect(),
        }))
    }
}

/// The languages whose sentences an encoder is to make vectors of here; none where it is not there.
fn here(shipped: Shipped, of_graph: &[EncoderUse]) -> Vec<Language> {
    let languages = languages_of(shipped, of_graph);
    match languages.is_empty() || shipped.is_there() {
        true => languages,
        false => Vec::new(),
    }
}

/// The languages for whose sentences this encoder makes vectors, given the encoders of the newest graph.
fn languages_of(shipped: Shipped, of_graph: &[EncoderUse]) -> Vec<Language> {
    if let Some(used) = of_graph.iter().find(|u| u.encoder == shipped.label()) {
        return used.languages.clone();
    }
    // If a user had vectors counted although a model could make them, or chose another model, this choice is respected.
    let wanted = |u: &&EncoderUse| {
        !is_counted(&u.encoder) || u.languages.iter().any(|language| suits_minilm(*language))
    };
    let taken: Vec<Language> = of_graph
        .iter()
        .filter(wanted)
        .flat_map(|u| u.languages.iter().copied())
        .collect();
    shipped
        .languages()
        .filter(|language| !taken.contains(language))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{lsa_label, minilm_label};

    fn used(encoder: String, languages: &[Language]) -> EncoderUse {
        EncoderUse {
            encoder,
            languages: languages.to_vec(),
            choice: None,
            by_language: false,
        }
    }

    #[test]
    fn what_the_graph_has_by_another_encoder_gets_no_second_vectors() {
        let (en, zh) = (Language::En, Language::Zh);
        let others = [zh, Language::Ko, Language::Other];
        let counted = |languages: &[Language]| used(lsa_label(languages), languages);
        let read = |languages: &[Language]| used(minilm_label(), languages);
        let tuned = |languages: &[Language]| used("tuned (mean)".to_owned(), languages);
        for (of_graph, minilm, multilingual) in [
            (Vec::new(), vec![en], others.to_vec()),
            // Counted for want of an encoder: what is counted now gives way to a model that reads it.
            (vec![counted(&[zh])], vec![en], others.to_vec()),
            (vec![read(&[en]), counted(&[zh])], vec![en], others.to_vec()),
            // Somebody had everything counted, or had one model read it.
            (
                vec![counted(&[en, zh])],
                Vec::new(),
                vec![Language::Ko, Language::Other],
            ),
            (
                vec![tuned(&[en, zh])],
                Vec::new(),
                vec![Language::Ko, Language::Other],
            ),
            // Somebody had the default encoder read every language.
            (
                vec![read(&[en, zh])],
                vec![en, zh],
                vec![Language::Ko, Language::Other],
            ),
        ] {
            assert_eq!(languages_of(Shipped::MiniLm, &of_graph), minilm);
            assert_eq!(languages_of(Shipped::Multilingual, &of_graph), multilingual);
        }
    }
}

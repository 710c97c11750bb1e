//! Terms that could be taken for each other, found before anybody is asked: the heart of the review.

use super::Terms;
use crate::models::{BaseModel, LSA_DIM, Models, suits_minilm};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use lexforge_domain::api::{ConfusableRow, ConfusablesReport, Stage, TermFilter};
use lexforge_domain::term::{ReviewStatus, Term};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, TermId};
use lexforge_graph::{Matrix, confusable, lsa};
use lexforge_ingest::terms;
use lexforge_store::ConfusablePair;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Nearest others that are kept of each term.
pub(crate) const NEAREST: usize = 10;
/// How often the search for pairs is repeated if another program replaces the terms meanwhile.
const TRIES: usize = 3;

impl Terms<'_> {
    /// Finds for each term the terms it could be confused with, by vectors and by spelling, and stores these pairs. The
    /// pairs that most deserve a look come first. Two names of one thing are not such a pair. Pairs with a rejected or
    /// merged term are left out, too.
    ///
    /// The vectors are made from the terms alone. For English the encoder makes them; other languages get counted
    /// vectors. If the encoder cannot be run, only the spelling decides, and the report says so.
    ///
    /// Another program may change the terms meanwhile. Then the pairs are computed again. If the terms keep changing,
    /// only pairs whose two terms still exist are stored.
    ///
    /// # Errors
    /// When the workspace cannot be written, or the caller cancels. Then the earlier pairs are unchanged.
    pub fn find_confusables(&self, watcher: &dyn Watcher) -> Result<ConfusablesReport> {
        let mut tries = 0;
        loop {
            tries += 1;
            let (looked_at, mut pairs, mut report) = self.confusable_pairs(watcher)?;
            let kept = self.workspace.store.write(&self.workspace.actor, |w| {
                let there: HashSet<TermId> = w.term_ranks()?.iter().map(|t| t.id).collect();
                if there != looked_at && tries < TRIES {
                    return Ok(None);
                }
                pairs.retain(|p| there.contains(&p.a) && there.contains(&p.b));
                w.replace_confusables(&pairs)?;
                Ok(Some(pairs.len() as u64))
            })?;
            if let Some(kept) = kept {
                report.pairs = kept;
                return Ok(report);
            }
        }
    }

    /// The terms that there are, and the pairs of them that could be taken for each other.
    fn confusable_pairs(
        &self,
        watcher: &dyn Watcher,
    ) -> Result<(HashSet<TermId>, Vec<ConfusablePair>, ConfusablesReport)> {
        let (all, names) = self
            .workspace
            .store
            .read(|r| Ok((r.terms(&TermFilter::default())?.rows, r.term_names()?)))?;
        let mut names_of: HashMap<TermId, Vec<String>> = HashMap::new();
        for (term, name) in names {
            names_of.entry(term).or_default().push(name);
        }
        let looked_at = all.iter().map(|term| term.id).collect();
        let mut by_language: BTreeMap<Language, Vec<Term>> = BTreeMap::new();
        for term in all {
            if !matches!(term.status, ReviewStatus::Rejected | ReviewStatus::Merged) {
                by_language.entry(term.language).or_default().push(term);
            }
        }
        let mut report = ConfusablesReport::default();
        let mut pairs = Vec::new();
        for (language, list) in &by_language {
            if watcher.cancelled() {
                return Err(cancelled("The pairs that were there are unchanged."));
            }
            let texts: Vec<&str> = list.iter().map(|t| t.text.as_str()).collect();
            let unit = self.term_vectors(&texts, *language, &mut report, watcher)?;
            let one_thing = OneThing::new(list, &names_of, *language);
            let found =
                confusable::pairs(&texts, unit.as_ref(), NEAREST, |i, j| one_thing.holds(i, j));
            report.terms += list.len() as u64;
            // Counted vectors are made of characters: without one in common their cosine is noise.
            let counted = !suits_minilm(*language);
            let found = found.into_iter().filter(|p| !counted || p.spelling > 0.0);
            pairs.extend(found.filter_map(|pair| {
                let (one, other) = (list.get(pair.a as usize)?.id, list.get(pair.b as usize)?.id);
                Some(ConfusablePair {
                    a: one.min(other),
                    b: one.max(other),
                    cosine: pair.cosine,
                    spelling: pair.spelling,
                    score: pair.score,
                    place: pair.place,
                })
            }));
        }
        Ok((looked_at, pairs, report))
    }

    /// The pairs of terms that could be confused, with a sentence for each term. The pairs that most deserve a look
    /// come first. At most `most` pairs are returned; 0 = all.
    pub fn confusables(&self, most: u64) -> Result<Vec<ConfusableRow>> {
        Ok(self.workspace.store.read(|r| {
            let example = |term| -> lexforge_store::Result<Option<String>> {
                Ok(r.contexts_of(term, 1)?
                    .into_iter()
                    .next()
                    .map(|c| c.sentence.text))
            };
            r.confusables(most)?
                .into_iter()
                .map(|pair| {
                    Ok(ConfusableRow {
                        one: r.term(pair.a)?.text,
                        other: r.term(pair.b)?.text,
                        cosine: pair.cosine,
                        spelling: pair.spelling,
                        score: pair.score,
                        one_example: example(pair.a)?,
                        other_example: example(pair.b)?,
                    })
                })
                .collect()
        })?)
    }

    /// A unit vector for each term; `None` if no encoder can be run.
    fn term_vectors(
        &self,
        texts: &[&str],
        language: Language,
        report: &mut ConfusablesReport,
        watcher: &dyn Watcher,
    ) -> Result<Option<Matrix>> {
        if !suits_minilm(language) {
            let of = texts.len() as u64;
            tell(watcher, Stage::Embed, language.tag(), 0, of);
            let vectors = lsa::char_ngram_lsa(texts, LSA_DIM, DEFAULT_SEED);
            tell(watcher, Stage::Embed, language.tag(), of, of);
            return Ok(Some(vectors));
        }
        match Models::of(self.workspace).embed_texts(
            &BaseModel::named(None),
            None,
            texts,
            Stage::Embed,
            watcher,
        ) {
            Ok((vectors, _)) => Ok(Some(vectors.normalized())),
            Err(failure) if failure.code == Code::Cancelled => Err(failure),
            Err(failure) => {
                report.without_vectors += texts.len() as u64;
                report.reason = Some(failure);
                Ok(None)
            }
        }
    }
}

/// Which terms of a list are names of one thing: inflections, and short forms with their long forms.
struct OneThing {
    keys: Vec<String>,
    /// For each term the keys of its other names.
    names: Vec<HashSet<String>>,
}

impl OneThing {
    fn new(list: &[Term], names_of: &HashMap<TermId, Vec<String>>, language: Language) -> Self {
        let key = |text: &str| terms::key(text, language).to_lowercase();
        Self {
            keys: list.iter().map(|t| key(&t.text)).collect(),
            names: list
                .iter()
                .map(|t| {
                    names_of
                        .get(&t.id)
                        .into_iter()
                        .flatten()
                        .map(|name| key(name))
                        .collect()
                })
                .collect(),
        }
    }

    fn holds(&self, i: usize, j: usize) -> bool {
        self.keys[i] == self.keys[j]
            || self.names[i].contains(&self.keys[j])
            || self.names[j].contains(&self.keys[i])
    }
}

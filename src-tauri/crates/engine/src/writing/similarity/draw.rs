//! Drawing pairs of sentences by strata of an encoder's cosine.

use crate::corpus::Corpus;
use crate::models::{Models, inspect, reads};
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled};
use crate::writing::Writing;
use crate::writing::anchors::LoneRules;
use lexforge_domain::api::{
    DrawnStratum, SimilarityDraw, SimilarityPair, SimilarityPlace, SimilarityRequest, Stage,
};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, SimilarityId};
use lexforge_graph::alike::{Wanted, draw};
use lexforge_graph::near::{groups, near_pairs};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most sentences that are compared with each other. If there are more, this many are chosen at random.
const MOST_COMPARED: usize = 1_500;
/// Most pairs that hold one sentence.
const MOST_OF_ONE: usize = 2;
/// Most pairs of one draw.
const MOST_PAIRS: usize = 2_000;
/// Characters that a sentence has at least and at most, so that two can be compared at a glance.
const LENGTHS: std::ops::RangeInclusive<usize> = 30..=400;
/// The number of characters in scripts in which a character is about a word.
const LENGTHS_OF_IDEOGRAPHS: std::ops::RangeInclusive<usize> = 10..=160;
/// Sentences by which it is seen whether an encoder reads a language.
const SAMPLE: usize = 50;

impl Writing<'_> {
    /// Chooses pairs of sentences at random, for experts to score: from several ranges of an encoder's cosine, within
    /// documents and across documents. No sentence is chosen too often and no pair twice. Existing pairs stay, with
    /// their scores.
    ///
    /// # Errors
    /// When a figure is impossible, there are too few sentences, the encoder does not read their language, the worker
    /// or the model is missing, or the caller cancels. No pairs are added then.
    pub fn draw_similarity(
        &self,
        request: &SimilarityRequest,
        watcher: &dyn Watcher,
    ) -> Result<SimilarityDraw> {
        if !(1..=MOST_PAIRS).contains(&request.pairs) {
            return Err(Failure::invalid(
                format!("{} pairs cannot be drawn at once.", request.pairs),
                format!("Give a number from 1 to {MOST_PAIRS}."),
            ));
        }
        let seed = request.seed.unwrap_or(DEFAULT_SEED);
        let (language, sentences, mut left_out) = self.comparable(request.language, seed)?;
        let texts: Vec<&str> = sentences.iter().map(|s| s.text.as_str()).collect();
        let base = Models::of(self.workspace).base(request.encoder.as_deref())?;
        let sample: Vec<(Language, &str)> =
            texts.iter().take(SAMPLE).map(|t| (language, *t)).collect();
        let model = inspect(&base, None, &sample)?;
        if !reads(&base, &model, language) {
            return Err(Failure::invalid(
                format!(
                    "{} does not read the language {}, so that its cosines say nothing of these sentences.",
                    model.name,
                    language.tag()
                ),
                "Name an encoder that reads it, or another language.",
            ));
        }
        let models = Models::of(self.workspace);
        let (vectors, _) = models.embed_texts(&base, None, &texts, Stage::Embed, watcher)?;
        if watcher.cancelled() {
            return Err(cancelled("No pair was drawn."));
        }
        let pairs = self.workspace.store.read(|r| r.similarity_pairs())?;
        let (used, known) = earlier(&texts, &pairs);
        let documents: Vec<i64> = sentences.iter().map(|s| s.document.0).collect();
        let wanted = Wanted {
            pairs: request.pairs,
            most_of_one: MOST_OF_ONE,
            seed,
        };
        let drawn = draw(&vectors, &documents, &used, &known, wanted);
        if drawn.pairs.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "No pair is left that could be drawn: each sentence stands in as many pairs as it may.",
                "Import more documents, or score what was drawn.",
            ));
        }
        let titles = Corpus::of(self.workspace).titles()?;
        let place = |sentence: &Sentence| SimilarityPlace {
            sentence: sentence.id,
            document: sentence.document,
            title: titles.get(&sentence.document).cloned().unwrap_or_default(),
            section: sentence.section.clone(),
            page: sentence.page,
        };
        let made: Vec<SimilarityPair> = drawn
            .pairs
            .iter()
            .map(|pair| {
                let (one, other) = (&sentences[pair.a], &sentences[pair.b]);
                SimilarityPair {
                    language,
                    one: one.text.clone(),
                    other: other.text.clone(),
                    one_place: place(one),
                    other_place: place(other),
                    cosine: pair.cosine.into(),
                    stratum: pair.stratum as u8,
                }
            })
            .collect();
        left_out.retain(|_, n| *n > 0);
        let record = SimilarityDraw {
            encoder: model.name,
            encoder_sha256: model.sha256,
            language,
            seed,
            sentences: sentences.len() as u64,
            left_out,
            most_of_a_sentence: MOST_OF_ONE as u64,
            wanted: request.pairs as u64,
            drawn: made.len() as u64,
            within: made.iter().filter(|pair| pair.is_within()).count() as u64,
            strata: drawn
                .strata
                .iter()
                .map(|s| DrawnStratum {
                    from: s.from.into(),
                    to: s.to.into(),
                    pairs: s.pairs as u64,
                    wanted: s.wanted as u64,
                    drawn: s.drawn as u64,
                })
                .collect(),
        };
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.add_similarity_pairs(&record, &made)
        })?;
        Ok(record)
    }

    /// The sentences of one language that can be compared at a glance, and how many others were left out, by reason.
    fn comparable(
        &self,
        language: Option<Language>,
        seed: u64,
    ) -> Result<(Language, Vec<Sentence>, BTreeMap<String, u64>)> {
        let rules = LoneRules::of(self.workspace)?;
        let rule: HashSet<_> = rules.nodes.iter().map(|node| node.id).collect();
        let languages = self.workspace.store.read(|r| r.documents())?;
        let languages: HashMap<_, Language> =
            languages.into_iter().map(|d| (d.id, d.language)).collect();
        let of = |s: &Sentence| {
            languages
                .get(&s.document)
                .copied()
                .unwrap_or(Language::Other)
        };
        let all = self.workspace.store.read(|r| r.sentences(None))?;
        let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
        let mut leave = |reason: &str, n: usize| {
            *left_out.entry(reason.to_owned()).or_default() += n as u64;
        };
        leave("speaks_to_model", rules.to_a_model as usize);
        let whole: Vec<Sentence> = all.into_iter().filter(|s| rule.contains(&s.id)).collect();
        let mut often: BTreeMap<&str, (usize, Language)> = BTreeMap::new();
        for sentence in &whole {
            let of = of(sentence);
            often.entry(of.tag()).or_insert((0, of)).0 += 1;
        }
        let most = often.values().max_by_key(|(n, _)| *n);
        let Some(language) = language.or(most.map(|(_, language)| *language)) else {
            return Err(too_few(0));
        };
        let lengths = match language {
            Language::Zh | Language::Ko => LENGTHS_OF_IDEOGRAPHS,
            _ => LENGTHS,
        };
        let n = whole.len();
        let mut kept: Vec<Sentence> = whole.into_iter().filter(|s| of(s) == language).collect();
        leave("other_language", n - kept.len());
        let n = kept.len();
        // An item of a list says little without what leads it in.
        kept.retain(|s| s.complete.is_none());
        leave("item_of_a_list", n - kept.len());
        let n = kept.len();
        kept.retain(|s| lengths.contains(&s.text.chars().count()));
        leave("short_or_long", n - kept.len());
        let texts: Vec<&str> = kept.iter().map(|s| s.text.as_str()).collect();
        let first = groups(texts.len(), &near_pairs(&texts, |_, _| true));
        let n = kept.len();
        let mut place = 0..n;
        kept.retain(|_| place.next().is_some_and(|at| first.get(at) == Some(&at)));
        leave("near_duplicate", n - kept.len());
        if kept.len() > MOST_COMPARED {
            let n = kept.len();
            kept.sort_by_cached_key(|s| -> [u8; 32] {
                let mut hash = Sha256::new();
                hash.update(seed.to_le_bytes());
                hash.update(&s.text);
                hash.finalize().into()
            });
            kept.truncate(MOST_COMPARED);
            kept.sort_by_key(|s| s.id);
            leave("not_in_the_sample", n - kept.len());
        }
        if kept.len() < 2 {
            return Err(too_few(kept.len()));
        }
        Ok((language, kept, left_out))
    }
}

fn too_few(n: usize) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!("There are {n} sentences of which pairs could be drawn; two are needed at least."),
        "Import documents first, or name another language.",
    )
}

/// In how many pairs each text stands already, and which pairs there are.
fn earlier(
    texts: &[&str],
    pairs: &[(SimilarityId, SimilarityPair)],
) -> (Vec<usize>, HashSet<(usize, usize)>) {
    let place: HashMap<&str, usize> = texts.iter().zip(0..).map(|(text, i)| (*text, i)).collect();
    let mut used = vec![0; texts.len()];
    let mut known = HashSet::new();
    for (_, pair) in pairs {
        let (one, other) = (place.get(pair.one.as_str()), place.get(pair.other.as_str()));
        for at in [one, other].into_iter().flatten() {
            used[*at] += 1;
        }
        if let (Some(one), Some(other)) = (one, other) {
            known.insert((*one.min(other), *one.max(other)));
        }
    }
    (used, known)
}

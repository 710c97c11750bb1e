//! The audit of the space on accepted terms in their sentences, before and after tuning.

use super::Evaluations;
use super::bench::readable;
use crate::corpus::Corpus;
use crate::models::{Models, TermVectors};
use crate::review::Review;
use crate::workspace::{DEFAULT_SEED, Result, Watcher, cancelled, tell};
use lexforge_domain::api::{EncoderChoice, Stage};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::document::Sentence;
use lexforge_domain::term::Mention;
use lexforge_domain::term_space::SpaceOfTerms;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, RunId, SentenceId, TermId};
use lexforge_evaluate::term_space::{Found, Mentions, of_terms};
use lexforge_graph::Matrix;
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// Fewest terms: an interval by term needs some.
const FEWEST: usize = 10;
/// Most mentions of one term.
const USES: usize = 8;
/// Most mentions in all; each is compared with each.
const MOST: usize = 2000;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermSpaceRequest {
    /// The run whose tuned model is compared with its base; `None` = a base model alone.
    pub run: Option<RunId>,
    /// The base model by name or folder; `None` = that of the run, or the default encoder.
    pub base: Option<String>,
    /// After how many layers the vectors are taken: 0 = at the input, `None` = after all.
    pub layer: Option<usize>,
}

/// A mention of an accepted term.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Use {
    term: TermId,
    text: String,
    bytes: Range<usize>,
    language: Language,
}

impl Evaluations<'_> {
    /// Measures how the vectors of the accepted terms lie in the space of a model. Each mention of a term is read in
    /// its sentence. The intervals come from resampling terms.
    ///
    /// # Errors
    /// When there are too few accepted terms that the model can read; when the run, the model or the worker is
    /// missing, the model has no such layer, or the watcher cancels.
    pub fn terms_in_space(
        &self,
        request: &TermSpaceRequest,
        watcher: &dyn Watcher,
    ) -> Result<SpaceOfTerms> {
        let choice = EncoderChoice {
            model: request.base.clone(),
            run: request.run,
            ..EncoderChoice::default()
        };
        let (base, adapter) = Corpus::of(self.workspace).model_of(&choice)?;
        let all = self.uses_of_accepted()?;
        let texts: Vec<(Language, &str)> = all
            .iter()
            .map(|found| (found.language, found.text.as_str()))
            .collect();
        let read = match texts.is_empty() {
            true => Vec::new(),
            false => readable(&base, &texts)?.1,
        };
        let uses: Vec<&Use> = read.into_iter().map(|place| &all[place]).collect();
        let terms = |uses: &[&Use]| uses.iter().map(|u| u.term).collect::<BTreeSet<_>>().len();
        let unread = terms(&all.iter().collect::<Vec<_>>()) - terms(&uses);
        if terms(&uses) < FEWEST {
            return Err(too_few(terms(&uses), &base.name));
        }
        let all_read = uses.len();
        let uses = fewer(uses);
        let placed: Vec<(&str, Range<usize>)> = uses
            .iter()
            .map(|found| (found.text.as_str(), found.bytes.clone()))
            .collect();
        let vectors = |adapter: Option<&Path>, causal: Option<bool>| {
            let (models, how) = (Models::of(self.workspace), (request.layer, causal));
            models.term_vectors((&base, adapter), &placed, how, watcher)
        };
        // The base is read as the tuned model is, so that nothing but the tuning lies between them.
        let after = match adapter.as_deref() {
            Some(adapter) => Some(vectors(Some(adapter), None)?),
            None => None,
        };
        let causal = after.as_ref().map(|made| made.causal);
        let after = after.map(|made| made.matrix);
        let TermVectors {
            matrix: before,
            layers,
            ..
        } = vectors(None, causal)?;
        let kept: Vec<usize> = (0..uses.len())
            .filter(|&row| is_read(&before, row) && after.as_ref().is_none_or(|m| is_read(m, row)))
            .collect();
        let kept_uses: Vec<&Use> = kept.iter().map(|&row| uses[row]).collect();
        if terms(&kept_uses) < FEWEST {
            return Err(too_few(terms(&kept_uses), &base.name));
        }
        let rows = |matrix: &Matrix| -> Vec<f32> {
            let rows = kept.iter().flat_map(|&row| matrix.row(row));
            rows.copied().collect()
        };
        let numbers: Vec<usize> = kept_uses.iter().map(|u| u.term.0 as usize).collect();
        let (rows_before, rows_after) = (rows(&before), after.as_ref().map(rows));
        let placed = Mentions {
            dim: before.dim,
            terms: &numbers,
            before: &rows_before,
            after: rows_after.as_deref(),
        };
        let found = measured(&placed, &base.name, watcher)?;
        let mut mentions: HashMap<TermId, usize> = HashMap::new();
        for found in &kept_uses {
            *mentions.entry(found.term).or_default() += 1;
        }
        Ok(SpaceOfTerms {
            base: base.name,
            run: request.run,
            layer: request.layer.unwrap_or(layers),
            layers,
            terms: mentions.len(),
            repeated: mentions.values().filter(|&&count| count > 1).count(),
            mentions: kept.len(),
            left_out: uses.len() - kept.len(),
            not_drawn: all_read - uses.len(),
            unread,
            groups: found.groups,
            rows: found.rows,
            before: found.before,
            after: found.after,
        })
    }

    /// The mentions of accepted terms: at most [`USES`] of each term, chosen evenly over the documents. If a term is
    /// mentioned in several sentences with the same words, only one of them is taken.
    fn uses_of_accepted(&self) -> Result<Vec<Use>> {
        let joined = Review::of(self.workspace).joined_terms(ReviewPolicy::SingleReviewer)?;
        let mentions = self.workspace.store.read(|r| r.mentions())?;
        let by_language = Corpus::of(self.workspace).sentences_by_language()?;
        let sentences: HashMap<SentenceId, (Language, &Sentence)> = by_language
            .iter()
            .flat_map(|(language, list)| list.iter().map(|s| (s.id, (*language, s))))
            .collect();
        let mut of_term: BTreeMap<TermId, Vec<Use>> = BTreeMap::new();
        let mut seen: HashSet<(TermId, String)> = HashSet::new();
        for mention in &mentions {
            let (Some(&term), Some(&(language, sentence))) = (
                joined.standing.get(&mention.term),
                sentences.get(&mention.sentence),
            ) else {
                continue;
            };
            let Some(bytes) = bytes_of(&sentence.text, mention) else {
                continue;
            };
            if seen.insert((term, letters(&sentence.text))) {
                of_term.entry(term).or_default().push(Use {
                    term,
                    text: sentence.text.clone(),
                    bytes,
                    language,
                });
            }
        }
        Ok(of_term
            .into_values()
            .flat_map(|uses| spread(uses, USES))
            .collect())
    }
}

/// The measures, with a word of progress before each audit.
fn measured(mentions: &Mentions<'_>, model: &str, watcher: &dyn Watcher) -> Result<Found> {
    let goes_on = |done: usize, of: usize| {
        tell(watcher, Stage::Evaluate, model, done as u64, of as u64);
        !watcher.cancelled()
    };
    of_terms(mentions, DEFAULT_SEED, &goes_on).ok_or_else(|| cancelled("Nothing was changed."))
}

/// Where a mention stands, in bytes.
fn bytes_of(text: &str, mention: &Mention) -> Option<Range<usize>> {
    let ends = || text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let from = ends().nth(mention.start as usize)?;
    let to = ends().nth(mention.end as usize)?;
    (from < to).then_some(from..to)
}

/// At most so many of them, evenly over the list.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    if count <= most {
        return all;
    }
    let wanted: HashSet<usize> = (0..most).map(|place| place * count / most).collect();
    let numbered = all.into_iter().enumerate();
    numbered
        .filter(|(place, _)| wanted.contains(place))
        .map(|(_, one)| one)
        .collect()
}

/// At most [`MOST`] mentions: whole terms are left out, evenly over the list of terms.
fn fewer(uses: Vec<&Use>) -> Vec<&Use> {
    if uses.len() <= MOST {
        return uses;
    }
    let mut terms: Vec<TermId> = uses.iter().map(|found| found.term).collect();
    terms.dedup();
    let most = terms.len() * MOST / uses.len();
    let kept: HashSet<TermId> = spread(terms, most).into_iter().collect();
    let kept = uses.into_iter().filter(|found| kept.contains(&found.term));
    kept.take(MOST).collect()
}

fn is_read(vectors: &Matrix, row: usize) -> bool {
    vectors.row(row).iter().any(|&value| value != 0.0)
}

fn too_few(terms: usize, model: &str) -> Failure {
    Failure::new(
        Code::TooLittleData,
        format!(
            "{terms} accepted terms stand in sentences that {model} reads, and the audit of the space needs {FEWEST} or more."
        ),
        "Accept more terms in the review, or name a model that reads their language.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::Silent;
    use crate::review::fixture::document;
    use lexforge_domain::api::Progress;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn mention(start: u32, end: u32) -> Mention {
        Mention {
            term: TermId(1),
            sentence: SentenceId(1),
            start,
            end,
        }
    }

    #[test]
    fn a_mention_is_found_by_its_letters() {
        let text = "Die Größe der Bank";
        assert_eq!(bytes_of(text, &mention(4, 9)), Some(4..11));
        assert_eq!(&text[bytes_of(text, &mention(14, 18)).unwrap()], "Bank");
        assert_eq!(bytes_of(text, &mention(14, 19)), None);
        assert_eq!(bytes_of(text, &mention(4, 4)), None);
    }

    #[test]
    fn many_are_taken_evenly() {
        assert_eq!(spread((0..3).collect(), 8), [0, 1, 2]);
        assert_eq!(spread((0..16).collect(), 8), [0, 2, 4, 6, 8, 10, 12, 14]);
        let uses: Vec<Use> = (0..6000)
            .map(|n| Use {
                term: TermId(n / 6),
                text: String::new(),
                bytes: 0..1,
                language: Language::En,
            })
            .collect();
        let kept = fewer(uses.iter().collect());
        assert!(
            kept.len() <= MOST && kept.len() > MOST - 12,
            "{}",
            kept.len()
        );
        let mut of_term: HashMap<TermId, usize> = HashMap::new();
        for found in &kept {
            *of_term.entry(found.term).or_default() += 1;
        }
        assert!(of_term.values().all(|&count| count == 6));
    }

    /// Cancels once it was told of so many audits.
    struct Stops(u64, AtomicU64);

    impl Watcher for Stops {
        fn progress(&self, progress: Progress) {
            self.1.store(progress.done, Ordering::Relaxed);
        }

        fn cancelled(&self) -> bool {
            self.1.load(Ordering::Relaxed) >= self.0
        }
    }

    #[test]
    fn the_measuring_tells_how_far_it_is_and_ends_when_it_is_cancelled() {
        let terms: Vec<usize> = (0..40).map(|row| row / 2).collect();
        let rows: Vec<f32> = (0..80_u8).map(|n| f32::from(n % 7) + 1.0).collect();
        let mentions = Mentions {
            dim: 2,
            terms: &terms,
            before: &rows,
            after: None,
        };
        let told = |most: u64| {
            let watcher = Stops(most, AtomicU64::new(0));
            let found = measured(&mentions, "m", &watcher);
            let code = found.err().map(|failure| failure.code);
            (code, watcher.1.into_inner())
        };
        assert_eq!(told(5), (Some(Code::Cancelled), 5));
        assert_eq!(told(100), (None, 20));
    }

    /// Nobody accepted a term: it is said how many there are, and no model is asked for.
    #[test]
    fn terms_that_nobody_accepted_are_not_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        let rules: Vec<String> = (0..30)
            .map(|i| format!("The credit institution shall report its own funds within {i} days."))
            .collect();
        let parsed = document(&rules);
        engine
            .workspace()
            .store
            .write("tester", |w| w.insert_document(&parsed, "act", b"act"))
            .unwrap();
        engine.terms().extract_terms(&Silent).unwrap();
        let request = TermSpaceRequest::default();
        let refused = engine
            .evaluation()
            .terms_in_space(&request, &Silent)
            .unwrap_err();
        assert_eq!(refused.code, Code::TooLittleData);
        assert!(
            refused.message.starts_with("0 accepted terms"),
            "{}",
            refused.message
        );
    }
}

//! Finding terms. Whatever extractor proposes the terms, their definitions and mentions are found here.

use super::Terms;
use crate::corpus::Corpus;
use crate::review::Review;
use crate::workspace::{OpenWorkspace, Result, Watcher, cancelled, tell};
use lexforge_domain::api::{Stage, TermDefinition, TermFilter, TermsReport};
use lexforge_domain::document::Sentence;
use lexforge_domain::endpoint::AskCounts;
use lexforge_domain::extract::{Defined, RejectedTerm, TermExtractor, TermSource};
use lexforge_domain::term::{FoundBy, ReviewStatus, Term};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{Code, Failure, Remedy, SentenceId, TermId};
use lexforge_ingest::mentions::MentionFinder;
use lexforge_ingest::terms::OfflineExtractor;
use lexforge_ingest::{addressed, definitions, terms};
use lexforge_store::{NewDefinition, NewTerm, Writer};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Setting under which the last extraction's report is kept.
const REPORT_SETTING: &str = "terms.report";
/// Setting under which is kept what was proposed and not taken.
const REJECTED_SETTING: &str = "terms.rejected";
/// The reason of a term that a model named and that occurs only within longer ones.
const ONLY_WITHIN: &str = "only_within_longer";

/// A term's place in a list, with a range of a sentence.
type Placed = (usize, SentenceId, u32, u32);

impl Terms<'_> {
    /// Finds the terms of the corpus and every mention of them, without a language model. The results replace earlier
    /// results; reviewers' decisions stay.
    ///
    /// # Errors
    /// When nothing was imported yet, or the workspace cannot be written.
    pub fn extract_terms(&self, watcher: &dyn Watcher) -> Result<TermsReport> {
        self.extract_terms_by(&mut OfflineExtractor, None, watcher)
    }

    /// Find terms with any extractor.
    pub(crate) fn extract_terms_by(
        &self,
        extractor: &mut dyn TermExtractor,
        asked: Option<AskCounts>,
        watcher: &dyn Watcher,
    ) -> Result<TermsReport> {
        let by_language = self.sentences_to_search()?;
        let reviewed = Reviewed::load(self.workspace)?;
        let mut found: Vec<NewTerm> = Vec::new();
        let mut mentions: Vec<Placed> = Vec::new();
        let mut rejections = Rejections::default();
        let (mut flagged, mut without_answer) = (0, 0);
        for (language, sentences) in &by_language {
            if watcher.cancelled() {
                return Err(cancelled("The terms that were there are unchanged."));
            }
            let of = sentences.len() as u64;
            tell(watcher, Stage::Terms, language.tag(), 0, of);
            let sources = sources(sentences);
            let defined =
                definitions::find_all(sources.iter().map(|s| (s.kind, s.text)), *language);
            let extraction = extractor.extract(&sources, &defined, *language);
            flagged += sources.iter().filter(|s| s.addressed).count() as u64;
            without_answer += extraction.without_answer;
            rejections.extend(extraction.rejected, extraction.reasons);
            let mut definitions = definitions_by_key(sentences, defined, *language);
            let proposed = extraction.terms.into_iter().map(NewTerm::of);
            let kept = reviewed
                .kept
                .iter()
                .filter(|t| t.candidate.language == *language)
                .cloned();
            let mut known: HashSet<String> = HashSet::new();
            let mut list: Vec<NewTerm> = Vec::new();
            for mut term in proposed.chain(kept) {
                if known.insert(term.candidate.normal.clone()) {
                    term.definitions = definitions
                        .remove(&term.candidate.normal)
                        .unwrap_or_default();
                    let first = term.definitions.first();
                    term.definition_sentence =
                        first.map(|d| d.sentence).or(term.definition_sentence);
                    term.definition_document =
                        first.map(|d| d.document).or(term.definition_document);
                    list.push(term);
                }
            }
            let placed = place(&list, sentences, *language, &reviewed, watcher)?;
            // A candidate that occurs only within longer terms is no term itself.
            let mentioned: HashSet<usize> = placed.iter().map(|(index, ..)| *index).collect();
            let mut index_of = HashMap::with_capacity(list.len());
            for (index, term) in list.into_iter().enumerate() {
                let c = &term.candidate;
                let proposed = matches!(c.found, FoundBy::Phrase | FoundBy::Model);
                if !proposed || mentioned.contains(&index) || reviewed.keeps(&c.normal, *language) {
                    index_of.insert(index, found.len());
                    found.push(term);
                } else if c.found == FoundBy::Model {
                    *rejections.counts.entry(ONLY_WITHIN.to_owned()).or_default() += 1;
                }
            }
            mentions.extend(
                placed
                    .into_iter()
                    .filter_map(|(i, s, a, b)| Some((*index_of.get(&i)?, s, a, b))),
            );
            tell(watcher, Stage::Terms, language.tag(), of, of);
        }
        let policy = Review::of(self.workspace).term_policy()?;
        let mut report = TermsReport {
            terms: found.len() as u64,
            defined: found
                .iter()
                .filter(|t| t.candidate.found == FoundBy::Defined)
                .count() as u64,
            mentions: mentions.len() as u64,
            policy,
            source: extractor.describe(),
            definitions: found.iter().map(|t| t.definitions.len() as u64).sum(),
            rejected: rejections.counts.clone(),
            flagged,
            without_answer,
            asked,
            confusables: None,
        };
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.replace_terms(&found, &mentions, policy)?;
            rejections.keep(w)
        })?;
        let confusables = self.find_confusables(watcher);
        if let Ok(found) = &confusables {
            report.confusables = Some(found.clone());
        }
        let kept = serde_json::json!(report).to_string();
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.set_setting(REPORT_SETTING, &kept)
        })?;
        confusables.map(|_| report)
    }

    /// Whether terms were ever looked for in this workspace, even if none was found.
    pub(crate) fn were_looked_for(&self) -> Result<bool> {
        let kept = self.workspace.store.read(|r| r.setting(REPORT_SETTING))?;
        Ok(kept.is_some())
    }

    /// The report on the terms that earlier extractions found.
    pub(crate) fn terms_report(&self) -> Result<TermsReport> {
        let defined = TermFilter {
            found: Some(FoundBy::Defined),
            limit: 1,
            ..TermFilter::default()
        };
        let (counts, defined, mentions, kept) = self.workspace.store.read(|r| {
            Ok((
                r.counts()?,
                r.terms(&defined)?.total,
                r.mentions()?.len() as u64,
                r.setting(REPORT_SETTING)?,
            ))
        })?;
        let kept: Option<TermsReport> = kept.and_then(|text| serde_json::from_str(&text).ok());
        let policy = Review::of(self.workspace).term_policy()?;
        let empty = || TermsReport {
            terms: 0,
            defined: 0,
            mentions: 0,
            policy,
            source: String::new(),
            definitions: 0,
            rejected: BTreeMap::new(),
            flagged: 0,
            without_answer: 0,
            asked: None,
            confusables: None,
        };
        Ok(TermsReport {
            terms: counts.terms,
            defined,
            mentions,
            policy,
            ..kept.unwrap_or_else(empty)
        })
    }

    /// Candidates that the last extraction rejected, with the reasons: the first few for each reason.
    pub fn rejected_terms(&self) -> Result<Vec<RejectedTerm>> {
        let kept = self.workspace.store.read(|r| r.setting(REJECTED_SETTING))?;
        Ok(kept
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default())
    }

    /// Keeps what was proposed and not taken where no terms came of it.
    pub(crate) fn keep_rejected(&self, rejected: Vec<RejectedTerm>) -> Result<()> {
        let rejections = Rejections {
            kept: rejected,
            ..Rejections::default()
        };
        Ok(self
            .workspace
            .store
            .write(&self.workspace.actor, |w| rejections.keep(w))?)
    }

    /// The definitions of a term in the acts, in the order of the acts, and whether they differ.
    pub fn definitions_of(&self, term: TermId) -> Result<(Vec<TermDefinition>, bool)> {
        let mut definitions = self.workspace.store.read(|r| r.definitions_of(term))?;
        let differ = lexforge_text::wording::mark_differing(&mut definitions);
        Ok((definitions, differ))
    }

    /// The sentences to look for terms in, by language.
    pub(crate) fn sentences_to_search(&self) -> Result<BTreeMap<Language, Vec<Sentence>>> {
        let by_language = Corpus::of(self.workspace).sentences_by_language()?;
        if by_language.is_empty() {
            return Err(Failure::new(
                Code::StepMissing,
                "There is nothing to find terms in.",
                Remedy::ImportDocument,
            ));
        }
        Ok(by_language)
    }
}

/// Sentences as an extractor gets them.
pub(crate) fn sources(sentences: &[Sentence]) -> Vec<TermSource<'_>> {
    sentences
        .iter()
        .map(|s| TermSource {
            sentence: s.id,
            kind: s.kind,
            text: &s.text,
            addressed: addressed::to_a_model(&s.text),
        })
        .collect()
}

/// Reviewers' actions that an extraction respects.
struct Reviewed {
    /// Terms that stay whatever is proposed.
    kept: Vec<NewTerm>,
    /// Their keys.
    kept_keys: HashSet<(Language, String)>,
    /// Rejected terms, by language and key.
    rejected: HashSet<(Language, String)>,
    /// The wording that reviewers gave to terms, by language and key.
    reworded: HashMap<(Language, String), String>,
}

impl Reviewed {
    fn load(workspace: &OpenWorkspace) -> Result<Self> {
        let (kept, rejected, reworded) = workspace.store.read(|r| {
            let rejected = TermFilter {
                status: Some(ReviewStatus::Rejected),
                ..TermFilter::default()
            };
            let before = r.texts_before_review()?;
            let reworded = before
                .keys()
                .map(|id| r.term(*id))
                .collect::<lexforge_store::Result<Vec<Term>>>()?;
            Ok((r.kept_terms()?, r.terms(&rejected)?.rows, reworded))
        })?;
        Ok(Self {
            kept_keys: kept
                .iter()
                .map(|t| (t.candidate.language, t.candidate.normal.clone()))
                .collect(),
            kept,
            rejected: rejected
                .into_iter()
                .map(|t| (t.language, t.normal))
                .collect(),
            reworded: reworded
                .into_iter()
                .map(|t| ((t.language, t.normal), t.text))
                .collect(),
        })
    }

    fn keeps(&self, normal: &str, language: Language) -> bool {
        self.kept_keys.contains(&(language, normal.to_owned()))
    }
}

/// Every mention of some terms, by their places in the list.
fn place(
    list: &[NewTerm],
    sentences: &[Sentence],
    language: Language,
    reviewed: &Reviewed,
    watcher: &dyn Watcher,
) -> Result<Vec<Placed>> {
    let own: HashSet<&str> = list.iter().map(|t| t.candidate.normal.as_str()).collect();
    // The finder works on ids; places in the list serve until the store has given real ones.
    let mut keyed: Vec<(TermId, &str)> = Vec::new();
    let mut rejected = Vec::new();
    for (term, index) in list.iter().zip(0..) {
        let (c, id) = (&term.candidate, TermId(index));
        keyed.push((id, c.text.as_str()));
        // Another order of the same words is the same term, unless it is a separate term.
        let names = c
            .names
            .iter()
            .filter(|name| !own.contains(terms::key(name, language).as_str()));
        keyed.extend(names.map(|name| (id, name.as_str())));
        let key = (language, c.normal.clone());
        keyed.extend(reviewed.reworded.get(&key).map(|text| (id, text.as_str())));
        if reviewed.rejected.contains(&key) {
            rejected.push(id);
        }
    }
    let finder = MentionFinder::new(&keyed, language).seen_through(rejected);
    let mut placed = Vec::new();
    for (i, sentence) in sentences.iter().enumerate() {
        if i % 2048 == 0 {
            if watcher.cancelled() {
                return Err(cancelled("The terms that were there are unchanged."));
            }
            tell(
                watcher,
                Stage::Terms,
                language.tag(),
                i as u64,
                sentences.len() as u64,
            );
        }
        let found = finder.find(&sentence.text).into_iter();
        placed.extend(found.map(|(term, start, end)| (term.0 as usize, sentence.id, start, end)));
    }
    Ok(placed)
}

/// The definitions by the key of what they define, those in a legal form of words first, each kind in reading order.
fn definitions_by_key(
    sentences: &[Sentence],
    defined: Vec<Defined>,
    language: Language,
) -> HashMap<String, Vec<NewDefinition>> {
    let mut by_key: HashMap<String, Vec<NewDefinition>> = HashMap::new();
    let (legal, described): (Vec<_>, Vec<_>) = defined
        .into_iter()
        .partition(|d| d.definition.kind.is_legal());
    for Defined { source, definition } in legal.into_iter().chain(described) {
        let Some(sentence) = sentences.get(source).filter(|s| {
            s.kind != SentenceKind::TableCell || ends_a_cell(&definition.term, &s.text)
        }) else {
            continue;
        };
        for name in std::iter::once(&definition.term).chain(&definition.aliases) {
            by_key
                .entry(terms::key(name, language))
                .or_default()
                .push(NewDefinition {
                    sentence: sentence.id,
                    document: sentence.document,
                    text: definition.definition.clone(),
                });
        }
    }
    by_key
}

/// Whether a term is at the end of a cell in a row, as in a table of definitions: `(2) Reserve`, `means …`. In other
/// rows, such as replies to a consultation, the term is only mentioned and not defined.
fn ends_a_cell(term: &str, row: &str) -> bool {
    row.contains(&format!("{term}\t"))
}

/// Rejections: all counted, the first of each reason kept.
#[derive(Default)]
struct Rejections {
    counts: BTreeMap<String, u64>,
    kept: Vec<RejectedTerm>,
}

impl Rejections {
    fn extend(&mut self, rejected: Vec<RejectedTerm>, reasons: BTreeMap<String, u64>) {
        self.kept.extend(rejected);
        for (reason, n) in reasons {
            *self.counts.entry(reason).or_default() += n;
        }
    }

    fn keep(&self, w: &mut Writer<'_>) -> lexforge_store::Result<()> {
        w.set_setting(REJECTED_SETTING, &serde_json::json!(self.kept).to_string())
    }
}

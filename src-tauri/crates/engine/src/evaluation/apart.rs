//! Terms in contexts, made from the test part of a snapshot. Each item shows a sentence that uses a term, and asks
//! which of two meanings the term has there (docs/methods.md, "Terminology in practice").
//!
//! The right meaning is the definition of the term in the same act. The wrong meaning is another act's different
//! definition of the term, or the definition of a term that could be confused with it. No text of an item was seen in
//! training: neither the sentence nor a near duplicate of it is in a unit (a document or a section) that was trained
//! on.

use super::Evaluations;
use super::exams::place;
use crate::graph::Graph;
use crate::review::Review;
use crate::training::{FrozenItem, frozen, split_plan};
use crate::workspace::Result;
use lexforge_domain::api::{TermDefinition, TermFilter};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::document::Sentence;
use lexforge_domain::exam::TermInContext;
use lexforge_domain::qca::Split;
use lexforge_domain::term::Term;
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{Code, DocumentId, Failure, SentenceId, TermId};
use lexforge_graph::split::SplitPlan;
use lexforge_text::fold::letters;
use lexforge_text::wording::{only_refers, same};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Most uses of one term in one document.
const USES: usize = 4;
/// Most other meanings that one use is shown with.
const MEANINGS: usize = 2;
/// Terms that could be taken for one, which are looked at for their meanings.
const TWINS: u64 = 10;
/// Shortest use, in characters: less is no context.
const SHORTEST: usize = 20;

impl Evaluations<'_> {
    /// The pairs that the test part of a snapshot gives; the list is empty if no term has both a definition and a use
    /// there.
    ///
    /// # Errors
    /// When the workspace cannot be read, or its graph is gone.
    pub(super) fn apart_of(&self, dataset: &Dataset) -> Result<Vec<TermInContext>> {
        let unseen = self.unseen(dataset)?;
        let (terms, documents) = self
            .workspace
            .store
            .read(|r| Ok((r.terms(&TermFilter::default())?.rows, r.documents()?)))?;
        let titles: HashMap<DocumentId, String> =
            documents.into_iter().map(|d| (d.id, d.title)).collect();
        let joined = Review::of(self.workspace).joined_terms(dataset.review.terms)?;
        let standing: Vec<Term> = terms
            .into_iter()
            .filter(|term| joined.standing.get(&term.id) == Some(&term.id))
            .collect();
        let mut meanings: HashMap<TermId, Vec<TermDefinition>> = HashMap::new();
        for term in standing.iter().filter(|term| term.definition.is_some()) {
            let mut all = self.workspace.store.read(|r| r.definitions_of(term.id))?;
            all.retain(|d| unseen.contains_key(&d.sentence) && !only_refers(&term.text, &d.text));
            if !all.is_empty() {
                meanings.insert(term.id, all);
            }
        }
        let by_id: HashMap<TermId, &Term> = standing.iter().map(|t| (t.id, t)).collect();
        let mut pairs = Vec::new();
        for term in standing
            .iter()
            .filter(|term| meanings.contains_key(&term.id))
        {
            let twins = self.twins(term.id, joined.confusable.get(&term.id))?;
            let uses = self
                .workspace
                .store
                .read(|r| r.sentences_with(term.id, 0))?;
            for (own, uses) in uses_by_meaning(&meanings[&term.id], &uses, &unseen) {
                let wrong = wrong_meanings(term, own, &twins, &meanings, &by_id);
                for used in uses {
                    for other in wrong.iter().take(MEANINGS) {
                        pairs.push(pair(term, used, own, other, titles.get(&own.document)));
                    }
                }
            }
        }
        let mut seen = HashSet::new();
        pairs.retain(|p: &TermInContext| {
            seen.insert([p.shown(), &p.context_pos, &p.context_neg].map(letters))
        });
        Ok(pairs)
    }

    /// The sentences of units that were not trained on. A sentence is left out if a unit that was trained on contains
    /// nearly the same sentence.
    fn unseen(&self, dataset: &Dataset) -> Result<HashMap<SentenceId, Sentence>> {
        let (rows, sentences) = self
            .workspace
            .store
            .read(|r| Ok((r.dataset_items(dataset.id, None)?, r.sentences(None)?)))?;
        // An item that cannot be read may have been learned, so none is left out.
        let items: Vec<FrozenItem> = rows.iter().map(frozen).collect::<Result<_>>()?;
        let partitions = Graph::of(self.workspace).stored_partitions()?;
        let plan = split_plan(partitions.iter());
        let by_document = dataset.split_unit == "document";
        let documents: HashMap<SentenceId, DocumentId> =
            sentences.iter().map(|s| (s.id, s.document)).collect();
        let unit = |id: SentenceId| unit_of(id, &plan, by_document, &documents);
        let mut trained_units = HashSet::new();
        let mut trained_groups = HashSet::new();
        let mut trained_texts = HashSet::new();
        let mut tested = false;
        for item in &items {
            let draft = &item.question.draft;
            if item.question.split == Split::Test {
                tested = true;
                continue;
            }
            trained_units.insert(unit(draft.anchor_sentence));
            trained_groups.insert(group_of(draft.anchor_sentence, &plan));
            trained_texts.extend(draft.choices.iter().map(|choice| letters(choice)));
        }
        if !tested {
            return Ok(HashMap::new());
        }
        // Every sentence of a unit that was trained on may have been asked about. So its near duplicates in other units
        // count as seen, too.
        for sentence in sentences
            .iter()
            .filter(|s| trained_units.contains(&unit(s.id)))
        {
            trained_groups.insert(group_of(sentence.id, &plan));
        }
        Ok(sentences
            .into_iter()
            .filter(|s| !trained_units.contains(&unit(s.id)))
            .filter(|s| !trained_groups.contains(&group_of(s.id, &plan)))
            .filter(|s| !trained_texts.contains(&letters(&s.text)))
            .map(|s| (s.id, s))
            .collect())
    }

    /// The terms that could be taken for one: what people settled, then what was found, the nearest first.
    fn twins(&self, term: TermId, settled: Option<&Vec<TermId>>) -> Result<Vec<TermId>> {
        let found = self
            .workspace
            .store
            .read(|r| r.confusables_of(term, TWINS))?;
        let mut twins: Vec<TermId> = settled.cloned().unwrap_or_default();
        for pair in found {
            let other = pair.other(term);
            if !twins.contains(&other) {
                twins.push(other);
            }
        }
        Ok(twins)
    }

    /// The pairs from the test part of a snapshot (`None` = the newest snapshot), with that snapshot.
    ///
    /// # Errors
    /// When there is no snapshot, or its test part gives no pair.
    pub fn made_terms_apart(
        &self,
        dataset: Option<lexforge_domain::DatasetId>,
    ) -> Result<(Dataset, Vec<TermInContext>)> {
        let dataset = self.snapshot(dataset)?;
        let pairs = self.apart_of(&dataset)?;
        if pairs.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "The snapshot's test part gives no pair: no term of it has a definition and another use there, and a second \
                 meaning to be told from.",
                "Import more acts with definitions, then build graph, questions and snapshot again; or bring a set in.",
            ));
        }
        Ok((dataset, pairs))
    }
}

fn unit_of(
    id: SentenceId,
    plan: &SplitPlan,
    by_document: bool,
    documents: &HashMap<SentenceId, DocumentId>,
) -> i64 {
    if by_document {
        documents.get(&id).map_or(id.0, |d| d.0)
    } else {
        plan.cluster_of.get(&id).copied().unwrap_or(id.0)
    }
}

fn group_of(id: SentenceId, plan: &SplitPlan) -> i64 {
    plan.group_of.get(&id).copied().unwrap_or(id.0)
}

/// The uses of a term by the definition that holds in their document, each document's drawn by their own words.
fn uses_by_meaning<'a>(
    meanings: &'a [TermDefinition],
    uses: &[SentenceId],
    unseen: &'a HashMap<SentenceId, Sentence>,
) -> Vec<(&'a TermDefinition, Vec<&'a Sentence>)> {
    let defining: HashSet<SentenceId> = meanings.iter().map(|d| d.sentence).collect();
    let mut by_document: BTreeMap<DocumentId, Vec<&Sentence>> = BTreeMap::new();
    for sentence in uses.iter().filter_map(|id| unseen.get(id)) {
        let context = !matches!(sentence.kind, SentenceKind::Heading)
            && !defining.contains(&sentence.id)
            && sentence.text.chars().count() >= SHORTEST;
        if context {
            by_document
                .entry(sentence.document)
                .or_default()
                .push(sentence);
        }
    }
    by_document
        .into_iter()
        .filter_map(|(document, mut uses)| {
            let own = meanings.iter().find(|d| d.document == document)?;
            uses.sort_by_key(|s| Sha256::digest(&s.text).to_vec());
            uses.truncate(USES);
            Some((own, uses))
        })
        .collect()
}

/// Meanings that the term does not have here: definitions in other acts, then definitions of similar terms.
fn wrong_meanings<'a>(
    term: &Term,
    own: &TermDefinition,
    twins: &[TermId],
    meanings: &'a HashMap<TermId, Vec<TermDefinition>>,
    terms: &HashMap<TermId, &Term>,
) -> Vec<&'a TermDefinition> {
    let in_language = |d: &&TermDefinition| d.language == own.language && !same(&d.text, &own.text);
    let mut wrong: Vec<&TermDefinition> = meanings
        .get(&term.id)
        .into_iter()
        .flatten()
        .filter(|d| d.document != own.document)
        .filter(in_language)
        .collect();
    for twin in twins {
        let known = terms
            .get(twin)
            .filter(|twin| twin.language == term.language);
        let of = known
            .and_then(|twin| meanings.get(&twin.id))
            .into_iter()
            .flatten();
        // A definition of the same act comes first, if there is one.
        let mut of: Vec<&TermDefinition> = of.filter(in_language).collect();
        of.sort_by_key(|d| d.document != own.document);
        wrong.extend(of.first());
    }
    wrong
}

fn pair(
    term: &Term,
    used: &Sentence,
    own: &TermDefinition,
    other: &TermDefinition,
    act: Option<&String>,
) -> TermInContext {
    let mut pair = TermInContext {
        term: term.text.clone(),
        shown_in: Some(used.text.clone()),
        context_pos: meaning(term, own),
        context_neg: meaning(term, other),
        label: 0,
        act: act.cloned(),
    };
    pair.label = place(&pair);
    pair
}

/// A meaning in the form in which it is shown: the term and its definition.
fn meaning(term: &Term, definition: &TermDefinition) -> String {
    match definition.language {
        Language::Zh => format!("{}：{}", term.text, definition.text),
        _ => format!("{}: {}", term.text, definition.text),
    }
}

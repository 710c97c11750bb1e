//! Terms that acts define differently, for the term level of training (docs/methods.md, "The sentence graph": a term
//! depends on its context).
//!
//! Training moves the vector of a term in its sentence towards the definition of its own act and away from other acts'
//! definitions. All these texts are from the training documents of the snapshot, and none nearly equals a text of a
//! held-out document.

use super::Training;
use super::clusters::split_plan;
use super::items::FrozenItem;
use crate::graph::{Graph, full_width_punctuation};
use crate::review::Review;
use crate::workspace::Result;
use lexforge_domain::api::{TermDefinition, TermFilter};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::MeaningItem;
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DocumentId, SentenceId};
use lexforge_text::wording::{only_refers, same};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Most uses of one term in one document.
const USES: usize = 4;
/// Most other definitions that one use is told from.
const OTHERS: usize = 3;

/// Sentences that may be learnt from, with their document and text.
type Learnt = HashMap<SentenceId, (DocumentId, String)>;

impl Training<'_> {
    /// The uses of terms that the training documents of a snapshot define differently.
    ///
    /// # Errors
    /// When the workspace cannot be read, or its graph is gone.
    pub(super) fn meanings(
        &self,
        dataset: &Dataset,
        items: &[FrozenItem],
    ) -> Result<Vec<MeaningItem>> {
        let terms = self
            .workspace
            .store
            .read(|r| r.terms(&TermFilter::default()))?
            .rows;
        let joined = Review::of(self.workspace).joined_terms(dataset.review.terms)?;
        let mut several = Vec::new();
        for term in terms.into_iter().filter(|t| t.definition.is_some()) {
            if joined.standing.get(&term.id) != Some(&term.id) {
                continue;
            }
            let mut found = self.workspace.store.read(|r| r.definitions_of(term.id))?;
            found.retain(|d| !only_refers(&term.text, &d.text));
            if found.iter().any(|a| found.iter().any(|b| differs(a, b))) {
                several.push((term, found));
            }
        }
        if several.is_empty() {
            return Ok(Vec::new());
        }
        let learnt = self.learnt(items)?;
        let mut made = Vec::new();
        for (term, definitions) in several {
            let uses = self
                .workspace
                .store
                .read(|r| r.sentences_with(term.id, 0))?;
            made.extend(of_term(&term.text, &definitions, &uses, &learnt));
        }
        Ok(made)
    }

    /// The sentences of documents that are trained on and not held out. A sentence is left out if a held-out document
    /// contains nearly the same sentence.
    fn learnt(&self, items: &[FrozenItem]) -> Result<Learnt> {
        let sentences = self.workspace.store.read(|r| r.sentences(None))?;
        let documents: HashMap<SentenceId, DocumentId> =
            sentences.iter().map(|s| (s.id, s.document)).collect();
        let of_parts = |wanted: &dyn Fn(Split) -> bool| -> HashSet<DocumentId> {
            items
                .iter()
                .filter(|item| wanted(item.question.split))
                .filter_map(|item| documents.get(&item.question.draft.anchor_sentence).copied())
                .collect()
        };
        let held_out = of_parts(&|split| split != Split::Train);
        let mut trained = of_parts(&|split| split == Split::Train);
        trained.retain(|document| !held_out.contains(document));
        let plan = split_plan(Graph::of(self.workspace).stored_partitions()?.iter());
        let group = |id: SentenceId| plan.group_of.get(&id).copied().unwrap_or(id.0);
        let seen: HashSet<i64> = sentences
            .iter()
            .filter(|s| held_out.contains(&s.document))
            .map(|s| group(s.id))
            .collect();
        Ok(sentences
            .into_iter()
            .filter(|s| trained.contains(&s.document) && !seen.contains(&group(s.id)))
            .map(|s| (s.id, (s.document, s.text)))
            .collect())
    }
}

/// Returns the meanings that were found. If the graph must be built again first, it returns no meanings and a warning.
/// Then the training can continue, because its snapshot is complete without the graph.
///
/// # Errors
/// Any other failure.
pub(super) fn or_without(
    found: Result<Vec<MeaningItem>>,
) -> Result<(Vec<MeaningItem>, Option<String>)> {
    match found {
        Ok(meanings) => Ok((meanings, None)),
        Err(failure) if failure.code == Code::StepMissing => {
            let warning = "What acts define differently is not learnt: documents or terms changed since the graph was built. \
                           Build it again to learn that, too.";
            Ok((Vec::new(), Some(warning.to_owned())))
        }
        Err(failure) => Err(failure),
    }
}

/// Whether another act says something else of a term, in the same language.
fn differs(one: &TermDefinition, other: &TermDefinition) -> bool {
    one.document != other.document
        && one.language == other.language
        && !same(&one.text, &other.text)
}

/// The uses of a term in documents that define it, with what other documents say.
fn of_term(
    term: &str,
    definitions: &[TermDefinition],
    uses: &[SentenceId],
    learnt: &Learnt,
) -> Vec<MeaningItem> {
    let lower = term.to_lowercase();
    let text = |id: SentenceId, language: Language| {
        let (_, text) = learnt.get(&id)?;
        let text = match language {
            Language::Zh => full_width_punctuation(text),
            _ => text.clone(),
        };
        text.to_lowercase().contains(&lower).then_some(text)
    };
    let defining: HashSet<SentenceId> = definitions.iter().map(|d| d.sentence).collect();
    let mut by_document: BTreeMap<DocumentId, Vec<SentenceId>> = BTreeMap::new();
    for id in uses.iter().filter(|id| !defining.contains(id)) {
        if let Some((document, _)) = learnt.get(id) {
            by_document.entry(*document).or_default().push(*id);
        }
    }
    let mut made = Vec::new();
    for (document, uses) in by_document {
        let own = definitions.iter().find(|d| d.document == document);
        let Some((own, meaning)) = own.and_then(|d| Some((d, text(d.sentence, d.language)?)))
        else {
            continue;
        };
        let mut others: Vec<String> = definitions
            .iter()
            .filter(|d| differs(own, d))
            .filter_map(|d| text(d.sentence, d.language))
            .collect();
        others.dedup();
        others.truncate(OTHERS);
        let mut used: Vec<(SentenceId, String)> = uses
            .into_iter()
            .filter_map(|id| Some((id, text(id, own.language)?)))
            .collect();
        used.sort_by_key(|(_, text)| Sha256::digest(text).to_vec());
        used.truncate(USES);
        if others.is_empty() {
            continue;
        }
        made.extend(used.into_iter().map(|(id, used)| MeaningItem {
            anchor: id.0,
            term: term.to_owned(),
            used,
            meaning: meaning.clone(),
            others: others.clone(),
        }));
    }
    made
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // A test that cannot go on has failed.
mod tests {
    use super::*;
    use lexforge_domain::Failure;

    fn definition(document: i64, sentence: i64, text: &str) -> TermDefinition {
        TermDefinition {
            text: text.to_owned(),
            sentence: SentenceId(sentence),
            document: DocumentId(document),
            document_title: String::new(),
            section: String::new(),
            page: 1,
            boxes: Vec::new(),
            language: Language::En,
            differs: false,
        }
    }

    #[test]
    fn without_a_graph_of_now_there_are_no_meanings_and_a_warning() {
        let failed = |code| Err(Failure::new(code, "It cannot be.", "Look at it."));
        let (meanings, warning) = or_without(failed(Code::StepMissing)).unwrap();
        assert!(meanings.is_empty() && warning.is_some_and(|w| w.contains("graph")));
        assert!(or_without(Ok(Vec::new())).unwrap().1.is_none());
        let other = or_without(failed(Code::WorkspaceInvalid)).unwrap_err();
        assert_eq!(other.code, Code::WorkspaceInvalid);
    }

    #[test]
    fn a_use_has_its_own_acts_definition_and_the_others_are_its_negatives() {
        let texts = [
            (1, 1, "Processor means a body that acts for a controller."),
            (2, 1, "The processor shall keep records."),
            (3, 2, "Processor means a device that computes."),
            (4, 2, "A processor must be cooled."),
            // A definition of the same act with other punctuation is no second meaning.
            (5, 3, "Processor means a device, that computes."),
            (6, 3, "Each processor is counted."),
            // This act does not define it.
            (7, 4, "A processor is sold."),
        ];
        let mut learnt: Learnt = texts
            .iter()
            .map(|(id, document, text)| {
                (SentenceId(*id), (DocumentId(*document), (*text).to_owned()))
            })
            .collect();
        let definitions = [
            definition(1, 1, "a body that acts for a controller"),
            definition(2, 3, "a device that computes"),
            definition(3, 5, "a device, that computes"),
        ];
        let uses = [1, 2, 3, 4, 5, 6, 7].map(SentenceId);
        let found = |learnt: &Learnt| -> Vec<(i64, String, usize)> {
            let made = of_term("processor", &definitions, &uses, learnt);
            made.into_iter()
                .map(|item| (item.anchor, item.meaning, item.others.len()))
                .collect()
        };
        let own = |place: usize| texts[place].2.to_owned();
        assert_eq!(
            found(&learnt),
            [(2, own(0), 2), (4, own(2), 1), (6, own(4), 1)]
        );
        // A held-out text is neither a use nor a negative.
        learnt.remove(&SentenceId(1));
        learnt.remove(&SentenceId(2));
        assert_eq!(found(&learnt), []);
    }
}

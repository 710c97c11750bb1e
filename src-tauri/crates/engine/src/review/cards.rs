//! Everything about one item, ready to be shown.

mod similar;

use super::Review;
use super::settings::plan;
use crate::workspace::Result;
use lexforge_domain::api::{
    DecisionView, PairCard, QuestionCard, QueueItem, ReviewPlan, SimilarityCard, SimilarityPlace,
    TermCard, TermContext, TermDefinition, TripletCard,
};
use lexforge_domain::review::{Choice, Person, Subject, Verdict};
use lexforge_domain::term::{ReviewStatus, Term};
use lexforge_domain::{PersonId, QcaId, SentenceId, SimilarityId, TermId, TripletId};
use lexforge_store::{Reader, StoreError};
use similar::{CONFUSABLES, confusable, first_context, similar};
use std::collections::{HashMap, HashSet};

/// Mentions that a card shows in their sentences.
const CONTEXTS: u64 = 50;
/// Mentions whose surface forms are counted.
const COUNTED_MENTIONS: u64 = 2_000;
/// The flag of a term that is mentioned where a sentence speaks to a language model.
const ADDRESSED: &str = "addressed_to_a_model";

/// When others' decisions are held back in a blind review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// They are held back until the reviewer has decided.
    Always,
    /// The same, but an item in conflict shows the other decisions, because somebody must settle it.
    UnlessInConflict,
}

impl Review<'_> {
    /// Everything that a reviewer sees of one item. For a term this is the page of the term.
    ///
    /// # Errors
    /// When there is no such item.
    pub fn review_item(&self, subject: Subject) -> Result<QueueItem> {
        let me = self.me()?;
        Ok(self
            .workspace
            .store
            .read(|r| card(r, subject, &me, &plan(r)?, Held::UnlessInConflict))?)
    }
}

impl Review<'_> {
    /// The present decision on an item, the people's decisions about it (newest first), and whether decisions of others
    /// are hidden.
    pub(crate) fn review_standing(
        &self,
        subject: Subject,
    ) -> Result<(Option<Choice>, Vec<DecisionView>, bool)> {
        let me = self.me()?;
        let known = self
            .workspace
            .store
            .read(|r| Known::of(r, subject, &me, &plan(r)?, Held::UnlessInConflict))?;
        Ok((known.verdict.choice, known.history, known.blind))
    }
}

/// The known facts about an item's review, as far as this person may see them.
struct Known {
    verdict: Verdict,
    history: Vec<DecisionView>,
    blind: bool,
}

impl Known {
    fn of(
        r: &Reader,
        subject: Subject,
        me: &Person,
        plan: &ReviewPlan,
        held: Held,
    ) -> lexforge_store::Result<Self> {
        let verdict = r.verdict(subject)?;
        let blind = holds_back(r, subject, me, plan)?
            && (held == Held::Always || verdict.status != ReviewStatus::Conflict);
        let mut people: HashMap<PersonId, Person> = HashMap::new();
        let mut history = Vec::new();
        for decision in r.decisions_of(subject)?.into_iter().rev() {
            if blind && decision.person != me.id {
                continue;
            }
            let by = match people.get(&decision.person) {
                Some(person) => person.clone(),
                None => {
                    let person = r.person(decision.person)?;
                    people.insert(person.id, person.clone());
                    person
                }
            };
            let into_text = decision
                .edit
                .into
                .and_then(|id| r.term(id).ok())
                .map(|t| t.text);
            history.push(DecisionView {
                decision,
                by,
                into_text,
            });
        }
        let verdict = if blind { Verdict::default() } else { verdict };
        Ok(Self {
            verdict,
            history,
            blind,
        })
    }
}

/// Whether this person has yet to decide before others' decisions are shown.
fn holds_back(
    r: &Reader,
    subject: Subject,
    me: &Person,
    plan: &ReviewPlan,
) -> lexforge_store::Result<bool> {
    Ok(plan.blind
        && r.own_choice(me.id, subject)?
            .is_none_or(|own| own.choice == Choice::Skip))
}

/// The card of an item.
pub(super) fn card(
    r: &Reader,
    subject: Subject,
    me: &Person,
    plan: &ReviewPlan,
    held: Held,
) -> lexforge_store::Result<QueueItem> {
    let known = Known::of(r, subject, me, plan, held)?;
    Ok(match subject {
        Subject::Term { id } => QueueItem::Term(Box::new(term_card(r, id, me, plan, known)?)),
        Subject::Pair { a, b } => QueueItem::Pair(Box::new(pair_card(r, a, b, me, plan, known)?)),
        Subject::Question { id } => QueueItem::Question(Box::new(question_card(r, id, known)?)),
        Subject::Triplet { id } => QueueItem::Triplet(Box::new(triplet_card(r, id, known)?)),
        Subject::Similarity { id } => {
            QueueItem::Similarity(Box::new(similarity_card(r, id, known)?))
        }
    })
}

fn term_card(
    r: &Reader,
    id: TermId,
    me: &Person,
    plan: &ReviewPlan,
    known: Known,
) -> lexforge_store::Result<TermCard> {
    let term = shown(r, id, known.blind)?;
    let contexts = r.contexts_of(id, CONTEXTS)?;
    let mut definitions = r.definitions_of(id)?;
    if definitions.is_empty() {
        definitions = definition(r, &term)?;
    }
    let definitions_differ = lexforge_text::wording::mark_differing(&mut definitions);
    let found: Vec<TermId> = r
        .confusables_of(id, CONFUSABLES as u64)?
        .into_iter()
        .map(|p| p.other(id))
        .collect();
    let near: Vec<TermId> = match found.is_empty() {
        true => similar(r, &term)?,
        false => found,
    };
    let confusables = near
        .into_iter()
        .map(|other| confusable(r, &term, other, me, plan))
        .collect::<lexforge_store::Result<_>>()?;
    let addressed = contexts
        .iter()
        .any(|c| lexforge_ingest::addressed::to_a_model(&c.sentence.text));
    Ok(TermCard {
        variants: r.surface_forms(id, COUNTED_MENTIONS)?,
        synonyms: if known.blind {
            Vec::new()
        } else {
            synonyms(r, &term)?
        },
        contexts,
        documents: r.documents_with(id)?,
        definitions_differ,
        definitions,
        confusables,
        verdict: known.verdict,
        history: known.history,
        blind: known.blind,
        flags: if addressed {
            vec![ADDRESSED.to_owned()]
        } else {
            Vec::new()
        },
        term,
    })
}

/// A term as the reviewers settled it or, if this is hidden in a blind review, as it was extracted.
fn shown(r: &Reader, id: TermId, blind: bool) -> lexforge_store::Result<Term> {
    if blind {
        r.extracted_term(id)
    } else {
        r.term(id)
    }
}

/// Names of the terms that were joined to it, and the other names that documents and glossaries give it.
fn synonyms(r: &Reader, term: &Term) -> lexforge_store::Result<Vec<String>> {
    let mut names = Vec::new();
    let mut seen = HashSet::from([term.text.clone()]);
    names.extend(
        r.names_of(term.id)?
            .into_iter()
            .filter(|name| seen.insert(name.clone())),
    );
    for id in r.joined_to(term.id)? {
        let name = r.term(id)?.text;
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The definition that a term was given, with its place.
fn definition(r: &Reader, term: &Term) -> lexforge_store::Result<Vec<TermDefinition>> {
    let (Some(text), Some(sentence)) = (&term.definition, term.definition_sentence) else {
        return Ok(Vec::new());
    };
    let sentence = r.sentence(sentence)?;
    let document = r.document(sentence.document)?;
    Ok(vec![TermDefinition::of(text.clone(), sentence, document)])
}

fn pair_card(
    r: &Reader,
    a: TermId,
    b: TermId,
    me: &Person,
    plan: &ReviewPlan,
    known: Known,
) -> lexforge_store::Result<PairCard> {
    let one = r.term(a)?;
    Ok(PairCard {
        one_context: first_context(r, a)?,
        other: confusable(r, &one, b, me, plan)?,
        one,
        verdict: known.verdict,
        history: known.history,
        blind: known.blind,
    })
}

fn question_card(r: &Reader, id: QcaId, known: Known) -> lexforge_store::Result<QuestionCard> {
    let row = if known.blind {
        r.written_question(id)?
    } else {
        r.question(id)?
    };
    let sentence = r.sentence(row.question.draft.anchor_sentence)?;
    let end = sentence.text.chars().count() as u32;
    let anchor = TermContext {
        sentence,
        document_title: row.document_title.clone(),
        start: 0,
        end,
    };
    Ok(QuestionCard {
        row,
        anchor: Some(anchor),
        verdict: known.verdict,
        history: known.history,
        blind: known.blind,
    })
}

fn triplet_card(r: &Reader, id: TripletId, known: Known) -> lexforge_store::Result<TripletCard> {
    let row = r.triplet(id, !known.blind)?;
    let anchor = match row.triplet.sentence {
        Some(sentence) => whole(r, sentence, row.document_title.clone())?,
        None => None,
    };
    Ok(TripletCard {
        row,
        anchor,
        verdict: known.verdict,
        history: known.history,
        blind: known.blind,
    })
}

fn similarity_card(
    r: &Reader,
    id: SimilarityId,
    known: Known,
) -> lexforge_store::Result<SimilarityCard> {
    let pair = r.similarity_pair(id)?;
    // A sentence that is no longer there, or is another one by now, is not shown as the place of this text.
    let context = |place: &SimilarityPlace, text: &str| {
        let context = whole(r, place.sentence, place.title.clone())?;
        Ok::<_, StoreError>(context.filter(|context| context.sentence.text == text))
    };
    Ok(SimilarityCard {
        id,
        language: pair.language,
        one_context: context(&pair.one_place, &pair.one)?,
        other_context: context(&pair.other_place, &pair.other)?,
        one: pair.one,
        other: pair.other,
        verdict: known.verdict,
        history: known.history,
        blind: known.blind,
    })
}

/// A sentence that is marked as a whole; `None` if it no longer exists.
fn whole(
    r: &Reader,
    sentence: SentenceId,
    document_title: String,
) -> lexforge_store::Result<Option<TermContext>> {
    match r.sentence(sentence) {
        Ok(sentence) => Ok(Some(TermContext {
            start: 0,
            end: sentence.text.chars().count() as u32,
            sentence,
            document_title,
        })),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

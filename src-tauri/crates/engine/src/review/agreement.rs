//! How far the reviewers agree, from the decisions that they made independently of each other.

use super::Review;
use super::identity::taken_as_one;
use super::settings::plan;
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::agreement::{AgreementRow, Interval, PairAgreement};
use lexforge_domain::api::{AgreementView, QuestionFilter, TripletFilter};
use lexforge_domain::review::{Choice, Decision, Person, Subject, SubjectKind};
use lexforge_domain::{PersonId, TermId};
use lexforge_evaluate::agreement::{
    Ratings, Resampling, Weights, agreement, cohen, interval_alpha,
};
use lexforge_store::Reader;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Resamples behind each interval.
const RESAMPLES: u32 = 1_000;

impl Review<'_> {
    /// How much the reviewers agree on items of one kind, over all items and for each class. The class of a question is
    /// its type. The class of a triplet is its shift. The class of a pair is the class that both terms have. Scores are
    /// numbers, so their α is interval-scaled.
    pub fn agreement(&self, kind: SubjectKind) -> Result<AgreementView> {
        let (decisions, people, one, classes, plan) = self.workspace.store.read(|r| {
            let decisions = r.decisions(kind)?;
            let classes = classes_of(r, kind, &decisions)?;
            let one = taken_as_one(r)?;
            Ok((decisions, r.people()?, one, classes, plan(r)?))
        })?;
        let basis = Basis {
            kind,
            people: &people,
            one: &one,
            classes: &classes,
            gate: plan.gate,
            seed: DEFAULT_SEED,
        };
        Ok(agreement_of(&decisions, &basis))
    }
}

/// The classes of the items that were decided.
pub(crate) fn classes_of(
    reader: &Reader,
    kind: SubjectKind,
    decisions: &[Decision],
) -> lexforge_store::Result<HashMap<Subject, String>> {
    let decided: HashSet<Subject> = decisions.iter().map(|d| d.subject).collect();
    let mut classes = HashMap::with_capacity(decided.len());
    if kind == SubjectKind::Question {
        for row in reader.questions(&QuestionFilter::default())?.rows {
            let subject = Subject::question(row.question.id);
            if decided.contains(&subject) {
                classes.insert(subject, row.question.draft.question_type.tag().to_owned());
            }
        }
        return Ok(classes);
    }
    if kind == SubjectKind::Triplet {
        for row in reader.triplets(&TripletFilter::default())?.rows {
            let subject = Subject::triplet(row.id);
            if decided.contains(&subject) {
                classes.insert(subject, row.triplet.shift);
            }
        }
        return Ok(classes);
    }
    let of_term: HashMap<TermId, String> = reader
        .term_ranks()?
        .into_iter()
        .map(|term| (term.id, term.class))
        .collect();
    for subject in decided {
        let class = match subject {
            Subject::Term { id } => of_term.get(&id),
            Subject::Pair { a, b } => of_term
                .get(&a)
                .filter(|class| of_term.get(&b) == Some(class)),
            _ => None,
        };
        if let Some(class) = class {
            classes.insert(subject, class.clone());
        }
    }
    Ok(classes)
}

/// The data for the figures in addition to the decisions.
pub(crate) struct Basis<'a> {
    /// The kind of items.
    pub(crate) kind: SubjectKind,
    /// Everybody who may have decided.
    pub(crate) people: &'a [Person],
    /// For each person the person as whom they count, because their names look alike and nobody said that they are two.
    pub(crate) one: &'a BTreeMap<PersonId, PersonId>,
    /// The class of each item; one that is not in it has none.
    pub(crate) classes: &'a HashMap<Subject, String>,
    /// α under which a class is named as unreliable.
    pub(crate) gate: f64,
    /// Seed of the resamples.
    pub(crate) seed: u64,
}

/// Computes the agreement from all decisions about items of a kind, in any order.
///
/// Each person's first decision on each item counts. Skips, decisions taken back, and adjudications are left out.
/// Decisions made in this workspace after the item was adjudicated are also left out, because the answer was known by
/// then; a colleague who decided in another workspace did not see it. Two merges into different terms count as the same
/// choice, because all items need the same scale; such items are listed as conflicts.
pub(crate) fn agreement_of(decisions: &[Decision], basis: &Basis) -> AgreementView {
    let first = first_decisions(decisions, basis);
    let scale: Vec<Choice> = Choice::all()
        .filter(|c| c.suits(basis.kind) && *c != Choice::Skip)
        .collect();
    // People by name, so that nothing depends on the order in which they came to the workspace.
    let mut people: Vec<&Person> = basis.people.iter().collect();
    people.sort_by(|a, b| a.name.cmp(&b.name));
    let rater: HashMap<PersonId, u32> = people
        .iter()
        .zip(0..)
        .map(|(person, number)| (person.id, number))
        .collect();
    let mut all = Ratings::new(scale.len());
    let mut by_class: BTreeMap<&str, Ratings> = BTreeMap::new();
    for (subject, said) in &first {
        let ratings: Vec<(u32, u32)> = said
            .iter()
            .filter_map(|(person, choice)| {
                Some((
                    *rater.get(person)?,
                    scale.iter().position(|c| c == choice)? as u32,
                ))
            })
            .collect();
        let class = basis.classes.get(subject).map_or("", String::as_str);
        let of_class = by_class
            .entry(class)
            .or_insert_with(|| Ratings::new(scale.len()));
        // A rater who is named once an item and chooses from the scale has a place in it.
        let placed = all.push(&ratings).and_then(|()| of_class.push(&ratings));
        debug_assert!(placed.is_ok(), "{placed:?}");
    }
    let resampling = Resampling {
        count: RESAMPLES,
        seed: basis.seed,
    };
    let points: Vec<f64> = scale
        .iter()
        .filter_map(|choice| Some(choice.score()?.points()))
        .collect();
    let scored = !points.is_empty();
    let weights = if scored {
        Weights::Quadratic
    } else {
        Weights::Identity
    };
    let scaled = |ratings: &Ratings, only: Option<[u32; 2]>| {
        scored.then(|| interval_alpha(ratings, &points, only, resampling))
    };
    let row = |class: Option<&str>, ratings: &Ratings| {
        let found = agreement(ratings, &weights, resampling);
        AgreementRow {
            class: class.map(str::to_owned),
            items: found.items,
            single: found.single,
            reviewers: found.raters,
            percent: found.percent,
            alpha: scaled(ratings, None).unwrap_or(found.alpha),
            fleiss: found.fleiss,
            gwet: found.gwet,
        }
    };
    let pairs = agreement_of_pairs(&all, &people, resampling, |pair| scaled(&all, Some(pair)));
    AgreementView {
        kind: basis.kind,
        overall: row(None, &all),
        // Two sentences have no class.
        by_class: by_class
            .iter()
            .filter(|_| !scored)
            .map(|(class, ratings)| row(Some(class), ratings))
            .collect(),
        pairs,
        resamples: RESAMPLES,
        seed: basis.seed,
        gate: basis.gate,
        alike: alike(basis),
    }
}

/// How any two people agree who decided about the same items. `scaled` gives the agreement of two on a scale of points.
fn agreement_of_pairs(
    all: &Ratings,
    people: &[&Person],
    resampling: Resampling,
    scaled: impl Fn([u32; 2]) -> Option<Interval>,
) -> Vec<PairAgreement> {
    let raters = all.raters();
    let name = |rater: u32| {
        people
            .get(rater as usize)
            .map(|person| person.name.clone())
            .unwrap_or_default()
    };
    let mut pairs = Vec::new();
    for (i, &one) in raters.iter().enumerate() {
        for &other in &raters[i + 1..] {
            let found = cohen(all, one, other, resampling);
            if found.items > 0 {
                pairs.push(PairAgreement {
                    one: name(one),
                    other: name(other),
                    items: found.items,
                    percent: found.percent,
                    kappa: found.kappa,
                    alpha: scaled([one, other]),
                });
            }
        }
    }
    pairs
}

/// The names of those who count as another, with the other's.
fn alike(basis: &Basis) -> Vec<(String, String)> {
    let name = |id: &PersonId| {
        basis
            .people
            .iter()
            .find(|p| p.id == *id)
            .map(|p| p.name.clone())
            .unwrap_or_default()
    };
    basis
        .one
        .iter()
        .map(|(person, first)| (name(person), name(first)))
        .collect()
}

/// What each person said first about each item.
type First = BTreeMap<Subject, BTreeMap<PersonId, Choice>>;

fn first_decisions(decisions: &[Decision], basis: &Basis) -> First {
    let kind = basis.kind;
    let mut counted: Vec<&Decision> = decisions
        .iter()
        .filter(|d| d.subject.kind() == kind && !d.undone)
        .collect();
    counted.sort_by(|a, b| (&a.made, &a.uid).cmp(&(&b.made, &b.uid)));
    let mut first = First::new();
    let mut ended: HashSet<Subject> = HashSet::new();
    for decision in counted {
        if decision.adjudicates {
            ended.insert(decision.subject);
        } else if decision.choice != Choice::Skip
            && decision.choice.suits(kind)
            && (decision.packet.is_some() || !ended.contains(&decision.subject))
        {
            let person = basis
                .one
                .get(&decision.person)
                .copied()
                .unwrap_or(decision.person);
            first
                .entry(decision.subject)
                .or_default()
                .entry(person)
                .or_insert(decision.choice);
        }
    }
    first
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

//! How far the reviewers agree, from the decisions that they made independently of each other.

use super::Review;
use super::identity::taken_as_one;
use super::settings::plan;
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_domain::agreement::{AgreementRow, PairAgreement};
use lexforge_domain::api::{AgreementView, QuestionFilter};
use lexforge_domain::review::{Choice, Decision, Person, Subject, SubjectKind};
use lexforge_domain::{PersonId, TermId};
use lexforge_evaluate::agreement::{Ratings, Resampling, Weights, agreement, cohen};
use lexforge_store::Reader;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Resamples behind each interval.
const RESAMPLES: u32 = 1_000;

impl Review<'_> {
    /// How far the reviewers agree on items of a kind, over all and class by class: of questions the class is what they ask
    /// for, of pairs the class that both terms have.
    ///
    /// # Errors
    /// When the workspace cannot be read.
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
            Subject::Question { .. } => None,
        };
        if let Some(class) = class {
            classes.insert(subject, class.clone());
        }
    }
    Ok(classes)
}

/// What the figures are made of beside the decisions.
pub(crate) struct Basis<'a> {
    /// Of which items.
    pub(crate) kind: SubjectKind,
    /// Everybody who may have decided.
    pub(crate) people: &'a [Person],
    /// Who counts as another of them: their names look alike, and nobody said that they are two.
    pub(crate) one: &'a BTreeMap<PersonId, PersonId>,
    /// The class of each item; one that is not in it has none.
    pub(crate) classes: &'a HashMap<Subject, String>,
    /// α under which a class is named as unreliable.
    pub(crate) gate: f64,
    /// Seed of the resamples.
    pub(crate) seed: u64,
}

/// Agreement from all decisions about items of a kind, in any order.
///
/// Each person's first decision on each item counts. Left out are skips, what its person took back, adjudications, and what
/// was decided in this workspace after an adjudication of the item, when the answer was known; a colleague who decided in a
/// workspace of their own did not see it. Merging into different terms is the same choice here: a scale must be the same for
/// all items; such items stand among the conflicts.
pub(crate) fn agreement_of(decisions: &[Decision], basis: &Basis) -> AgreementView {
    let first = first_decisions(decisions, basis);
    let scale: Vec<Choice> = Choice::ALL
        .into_iter()
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
    let row = |class: Option<&str>, ratings: &Ratings| {
        let found = agreement(ratings, &Weights::Identity, resampling);
        AgreementRow {
            class: class.map(str::to_owned),
            items: found.items,
            single: found.single,
            reviewers: found.raters,
            percent: found.percent,
            alpha: found.alpha,
            fleiss: found.fleiss,
            gwet: found.gwet,
        }
    };
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
            let found = cohen(&all, one, other, resampling);
            if found.items > 0 {
                pairs.push(PairAgreement {
                    one: name(one),
                    other: name(other),
                    items: found.items,
                    percent: found.percent,
                    kappa: found.kappa,
                });
            }
        }
    }
    AgreementView {
        kind: basis.kind,
        overall: row(None, &all),
        by_class: by_class
            .iter()
            .map(|(class, ratings)| row(Some(class), ratings))
            .collect(),
        pairs,
        resamples: RESAMPLES,
        seed: basis.seed,
        gate: basis.gate,
        alike: alike(basis),
    }
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
mod tests {
    use super::*;
    use lexforge_domain::ActId;
    use lexforge_domain::review::{Edit, Role};

    fn by(person: i64, term: i64, choice: Choice, made: &str) -> Decision {
        Decision {
            uid: format!("{person}/{term}/{made}"),
            act: ActId(1),
            subject: Subject::term(TermId(term)),
            person: PersonId(person),
            choice,
            edit: Edit::default(),
            reason: String::new(),
            made: made.to_owned(),
            adjudicates: false,
            packet: None,
            undone: false,
        }
    }

    fn people(names: &[(i64, &str)]) -> Vec<Person> {
        let person = |&(id, name): &(i64, &str)| Person {
            id: PersonId(id),
            uid: format!("{id:032}"),
            name: name.to_owned(),
            role: Role::DomainExpert,
            share: 0,
        };
        names.iter().map(person).collect()
    }

    fn of(
        decisions: &[Decision],
        people: &[Person],
        classes: &HashMap<Subject, String>,
    ) -> AgreementView {
        of_one(decisions, people, classes, &BTreeMap::new())
    }

    fn of_one(
        decisions: &[Decision],
        people: &[Person],
        classes: &HashMap<Subject, String>,
        one: &BTreeMap<PersonId, PersonId>,
    ) -> AgreementView {
        agreement_of(
            decisions,
            &Basis {
                kind: SubjectKind::Term,
                people,
                one,
                classes,
                gate: 0.8,
                seed: 1,
            },
        )
    }

    #[test]
    fn the_first_independent_decision_counts() {
        use Choice::{Accept, Merge, Reject, Skip};
        let ended = Decision {
            adjudicates: true,
            ..by(3, 1, Reject, "3")
        };
        let two = |choice| vec![by(1, 1, Accept, "1"), by(2, 1, choice, "2")];
        let with = |more: &[Decision]| [two(Accept), more.to_vec()].concat();
        let cases: [(&str, Vec<Decision>, u64, Option<f64>); 9] = [
            ("nothing", vec![], 0, None),
            ("one alone", vec![by(1, 1, Accept, "1")], 0, None),
            ("two who agree", two(Accept), 1, Some(1.0)),
            ("two who differ", two(Reject), 1, Some(0.0)),
            (
                "a mind changed to agree",
                [two(Reject), vec![by(2, 1, Accept, "4")]].concat(),
                1,
                Some(0.0),
            ),
            (
                "skipped first",
                vec![
                    by(1, 1, Skip, "0"),
                    by(1, 1, Merge, "2"),
                    by(2, 1, Merge, "3"),
                ],
                1,
                Some(1.0),
            ),
            (
                "a slip taken back",
                with(&[Decision {
                    undone: true,
                    ..by(2, 1, Reject, "0")
                }]),
                1,
                Some(1.0),
            ),
            (
                "after the adjudication",
                with(&[ended.clone(), by(3, 1, Reject, "4"), by(4, 1, Reject, "5")]),
                1,
                Some(1.0),
            ),
            (
                "elsewhere, after the adjudication",
                with(&[
                    ended,
                    Decision {
                        packet: Some("a packet".to_owned()),
                        ..by(4, 1, Reject, "5")
                    },
                ]),
                1,
                Some(1.0 / 3.0),
            ),
        ];
        let people = people(&[
            (1, "Reviewer 1"),
            (2, "Reviewer 2"),
            (3, "Reviewer 3"),
            (4, "Reviewer 4"),
        ]);
        for (what, mut decisions, items, percent) in cases {
            for _ in 0..decisions.len().max(1) {
                let overall = of(&decisions, &people, &HashMap::new()).overall;
                assert_eq!(
                    (overall.items, overall.percent.value),
                    (items, percent),
                    "{what}"
                );
                if !decisions.is_empty() {
                    decisions.rotate_left(1);
                }
            }
        }
    }

    #[test]
    fn classes_and_pairs_are_told_apart() {
        use Choice::{Accept, Reject};
        let mut decisions = Vec::new();
        let mut classes = HashMap::new();
        for term in 0..40 {
            // On authorities everybody agrees, on the rest the third says the opposite of the others.
            let sure = term < 20;
            let choice = if term % 2 == 0 { Accept } else { Reject };
            let other = if (term % 2 == 0) == sure {
                Accept
            } else {
                Reject
            };
            decisions.extend([
                by(1, term, choice, "1"),
                by(2, term, choice, "2"),
                by(3, term, other, "3"),
            ]);
            if sure {
                classes.insert(Subject::term(TermId(term)), "authority".to_owned());
            }
        }
        let names = people(&[(1, "Reviewer 3"), (2, "Reviewer 1"), (3, "Reviewer 2")]);
        let view = of(&decisions, &names, &classes);
        let rows: Vec<_> = view
            .by_class
            .iter()
            .map(|r| (r.class.as_deref(), r.items, r.alpha.value.unwrap()))
            .collect();
        assert_eq!(
            (rows[1].0, rows[1].1, rows[1].2),
            (Some("authority"), 20, 1.0)
        );
        assert_eq!((rows[0].0, rows[0].1), (Some(""), 20));
        assert!(
            rows[0].2 < 0.0 && view.overall.alpha.value.unwrap() < 0.8,
            "{rows:?}"
        );
        assert_eq!(
            (
                view.overall.items,
                view.overall.reviewers,
                view.overall.single
            ),
            (40, 3, 0)
        );
        let pairs: Vec<_> = view
            .pairs
            .iter()
            .map(|p| (p.one.as_str(), p.other.as_str(), p.kappa.value))
            .collect();
        assert_eq!(
            pairs,
            [
                ("Reviewer 1", "Reviewer 2", Some(0.0)),
                ("Reviewer 1", "Reviewer 3", Some(1.0)),
                ("Reviewer 2", "Reviewer 3", Some(0.0)),
            ]
        );
        // Other ids for the same people and another order of arrival are the same figures.
        let moved = people(&[(11, "Reviewer 3"), (7, "Reviewer 1"), (9, "Reviewer 2")]);
        let mut elsewhere: Vec<Decision> = decisions
            .iter()
            .map(|d| Decision {
                person: PersonId([0, 11, 7, 9][d.person.0 as usize]),
                ..d.clone()
            })
            .collect();
        elsewhere.reverse();
        assert_eq!(of(&elsewhere, &moved, &classes), view);
    }
}

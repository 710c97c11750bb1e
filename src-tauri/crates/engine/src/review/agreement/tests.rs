//! Tests of `agreement`.

use super::*;
use lexforge_domain::review::{Edit, Role, Score};
use lexforge_domain::{ActId, SimilarityId};

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
fn scores_agree_by_how_near_they_are() {
    let score = |points: f64| Score::of(points).map_or(Choice::Skip, Choice::Score);
    let scored = |person, pair, points: f64| Decision {
        subject: Subject::similarity(SimilarityId(pair)),
        ..by(person, pair, score(points), "1")
    };
    let names = people(&[(1, "Reviewer 1"), (2, "Reviewer 2")]);
    let apart = |by: f64| {
        let decisions: Vec<Decision> = (0..10)
            .flat_map(|i| {
                let points = f64::from(i % 5) / 2.0;
                [
                    scored(1, i.into(), points),
                    scored(2, i.into(), points + by),
                ]
            })
            .collect();
        agreement_of(
            &decisions,
            &Basis {
                kind: SubjectKind::Similarity,
                people: &names,
                one: &BTreeMap::new(),
                classes: &HashMap::new(),
                gate: 0.8,
                seed: 1,
            },
        )
    };
    let (same, near, far) = (apart(0.0), apart(0.5), apart(2.5));
    let alpha = |view: &AgreementView| view.overall.alpha.value.unwrap();
    assert_eq!(alpha(&same), 1.0);
    // Never the same, and yet nearer half a point apart than far apart.
    assert_eq!(near.overall.percent.value, Some(0.0));
    assert!(alpha(&near) > 0.7 && alpha(&far) < 0.0, "{near:?}");
    assert_eq!(near.pairs[0].alpha.unwrap().value, Some(alpha(&near)));
    assert!(near.by_class.is_empty() && near.overall.items == 10);
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

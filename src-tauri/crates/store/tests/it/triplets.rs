//! Triplets and what reviewers decide about them.

use crate::common::{asked, fill};
use lexforge_domain::api::{NewTriplet, TripletFilter, TripletMaker};
use lexforge_domain::review::{Choice, Edit, Role, Score, Subject, SubjectKind};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{SimilarityId, TripletId};
use lexforge_store::verify::verify;
use lexforge_store::{NewAct, StoreError, Workspace, Writer};
use std::collections::BTreeMap;

#[test]
fn a_decision_about_a_triplet_holds_when_it_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    let filled = fill(&workspace);
    let (must, may) = (
        asked::triplet("must", &filled),
        asked::triplet("may", &filled),
    );
    let turned_down = NewTriplet {
        negative: String::new(),
        reason: Some("no_edit".to_owned()),
        ..must.clone()
    };
    workspace
        .write("tester", |w| {
            let all = [must.clone(), may.clone(), turned_down.clone()];
            w.replace_triplets(TripletMaker::Offline, &all)?;
            w.decide_triplets(&[TripletId(2)], ReviewStatus::Accepted, "")?;
            w.decide_triplets(&[TripletId(2)], ReviewStatus::Rejected, "reads badly")
        })
        .unwrap();
    let list = |filter: TripletFilter| workspace.read(|r| r.triplets(&filter)).unwrap();
    let standing = || -> Vec<(String, ReviewStatus)> {
        let rows = list(TripletFilter::default()).rows.into_iter();
        rows.map(|row| (row.triplet.negative, row.status)).collect()
    };
    let expected = vec![
        (must.negative.clone(), ReviewStatus::Unreviewed),
        (may.negative.clone(), ReviewStatus::Rejected),
    ];
    assert_eq!(standing(), expected);
    workspace
        .write("tester", |w| {
            w.replace_triplets(TripletMaker::Offline, &[must.clone(), may.clone()])?;
            assert_eq!(
                w.add_triplets(std::slice::from_ref(&may))?,
                1,
                "it is there already"
            );
            Ok(())
        })
        .unwrap();
    assert_eq!(standing(), expected);
    let of = |filter| list(filter).total;
    let shift = |tag: &str| TripletFilter {
        shift: Some(tag.to_owned()),
        ..TripletFilter::default()
    };
    assert_eq!(of(shift("rule_based")), 2);
    assert_eq!(of(shift("rule_based.force")), 2);
    assert_eq!(of(shift("rule")), 0);
    let rejected = TripletFilter {
        status: Some(ReviewStatus::Rejected),
        ..TripletFilter::default()
    };
    assert_eq!(of(rejected), 1);
    let second = TripletFilter {
        offset: 1,
        limit: 1,
        ..TripletFilter::default()
    };
    let found = list(second);
    assert_eq!((found.total, found.rows.len()), (2, 1));
    assert_eq!(found.rows[0].triplet.negative, may.negative);
    let copy = NewTriplet {
        negative: "another draft".to_owned(),
        reason: Some("copy".to_owned()),
        ..may.clone()
    };
    workspace
        .write("tester", |w| w.add_triplets(std::slice::from_ref(&copy)))
        .unwrap();
    let turned_down = |reason: &str| TripletFilter {
        turned_down: true,
        reason: Some(reason.to_owned()),
        ..TripletFilter::default()
    };
    assert_eq!((of(turned_down("copy")), of(turned_down("length"))), (1, 0));
    let counts = workspace.read(|r| r.triplet_counts()).unwrap();
    assert_eq!(counts.kept(), 2);
    let n = |counts: &BTreeMap<String, u64>, tag: &str| counts.get(tag).copied();
    assert_eq!(n(&counts.by_status, "rejected"), Some(1));
    assert_eq!(n(&counts.by_shift, "rule_based.force"), Some(2));
    assert_eq!(n(&counts.turned_down, "copy"), Some(1));
    let row = &list(TripletFilter::default()).rows[0];
    assert_eq!((row.document, row.page), (Some(filled.document), Some(1)));
    assert!(matches!(
        workspace.write("tester", |w| w.decide_triplets(
            &[TripletId(99)],
            ReviewStatus::Accepted,
            ""
        )),
        Err(StoreError::NotFound { .. })
    ));
    assert!(workspace.read(verify).unwrap().ok);
}

/// One decision of a person who is known or is added with it.
fn decide(
    w: &mut Writer,
    name: &str,
    subject: Subject,
    choice: Choice,
    edit: &Edit,
) -> lexforge_store::Result<()> {
    let person = match w.person_named(name)? {
        Some(person) => person,
        None => w.put_person(None, name, Role::DomainExpert, 1)?,
    };
    w.decide(&NewAct {
        person: person.id,
        subjects: &[subject],
        choice,
        edit,
        reason: "read twice",
        adjudicates: false,
    })
    .map(|_| ())
}

#[test]
fn a_reviewed_triplet_keeps_its_number_and_what_was_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    let filled = fill(&workspace);
    let made = ["must", "may", "can"].map(|modal| asked::triplet(modal, &filled));
    let turned_down = NewTriplet {
        reason: Some("no_edit".to_owned()),
        ..made[0].clone()
    };
    let make = |all: &[NewTriplet]| {
        let made = workspace.write("tester", |w| w.replace_triplets(TripletMaker::Offline, all));
        made.unwrap();
    };
    make(&made);
    let correction = Edit {
        choices: Some(vec![
            "It says so.".to_owned(),
            "It says otherwise.".to_owned(),
        ]),
        ..Edit::default()
    };
    workspace
        .write("tester", |w| {
            let of = |id| Subject::triplet(TripletId(id));
            decide(w, "Reviewer 1", of(2), Choice::Reject, &Edit::default())?;
            decide(w, "Reviewer 1", of(3), Choice::Accept, &correction)?;
            decide(w, "Reviewer 1", of(1), Choice::Accept, &Edit::default())?;
            decide(w, "Reviewer 2", of(1), Choice::Reject, &Edit::default())
        })
        .unwrap();
    // Made again without the first, with a draft that is turned down, and with the first once more.
    make(&[turned_down, made[2].clone(), made[1].clone()]);
    make(&[made[2].clone(), made[0].clone(), made[1].clone()]);
    let rows = workspace
        .read(|r| r.triplets(&TripletFilter::default()))
        .unwrap()
        .rows;
    let found: Vec<(i64, ReviewStatus, bool, &str, bool)> = rows
        .iter()
        .map(|row| {
            let negative = row.triplet.negative.as_str();
            (row.id.0, row.status, row.corrected, negative, row.is_used())
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                1,
                ReviewStatus::Conflict,
                false,
                made[0].negative.as_str(),
                false
            ),
            (
                2,
                ReviewStatus::Rejected,
                false,
                made[1].negative.as_str(),
                false
            ),
            (3, ReviewStatus::Accepted, true, "It says otherwise.", true),
        ]
    );
    let (settled, written) = workspace
        .read(|r| {
            Ok((
                r.triplet(TripletId(3), true)?,
                r.triplet(TripletId(3), false)?,
            ))
        })
        .unwrap();
    assert_eq!(settled.triplet.positive, "It says so.");
    assert_eq!(written.triplet, made[2]);
    assert!(
        workspace
            .read(|r| r.holds(Subject::triplet(TripletId(3))))
            .unwrap()
    );
    assert!(
        !workspace
            .read(|r| r.holds(Subject::triplet(TripletId(9))))
            .unwrap()
    );
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn scored_pairs_stay_and_scores_come_to_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    let filled = fill(&workspace);
    let (draw, pair) = asked::similarity(&filled);
    let subject = Subject::similarity(SimilarityId(1));
    let score = |points: f64| Choice::Score(Score::of(points).unwrap());
    let none = Edit::default();
    workspace
        .write("tester", |w| {
            w.add_similarity_pairs(&draw, std::slice::from_ref(&pair))?;
            decide(w, "Reviewer 1", subject, score(2.5), &none)?;
            decide(w, "Reviewer 2", subject, score(4.0), &none)
        })
        .unwrap();
    let (pairs, draws, verdicts) = workspace
        .read(|r| {
            Ok((
                r.similarity_pairs()?,
                r.similarity_draws()?,
                r.verdicts(SubjectKind::Similarity)?,
            ))
        })
        .unwrap();
    assert_eq!(pairs, [(SimilarityId(1), pair)]);
    assert_eq!((draws.len(), &draws[0].1), (1, &draw));
    // 3.25 is as near to 3 as to 3.5; the upper one counts.
    assert_eq!(
        (verdicts[0].0, verdicts[0].1.choice),
        (subject, Some(score(3.5)))
    );
    let file = rusqlite::Connection::open(workspace.path()).unwrap();
    for sql in [
        "DELETE FROM similarity_pair",
        "UPDATE similarity_pair SET one = 'x'",
    ] {
        assert!(file.execute(sql, []).is_err(), "{sql}");
    }
    let actions = workspace.read(|r| r.audit_rows(0, None)).unwrap();
    assert_eq!(
        actions
            .iter()
            .filter(|row| row.action == "review.score")
            .count(),
        2
    );
    assert!(workspace.read(verify).unwrap().ok);
}

//! Triplets and what reviewers decide about them.

use crate::common::{asked, fill};
use lexforge_domain::TripletId;
use lexforge_domain::api::{NewTriplet, TripletFilter, TripletMaker};
use lexforge_domain::term::ReviewStatus;
use lexforge_store::verify::verify;
use lexforge_store::{StoreError, Workspace};

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

//! Tests of `triplets`.

use super::*;
use lexforge_domain::TripletId;
use lexforge_domain::api::{TripletMaker, TripletOrigin};

fn row(id: i64, source: &str) -> TripletRow {
    TripletRow {
        id: TripletId(id),
        triplet: NewTriplet {
            sentence: None,
            language: Language::En,
            source: source.to_owned(),
            positive: format!("In other words: {source}"),
            negative: format!("{source} Not at all."),
            shift: String::new(),
            origin: TripletOrigin {
                by: TripletMaker::Import,
                negative: String::new(),
                removed: String::new(),
                added: String::new(),
                positive: Vec::new(),
                note: String::new(),
            },
            margin: None,
            split: Split::Train,
            group: id,
            cluster: id,
            reason: None,
        },
        status: ReviewStatus::Unreviewed,
        corrected: false,
        document: None,
        document_title: String::new(),
        page: None,
    }
}

#[test]
fn a_translation_is_to_be_read_by_the_model_too() {
    let mut one = row(1, "The keeper shall report each loss.").triplet;
    assert_eq!(other_language(&one), None);
    one.positive = "保管人应当报告每一项损失。".to_owned();
    assert_eq!(other_language(&one), Some(Language::Zh));
}

#[test]
fn what_is_nearly_held_out_is_not_learnt() {
    let long = "The keeper shall report each loss to the office within ten days of its discovery by letter.";
    let near = long.replace("each loss", "every loss");
    let (one, two) = (
        row(1, long),
        row(
            2,
            "Goods are weighed in the hall every morning before noon.",
        ),
    );
    let held = row(3, &near);
    let texts = |row: &&TripletRow| {
        let triplet = &row.triplet;
        [&triplet.source, &triplet.positive, &triplet.negative].map(String::clone)
    };
    let (kept, leaked) = without_leaks(vec![&one, &two], &[&held], texts);
    assert_eq!((kept.len(), leaked), (1, 1));
    assert_eq!(kept.first().map(|row| row.id), Some(TripletId(2)));
}

#[test]
fn a_refusal_says_why_the_others_are_left_out_and_counts_each_once() {
    let with = |status, reason: Option<&str>| {
        let mut row = row(1, "The keeper shall report.");
        row.status = status;
        row.triplet.reason = reason.map(str::to_owned);
        row
    };
    let mut others = Others::of(&[
        with(ReviewStatus::Unreviewed, None),
        with(ReviewStatus::Rejected, None),
        with(ReviewStatus::Conflict, None),
        with(ReviewStatus::Conflict, None),
        // A check comes before any reviewer.
        with(ReviewStatus::Rejected, Some("numbers")),
    ]);
    assert_eq!(
        (others.unchecked, others.rejected, others.disputed),
        (1, 1, 2)
    );
    (others.held_out, others.leaked, others.unread) = (40, 9, 3);
    let told = others.too_few(11, "MiniLM");
    let left_out = "Left out: 40 that are kept for testing, 9 that are nearly the same as one of those, 3 in a language that \
         the model does not read, 1 that reviewers rejected, 2 about which reviewers differ, and 1 that failed a check.";
    assert!(told.message.ends_with(left_out), "{}", told.message);
}

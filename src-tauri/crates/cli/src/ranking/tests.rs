//! Tests of `ranking`.

use super::*;

#[test]
fn a_curve_says_on_how_many_questions_it_stands_and_how_sure_it_is() {
    let point = BlendPoint {
        percent: 75,
        recall_10: 0.75,
        map_10: 0.5,
        questions: 6,
        intervals: [("map@10".to_owned(), [0.2, 0.8])].into(),
        general: None,
        pairs: 0,
    };
    let text = points_of(&[point]);
    for said in [
        "6 questions",
        "0.750 ",
        "0.500 [0.200, 0.800]",
        "not measured",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

//! Tests of `compare`.

use super::*;

#[test]
fn two_different_ways_are_offered_where_there_are_two() {
    let row = |way: &AnswerWay| AnswerWayRow {
        way: way.clone(),
        model: "decoder".to_owned(),
        host: None,
        local: true,
    };
    let clauses = AnswerWay::Extractive;
    let firm = AnswerWay::Endpoint {
        name: Some("firm".to_owned()),
    };
    let base = AnswerWay::Base {
        model: Some("decoder".to_owned()),
    };
    let tuned = AnswerWay::Adapter { run: None };
    for (there, way, expected) in [
        (vec![&clauses], &clauses, [&clauses, &clauses]),
        (vec![&clauses, &firm], &clauses, [&clauses, &firm]),
        (vec![&clauses, &firm], &firm, [&clauses, &firm]),
        (vec![&clauses, &base, &tuned], &tuned, [&base, &tuned]),
        (vec![&clauses, &tuned], &tuned, [&clauses, &tuned]),
    ] {
        let rows: Vec<AnswerWayRow> = there.into_iter().map(row).collect();
        assert_eq!(pair(&rows, way), expected.map(Clone::clone));
    }
}

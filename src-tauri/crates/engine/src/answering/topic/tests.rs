//! Tests of `topic`.

use super::*;

fn hit(clause: u32, has: &[bool]) -> ClauseHit {
    ClauseHit {
        clause,
        score: 1.0,
        words: has.to_vec(),
        pairs: Vec::new(),
    }
}

#[test]
fn what_is_said_of_something_else_is_no_answer() {
    // 渔船, 船的, 的停, 停泊, 泊费 of a question, and what a clause has of them.
    let found = |has: [bool; 5]| ClauseRanking {
        words: vec![4.0, 1.0, 1.0, 2.0, 2.0],
        pairs: Vec::new(),
        hits: vec![hit(7, &has)],
        ideal: 1.0,
    };
    let absent = |subject, has| is_absent(subject, &found(has), &[(7, 1.0)], |_| Vec::new());
    assert!(absent("渔船的停泊费", [false, false, true, true, true]));
    assert!(!absent("渔船的停泊费", [true, false, false, true, true]));
    // Without a topic the clauses are not judged.
    assert!(!absent("渔船停泊费", [false, false, true, true, true]));
}

#[test]
fn rules_for_another_kind_of_body_are_no_answer() {
    // 引航, 航公, 公司, 司停, 停泊, 泊费, and what two clauses have of them.
    let found = ClauseRanking {
        words: vec![4.0, 4.0, 1.0, 4.0, 2.0, 2.0],
        pairs: Vec::new(),
        hits: vec![
            hit(7, &[false, false, true, false, true, true]),
            hit(9, &[true, true, true, false, false, true]),
        ],
        ideal: 1.0,
    };
    let absent =
        |order: &[(u32, f64)]| is_absent("引航公司停泊费", &found, order, |_| Vec::new());
    assert!(absent(&[(7, 1.0), (9, 0.9)]));
    assert!(!absent(&[(9, 1.0), (7, 0.9)]));
}

#[test]
fn a_clause_about_the_body_and_nothing_else_is_no_answer() {
    let body = [true, true, true];
    // What the first clause has of 引航, 航公, 公司 and of 司停, 停泊, 泊费, and what another clause has of the latter.
    for (subject, of_body, of_rest, elsewhere, expected) in [
        (
            "引航公司停泊费",
            body,
            [false; 3],
            [false, true, true],
            true,
        ),
        (
            "引航公司停泊费",
            body,
            [false, true, false],
            [false, true, true],
            false,
        ),
        // Words that stand nowhere may be other words for what the clause says.
        ("引航公司停泊费", body, [false; 3], [false; 3], false),
        // The clause is about another body, which is judged elsewhere.
        (
            "引航公司停泊费",
            [false; 3],
            [false; 3],
            [false, true, true],
            false,
        ),
        // The question is about no kind of body.
        (
            "引航规则停泊费",
            body,
            [false; 3],
            [false, true, true],
            false,
        ),
    ] {
        let found = ClauseRanking {
            words: vec![2.0, 2.0, 1.0, 4.0, 2.0, 2.0],
            pairs: Vec::new(),
            hits: vec![
                hit(7, &[of_body, of_rest].concat()),
                hit(9, &[[false; 3], elsewhere].concat()),
            ],
            ideal: 1.0,
        };
        let absent = have_only_the_body(subject, &found, &[(7, 1.0)]);
        assert_eq!(
            absent, expected,
            "{subject} {of_body:?} {of_rest:?} {elsewhere:?}"
        );
    }
}

#[test]
fn a_figure_is_looked_for_in_what_is_about_the_body_and_the_rest() {
    // 引航, 航公, 公司 of the body and 司停, 停泊, 泊费; the last two stand in some clause.
    let found = |of_rest: [bool; 3], elsewhere: [bool; 3]| ClauseRanking {
        words: vec![2.0, 2.0, 1.0, 4.0, 2.0, 2.0],
        pairs: Vec::new(),
        hits: vec![
            hit(7, &[[true; 3], of_rest].concat()),
            hit(9, &[[false; 3], elsewhere].concat()),
        ],
        ideal: 1.0,
    };
    for (of_rest, elsewhere, expected) in [
        ([false, true, false], [false, true, true], true),
        ([false; 3], [false, true, true], false),
        // No clause has them.
        ([false; 3], [false; 3], true),
    ] {
        let found = found(of_rest, elsewhere);
        let topic = Topic::of("引航公司停泊费", &found);
        let has = topic.map(|topic| topic.has_of_the_rest(&found.hits[0], &found));
        assert_eq!(has, Some(expected), "{of_rest:?} {elsewhere:?}");
    }
}

#[test]
fn what_a_question_begins_with_must_be_found() {
    // 渔船, 船停, 停泊, 泊费: the first of these is only in clause 9.
    let absent = |rare: f64, elsewhere: bool, order: &[(u32, f64)]| {
        let found = ClauseRanking {
            words: vec![rare, 1.0, 2.0, 2.0],
            pairs: Vec::new(),
            hits: vec![
                hit(7, &[false, false, true, true]),
                hit(9, &[elsewhere, false, false, false]),
            ],
            ideal: 1.0,
        };
        is_absent("渔船停泊费", &found, order, |_| Vec::new())
    };
    assert!(absent(6.0, true, &[(7, 1.0)]));
    assert!(!absent(6.0, true, &[(7, 1.0), (9, 0.5)]));
    assert!(!absent(3.0, true, &[(7, 1.0)]));
    assert!(!absent(6.0, false, &[(7, 1.0)]));
}

#[test]
fn the_title_of_an_act_answers_nothing() {
    // 渔船, 船停, 停泊, 泊费: the title has the first two of these.
    let absent = |has: [bool; 4], title: &[&str]| {
        let found = ClauseRanking {
            words: vec![2.0, 2.0, 2.0, 2.0],
            pairs: Vec::new(),
            hits: vec![hit(7, &has), hit(9, &[false, false, true, true])],
            ideal: 1.0,
        };
        let title = |_| title.iter().map(|word| (*word).to_owned()).collect();
        is_absent("渔船停泊费", &found, &[(7, 1.0)], title)
    };
    let title = ["渔船", "船停"];
    assert!(absent([true, true, false, false], &title));
    assert!(!absent([true, true, true, false], &title));
    assert!(!absent([true, true, false, false], &[]));
}

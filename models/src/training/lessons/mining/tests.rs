//! Tests of `mining`.

use super::*;
use lexforge_domain::protocol::{Distillation, LABELS_ARE_COMPLETE, Pooling};

fn objective(too_alike: f64, drawn_from: usize) -> RetrievalObjective {
    RetrievalObjective {
        temperature: 0.05,
        negatives: 1,
        drawn_from,
        too_alike,
        pooling: Pooling::Mean,
        question_prompt: String::new(),
        passage_prompt: String::new(),
        distillation: None,
    }
}

/// Clauses 0 (two sentences), 1, 2, 3; sentence 4 has the words of sentence 0.
fn passages() -> Passages {
    let ids = [vec![1], vec![2], vec![3], vec![4], vec![1]];
    Passages::of(ids.to_vec(), vec![0, 0, 1, 2, 3])
}

fn unit(rows: &[[f32; 2]]) -> Tensor {
    let flat: Vec<f32> = rows.iter().flatten().copied().collect();
    Tensor::from_slice(&flat).view([-1, 2])
}

/// Token 9 is a question; its cosines with the sentences of [`passages`] are .6, .8, .78, .3 and .6.
fn vectors(texts: &[&[u32]]) -> Result<Option<Tensor>> {
    let rows: Vec<[f32; 2]> = texts
        .iter()
        .map(|ids| match ids[0] {
            9 => [1.0, 0.0],
            1 => [0.6, 0.8],
            2 => [0.8, 0.6],
            3 => [0.78, 0.62578],
            _ => [0.3, 0.9539],
        })
        .collect();
    Ok(Some(unit(&rows)))
}

#[test]
fn negatives_are_near_and_do_not_answer() {
    let passages = passages();
    let asked = [Question {
        ids: vec![9],
        clauses: vec![0],
        by_words: vec![(2, 1.0)],
        ..Question::default()
    }];
    let mined = |too_alike, drawn_from| {
        let objective = objective(too_alike, drawn_from);
        mine(&asked, &[(0, 0)], &passages, &objective, 3, &vectors)
            .unwrap()
            .unwrap()
    };
    let strict = mined(0.95, 5);
    assert_eq!(strict.answers, [1], "the nearest sentence of the clause");
    assert_eq!(strict.doubtful, [[2]], "about as near as the answer");
    assert_eq!(
        strict.negatives,
        [[3]],
        "a sentence that equals one of the answer's is none"
    );
    let open = mined(1.1, 5);
    assert_eq!(open.negatives, [[3, 2]], "what words find counts as much");
    assert_eq!(mined(1.1, 1).negatives, [[3]]);
    let complete = mined(LABELS_ARE_COMPLETE, 5);
    assert_eq!(complete.negatives, [[3, 2]]);
    assert!(complete.doubtful[0].is_empty());
}

#[test]
fn what_the_teacher_ranks_like_its_first_is_no_negative_and_labels_count_more() {
    let passages = passages();
    let question = |clauses: &[u32], teacher: &[(u32, f32)]| Question {
        ids: vec![9],
        clauses: clauses.to_vec(),
        teacher: teacher.to_vec(),
        ..Question::default()
    };
    let mined = |question: Question, temperature| {
        let pairs: Vec<(usize, u32)> = question.clauses.iter().map(|c| (0, *c)).collect();
        let objective = RetrievalObjective {
            distillation: Some(Distillation {
                temperature,
                ..Distillation::default()
            }),
            ..objective(0.95, 5)
        };
        mine(&[question], &pairs, &passages, &objective, 0, &vectors)
            .unwrap()
            .unwrap()
    };
    // The teacher prefers clause 2, and has the right clause 0 last.
    let found = mined(question(&[0], &[(2, 0.9), (1, 0.4), (0, 0.1)]), 0.25);
    let [right, first, distant] = found.lists[0][..] else {
        panic!("{:?}", found.lists);
    };
    assert_eq!((right, first, distant.0), ((1, 1.0), (3, 0.0), 2));
    assert!((distant.1 + 2.0).abs() < 1e-6, "{distant:?}");
    assert_eq!(found.doubtful, [[2, 3]], "near to it, and ranked first");
    assert_eq!(found.negatives, [[] as [u32; 0]]);
    // A question without a label has only its list, and a list needs more than one clause.
    let found = mined(question(&[], &[(2, 0.9), (3, 0.2)]), 0.25);
    assert_eq!((found.negatives[0].len(), found.doubtful[0].len()), (0, 0));
    assert_eq!(
        found.lists[0].iter().map(|l| l.0).collect::<Vec<_>>(),
        [3, 0]
    );
    assert!(mined(question(&[], &[(2, 0.9)]), 0.25).lists[0].is_empty());
}

#[test]
fn a_heading_does_not_find_itself() {
    // Sentences with the tokens that begin and end each; clause 0 has the heading and a rule under it.
    let ids = [
        vec![101, 7, 8, 102],
        vec![101, 5, 6, 102],
        vec![101, 7, 102],
    ];
    let passages = Passages::of(ids.to_vec(), vec![0, 0, 1]);
    let heading = [101, 7, 8, 102];
    let question = Question {
        echoes: passages.echoes(&heading),
        ids: heading.to_vec(),
        ..Question::default()
    };
    assert_eq!(question.echoes, [0]);
    assert_eq!(passages.echoes(&[101, 7, 102]), [0, 2]);
    let texts = unit(&[[1.0, 0.0], [0.6, 0.8], [0.8, 0.6]]);
    let mut found = Vec::new();
    let asked = unit(&[[1.0, 0.0]]);
    let mut take = |_: usize, clauses: Vec<Nearest>| found = clauses;
    each_nearest(&[question], &asked, &texts, &passages, &mut take).unwrap();
    let places: Vec<(u32, u32)> = found.iter().map(|n| (n.0, n.2)).collect();
    assert_eq!(places, [(0, 1), (1, 2)], "by the rule under the heading");
}

#[test]
fn the_first_of_a_long_list_are_those_of_the_whole_order() {
    let scored: Vec<(u32, f32, bool)> = (0..1000u32)
        .map(|n| (n * 7919 % 251, (n * 104_729 % 97) as f32, false))
        .collect();
    let whole = best_first(scored.clone(), scored.len());
    let found = best_first(scored, 100);
    assert_eq!(found[..], whole[..found.len()]);
    assert!((50..=100).contains(&found.len()), "{}", found.len());
}

#[test]
fn only_some_clauses_keep_their_numbers() {
    let passages = passages().only(&[0, 2]);
    assert_eq!(passages.clauses, [0, 0, 2]);
    assert!(passages.has(2) && !passages.has(1));
}

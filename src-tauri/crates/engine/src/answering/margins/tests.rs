//! Tests of a teacher's margins, and of the clauses between which they are measured.

use super::*;

#[test]
fn clauses_of_two_searches_take_turns_and_none_comes_twice() {
    let lot = |clause: u32| -> [u8; 32] { Sha256::digest(clause.to_le_bytes()).into() };
    let (words, vectors) = (
        (0..50).collect::<Vec<u32>>(),
        (25..75).collect::<Vec<u32>>(),
    );
    let chosen = in_turn([words.clone(), vectors.clone()], 4, lot);
    assert_eq!(chosen.len(), 4);
    assert_eq!(chosen.iter().collect::<HashSet<_>>().len(), 4);
    for (turn, clause) in chosen.iter().enumerate() {
        let list = if turn % 2 == 0 { &words } else { &vectors };
        assert!(list.contains(clause), "{chosen:?}");
    }
    // By lot, and not the first of each.
    assert_ne!(chosen, [0, 25, 1, 26]);
    assert_eq!(chosen, in_turn([words.clone(), vectors], 4, lot));
    // If one search finds nothing, or both find the same, all found clauses are taken.
    assert_eq!(in_turn([words, Vec::new()], 4, lot).len(), 4);
    let mut same = in_turn([vec![1, 2, 3], vec![3, 2, 1]], 4, lot);
    same.sort_unstable();
    assert_eq!(same, [1, 2, 3]);
    assert!(in_turn([Vec::new(), Vec::new()], 4, lot).is_empty());
}

fn judged(place: usize, score: f32, negatives: &[f32]) -> Judged {
    let text = |score: &f32| (format!("Clause of {score}."), *score);
    Judged {
        place,
        question: format!("Question {place}?"),
        clause: place as u32,
        positive: "Its own clause.".to_owned(),
        score,
        negatives: negatives.iter().map(text).collect(),
    }
}

#[test]
fn margins_lie_on_the_scale_of_cosines_whatever_the_teacher_scores_by() {
    for unit in [0.01, 1.0, 300.0] {
        let all: Vec<Judged> = (0..10)
            .map(|n| judged(n, 5.0 * unit, &[(5.0 - n as f32) * unit, 6.0 * unit]))
            .collect();
        let scale = scale_of(&all).unwrap_or_default();
        let made = triplets(&all, scale);
        assert_eq!(made.len(), 20);
        assert_eq!(made[0].group, 0);
        assert_eq!(
            made.iter().map(|t| t.id).collect::<Vec<_>>(),
            (1..=20).collect::<Vec<_>>()
        );
        let margins: Vec<f64> = made.iter().filter_map(|t| t.margin).collect();
        assert_eq!(margins.len(), 20);
        let within = margins.iter().filter(|m| m.abs() <= WITHIN + 1e-6).count();
        assert!((17..20).contains(&within), "{margins:?}");
        assert!(margins.iter().all(|m| m.abs() <= 1.0));
        // If the teacher finds the other clause better, the margin is negative. Then that clause is not pushed away.
        assert!(margins[1] < 0.0 && margins[18] > margins[2], "{margins:?}");
    }
    // The scale follows from the first questions alone, as do the samples that are shown.
    let mut more = vec![judged(0, 1.0, &[0.0])];
    let alone = scale_of(&more);
    more.push(judged(FIRST, 900.0, &[0.0]));
    assert_eq!(scale_of(&more), alone);
    assert_eq!(triplets(&more, alone.unwrap_or(1.0))[1].margin, Some(1.0));
    assert_eq!(scale_of(&[judged(0, 1.0, &[1.0])]), None);
    assert_eq!(scale_of(&[]), None);
}

#[test]
fn a_sample_shows_what_is_hardest_to_tell_apart() {
    let all: Vec<Judged> = (0..9).map(|n| judged(n, 2.0, &[-1.0, 1.0, 0.0])).collect();
    let samples = shown(&all, 4.0);
    assert_eq!(samples.len(), SHOWN);
    assert_eq!(samples[0].negative, "Clause of 1.");
    assert_eq!(samples[0].margin, 0.25);
}

#[test]
fn a_heading_is_not_its_own_answer() {
    let own = without_heading("5.2 Client money It is kept apart.", "Client money");
    assert_eq!(own, "It is kept apart.");
    for same in ["5.2 Client money", "The keeper of client money reports."] {
        assert_eq!(without_heading(same, "Client money"), same);
    }
}

/// Samples that were shown are shown again as long as they would be found so again.
#[test]
fn samples_are_made_anew_where_other_clauses_would_be_found() {
    let item = |id: &str| RetrievalItem {
        id: id.to_owned(),
        question: String::new(),
        clauses: vec![1],
        by_words: Vec::new(),
        teacher: Vec::new(),
    };
    let items = [item("heading 1"), item("term 2")];
    let key = |encoder: &str, held_out: &[u32], items: &[RetrievalItem]| {
        let held_out: HashSet<u32> = held_out.iter().copied().collect();
        found_by(encoder, &held_out, items)
    };
    let first = key("minilm", &[4, 2, 9], &items);
    assert_eq!(first, key("minilm", &[9, 4, 2], &items));
    for other in [
        key("", &[4, 2, 9], &items),
        key("minilm", &[4, 2], &items),
        key("minilm", &[4, 2, 9], &items[1..]),
    ] {
        assert_ne!(first, other);
    }
}

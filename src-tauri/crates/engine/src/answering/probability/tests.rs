use super::*;

/// The probability for a question of three words with these weights; the clause has the words that are marked.
fn probability(subject: &str, weights: [f64; 3], has: [bool; 3]) -> f64 {
    among(5_000, subject, weights, has)
}

/// The probability of such a question in a corpus of so many clauses.
fn among(clauses: usize, subject: &str, weights: [f64; 3], has: [bool; 3]) -> f64 {
    let words = ClauseRanking {
        words: weights.to_vec(),
        pairs: Vec::new(),
        hits: vec![ClauseHit {
            clause: 0,
            score: 9.0,
            words: has.to_vec(),
            pairs: Vec::new(),
        }],
        ideal: 10.0,
    };
    Features::of(&words, None, &[(0, 1.0)])
        .asked_about(subject, &words, clauses)
        .probability(None, None)
}

#[test]
fn a_cosine_of_an_encoder_is_weighed_as_its_cosines_lie() {
    let near = |cosine: f64| Features {
        words: 0.5,
        covered: 0.5,
        pairs: 0.3,
        words_fall: 0.4,
        vectors: Some([cosine, 0.3, 0.02]),
        of_something_else: false,
        first: Vec::new(),
        barely_covered: false,
        ..Features::default()
    };
    let by = |features: Features, encoder| features.probability(None, encoder);
    let multilingual = Some(Shipped::Multilingual);
    assert!(by(near(0.95), multilingual) > SHIPPED_THRESHOLD);
    assert!(by(near(0.88), multilingual) < 0.4);
    // No weights are known for another encoder that the user chose, so the words alone decide.
    assert!((by(near(0.95), None) - by(near(0.2), None)).abs() < 1e-12);
    // A question about something else stays so at a cosine that this encoder gives to many texts.
    let other = |cosine: f64| Features {
        of_something_else: true,
        ..near(cosine)
    };
    assert!(by(other(0.93), multilingual) <= OF_SOMETHING_ELSE);
    assert!(by(other(0.7), Some(Shipped::MiniLm)) > OF_SOMETHING_ELSE);
}

#[test]
fn a_short_question_of_which_a_clause_has_little_is_not_likely_answered_by_words_alone() {
    // Each word occurs in some clause, so no word is absent.
    let found = |near: Option<&[(u32, f64)]>, subject: &str, clauses| {
        let count = subject.split(' ').count();
        let hit = |clause, has: Vec<bool>, score| ClauseHit {
            clause,
            score,
            words: has,
            pairs: Vec::new(),
        };
        let first = (0..count).map(|word| word == 0).collect();
        let other = (0..count).map(|word| word != 0).collect();
        let words = ClauseRanking {
            words: vec![4.0; count],
            pairs: Vec::new(),
            hits: vec![hit(0, first, 9.0), hit(9, other, 1.0)],
            ideal: 9.0,
        };
        Features::of(&words, near, &[(0, 1.0)])
            .asked_about(subject, &words, clauses)
            .barely_covered
    };
    assert!(found(None, "vessel salary holiday", 5_000));
    assert!(!found(None, "vessel", 5_000) && !found(None, "vessel salary", 5_000));
    // Words that only ask are none of it.
    assert!(!found(None, "vessel must whom", 5_000));
    // In a few rules, and where the question is long.
    assert!(!found(None, "vessel salary holiday", 20));
    let long = "vessel salary holiday lamp rope deck mast sail hull";
    assert!(!found(None, long, 5_000));
    let by = |vectors| Features {
        words: 0.9,
        covered: 0.3,
        pairs: 0.5,
        words_fall: 0.9,
        vectors,
        of_something_else: false,
        first: Vec::new(),
        barely_covered: true,
        ..Features::default()
    };
    let encoder = Some(Shipped::MiniLm);
    assert!(by(None).probability(None, None) <= OF_SOMETHING_ELSE);
    assert!(by(Some([0.5, 0.6, 0.3])).probability(None, encoder) > OF_SOMETHING_ELSE);
}

#[test]
fn a_question_about_something_that_stands_nowhere_is_not_likely_answered() {
    let salary = "vessel master salary";
    let known = probability(salary, [4.0, 3.0, 3.0], [true; 3]);
    let minor = probability(salary, [4.0, 4.0, 2.0], [true, true, false]);
    let named = probability(salary, [3.0, 3.0, 4.0], [true, true, false]);
    assert!(
        known > minor && minor > OF_SOMETHING_ELSE,
        "{known} {minor}"
    );
    assert!(named <= OF_SOMETHING_ELSE, "{named}");
    // In a few clauses the word for something may well be another; most of a question is not.
    let few = among(20, salary, [3.0, 3.0, 4.0], [true, true, false]);
    assert!(few > OF_SOMETHING_ELSE, "{few}");
    let most = among(20, salary, [1.0, 3.0, 3.0], [true, false, false]);
    assert!(most <= OF_SOMETHING_ELSE, "{most}");
    // How it is meant is no subject.
    let meant = probability("vessel master must", [3.0, 3.0, 4.0], [true, true, false]);
    assert!(meant > OF_SOMETHING_ELSE, "{meant}");
    // A question that refers back to something has too few words of its own.
    let before = probability("and what if it is late", [3.0, 0.0, 0.0], [true; 3]);
    assert!(before <= OF_SOMETHING_ELSE, "{before}");
    // If it is not known which word is which, no word counts as absent.
    let other = probability("vessel master", [3.0, 3.0, 4.0], [true, true, false]);
    assert!(other > OF_SOMETHING_ELSE, "{other}");
}

#[test]
fn what_ends_a_question_is_spoken_of_in_the_first_clause() {
    // Clause 0 stands first; clause 9 has the last two words side by side.
    let probability = |subject: &str, first: &[bool], other: &[bool], aside: bool| {
        let hit = |clause, has: &[bool], aside| ClauseHit {
            clause,
            score: 9.0,
            words: has.to_vec(),
            pairs: vec![false, aside],
        };
        let words = ClauseRanking {
            words: vec![4.0; first.len()],
            pairs: vec![4.0; 2],
            hits: vec![hit(0, first, false), hit(9, other, aside)],
            ideal: 9.0,
        };
        Features::of(&words, None, &[(0, 1.0), (9, 0.5)])
            .asked_about(subject, &words, 20)
            .probability(None, None)
    };
    let limit = "limit filing a berth report";
    let (two, all) = ([true, true, false, false], [false, false, true, true]);
    let lacks = |subject, first: &[bool], aside| {
        probability(subject, first, &all, aside) <= OF_SOMETHING_ELSE
    };
    assert!(lacks(limit, &two, true));
    // The two words are no name, the clause has one of them, or they only help to ask.
    assert!(!lacks(limit, &two, false));
    assert!(!lacks(limit, &[true, true, true, false], true));
    assert!(!lacks("limit filing the each other", &two, true));
    // No thing, and a thing in more words.
    assert!(!lacks("limit filing takes place", &two, true));
    assert!(!lacks("limit the old berth report", &two, true));
}

#[test]
fn words_and_vectors_admit_an_answer_together() {
    let of = |words: f64, cosine: f64, lead: f64| Features {
        words,
        covered: 0.8,
        pairs: 0.3,
        words_fall: 0.35,
        vectors: Some([0.564, 0.38, 0.15]),
        cosine_of_first: Some(cosine),
        lead,
        ..Features::default()
    };
    let encoder = Some(Shipped::MiniLm);
    let by = |features: Features| features.probability(None, encoder);
    // The words alone say too little with 0.25, and enough with 0.5.
    for (features, admitted) in [
        (of(0.5, 0.6, 0.1), true),
        (of(0.25, 0.6, 0.1), false),
        (of(0.5, 0.6, 0.02), false),
        (
            Features {
                barely_covered: true,
                ..of(0.5, 0.6, 0.1)
            },
            false,
        ),
    ] {
        let found = by(features.clone());
        assert_eq!(
            found >= SHIPPED_THRESHOLD,
            admitted,
            "{features:?}: {found}"
        );
        assert!(found > NEARLY, "{features:?}: {found}");
    }
    // A first clause that means something else, unless it stands out.
    let far = |best: f64, falls: f64| Features {
        vectors: Some([best, falls, 0.1]),
        ..of(0.9, 0.45, 0.2)
    };
    assert!(by(far(0.7, 0.34)) <= OF_SOMETHING_ELSE);
    assert!(by(far(0.7, 0.36)) > SHIPPED_THRESHOLD);
    // What cosines mean with other encoders is another matter.
    let multilingual = Some(Shipped::Multilingual);
    assert!(far(0.95, 0.34).probability(None, multilingual) > SHIPPED_THRESHOLD);
    assert!(far(0.7, 0.34).probability(None, None) > SHIPPED_THRESHOLD);
}

#[test]
fn the_cosine_and_the_lead_of_the_first_clause_are_told() {
    let words = ClauseRanking::default();
    let near = [(4, 0.7), (9, 0.5)];
    let fused = [(9, 0.9), (4, 0.6)];
    let found = Features::of(&words, Some(&near), &fused);
    assert_eq!(found.cosine_of_first, Some(0.5));
    assert!((found.lead - 0.3).abs() < 1e-9);
    let alone = Features::of(&words, None, &fused[..1]);
    assert_eq!((alone.cosine_of_first, alone.lead), (None, 0.0));
}

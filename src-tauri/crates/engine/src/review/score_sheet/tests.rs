//! Tests of `score_sheet`.

use super::*;
use crate::Engine;
use lexforge_domain::api::{SimilarityDraw, SimilarityPlace};
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId};

/// A workspace with three pairs.
fn engine() -> (tempfile::TempDir, Engine) {
    engine_with([1, 2, 3])
}

/// A workspace with three pairs; those of one number have the same sentences.
fn engine_with(numbers: [u64; 3]) -> (tempfile::TempDir, Engine) {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::create(&home.path().join("a.lexforge")).unwrap();
    let place = SimilarityPlace {
        sentence: SentenceId(1),
        document: DocumentId(1),
        title: String::new(),
        section: String::new(),
        page: 1,
    };
    let pair = |n: u64| SimilarityPair {
        language: Language::En,
        one: format!("- Loss {n} is reported."),
        other: format!("Loss {n}, if any, is told."),
        one_place: place.clone(),
        other_place: place.clone(),
        cosine: 0.5,
        stratum: 1,
    };
    let draw = SimilarityDraw {
        encoder: "made".to_owned(),
        encoder_sha256: String::new(),
        language: Language::En,
        seed: 1,
        sentences: 6,
        left_out: BTreeMap::new(),
        most_of_a_sentence: 1,
        wanted: 3,
        drawn: 3,
        within: 3,
        strata: Vec::new(),
    };
    engine
        .workspace()
        .store
        .write("tester", |w| {
            w.add_similarity_pairs(&draw, &numbers.map(pair))
        })
        .unwrap();
    (home, engine)
}

#[test]
fn a_table_goes_out_without_scores_and_comes_in_with_them() {
    let (home, engine) = engine();
    let (review, file) = (engine.review(), home.path().join("score.csv"));
    assert_eq!(review.write_score_sheet(&file).unwrap(), 3);
    let sheet = std::fs::read_to_string(&file).unwrap();
    assert_eq!(sheet.matches("\"\"\r\n").count(), 3, "{sheet}");
    // Read in as it is, nothing is scored.
    let read = review.read_score_sheet(&file).unwrap();
    assert_eq!((read.rows, read.blank, read.scored), (3, 3, 0));
    let filled = sheet
        .replacen("\"\"\r\n", "\"3.5\"\r\n", 1)
        .replacen("\"\"\r\n", "\"0\"\r\n", 1);
    std::fs::write(&file, filled).unwrap();
    let read = review.read_score_sheet(&file).unwrap();
    assert_eq!((read.blank, read.scored, read.unchanged), (1, 2, 0));
    assert!(read.refused.is_empty(), "{:?}", read.refused);
    let again = review.read_score_sheet(&file).unwrap();
    assert_eq!((again.scored, again.unchanged), (0, 2));
    let scores: Vec<Option<f64>> = review
        .all_scores()
        .unwrap()
        .0
        .iter()
        .map(|row| row.score)
        .collect();
    assert_eq!(scores, [Some(3.5), Some(0.0), None]);
    // What is scored is not asked for again.
    assert_eq!(review.write_score_sheet(&file).unwrap(), 1);
}

#[test]
fn a_row_that_is_no_score_of_a_pair_is_told_and_the_others_count() {
    let (home, engine) = engine();
    let file = home.path().join("score.tsv");
    let rows = [
        // The two in the other order, with a decimal comma.
        "Loss 1, if any, is told.\t- Loss 1 is reported.\t4,5",
        "- Loss 1 is reported.\tLoss 1, if any, is told.\t2",
        "Another sentence.\tLoss 2, if any, is told.\t2",
        "- Loss 2 is reported.\tLoss 2, if any, is told.\t7",
        "",
        "- Loss 3 is reported.\tLoss 3, if any, is told.\t",
        "One more sentence.\tLoss 2, if any, is told.\t2",
    ];
    let table = format!("sentence1\tsentence2\tscore\n{}\n", rows.join("\n"));
    std::fs::write(&file, table).unwrap();
    let read = engine.review().read_score_sheet(&file).unwrap();
    assert_eq!((read.rows, read.scored, read.blank), (6, 1, 1));
    assert_eq!(
        read.refused,
        [
            (3, ScoreRefused::Twice),
            (4, ScoreRefused::NoPair),
            (5, ScoreRefused::NoScore),
            (8, ScoreRefused::NoPair)
        ]
    );
    std::fs::write(&file, "a,b\nc,d\n").unwrap();
    assert!(engine.review().read_score_sheet(&file).is_err());
}

/// Another score replaces the person's own one, and is told apart from a new one.
#[test]
fn a_score_that_was_given_otherwise_is_counted_as_changed() {
    let (home, engine) = engine();
    let (review, file) = (engine.review(), home.path().join("score.csv"));
    review.write_score_sheet(&file).unwrap();
    let sheet = std::fs::read_to_string(&file).unwrap();
    let mut read = Vec::new();
    for scores in [["3", "1"], ["4", "1"]] {
        let [one, other] = scores.map(|score| format!("\"{score}\"\r\n"));
        let filled = sheet
            .replacen("\"\"\r\n", &one, 1)
            .replacen("\"\"\r\n", &other, 1);
        std::fs::write(&file, filled).unwrap();
        let now = review.read_score_sheet(&file).unwrap();
        read.push((now.scored, now.changed, now.unchanged));
    }
    assert_eq!(read, [(2, 0, 0), (0, 1, 1)]);
}

/// Two pairs with the same sentences have a row each, and each gets its own score.
#[test]
fn pairs_with_the_same_sentences_are_scored_one_after_the_other() {
    let (home, engine) = engine_with([1, 1, 2]);
    let (review, file) = (engine.review(), home.path().join("score.tsv"));
    let row = "Loss 1, if any, is told.\t- Loss 1 is reported.";
    let read = |scores: &[&str]| {
        let rows: Vec<String> = scores.iter().map(|s| format!("{row}\t{s}\n")).collect();
        let table = format!("sentence1\tsentence2\tscore\n{}", rows.concat());
        std::fs::write(&file, table).unwrap();
        let read = review.read_score_sheet(&file).unwrap();
        let scores: Vec<Option<f64>> = review
            .all_scores()
            .unwrap()
            .0
            .iter()
            .map(|row| row.score)
            .collect();
        (read.scored, read.unchanged, read.refused, scores)
    };
    // The same table once more changes nothing.
    assert_eq!(
        read(&["3", ""]),
        (1, 0, vec![], vec![Some(3.0), None, None])
    );
    assert_eq!(
        read(&["3", ""]),
        (0, 1, vec![], vec![Some(3.0), None, None])
    );
    // A table of what is open has one row.
    let both = vec![Some(3.0), Some(5.0), None];
    assert_eq!(read(&["5"]), (1, 0, vec![], both.clone()));
    assert_eq!(read(&["5"]), (0, 1, vec![], both.clone()));
    let twice = vec![(4, ScoreRefused::Twice)];
    assert_eq!(read(&["3", "5", "2"]), (0, 2, twice, both));
}

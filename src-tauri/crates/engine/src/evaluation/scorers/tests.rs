//! Tests of `scorers`.

use super::*;
use lexforge_domain::protocol::WrittenAnswer;
use lexforge_domain::qca::{Qca, QcaDraft, QcaLevel, QuestionSource, QuestionType, Split};
use lexforge_domain::{QcaId, SentenceId};

fn item(id: i64) -> FrozenItem {
    let draft = QcaDraft {
        question: "Who approves?".to_owned(),
        choices: ["the board", "the auditor", "the clerk"]
            .map(str::to_owned)
            .to_vec(),
        ..QcaDraft::new(
            QcaLevel::Token,
            QuestionType::Term,
            SentenceId(id),
            QuestionSource::Offline,
        )
    };
    let question = Qca::unreviewed(QcaId(id), draft, Split::Test);
    FrozenItem {
        question,
        cluster: id,
        answer_group: id,
    }
}

fn line(id: i64, likelihood: [f64; 3], choice: Option<usize>) -> ScoreLine {
    let written = WrittenAnswer {
        text: String::new(),
        choice,
        ended: true,
    };
    ScoreLine {
        id,
        likelihood: likelihood.to_vec(),
        per_byte: likelihood.to_vec(),
        pmi: likelihood.to_vec(),
        choices_only: likelihood.to_vec(),
        cosine: vec![0.5, 0.25, 0.0],
        written: Some(written),
        open: None,
        too_long: false,
    }
}

#[test]
fn what_names_no_choice_is_wrong_and_counted_and_what_is_too_long_too() {
    let items = [item(1), item(2), item(3)];
    let too_long = ScoreLine {
        id: 3,
        too_long: true,
        ..ScoreLine::default()
    };
    let before = Scores {
        items: &items,
        lines: vec![
            line(1, [-9.0, -1.0, -2.0], None),
            line(2, [-1.0, -2.0, -3.0], Some(1)),
            too_long.clone(),
        ],
    };
    let after = Scores {
        items: &items,
        lines: vec![
            line(1, [-1.0, -5.0, -2.0], Some(0)),
            line(2, [-1.0, -2.0, -3.0], Some(0)),
            too_long,
        ],
    };
    let found = compare(&before, &after, "base x", "anchor").unwrap();
    let third = 1.0 / 3.0;
    assert!(
        (found.before.accuracy - third).abs() < 1e-12
            && (found.after.accuracy - 2.0 * third).abs() < 1e-12
    );
    assert_eq!(
        (
            before.too_long(),
            after.choices_only().filter(Option::is_some).count()
        ),
        (1, 2)
    );
    let generation = found
        .scorers
        .iter()
        .find(|r| r.scorer == "generation")
        .unwrap();
    assert_eq!(
        (generation.unparseable_before, generation.unparseable_after),
        (1, 0)
    );
    assert_eq!((generation.before.accuracy, generation.before.n), (0.0, 3));
    // The gap is the embedding scorer's: .5 − (.25 + 0) / 2.
    assert!((found.after.choice_cosine_gap - 0.375).abs() < 1e-9);
    let names: Vec<&str> = found.scorers.iter().map(|r| r.scorer.as_str()).collect();
    assert_eq!(names, ["per_byte", "pmi", "generation", "embedding"]);
    let measures: Vec<&str> = found
        .comparisons
        .iter()
        .map(|c| c.measure.as_str())
        .collect();
    assert_eq!(measures, lexforge_domain::metrics::MEASURES);
}

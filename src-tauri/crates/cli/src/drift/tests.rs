//! Tests of `drift`.

use super::*;
use lexforge_domain::drift::{DriftAround, DriftSeries};
use lexforge_domain::{DocumentId, SentenceId};

#[test]
fn the_next_check_is_waited_for_as_long_as_is_left() {
    let begun = Since::now();
    let every = Duration::from_millis(30);
    assert!(waited(&begun, every));
    assert!(begun.passed() >= every);
    // The time of the check itself counts.
    let since = std::time::Instant::now();
    assert!(waited(&begun, every));
    assert!(since.elapsed() < PACE);
}

#[test]
fn an_alarm_says_what_moved_and_where_it_can_be_read() {
    let side = |texts| DriftSide {
        units: 4,
        texts,
        mean_pairwise_cosine: 0.5,
    };
    let report = DriftReport {
        made: "2026-03-20T13:00:00Z".to_owned(),
        encoder: "all-MiniLM-L6-v2".to_owned(),
        rule: DriftRule::Article,
        window_days: 7.0,
        alarm: true,
        panel: PanelState::NotRead,
        tests: vec![DriftTest {
            series: DriftSeries::Sentences,
            stratum: "pdf".to_owned(),
            state: DriftState::Alarm,
            recent: side(12),
            earlier: side(90),
            change: 0.2,
            p_value: None,
            threshold: None,
            false_alarms_a_year: 0.5,
            movers: vec![DriftMover {
                key: "document 3".to_owned(),
                file: "rules.pdf".to_owned(),
                text: "A firm reports each breach.".to_owned(),
                moved: 0.61,
                place: Some(MoverPlace::Page {
                    document: DocumentId(3),
                    page: 7,
                    sentence: SentenceId(41),
                }),
            }],
        }],
        around: DriftAround::default(),
        advice: vec![DriftAdvice::ReadWhatMoved],
    };
    let said = describe(&report);
    for words in [
        "ALARM: sentences of pdf moved",
        "rule: a rise of more than .05 within 30 days",
        "it raised 106 false alarms a year",
        "+0.61 rules.pdf, page 7, sentence 41: A firm reports each breach.",
        "→ Read the sentences that moved it.",
    ] {
        assert!(said.contains(words), "{said}");
    }
    // Only the first sample says what comes next.
    for (readings, is_first) in [(1, true), (2, false)] {
        let sample = DriftReport {
            panel: PanelState::Constant { readings },
            ..report.clone()
        };
        let said = describe(&sample);
        assert_eq!(
            said.contains("This is the first sample"),
            is_first,
            "{said}"
        );
    }
    let usual = rule_in_words(DriftRule::default());
    assert!(
        usual.contains("in 365 days (") && usual.contains("1.016 a year"),
        "{usual}"
    );
    // Where nothing came before there is no cosine, and not one of zero.
    let first = DriftTest {
        earlier: DriftSide::default(),
        ..report.tests[0].clone()
    };
    let said = describe_test(&first);
    let words = "12 recent, 0 before; mean pairwise cosine 0.500 against – ·";
    assert!(said.contains(words), "{said}");
    let of = |states: &[DriftState]| {
        let test = |state: &DriftState| DriftTest {
            state: *state,
            ..report.tests[0].clone()
        };
        let report = DriftReport {
            alarm: false,
            tests: states.iter().map(test).collect(),
            ..report.clone()
        };
        let said = describe(&report);
        said.split(" · ").next().map(str::to_owned)
    };
    for (states, told) in [
        (vec![DriftState::Quiet], "No alarm"),
        (
            vec![DriftState::Quiet, DriftState::TooFew],
            "No alarm; too little to tell of sentences of pdf",
        ),
        (vec![DriftState::TooFew], "No alarm, and too little to tell"),
        (Vec::new(), "No alarm, and too little to tell"),
    ] {
        assert_eq!(of(&states).as_deref(), Some(told));
    }
}

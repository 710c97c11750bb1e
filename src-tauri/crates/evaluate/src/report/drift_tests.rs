use super::drift_html;
use super::paper_tests::{head, kept};
use lexforge_domain::api::DriftPaper;
use lexforge_domain::drift::{
    DriftAdvice, DriftAround, DriftMover, DriftReport, DriftRule, DriftSeries, DriftSide,
    DriftState, DriftTest, MoverPlace, PanelState,
};
use lexforge_domain::{DocumentId, SentenceId};

pub(super) fn moved() -> DriftReport {
    let side = |texts| DriftSide {
        units: 4,
        texts,
        mean_pairwise_cosine: 0.5,
    };
    let test = |series, stratum: &str, state, movers| DriftTest {
        series,
        stratum: stratum.to_owned(),
        state,
        recent: side(12),
        earlier: side(90),
        change: 0.21,
        p_value: Some(0.0004),
        threshold: Some(0.0014),
        false_alarms_a_year: 0.5,
        movers,
    };
    let mover = DriftMover {
        key: "document 3".to_owned(),
        file: "rules.pdf".to_owned(),
        text: "A firm reports each <breach>.".to_owned(),
        moved: 0.61,
        place: Some(MoverPlace::Page {
            document: DocumentId(3),
            page: 7,
            sentence: SentenceId(41),
        }),
    };
    DriftReport {
        made: "2026-03-20T13:00:00Z".to_owned(),
        encoder: "all-MiniLM-L6-v2 0123456789ab".to_owned(),
        rule: DriftRule::RunLength { days: 365.0 },
        window_days: 7.0,
        alarm: true,
        panel: PanelState::Constant { readings: 3 },
        tests: vec![
            test(
                DriftSeries::Sentences,
                "pdf",
                DriftState::Alarm,
                vec![mover],
            ),
            test(DriftSeries::Questions, "", DriftState::TooFew, Vec::new()),
        ],
        around: DriftAround::default(),
        advice: DriftAdvice::ALL.to_vec(),
    }
}

#[test]
fn drift_says_what_moved_with_its_sentences_and_what_to_do() {
    let page = |report: DriftReport| {
        let head = head();
        drift_html(&DriftPaper { head, report })
    };
    let alarm = kept("drift", page(moved()));
    for words in [
        "<strong>Alarm.</strong> It moved by more than chance gives: sentences of pdf.",
        "A firm reports each &lt;breach&gt;.",
        "rules.pdf",
        "7 · 41",
        "+.610",
        "take the documents out",
    ] {
        assert!(alarm.contains(words), "{words}");
    }
    // Where nothing came before, nothing differs from it. What moved the series is said beside it nevertheless.
    let mut first = moved();
    first.tests.truncate(1);
    first.tests[0].earlier = DriftSide::default();
    first.tests[0].change = 0.5;
    assert!(!page(first).contains("+.500"));
    let fault = page(DriftReport {
        panel: PanelState::Fault {
            last_good: "2026-03-18T10:00:00Z".to_owned(),
            first_bad: "2026-03-19T10:00:00Z".to_owned(),
        },
        rule: DriftRule::Article,
        ..moved()
    });
    let fault = kept("drift-fault", fault);
    assert!(fault.contains("<strong>Fault.</strong>") && fault.contains("2026-03-19 10:00 UTC"));
    // This rule uses no probability.
    assert!(fault.contains("The mean pairwise cosine rose by more than .05: sentences of pdf."));
    assert!(!fault.contains("chance"));
    let mut quiet = moved();
    quiet.tests[0].state = DriftState::Quiet;
    let in_part = kept("drift-in-part", page(quiet.clone()));
    let told = "There is too little to tell of: questions that were asked.";
    assert!(in_part.contains("<strong>No alarm.</strong>") && in_part.contains(told));
    quiet.tests.truncate(1);
    let all = page(quiet.clone());
    assert!(all.contains("<strong>No alarm.</strong>") && !all.contains("too little to tell"));
    quiet.tests[0].state = DriftState::TooFew;
    assert!(page(quiet).contains("<strong>Too little to tell.</strong>"));
}

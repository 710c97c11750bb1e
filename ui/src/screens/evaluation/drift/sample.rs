//! A report for tests: one series moved, another is too short.

use lexforge_domain::drift::{
    DriftAround, DriftReport, DriftRule, DriftSeries, DriftSide, DriftState, DriftTest, PanelState,
};

pub fn report() -> DriftReport {
    let side = |texts, mean_pairwise_cosine| DriftSide {
        units: 4,
        texts,
        mean_pairwise_cosine,
    };
    let test = |series, stratum: &str, state| DriftTest {
        series,
        stratum: stratum.to_owned(),
        state,
        recent: side(12, 0.52),
        earlier: side(90, 0.31),
        change: 0.21,
        p_value: (state == DriftState::Alarm).then_some(0.0004),
        threshold: Some(0.0014),
        false_alarms_a_year: 0.5,
        movers: Vec::new(),
    };
    DriftReport {
        made: "2026-03-20T13:00:00Z".to_owned(),
        encoder: "all-MiniLM-L6-v2 0123456789ab".to_owned(),
        rule: DriftRule::RunLength { days: 365.0 },
        window_days: 7.0,
        alarm: true,
        panel: PanelState::Constant { readings: 3 },
        tests: vec![
            test(DriftSeries::Sentences, "pdf", DriftState::Alarm),
            test(DriftSeries::Questions, "", DriftState::TooFew),
        ],
        around: DriftAround::default(),
        advice: Vec::new(),
    }
}

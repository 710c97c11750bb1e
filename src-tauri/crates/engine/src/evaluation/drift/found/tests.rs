use super::*;
use lexforge_domain::drift::{DriftRule, MoverPlace, PanelReading};
use lexforge_domain::{DocumentId, SentenceId};

/// A document of that day of March whose four texts all point one way.
fn document(n: u32, on: u32, sum: [f32; 2]) -> DriftUnit {
    DriftUnit {
        key: format!("document {n}"),
        series: DriftSeries::Sentences,
        stratum: "pdf".to_owned(),
        at: format!("2026-03-{on:02}T12:00:00Z"),
        n: 4,
        sum: sum.map(|x| 4.0 * x).to_vec(),
    }
}

fn sample(on: u32, vectors: &str, units: Vec<DriftUnit>) -> DriftSample {
    DriftSample {
        made: format!("2026-03-{on:02}T13:00:00Z"),
        encoder: "e".to_owned(),
        panel: Some(PanelReading {
            texts: vec!["a".to_owned()],
            vectors: vectors.to_owned(),
        }),
        units,
        terms: Vec::new(),
        found: None,
    }
}

/// Sixteen documents that point everywhere, then four that point one way.
fn moved() -> Vec<DriftSample> {
    let around = |n: u32| {
        let angle = f32::from(u8::try_from(n).unwrap_or_default()) * 0.39;
        document(n, 1, [angle.cos(), angle.sin()])
    };
    let before = sample(1, "v", (0..16).map(around).collect());
    let after = (16..20).map(|n| document(n, 20, [0.0, 1.0])).collect();
    vec![before, sample(20, "v", after)]
}

fn mover(keys: &[&str]) -> Vec<DriftMover> {
    let place = MoverPlace::Page {
        document: DocumentId(1),
        page: 2,
        sentence: SentenceId(3),
    };
    keys.iter()
        .map(|key| DriftMover {
            key: (*key).to_owned(),
            file: "rules.pdf".to_owned(),
            text: "text".to_owned(),
            moved: 0.5,
            place: Some(place),
        })
        .collect()
}

#[test]
fn an_alarm_names_what_moved_and_what_to_do() {
    let asked = DriftRequest {
        rule: DriftRule::RunLength { days: 365.0 },
        ..DriftRequest::default()
    };
    let movers: Movers<'_> = &|keys, way| {
        assert_eq!(
            keys,
            ["document 16", "document 17", "document 18", "document 19"]
        );
        assert!(way[1] > 0.9, "{way:?}");
        Ok(mover(keys))
    };
    let samples = moved();
    let report = report_of(&samples, &asked, DriftAround::default(), movers).unwrap();
    assert!(report.alarm, "{report:?}");
    let test = &report.tests[0];
    assert_eq!((test.state, test.movers.len()), (DriftState::Alarm, 4));
    assert_eq!(report.advice, [DriftAdvice::ReadWhatMoved]);
    assert_eq!(report.panel, PanelState::Constant { readings: 2 });

    let quiet = report_of(&samples[..1], &asked, DriftAround::default(), movers).unwrap();
    assert!(!quiet.alarm && quiet.tests[0].state == DriftState::TooFew);
}

#[test]
fn what_two_programs_took_at_once_counts_once() {
    let once = moved();
    let twice: Vec<DriftSample> = once.iter().chain(&once[1..]).cloned().collect();
    let sides = [&once, &twice].map(|samples| {
        let movers: Movers<'_> = &|_, _| Ok(Vec::new());
        let asked = DriftRequest::default();
        let found = report_of(samples, &asked, DriftAround::default(), movers).unwrap();
        (found.tests[0].recent, found.tests[0].earlier)
    });
    assert_eq!(sides[0].0.units, 4);
    assert_eq!(sides[0], sides[1]);
}

#[test]
fn a_panel_that_changed_is_a_fault_and_no_drift() {
    let samples = [sample(1, "v", Vec::new()), sample(2, "w", Vec::new())];
    let old = DriftAround {
        graph_age_days: Some(100.0),
        ..DriftAround::default()
    };
    let view = view_of(&samples, old).unwrap();
    let report = view.report.unwrap();
    assert!(report.alarm && matches!(report.panel, PanelState::Fault { .. }));
    assert_eq!(
        report.advice,
        [DriftAdvice::CheckModel, DriftAdvice::BuildGraph]
    );
    let same: Vec<bool> = view.panel.iter().map(|mark| mark.same).collect();
    assert_eq!(same, [true, false]);
}

#[test]
fn the_window_shows_what_was_found_then_and_the_course_of_it() {
    let mut samples = moved();
    let movers: Movers<'_> = &|keys, _| Ok(mover(keys));
    let asked = DriftRequest::default();
    let found = report_of(&samples, &asked, DriftAround::default(), movers).unwrap();
    samples[1].found = Some(Box::new(found.clone()));
    let view = view_of(&samples, DriftAround::default()).unwrap();
    assert_eq!(view.report, Some(found));
    assert_eq!((view.samples, view.history.len()), (2, 1));
    let [first, second] = &view.history[0].points[..] else {
        panic!("{:?}", view.history)
    };
    assert!(first.earlier.is_none() && !first.alarm && second.alarm);
    assert!((second.recent.unwrap() - 1.0).abs() < 1e-6);
    assert_eq!(first.recent, second.earlier);
}

#[test]
fn a_long_course_is_shown_by_its_newest_samples() {
    let samples: Vec<DriftSample> = (0..SHOWN as u32 + 5)
        .map(|n| sample(n % 28 + 1, "v", Vec::new()))
        .collect();
    let view = view_of(&samples, DriftAround::default()).unwrap();
    assert_eq!(view.panel.len(), SHOWN);
    assert_eq!(view.samples as usize, SHOWN + 5);
}

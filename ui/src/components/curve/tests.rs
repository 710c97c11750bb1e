//! Tests of `curve`.

use super::plot::{MOST_POINTS, thinned};
use super::*;
use lexforge_domain::metrics::CurvePoint;

fn one_line(points: Vec<CurvePoint>) -> Curves {
    let line = Line {
        kind: Kind::Train,
        name: "loss".to_owned(),
        points,
    };
    Curves {
        lines: vec![line],
        ..Curves::default()
    }
}

#[test]
fn the_scale_has_round_steps_and_holds_all_points() {
    for (most, step, top) in [(1.84, 0.5, 2.0), (0.39, 0.1, 0.4), (7.0, 2.0, 8.0)] {
        let plot = Plot::of(
            &one_line(vec![CurvePoint {
                step: 1,
                loss: most,
            }]),
            400.0,
        );
        assert!(
            (plot.step - step).abs() < 1e-9,
            "{most}: step {}",
            plot.step
        );
        assert!((plot.top - top).abs() < 1e-9, "{most}: top {}", plot.top);
    }
}

#[test]
fn a_scale_tells_its_steps_apart() {
    for (value, step, text) in [
        (0.25, 0.25, "0.25"),
        (0.5, 0.5, "0.5"),
        (4.0, 2.0, "4"),
        (0.02, 0.01, "0.02"),
        (7.5, 2.5, "7.5"),
    ] {
        assert_eq!(tick(value, step), text);
    }
}

#[test]
fn a_path_begins_at_the_first_finite_point() {
    let train = vec![
        CurvePoint {
            step: 1,
            loss: f64::NAN,
        },
        CurvePoint { step: 2, loss: 1.0 },
    ];
    let plot = Plot::of(
        &Curves {
            of: 2,
            ..one_line(train.clone())
        },
        400.0,
    );
    assert_eq!(plot.path(&train), "M390.0 10.0");
}

#[test]
fn a_long_line_keeps_its_peaks() {
    let mut points: Vec<CurvePoint> = (1..=9_000)
        .map(|step| CurvePoint { step, loss: 1.0 })
        .collect();
    points[4_321].loss = 7.0;
    points[6_000].loss = 0.1;
    let thin = thinned(&points);
    assert!(thin.len() <= MOST_POINTS, "{}", thin.len());
    assert!(thin.iter().any(|p| p.step == 4_322) && thin.iter().any(|p| p.step == 6_001));
    assert!(thin.windows(2).all(|two| two[0].step < two[1].step));
}

#[test]
fn curves_are_told_in_words() {
    crate::i18n::speak(crate::i18n::Lang::En);
    let curves = Curves {
        title: "Answers".to_owned(),
        ..one_line(vec![
            CurvePoint { step: 1, loss: 2.0 },
            CurvePoint { step: 8, loss: 0.5 },
        ])
    };
    let said = told(&curves);
    assert!(
        said.starts_with("Answers: ") && said.contains("2.000") && said.contains("0.500"),
        "{said}"
    );
    let waiting = Curves {
        waiting: Some("Later".to_owned()),
        title: "Terms".to_owned(),
        ..Curves::default()
    };
    assert_eq!(told(&waiting), "Terms: Later");
}

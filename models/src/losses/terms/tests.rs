//! Tests of `terms`.

use super::*;

/// Terms of every kind over rows 0 to 11 and tokens 0 to 7, contests over up to four rows.
fn mixed() -> Terms {
    let candidates = |rows: [i64; 2]| {
        vec![
            vec![foretold(rows[0], 1), foretold(rows[1], 2)],
            vec![foretold(rows[0], 4)],
        ]
    };
    Terms {
        raised: (0..12)
            .map(|row| (foretold(row, row % 8), 0.1 * row as f64))
            .collect(),
        lowered: vec![
            (foretold(3, 0), 0.7),
            (foretold(3, 5), 0.2),
            (foretold(8, 7), 1.3),
        ],
        contests: vec![
            Contest {
                candidates: candidates([1, 9]),
                weight: 0.6,
            },
            Contest {
                candidates: candidates([9, 4]),
                weight: 0.3,
            },
            Contest {
                candidates: candidates([10, 11]),
                weight: 1.1,
            },
        ],
        rivals: vec![Rivals {
            right: foretold(6, 2),
            others: vec![0, 1, 7],
            weight: 0.9,
        }],
    }
}

#[test]
fn the_gradient_by_hand_is_that_of_the_graph_whole_and_in_parts() {
    tch::manual_seed(3);
    let logits = Tensor::randn([12, 8], (Kind::Float, Device::Cpu)) * 4.0;
    for gap in [0.0, 40.0] {
        // One token of each row far above the others, that of a lowered term among them.
        let logits = (&logits + Tensor::eye(12, (Kind::Float, Device::Cpu)).narrow(1, 3, 8) * gap)
            .set_requires_grad(true);
        let terms = mixed();
        let loss = terms.loss(&logits).unwrap();
        loss.backward();
        let largest = |a: &Tensor, b: &Tensor| (a - b).abs().max().double_value(&[]);
        let (value, gradient) = terms.gradient(logits.detach()).unwrap();
        let expected = loss.double_value(&[]);
        assert!(
            (value - expected).abs() <= 1e-5 * expected.abs().max(1.0),
            "{value} {expected}"
        );
        assert!(largest(&gradient, &logits.grad()) < 1e-5, "{gap}");
        for most in [1, 3, 100] {
            let parts = terms.parts(most);
            assert!(parts.len() > 1 || most == 100);
            let mut sum = 0.0;
            let mut whole = logits.detach().zeros_like();
            for part in &parts {
                let rows = Tensor::from_slice(&part.rows());
                let (value, gradient) = part
                    .gradient(logits.detach().index_select(0, &rows))
                    .unwrap();
                sum += value;
                let _ = whole.index_add_(0, &rows, &gradient);
            }
            assert!(
                (sum - value).abs() <= 1e-5 * value.abs().max(1.0),
                "{sum} {value}"
            );
            assert!(largest(&gradient, &whole) < 1e-5, "{most}");
        }
    }
}

fn foretold(row: i64, token: i64) -> Foretold {
    Foretold { row, token }
}

#[test]
fn each_kind_of_term_is_its_formula() {
    let logits = Tensor::from_slice(&[0f32, 1.0, -1.0, 2.0, 0.5, 0.0]).view([2, 3]);
    let p = |row: usize, token: usize| {
        let values: [[f64; 3]; 2] = [[0.0, 1.0, -1.0], [2.0, 0.5, 0.0]];
        values[row][token].exp() / values[row].iter().map(|x| x.exp()).sum::<f64>()
    };
    let check = |terms: Terms, expected: f64| {
        let found = terms.loss(&logits).unwrap().double_value(&[]);
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    };
    // Rows 4 and 9 of a batch are rows 0 and 1 of the logits.
    let raised = vec![(foretold(4, 1), 1.0), (foretold(9, 2), 0.5)];
    check(
        Terms {
            raised,
            ..Terms::default()
        },
        -p(0, 1).ln() - 0.5 * p(1, 2).ln(),
    );
    let lowered = vec![(foretold(9, 0), 2.0), (foretold(4, 0), 1.0)];
    check(
        Terms {
            lowered,
            ..Terms::default()
        },
        -2.0 * (1.0 - p(1, 0)).ln() - (1.0 - p(0, 0)).ln(),
    );
    let candidates = vec![vec![foretold(4, 0), foretold(9, 1)], vec![foretold(4, 2)]];
    let contest = Terms {
        contests: vec![Contest {
            candidates,
            weight: 3.0,
        }],
        ..Terms::default()
    };
    let (right, wrong) = (p(0, 0) * p(1, 1), p(0, 2));
    check(contest, -3.0 * (right / (right + wrong)).ln());
    let rival = |right, others: &[i64], weight| Rivals {
        right,
        others: others.to_vec(),
        weight,
    };
    let rivals = vec![
        rival(foretold(4, 1), &[0, 2], 2.0),
        rival(foretold(9, 0), &[1], 1.0),
    ];
    let lost = 2.0 * (1.0 + (-1f64).exp() + (-2f64).exp()).ln() + (1.0 + (-1.5f64).exp()).ln();
    check(
        Terms {
            rivals,
            ..Terms::default()
        },
        lost,
    );
    check(Terms::default(), 0.0);
}

#[test]
fn a_token_far_above_the_others_still_has_a_finite_term_and_gradient() {
    for kind in [Kind::Float, Kind::BFloat16] {
        let logits = Tensor::from_slice(&[40f32, 0.0, 0.0, 0.0])
            .view([1, 4])
            .to_kind(kind)
            .set_requires_grad(true);
        let terms = Terms {
            lowered: vec![(foretold(0, 0), 1.0)],
            ..Terms::default()
        };
        let loss = terms.loss(&logits).unwrap();
        loss.backward();
        assert!(
            (loss.double_value(&[]) - (40.0 - 3f64.ln())).abs() < 0.1,
            "{loss:?}"
        );
        let gradient = Vec::<f64>::try_from(logits.grad().view([4]).to_kind(Kind::Double)).unwrap();
        assert!(
            (gradient[0] - 1.0).abs() < 1e-3 && gradient.iter().all(|g| g.is_finite()),
            "{gradient:?}"
        );
    }
}

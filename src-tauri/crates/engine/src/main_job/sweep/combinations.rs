//! The combinations of a sweep: how many there are, in which order they stand, and which of them is best.

use super::alike::close;
use crate::workspace::Result;
use lexforge_domain::api::{Combination, Sweep, SweepAxes, TrainRequest};
use lexforge_domain::{Code, Failure};

/// Most combinations of a sweep: each is a whole training.
pub(super) const MOST: usize = 64;

/// Every combination of the axes' values; the axis named last changes fastest.
///
/// # Errors
/// [`Code::InvalidRequest`] where there are no combinations to try, or too many.
pub(super) fn combinations(axes: &SweepAxes) -> Result<Vec<Combination>> {
    let lengths = [
        axes.learning_rate.len(),
        axes.temperature.len(),
        axes.weights.len(),
        axes.items.len(),
    ];
    if lengths.iter().all(|n| *n == 0) {
        return Err(Failure::new(
            Code::InvalidRequest,
            "The sweep names no figure to try.",
            "Name learning rates, temperatures, weights of the levels or numbers of questions.",
        ));
    }
    let count = lengths
        .iter()
        .fold(1usize, |all, n| all.saturating_mul((*n).max(1)));
    if count > MOST {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!("The sweep has {count} combinations, and {MOST} are the most."),
            "Each is a whole training. Name fewer values, or sweep over one figure after the other.",
        ));
    }
    let mut all = Vec::new();
    for learning_rate in each(&axes.learning_rate) {
        for temperature in each(&axes.temperature) {
            for weights in each(&axes.weights) {
                for items in each(&axes.items) {
                    all.push(Combination {
                        learning_rate,
                        temperature,
                        weights,
                        items,
                    });
                }
            }
        }
    }
    Ok(all)
}

/// The values of a setting or, if none are named, the value of the recipe.
fn each<T: Copy>(values: &[T]) -> Vec<Option<T>> {
    match values {
        [] => vec![None],
        values => values.iter().copied().map(Some).collect(),
    }
}

/// The training of a combination.
pub(super) fn request_of(common: &TrainRequest, values: Combination) -> TrainRequest {
    TrainRequest {
        learning_rate: values.learning_rate.or(common.learning_rate),
        temperature: values.temperature.or(common.temperature),
        weights: values.weights.or(common.weights),
        items_per_anchor: match values.items {
            Some(items) => items.most(),
            None => common.items_per_anchor,
        },
        ..common.clone()
    }
}

/// Chooses the greatest figure on the dev part; of equal ones the first in the table, and names the others.
pub(super) fn choose(sweep: &mut Sweep) {
    let figures = || {
        let rows = sweep.rows.iter();
        rows.filter_map(|row| row.dev.as_ref().map(|dev| (row.number, dev.value)))
            .filter(|(_, value)| value.is_finite())
    };
    let best = figures().fold(
        None,
        |best: Option<(u64, f64)>, (number, value)| match best {
            Some((_, greatest)) if value <= greatest || close(value, greatest) => best,
            _ => Some((number, value)),
        },
    );
    let tied = match best {
        Some((first, greatest)) => figures()
            .filter(|(number, value)| *number != first && close(*value, greatest))
            .map(|(number, _)| number)
            .collect(),
        None => Vec::new(),
    };
    (sweep.best, sweep.tied) = (best.map(|(number, _)| number), tied);
    sweep.enough = sweep.best.and_then(|best| enough(sweep, best));
}

/// The combination with the fewest questions whose figure lies within the interval of the best one's.
fn enough(sweep: &Sweep, best: u64) -> Option<u64> {
    let curve = sweep.curve(best);
    let greatest = curve.iter().find(|row| row.number == best)?;
    let [low, _] = greatest.dev.as_ref()?.interval?;
    let mut fewest_first = curve.iter();
    let found = fewest_first.find(|row| row.dev.as_ref().is_some_and(|dev| dev.value >= low));
    found.map(|row| row.number)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::api::{
        DevFigure, DevMeasure, ItemsPerAnchor, LevelWeights, SweepRequest, SweepRow,
    };

    fn axes() -> SweepAxes {
        let weights = |sentence, token| LevelWeights { sentence, token };
        SweepAxes {
            learning_rate: vec![1e-4, 2e-4],
            temperature: Vec::new(),
            weights: vec![weights(0.4, 0.6), weights(0.2, 0.8)],
            items: Vec::new(),
        }
    }

    #[test]
    fn all_combinations_stand_in_the_order_of_their_figures() {
        let all = combinations(&axes()).unwrap();
        let told: Vec<_> = all
            .iter()
            .map(|c| (c.learning_rate.unwrap(), c.weights.unwrap().sentence))
            .collect();
        assert_eq!(told, [(1e-4, 0.4), (1e-4, 0.2), (2e-4, 0.4), (2e-4, 0.2)]);
        let common = TrainRequest {
            temperature: Some(0.1),
            ..TrainRequest::default()
        };
        let third = request_of(&common, all[2]);
        // A setting that is not varied stays as it was requested.
        assert_eq!(
            (third.learning_rate, third.temperature),
            (Some(2e-4), Some(0.1))
        );
    }

    #[test]
    fn the_fewest_questions_within_the_interval_of_the_best_are_enough() {
        use ItemsPerAnchor::{All, AtMost};
        let axes = SweepAxes {
            learning_rate: vec![1e-4, 2e-4],
            items: vec![All, AtMost(4), AtMost(1), AtMost(2)],
            ..SweepAxes::default()
        };
        let all = combinations(&axes).unwrap();
        let of: Vec<Option<u64>> = all.iter().map(|c| c.items.unwrap().most()).collect();
        assert_eq!(of[..4], [None, Some(4), Some(1), Some(2)]);
        let common = TrainRequest {
            items_per_anchor: Some(9),
            ..TrainRequest::default()
        };
        assert_eq!(request_of(&common, all[0]).items_per_anchor, None);
        assert_eq!(request_of(&common, all[2]).items_per_anchor, Some(1));
        assert_eq!(
            request_of(&common, Combination::default()).items_per_anchor,
            Some(9)
        );

        let figures = [0.80, 0.79, 0.60, 0.78, 0.70, 0.79, 0.795, 0.5];
        let rows = (1..)
            .zip(all)
            .zip(figures)
            .map(|((number, values), value)| SweepRow {
                dev: Some(DevFigure {
                    measure: DevMeasure::Accuracy,
                    value,
                    items: 100,
                    interval: Some([value - 0.03, value + 0.03]),
                }),
                ..SweepRow::waiting(number, values)
            });
        let mut sweep = Sweep {
            number: 1,
            started: String::new(),
            request: SweepRequest {
                train: TrainRequest::default(),
                axes,
            },
            most: MOST as u64,
            after: None,
            data: None,
            rows: rows.collect(),
            best: None,
            tied: Vec::new(),
            enough: None,
        };
        choose(&mut sweep);
        // The other learning rate is another curve.
        assert_eq!((sweep.best, sweep.enough), (Some(1), Some(4)));
        let curve: Vec<u64> = sweep.curve(1).iter().map(|row| row.number).collect();
        assert_eq!(curve, [3, 4, 2, 1]);
        sweep.rows[0].dev = None;
        choose(&mut sweep);
        assert_eq!((sweep.best, sweep.enough), (Some(7), Some(7)));
        assert!(sweep.curve(99).is_empty());
    }

    #[test]
    fn nothing_to_try_and_too_much_are_refused() {
        let nothing = combinations(&SweepAxes::default()).unwrap_err();
        assert_eq!(nothing.code, Code::InvalidRequest);
        let many: Vec<f64> = (1..=33).map(f64::from).collect();
        let axes = SweepAxes {
            learning_rate: many,
            ..axes()
        };
        let told = combinations(&axes).unwrap_err().message;
        assert!(told.contains("66") && told.contains("64"), "{told}");
    }

    #[test]
    fn the_greatest_figure_is_best_and_the_first_of_equal_ones() {
        let row = |number, value: Option<f64>| SweepRow {
            dev: value.map(|value| DevFigure {
                measure: DevMeasure::Accuracy,
                value,
                items: 31,
                interval: None,
            }),
            ..SweepRow::waiting(number, Combination::default())
        };
        let mut sweep = Sweep {
            number: 1,
            started: String::new(),
            request: SweepRequest {
                train: TrainRequest::default(),
                axes: axes(),
            },
            most: MOST as u64,
            after: None,
            data: None,
            rows: vec![row(1, None), row(2, None)],
            best: Some(2),
            tied: vec![1],
            enough: None,
        };
        choose(&mut sweep);
        assert_eq!((sweep.best, sweep.tied.as_slice()), (None, &[][..]));
        sweep.rows = vec![
            row(1, Some(0.5)),
            row(2, None),
            row(3, Some(0.625)),
            row(4, Some(f64::NAN)),
            // Written, read again.
            row(5, Some(f64::from_bits(0.625_f64.to_bits() + 1))),
        ];
        choose(&mut sweep);
        assert_eq!((sweep.best, sweep.tied.as_slice()), (Some(3), &[5][..]));
    }
}

//! Figures of tasks for which no system was trained: pairs that belong together or not, and texts with a class. For
//! texts with a class, a system's answer is the class with the nearest centroid.

use crate::classification::macro_of;
use crate::correlation::{pearson, spearman};
use crate::logistic;
use lexforge_domain::api::TaskMeasure;

/// The value for the class of a text that gets no class.
pub const NO_CLASS: f64 = -1.0;

/// The value of a measure: how well given values fit the right ones. `None` where it has no value.
pub fn value(measure: TaskMeasure, gold: &[f64], given: &[f64]) -> Option<f64> {
    match measure {
        TaskMeasure::Auc => auc(gold, given),
        TaskMeasure::AveragePrecision => average_precision(gold, given),
        TaskMeasure::Spearman => spearman(gold, given),
        TaskMeasure::Pearson => pearson(gold, given),
        TaskMeasure::Accuracy => accuracy(gold, given),
        TaskMeasure::MacroF1 => macro_f1(gold, given),
    }
}

/// The area under the ROC curve: how often a pair that belongs together has a higher score than a pair that does not.
/// Equal scores count half. A gold value above ½ means that the pair belongs together. `None` if all pairs are of one
/// kind, or a score is NaN.
fn auc(gold: &[f64], scores: &[f64]) -> Option<f64> {
    if broken(gold, scores) {
        return None;
    }
    let scored: Vec<(f64, bool)> = scores.iter().copied().zip(right(gold)).collect();
    logistic::auc(&scored)
}

/// Average precision. For each pair that belongs together, take all pairs that score at least as high, and the share
/// among them of pairs that belong together; the result is the mean of these shares. `None` in the same cases as
/// [`auc`].
fn average_precision(gold: &[f64], scores: &[f64]) -> Option<f64> {
    let all = right(gold).filter(|right| *right).count();
    if broken(gold, scores) || all == 0 || all == gold.len() {
        return None;
    }
    let mut scored: Vec<(f64, bool)> = scores.iter().copied().zip(right(gold)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut seen, mut hits, mut sum) = (0, 0, 0.0);
    // Equal ones together.
    for tied in scored.chunk_by(|a, b| a.0 == b.0) {
        let here = tied.iter().filter(|one| one.1).count();
        hits += here;
        seen += tied.len();
        sum += here as f64 * hits as f64 / seen as f64;
    }
    Some(sum / all as f64)
}

/// The share of texts that get their own class. A text that gets no class is wrong. `None` without texts.
fn accuracy(gold: &[f64], given: &[f64]) -> Option<f64> {
    if gold.is_empty() || gold.len() != given.len() {
        return None;
    }
    let right = gold.iter().zip(given).filter(|(g, c)| g == c).count();
    Some(right as f64 / gold.len() as f64)
}

/// Macro F1 over classes, which are whole numbers from 0 on. A text with no predicted class ([`NO_CLASS`]) counts as
/// missed in its own class, and as a false prediction in no class. `None` without texts.
fn macro_f1(gold: &[f64], given: &[f64]) -> Option<f64> {
    if gold.is_empty() || gold.len() != given.len() {
        return None;
    }
    let gold: Vec<usize> = gold.iter().map(|class| *class as usize).collect();
    let given: Vec<Option<usize>> = given
        .iter()
        .map(|class| (*class >= 0.0).then_some(*class as usize))
        .collect();
    Some(macro_of(&gold, &given).f1)
}

/// For each text the class whose centroid is nearest by cosine. The text itself is left out of its own class's
/// centroid. If a text is alone in its class, its class has no centroid left, so another class is chosen.
///
/// `None` for a text if several centroids are equally near, as for a text without any known word; otherwise the order
/// of the classes would decide. The whole result is `None` if a cosine is NaN. `cosine` compares two texts by their
/// vectors.
pub fn nearest_centroid(
    classes: &[usize],
    cosine: impl Fn(usize, usize) -> f64,
) -> Option<Vec<Option<usize>>> {
    let n = classes.len();
    let count = classes.iter().max().map_or(0, |most| most + 1);
    // To the sum of the vectors of each class.
    let mut to = vec![vec![0.0; count]; n];
    let mut own = vec![0.0; n];
    for (i, &class) in classes.iter().enumerate() {
        own[i] = cosine(i, i);
        to[i][class] += own[i];
        for (j, &other) in classes.iter().enumerate().skip(i + 1) {
            let both = cosine(i, j);
            to[i][other] += both;
            to[j][class] += both;
        }
    }
    // The squared length of each sum.
    let mut lengths = vec![0.0; count];
    for (row, &class) in to.iter().zip(classes) {
        lengths[class] += row[class];
    }
    if !lengths.iter().all(|length| length.is_finite()) {
        return None;
    }
    let nearest = |i: usize| {
        let near = |class: usize| {
            let (mut along, mut length) = (to[i][class], lengths[class]);
            if class == classes[i] {
                length += own[i] - 2.0 * along;
                along -= own[i];
            }
            // Where a class has one text only, nothing is left of it without this text. Rounding leaves a little more
            // than 0.
            if length > 1e-9 {
                along / length.sqrt()
            } else {
                f64::NEG_INFINITY
            }
        };
        let all: Vec<f64> = (0..count).map(near).collect();
        let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut nearest = (0..count).filter(|class| all[*class] == most);
        match (nearest.next(), nearest.next()) {
            (Some(class), None) if most.is_finite() => Some(class),
            _ => None,
        }
    };
    Some((0..n).map(nearest).collect())
}

/// Which items belong together.
fn right(gold: &[f64]) -> impl Iterator<Item = bool> {
    gold.iter().map(|gold| *gold > 0.5)
}

/// The lists differ in length, are empty, or hold what is no number.
fn broken(gold: &[f64], scores: &[f64]) -> bool {
    gold.is_empty()
        || gold.len() != scores.len()
        || gold.iter().chain(scores).any(|value| value.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: Option<f64>, expected: f64) {
        assert!(
            found.is_some_and(|f| (f - expected).abs() < 1e-12),
            "{found:?}"
        );
    }

    #[test]
    fn pairs_are_ordered_by_their_scores() {
        let gold = [1.0, 0.0, 1.0, 0.0, 0.0];
        near(auc(&gold, &[0.9, 0.1, 0.8, 0.2, 0.3]), 1.0);
        near(auc(&gold, &[0.1, 0.9, 0.2, 0.8, 0.7]), 0.0);
        near(auc(&gold, &[0.5; 5]), 0.5);
        // Of six comparisons 0.6 wins all three, 0.3 one and draws one.
        near(auc(&gold, &[0.6, 0.3, 0.3, 0.2, 0.5]), 4.5 / 6.0);
        near(average_precision(&gold, &[0.9, 0.1, 0.8, 0.2, 0.3]), 1.0);
        near(average_precision(&gold, &[0.5; 5]), 0.4);
        // 0.6 first; 0.3 shares the third place of four.
        near(
            average_precision(&gold, &[0.6, 0.3, 0.3, 0.2, 0.5]),
            (1.0 + 2.0 / 4.0) / 2.0,
        );
        // Minus zero is zero.
        near(auc(&[1.0, 0.0], &[-0.0, 0.0]), 0.5);
    }

    #[test]
    fn what_has_no_figure_is_none_and_not_zero() {
        for figure in [auc, average_precision] {
            assert_eq!(figure(&[], &[]), None);
            assert_eq!(figure(&[1.0, 1.0], &[0.1, 0.2]), None);
            assert_eq!(figure(&[0.0, 0.0], &[0.1, 0.2]), None);
            assert_eq!(figure(&[1.0, 0.0], &[0.1]), None);
            assert_eq!(figure(&[1.0, 0.0], &[0.1, f64::NAN]), None);
        }
        for figure in [accuracy, macro_f1] {
            assert_eq!(figure(&[], &[]), None);
            assert_eq!(figure(&[1.0, 0.0], &[1.0]), None);
        }
        near(accuracy(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 2.0, 2.0]), 0.75);
        // A text that gets no class is wrong, and does not add a class.
        near(accuracy(&[0.0, 1.0], &[NO_CLASS, 1.0]), 0.5);
        near(macro_f1(&[0.0, 1.0], &[NO_CLASS, 1.0]), 0.5);
    }

    #[test]
    fn a_text_goes_to_the_nearest_class_and_does_not_count_for_its_own() {
        // Angles of unit vectors: two clear classes, and one text that lies among the others' class.
        let angles: [f64; 6] = [0.0, 0.1, 1.5, 1.4, 1.6, 0.05];
        let classes = [0, 0, 1, 1, 1, 1];
        let cosine = |i: usize, j: usize| (angles[i] - angles[j]).cos();
        let given = nearest_centroid(&classes, cosine);
        assert_eq!(given, Some([0, 0, 1, 1, 1, 0].map(Some).to_vec()));
        // Alone in its class, a text has nothing to be near to there.
        let cosines = [[1.0, 0.5, 0.1], [0.5, 1.0, 0.1], [0.1, 0.1, 1.0]];
        let given = nearest_centroid(&[0, 0, 1], |i, j| cosines[i][j]);
        assert_eq!(given, Some([0, 0, 0].map(Some).to_vec()));
        // The third is like none of the others, and the order of classes does not decide for it.
        let cosine = |i: usize, j: usize| match (i, j) {
            (2, _) | (_, 2) => 0.0,
            _ => f64::from(u8::from(i / 3 == j / 3)),
        };
        let given = nearest_centroid(&[0, 0, 0, 1, 1], cosine);
        assert_eq!(given, Some(vec![Some(0), Some(0), None, Some(1), Some(1)]));
        assert_eq!(nearest_centroid(&[0, 1], |_, _| f64::NAN), None);
    }
}

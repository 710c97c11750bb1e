//! Figures of tasks that nobody trained a system on: pairs that belong together or not, and texts with a class, of which the
//! nearest centroid is what a system says.

use crate::classification::macro_of;

/// How often a pair that belongs together scores above one that does not, equal scores half (the area under the ROC curve);
/// none where all are of one kind, or a score is not a number. Gold values above ½ belong together.
pub fn auc(gold: &[f64], scores: &[f64]) -> Option<f64> {
    let order = ascending(gold, scores)?;
    let right = gold.iter().filter(|g| **g > 0.5).count() as f64;
    let wrong = gold.len() as f64 - right;
    let mut at = 0;
    let (mut below, mut sum) = (0.0, 0.0);
    while at < order.len() {
        let end = equal_until(&order, scores, at);
        let here = order[at..end].iter().filter(|i| gold[**i] > 0.5).count() as f64;
        let others = (end - at) as f64 - here;
        sum += here * (below + others / 2.0);
        below += others;
        at = end;
    }
    (right > 0.0 && wrong > 0.0).then(|| sum / (right * wrong))
}

/// The mean, over pairs that belong together, of the share of such pairs among all that score at least as high; none as of
/// [`auc`].
pub fn average_precision(gold: &[f64], scores: &[f64]) -> Option<f64> {
    let order = ascending(gold, scores)?;
    let right = gold.iter().filter(|g| **g > 0.5).count();
    if right == 0 || right == gold.len() {
        return None;
    }
    // From the highest score down, equal ones together.
    let (mut seen, mut hits, mut sum) = (0, 0, 0.0);
    let mut at = order.len();
    while at > 0 {
        let value = scores[order[at - 1]];
        let begin = order[..at].partition_point(|i| scores[*i] < value);
        let here = order[begin..at].iter().filter(|i| gold[**i] > 0.5).count();
        hits += here;
        seen += at - begin;
        sum += here as f64 * hits as f64 / seen as f64;
        at = begin;
    }
    Some(sum / right as f64)
}

/// The share of texts that are given their class; none of no text.
pub fn accuracy(gold: &[f64], given: &[f64]) -> Option<f64> {
    if gold.is_empty() || gold.len() != given.len() {
        return None;
    }
    let right = gold.iter().zip(given).filter(|(g, c)| g == c).count();
    Some(right as f64 / gold.len() as f64)
}

/// Macro F1 over classes, which are whole numbers; none of no text.
pub fn macro_f1(gold: &[f64], given: &[f64]) -> Option<f64> {
    if gold.is_empty() || gold.len() != given.len() {
        return None;
    }
    let gold: Vec<usize> = gold.iter().map(|class| *class as usize).collect();
    let given: Vec<Option<usize>> = given.iter().map(|class| Some(*class as usize)).collect();
    Some(macro_of(&gold, &given).f1)
}

/// For each text the class whose centroid is the nearest by cosine, the text itself left out of its own; of several that are
/// equally near the first. `cosine` is that of two texts by their vectors. Texts that stand alone in their class have no
/// centroid of their own left and are given another one. None where a cosine is not a number.
pub fn nearest_centroid(
    classes: &[usize],
    cosine: impl Fn(usize, usize) -> f64,
) -> Option<Vec<usize>> {
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
            // Sums of rounded figures: what is left of a single text is nothing.
            if length > 1e-9 {
                along / length.sqrt()
            } else {
                f64::NEG_INFINITY
            }
        };
        let all: Vec<f64> = (0..count).map(near).collect();
        let mut best = 0;
        for (class, value) in all.iter().enumerate() {
            if *value > all[best] {
                best = class;
            }
        }
        best
    };
    Some((0..n).map(nearest).collect())
}

/// The places by their scores, the lowest first; none where the lists differ in length, are empty, or hold what is no number.
fn ascending(gold: &[f64], scores: &[f64]) -> Option<Vec<usize>> {
    let broken = gold.is_empty()
        || gold.len() != scores.len()
        || gold.iter().chain(scores).any(|value| value.is_nan());
    if broken {
        return None;
    }
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    Some(order)
}

/// Where the scores that equal the one at a place end.
fn equal_until(order: &[usize], scores: &[f64], at: usize) -> usize {
    let value = scores[order[at]];
    let same = order[at..].iter().take_while(|i| scores[**i] == value);
    at + same.count()
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
    }

    #[test]
    fn a_text_goes_to_the_nearest_class_and_does_not_count_for_its_own() {
        // Angles of unit vectors: two clear classes, and one text that lies among the others' class.
        let angles: [f64; 6] = [0.0, 0.1, 1.5, 1.4, 1.6, 0.05];
        let classes = [0, 0, 1, 1, 1, 1];
        let cosine = |i: usize, j: usize| (angles[i] - angles[j]).cos();
        let given = nearest_centroid(&classes, cosine);
        assert_eq!(given, Some(vec![0, 0, 1, 1, 1, 0]));
        // Alone in its class, a text has nothing to be near to there.
        let cosines = [[1.0, 0.5, 0.1], [0.5, 1.0, 0.1], [0.1, 0.1, 1.0]];
        let given = nearest_centroid(&[0, 0, 1], |i, j| cosines[i][j]);
        assert_eq!(given, Some(vec![0, 0, 0]));
        assert_eq!(nearest_centroid(&[0, 1], |_, _| f64::NAN), None);
    }
}

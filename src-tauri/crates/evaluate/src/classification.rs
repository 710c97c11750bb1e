//! Precision, recall and F1 from counts, macro-averaged.

/// For each class: how often it was right and given, how often it was given, how often it was right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    counts: Vec<u32>,
}

/// Macro-averaged figures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MacroFigures {
    /// Mean over classes of right and given / given.
    pub precision: f64,
    /// Mean over classes of right and given / right.
    pub recall: f64,
    /// Mean over classes of the class's F1 (not the F1 of the means).
    pub f1: f64,
}

/// The number of counts for each class: right and given, given, right.
pub(crate) const COUNTS_PER_CLASS: usize = 3;

impl Confusion {
    /// No answers yet, for `classes` classes.
    pub fn new(classes: usize) -> Self {
        Self {
            counts: vec![0; classes * COUNTS_PER_CLASS],
        }
    }

    /// Counts one answer. `None` in `given` = no usable answer, which only lowers the recall of `right`.
    pub fn add(&mut self, right: usize, given: Option<usize>) {
        let needed = (right.max(given.unwrap_or(0)) + 1) * COUNTS_PER_CLASS;
        if self.counts.len() < needed {
            self.counts.resize(needed, 0);
        }
        self.counts[right * COUNTS_PER_CLASS + 2] += 1;
        if let Some(given) = given {
            self.counts[given * COUNTS_PER_CLASS + 1] += 1;
            if given == right {
                self.counts[right * COUNTS_PER_CLASS] += 1;
            }
        }
    }

    /// Averages over classes (macro averages). A class counts if it was the right class or the predicted class of at
    /// least one item. A ratio 0/0 counts as 0, as in scikit-learn with `zero_division=0`.
    pub(crate) fn macro_figures(&self) -> MacroFigures {
        macro_figures(&self.counts)
    }

    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }
}

pub(crate) fn macro_figures(counts: &[u32]) -> MacroFigures {
    let ratio = |a: u32, b: u32| {
        if b == 0 {
            0.0
        } else {
            f64::from(a) / f64::from(b)
        }
    };
    let mut sum = MacroFigures::default();
    let mut classes = 0u32;
    for class in counts.chunks_exact(COUNTS_PER_CLASS) {
        let (hit, given, right) = (class[0], class[1], class[2]);
        if given + right == 0 {
            continue;
        }
        classes += 1;
        sum.precision += ratio(hit, given);
        sum.recall += ratio(hit, right);
        sum.f1 += ratio(2 * hit, given + right);
    }
    let classes = f64::from(classes.max(1));
    MacroFigures {
        precision: sum.precision / classes,
        recall: sum.recall / classes,
        f1: sum.f1 / classes,
    }
}

/// Macro figures of predictions against the right classes, by position; the shorter list ends the count.
pub fn macro_of(right: &[usize], given: &[Option<usize>]) -> MacroFigures {
    let mut confusion = Confusion::default();
    for (&r, &g) in right.iter().zip(given) {
        confusion.add(r, g);
    }
    confusion.macro_figures()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::testing::assert_near;

    #[test]
    fn macro_figures_as_scikit_learn_gives_them() {
        // precision_recall_fscore_support(right, given, average="macro", zero_division=0), scikit-learn 1.
        let check = |right: &[usize], given: &[usize], [precision, recall, f1]: [f64; 3]| {
            let given: Vec<Option<usize>> = given.iter().copied().map(Some).collect();
            let found = macro_of(right, &given);
            assert_near(found.precision, precision, 1e-11);
            assert_near(found.recall, recall, 1e-11);
            assert_near(found.f1, f1, 1e-11);
        };
        check(
            &[
                2, 0, 1, 1, 4, 1, 2, 1, 4, 1, 4, 4, 2, 2, 0, 1, 2, 0, 0, 3, 4, 4, 2, 4,
            ],
            &[
                2, 0, 3, 1, 4, 3, 4, 1, 4, 1, 4, 2, 0, 2, 3, 1, 2, 0, 0, 0, 4, 4, 2, 4,
            ],
            [0.651428571429, 0.588095238095, 0.610216450216],
        );
        // Class 3 is given but never right.
        check(&[0, 0, 1, 1, 2], &[0, 3, 1, 2, 2], [0.625, 0.5, 0.5]);
        check(&[], &[], [0.0, 0.0, 0.0]);
    }

    #[test]
    fn no_usable_answer_lowers_recall_only() {
        let found = macro_of(&[0, 0, 1], &[Some(0), None, Some(1)]);
        assert_near(found.precision, 1.0, 1e-12);
        assert_near(found.recall, 0.75, 1e-12);
    }
}

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

/// Counts that a class has: right and given, given, right.
pub(crate) const COUNTS_PER_CLASS: usize = 3;

impl Confusion {
    /// No answers yet, for `classes` classes.
    pub fn new(classes: usize) -> Self {
        Self { counts: vec![0; classes * COUNTS_PER_CLASS] }
    }

    /// Counts one answer; `given` none = no usable answer, which only lowers the recall of `right`.
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

    /// Macro averages over the classes that were right or given at least once; a ratio 0/0 counts as 0, as in
    /// scikit-learn with `zero_division=0`.
    pub fn macro_figures(&self) -> MacroFigures {
        macro_figures(&self.counts)
    }

    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }
}

pub(crate) fn macro_figures(counts: &[u32]) -> MacroFigures {
    let ratio = |a: u32, b: u32| if b == 0 { 0.0 } else { f64::from(a) / f64::from(b) };
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
    MacroFigures { precision: sum.precision / classes, recall: sum.recall / classes, f1: sum.f1 / classes }
}

/// Macro figures of predictions against the right classes, by position; the shorter list ends the count.
pub fn macro_of(right: &[usize], given: &[Option<usize>]) -> MacroFigures {
    let mut confusion = Confusion::default();
    for (&r, &g) in right.iter().zip(given) {
        confusion.add(r, g);
    }
    confusion.macro_figures()
}

//! An exam of pairs, of similarity or of texts with a class, as systems are measured on it.

use crate::evaluation::alike::sharing_a_text;
use crate::workspace::Result;
use lexforge_domain::api::{ExamRow, TaskMeasure};
use lexforge_domain::exam::{ClassedText, ExamKind, ExamPair};
use lexforge_domain::protocol::TextSide;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_evaluate::tasks::{NO_CLASS, nearest_centroid, value};
use lexforge_text::fold::letters;
use lexforge_text::language::detect;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// Items below which nothing is measured.
const FEWEST: usize = 20;
/// Texts with a class above which nothing is measured: each is compared with each.
const MOST_CLASSED: usize = 20_000;

/// The exam.
pub(super) struct Task {
    pub(super) row: ExamRow,
    /// Different texts, each as what it is read.
    pub(super) texts: Vec<(TextSide, String)>,
    /// The texts of each item; a text with a class has one.
    items: Vec<[usize; 2]>,
    /// The right value of each item: 1 or 0, a score, the number of a class.
    pub(super) gold: Vec<f64>,
    /// Items that share a text, directly or through others, have one number.
    pub(super) clusters: Vec<i64>,
}

/// The values that a system gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Given {
    /// The items that it can read, rising.
    pub(super) read: Vec<usize>,
    /// The values of each of its runs for these items. There is one run, unless the system stands for several.
    pub(super) runs: Vec<Vec<f64>>,
    /// Texts that it reads in part, since they are longer than it can read.
    pub(super) cut: u64,
}

impl Task {
    pub(super) fn of_pairs(row: ExamRow, pairs: Vec<ExamPair>) -> Self {
        let mut texts = Texts::default();
        let mut gold = Vec::with_capacity(pairs.len());
        let mut items = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let sides = if pair.asks {
                [TextSide::Question, TextSide::Passage]
            } else {
                [TextSide::Plain; 2]
            };
            gold.push(pair.score);
            items.push([texts.place(sides[0], pair.a), texts.place(sides[1], pair.b)]);
        }
        Self::of(row, texts, items, gold)
    }

    pub(super) fn of_classes(row: ExamRow, classed: Vec<ClassedText>) -> Self {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut texts = Texts::default();
        let mut gold = Vec::with_capacity(classed.len());
        let mut items = Vec::with_capacity(classed.len());
        for one in classed {
            let next = numbers.len();
            gold.push(*numbers.entry(one.class).or_insert(next) as f64);
            items.push([texts.place(TextSide::Plain, one.text); 2]);
        }
        Self::of(row, texts, items, gold)
    }

    fn of(row: ExamRow, texts: Texts, items: Vec<[usize; 2]>, gold: Vec<f64>) -> Self {
        // A text is one whether it is read as a question or as a passage, and however it is punctuated.
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let same: Vec<usize> = texts
            .list
            .iter()
            .map(|(_, text)| {
                let next = numbers.len();
                *numbers.entry(letters(text)).or_insert(next)
            })
            .collect();
        let shared: Vec<[usize; 2]> = items.iter().map(|item| item.map(|at| same[at])).collect();
        Self {
            row,
            clusters: sharing_a_text(&shared),
            texts: texts.list,
            items,
            gold,
        }
    }

    /// Refuses an exam by which nothing can be told.
    pub(super) fn check(&self) -> Result<()> {
        let (name, n) = (&self.row.name, self.gold.len());
        if n < FEWEST {
            return Err(Failure::new(
                Code::TooLittleData,
                format!("{name} has {n} items; figures are taken from {FEWEST} or more."),
                "Bring in an exam that has more.",
            ));
        }
        if self.row.kind == ExamKind::Classes && n > MOST_CLASSED {
            return Err(Failure::new(
                Code::TooLarge,
                format!("{name} has {n} texts; up to {MOST_CLASSED} with a class are measured."),
                "Bring in a part of it.",
            ));
        }
        Ok(())
    }

    /// What systems are measured by on the exam; by the first they are compared.
    pub(super) fn measures(&self) -> &'static [TaskMeasure] {
        TaskMeasure::of(self.row.kind)
    }

    /// Computes a value for each item in `read`, which holds indices of items. For a pair, the value is the cosine of
    /// its two texts. For a text with a class, it is the class whose centroid is nearest. `cosine` gives the cosine of
    /// two texts by their indices.
    pub(super) fn values(
        &self,
        read: &[usize],
        cosine: impl Fn(usize, usize) -> f64,
    ) -> Result<Vec<f64>> {
        let values: Option<Vec<f64>> = if self.row.kind == ExamKind::Classes {
            let classes: Vec<usize> = read.iter().map(|at| self.gold[*at] as usize).collect();
            let text = |i: usize| self.items[read[i]][0];
            let number = |class: Option<usize>| class.map_or(NO_CLASS, |class| class as f64);
            nearest_centroid(&classes, |i, j| cosine(text(i), text(j)))
                .map(|given| given.into_iter().map(number).collect())
        } else {
            let of = |at: &usize| cosine(self.items[*at][0], self.items[*at][1]);
            Some(read.iter().map(of).collect())
        };
        values
            .filter(|values| values.iter().all(|value| value.is_finite()))
            .ok_or_else(|| {
                Failure::new(
                    Code::Internal,
                    "Some of its cosines are no numbers.",
                    "Look at the model's files, or leave it out.",
                )
            })
    }

    /// The values of a system, if figures can be computed from them.
    pub(super) fn usable(&self, name: &str, given: Given) -> Result<Given> {
        let alike = |values: &Vec<f64>| values.windows(2).all(|two| two[0] == two[1]);
        let why = if given.read.len() < FEWEST {
            format!(
                "{name} reads {} of {} items; figures are taken from {FEWEST} or more.",
                given.read.len(),
                self.gold.len()
            )
        } else if self.row.kind != ExamKind::Classes && given.runs.iter().any(alike) {
            format!("{name} finds all pairs equally alike, so that they have no order.")
        } else if self.measures().iter().any(|measure| {
            let whole: Vec<usize> = (0..given.read.len()).collect();
            self.figure(*measure, &given, &whole).is_none()
        }) {
            format!("{name} reads items of one label or one score alone, which have no figure.")
        } else {
            return Ok(given);
        };
        Err(Failure::new(
            Code::TooLittleData,
            why,
            "Leave it out, or bring in another exam.",
        ))
    }

    /// The value of a measure for one system, computed over the items with the indices `drawn` (for example those of a
    /// resample). It is the mean over the system's runs, and `None` if one of the runs has no value.
    pub(super) fn figure(
        &self,
        measure: TaskMeasure,
        given: &Given,
        drawn: &[usize],
    ) -> Option<f64> {
        let runs: Option<Vec<f64>> = given
            .runs
            .iter()
            .map(|values| self.of_run(measure, given, values, drawn))
            .collect();
        let runs = runs.filter(|runs| !runs.is_empty())?;
        Some(runs.iter().sum::<f64>() / runs.len() as f64)
    }

    /// The figure of one run.
    pub(super) fn of_run(
        &self,
        measure: TaskMeasure,
        given: &Given,
        values: &[f64],
        drawn: &[usize],
    ) -> Option<f64> {
        let gold: Vec<f64> = drawn.iter().map(|i| self.gold[given.read[*i]]).collect();
        let values: Vec<f64> = drawn.iter().map(|i| values[*i]).collect();
        value(measure, &gold, &values).filter(|value| value.is_finite())
    }

    /// How many texts stand alone in their class.
    pub(super) fn alone(&self) -> usize {
        let classes = self.row.subjects.values();
        match self.row.kind {
            ExamKind::Classes => classes.filter(|n| **n == 1).count(),
            _ => 0,
        }
    }

    /// In which language each item is.
    pub(super) fn languages(&self) -> Vec<Language> {
        let text = |at: usize| self.texts[at].1.as_str();
        let of = |[a, b]: &[usize; 2]| match a == b {
            true => detect(text(*a)),
            false => detect(&format!("{} {}", text(*a), text(*b))),
        };
        self.items.iter().map(of).collect()
    }

    pub(super) fn first_text(&self, item: usize) -> &str {
        &self.texts[self.items[item][0]].1
    }

    /// The key under which a system's answer to an item is kept: the exam's hash with the item's place in it.
    pub(super) fn hash_of(&self, item: usize) -> String {
        hashed(&serde_json::json!([self.row.hash, item]))
    }

    /// The hash under which the number of texts that a system cut is kept.
    pub(super) fn hash_of_cut(&self) -> String {
        hashed(&serde_json::json!([self.row.hash, "cut"]))
    }
}

fn hashed(said: &serde_json::Value) -> String {
    lexforge_domain::Sha256::of_digest(Sha256::digest(said.to_string())).to_string()
}

/// Different texts.
#[derive(Default)]
struct Texts {
    list: Vec<(TextSide, String)>,
    at: HashMap<(TextSide, String), usize>,
}

impl Texts {
    fn place(&mut self, side: TextSide, text: String) -> usize {
        let next = self.list.len();
        let known = (side, text);
        *self.at.entry(known.clone()).or_insert_with(|| {
            self.list.push(known);
            next
        })
    }
}

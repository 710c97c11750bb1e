//! Lines of JSON, and what is said where one cannot be taken.

use crate::workspace::Result;
use lexforge_domain::{Code, Failure};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Fewer items than this say little, which is noted.
pub(super) const FEW: usize = 30;
/// Resamples of bootstrap and permutation.
pub(super) const RESAMPLES: usize = 2_000;
/// Lines that a note names.
const NAMED: usize = 5;

/// One line of a file.
#[derive(Debug)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    object: Map<String, Value>,
}

/// The lines of a file that are not empty.
pub(super) fn lines(text: &str, form: &str) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = i + 1;
        let object = serde_json::from_str(line).map_err(|problem| {
            let why = if ["NaN", "Infinity"].iter().any(|word| line.contains(word)) {
                "it holds NaN or Infinity, which is no number".to_owned()
            } else {
                format!("it is no JSON object ({problem})")
            };
            invalid(number, &why, form)
        })?;
        lines.push(Line { number, object });
    }
    if lines.is_empty() {
        return Err(Failure::new(
            Code::TooLittleData,
            "The file has no line.",
            format!("Give a file with a JSON object a line: {form}."),
        ));
    }
    Ok(lines)
}

/// The failure of a line that cannot be taken.
pub(super) fn invalid(number: usize, why: &str, form: &str) -> Failure {
    Failure::invalid(
        format!("Line {number} cannot be used: {why}."),
        format!("Each line is a JSON object: {form}."),
    )
}

impl Line {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// A name or a number as text; `None` if the field is missing.
    pub(super) fn label(&self, name: &str, form: &str) -> Result<Option<String>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(_) => {
                let why = format!("its \"{name}\" is neither text nor a number");
                Err(invalid(self.number, &why, form))
            }
        }
    }

    /// A finite number.
    pub(super) fn number(&self, name: &str, form: &str) -> Result<f64> {
        let found = self.get(name).and_then(Value::as_f64);
        found.filter(|number| number.is_finite()).ok_or_else(|| {
            let why = match self.get(name) {
                None => format!("it has no \"{name}\""),
                Some(value) => format!("its \"{name}\" is no number ({value})"),
            };
            invalid(self.number, &why, form)
        })
    }
}

/// The cluster of each line: lines with the same `cluster` belong together. A line without one is a cluster of its own.
pub(super) struct Clusters {
    /// The number of each line's cluster.
    pub(super) of: Vec<usize>,
    /// The kind of cluster.
    pub(super) unit: &'static str,
}

impl Clusters {
    pub(super) fn of(lines: &[Line], form: &str) -> Result<Self> {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut of = Vec::with_capacity(lines.len());
        let (mut next, mut named) = (0, false);
        for line in lines {
            let number = match line.label("cluster", form)? {
                Some(name) => {
                    named = true;
                    *numbers.entry(name).or_insert(next)
                }
                None => next,
            };
            next = next.max(number + 1);
            of.push(number);
        }
        let unit = if named { "cluster" } else { "item" };
        Ok(Self { of, unit })
    }
}

/// "lines 3, 8 and 12 more" of the lines of a note.
pub(super) fn named(numbers: &[usize]) -> String {
    let shown: Vec<String> = numbers.iter().take(NAMED).map(usize::to_string).collect();
    let word = if numbers.len() == 1 { "line" } else { "lines" };
    let shown = format!("{word} {}", shown.join(", "));
    match numbers.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The note if there are few items; `None` if there are enough.
pub(super) fn few(n: usize, what: &str) -> Option<String> {
    (n < FEW).then(|| format!("Only {n} {what}: with so few, the figures say little about others."))
}

/// The failure of two files that do not hold the same items.
pub(super) fn unlike(other: &str, why: &str) -> Failure {
    Failure::invalid(
        format!("{other} cannot be compared: {why}."),
        "Both files must have the same items in the same order.",
    )
}

//! Triplets as files: a line of JSON each.

use super::with_model::TRANSLATION;
use crate::workspace::{DEFAULT_SEED, Result, Silent, Watcher, cancelled, tell, write_named};
use crate::writing::Writing;
use lexforge_augment::{lost, lost_in_translation, translated_into};
use lexforge_domain::api::{
    NewTriplet, Stage, TripletFilter, TripletMaker, TripletOrigin, TripletReport, TripletRow,
};
use lexforge_domain::qca::Split;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_graph::near::{groups, near_pairs};
use lexforge_text::language;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::path::Path;

/// Divides groups of near-duplicates by a digit from 0 to 9, which is computed for each group. Digits below the first
/// number mean training, other digits below the second number mean dev, and all others mean test.
const SHARES: (u8, u8) = (6, 7);

/// A line of a file with a triplet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TripletLine {
    /// The sentence.
    source: String,
    /// The sentence in other words.
    positive: String,
    /// The sentence with another meaning.
    negative: String,
    /// Tag of the shift.
    #[serde(default)]
    shift: String,
    /// How it was made: an object that this program wrote, or whatever another tool says.
    #[serde(default)]
    origin: serde_json::Value,
    /// How much nearer the positive is, as a teacher says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
    /// Its part: `train`, `dev` or `test`; `None` = by the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    split: Option<Split>,
    /// The reviewers' verdict on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<ReviewStatus>,
    /// Title of the document.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    document: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
}

impl Writing<'_> {
    /// Imports the triplets of a file, as [`Writing::import_triplets`] does.
    ///
    /// # Errors
    /// When the file cannot be read; as [`Writing::import_triplets`].
    pub fn import_triplets_of(&self, file: &Path, watcher: &dyn Watcher) -> Result<TripletReport> {
        self.import_watched(&super::text_of(file)?, watcher)
    }

    /// Imports triplets and keeps the existing ones. Near-duplicates are put into the same part of the dataset. A
    /// triplet whose positive text lacks a number, date, modal verb or negation of its source is rejected and listed.
    ///
    /// # Errors
    /// When the file is empty, or a line is not a triplet. The error names the first such line, and nothing is
    /// imported.
    pub fn import_triplets(&self, text: &str) -> Result<TripletReport> {
        self.import_watched(text, &Silent)
    }

    fn import_watched(&self, text: &str, watcher: &dyn Watcher) -> Result<TripletReport> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(super::plain(text).lines()) {
            if !line.trim().is_empty() {
                lines.push(read(line).map_err(|why| unusable(number, &why))?);
            }
        }
        if lines.is_empty() {
            return Err(unusable(1, "the file has no line"));
        }
        let known = self.triplets(&TripletFilter::default())?.rows;
        let mut report = TripletReport {
            source: "import".to_owned(),
            looked_at: lines.len() as u64,
            unit: "near-duplicates".to_owned(),
            ..TripletReport::default()
        };
        let mut new = placed(lines, &known);
        let of = new.len() as u64;
        for (done, triplet) in (0..).zip(&mut new) {
            if watcher.cancelled() {
                return Err(cancelled("Nothing was kept."));
            }
            tell(watcher, Stage::Questions, "triplets", done, of);
            let other = language_of(&triplet.positive);
            let said = triplet.positive.as_str();
            let lost = if translates(triplet.language, other) {
                let ways = &mut triplet.origin.positive;
                if ways.iter().all(|way| way != TRANSLATION) {
                    ways.push(TRANSLATION.to_owned());
                }
                lost_in_translation((&triplet.source, triplet.language), (said, other))
            } else {
                lost(&triplet.source, said, triplet.language)
            };
            triplet.reason = lost.map(|lost| format!("positive_{}", lost.tag()));
        }
        let there = self
            .workspace
            .store
            .write(&self.workspace.actor, |w| w.add_triplets(&new))?;
        for triplet in &new {
            match &triplet.reason {
                Some(reason) => *report.turned_down.entry(reason.clone()).or_default() += 1,
                None => {
                    report.kept += 1;
                    *report.by_shift.entry(triplet.shift.clone()).or_default() += 1;
                    let split = triplet.split.tag().to_owned();
                    *report.by_split.entry(split).or_default() += 1;
                }
            }
        }
        if there > 0 {
            report.kept = report.kept.saturating_sub(there);
            report.skipped.insert("there_already".to_owned(), there);
        }
        Ok(report)
    }

    /// The triplets that match a filter, as lines of a file that [`Writing::import_triplets`] can read, and their
    /// number.
    ///
    /// # Errors
    /// When no triplet matches.
    pub fn export_triplets(&self, filter: &TripletFilter) -> Result<(String, u64)> {
        let rows = self.triplets(filter)?.rows;
        if rows.is_empty() {
            return Err(super::no_triplets());
        }
        let mut text = String::new();
        for row in &rows {
            text.push_str(&serde_json::json!(line_of(row)).to_string());
            text.push('\n');
        }
        Ok((text, rows.len() as u64))
    }

    /// Writes the triplets that match a filter to a file that a person named, one in each line. Returns their number.
    ///
    /// # Errors
    /// When no triplet matches, or the file cannot be written.
    pub fn write_triplets(&self, filter: &TripletFilter, file: &Path) -> Result<u64> {
        let (text, n) = self.export_triplets(filter)?;
        write_named(file, Some(self.workspace.path()), text.as_bytes())?;
        Ok(n)
    }
}

fn line_of(row: &TripletRow) -> TripletLine {
    let triplet = &row.triplet;
    TripletLine {
        source: triplet.source.clone(),
        positive: triplet.positive.clone(),
        negative: triplet.negative.clone(),
        shift: triplet.shift.clone(),
        origin: serde_json::json!(triplet.origin),
        margin: triplet.margin,
        split: Some(triplet.split),
        status: Some(row.status),
        document: row.document_title.clone(),
        page: row.page,
    }
}

fn unusable(line: usize, why: &str) -> Failure {
    Failure::new(
        Code::CorpusLineInvalid,
        format!("Line {line} is no triplet: {why}. Nothing was read in."),
        "Each line must be a JSON object: {\"source\", \"positive\", \"negative\", \"shift\"?, \"origin\"?, \"margin\"?, \
         \"split\"?}.",
    )
}

/// A line of a file.
fn read(line: &str) -> std::result::Result<TripletLine, String> {
    let mut read: TripletLine = serde_json::from_str(line).map_err(|e| e.to_string())?;
    for (name, text) in [
        ("source", &mut read.source),
        ("positive", &mut read.positive),
        ("negative", &mut read.negative),
    ] {
        *text = text.trim().to_owned();
        if text.is_empty() {
            return Err(format!("its {name} is empty"));
        }
    }
    if read.negative == read.source || read.negative == read.positive {
        return Err("its negative says what its source or its positive says".to_owned());
    }
    Ok(read)
}

/// Turns lines into triplets, each with its part of the dataset (train, dev or test). A triplet goes into the same part
/// as its near-duplicates. If it has none, it goes into the part that the file names. If the file names none, the part
/// is computed from the triplet's words.
fn placed(lines: Vec<TripletLine>, known: &[TripletRow]) -> Vec<NewTriplet> {
    let old = known.iter().map(|row| row.triplet.source.as_str());
    let texts: Vec<&str> = old
        .chain(lines.iter().map(|line| line.source.as_str()))
        .collect();
    let first = groups(texts.len(), &near_pairs(&texts, |_, _| true));
    let mut of_group = std::collections::HashMap::new();
    for (row, first) in known.iter().zip(&first) {
        let place = (row.triplet.split, row.triplet.group);
        of_group.entry(*first).or_insert(place);
    }
    let new = lines.into_iter().zip(first.into_iter().skip(known.len()));
    new.map(|(line, first)| {
        let (split, group) = *of_group.entry(first).or_insert_with(|| {
            let (drawn, name) = drawn(&line.source);
            (line.split.unwrap_or(drawn), name)
        });
        NewTriplet {
            sentence: None,
            language: language_of(&line.source),
            origin: origin(&line.origin),
            source: line.source,
            positive: line.positive,
            negative: line.negative,
            shift: line.shift,
            margin: line.margin.filter(|m| m.is_finite()),
            split,
            group,
            cluster: group,
            reason: None,
        }
    })
    .collect()
}

/// Whether a text of the second language may be a translation of one of the first.
fn translates(from: Language, into: Language) -> bool {
    translated_into(from) == Some(into)
}

/// A part by the words of a text, and a number that names them.
fn drawn(text: &str) -> (Split, i64) {
    let hash: [u8; 32] = Sha256::digest(format!("{DEFAULT_SEED} {text}")).into();
    let [a, b, c, d, e, f, g, h, place, ..] = hash;
    let split = match place % 10 {
        n if n < SHARES.0 => Split::Train,
        n if n < SHARES.1 => Split::Dev,
        _ => Split::Test,
    };
    // Numbers below 0 are those of no sentence.
    let name = i64::from_be_bytes([a, b, c, d, e, f, g, h]);
    (split, name | i64::MIN)
}

/// How it was made, as the file says it: an object that this program wrote, or whatever another tool says.
fn origin(said: &serde_json::Value) -> TripletOrigin {
    let ours: Option<TripletOrigin> = serde_json::from_value(said.clone()).ok();
    let note = match said {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let came = TripletOrigin {
        by: TripletMaker::Import,
        negative: String::new(),
        removed: String::new(),
        added: String::new(),
        positive: Vec::new(),
        note,
    };
    match ours {
        Some(ours) => TripletOrigin {
            by: TripletMaker::Import,
            note: format!("made {}", ours.by.tag()),
            ..ours
        },
        None => came,
    }
}

fn language_of(text: &str) -> Language {
    match language::detect(text) {
        Language::Other if text.is_ascii() => Language::En,
        detected => detected,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

//! Files of pairs of sentences that people scored.

use crate::workspace::{Result, file_size, io_failure};
use lexforge_domain::api::ScoredPair;
use lexforge_domain::{Code, Failure};
use lexforge_ingest::sheet;
use std::path::Path;

/// Largest file of pairs that is read, in bytes.
const LARGEST: u64 = 16 << 20;
/// The columns of a table of pairs.
const COLUMNS: [&str; 3] = ["sentence1", "sentence2", "score"];

/// The pairs of a file. The file is a table with the columns `sentence1`, `sentence2` and `score`, or it has lines of
/// JSON with the fields `a`, `b` and `score`.
///
/// # Errors
/// When the file cannot be read, is too large, has neither of these forms, or holds no pair.
pub fn scored_pairs_of(file: &Path) -> Result<Vec<ScoredPair>> {
    some_of(scored_pairs(&bytes_of(file)?)?)
}

/// Refuses a file without a pair: elsewhere no pairs mean that nobody named a file.
fn some_of(pairs: Vec<ScoredPair>) -> Result<Vec<ScoredPair>> {
    if pairs.is_empty() {
        return Err(Failure::new(
            Code::TooLittleData,
            "The file holds no pair of sentences.",
            "Give a line of JSON for each pair, with a, b and score; or a table with the columns sentence1, sentence2 and score.",
        ));
    }
    Ok(pairs)
}

/// What stands in a file of pairs. One that is too large is not read.
pub(super) fn bytes_of(file: &Path) -> Result<Vec<u8>> {
    if file_size(file)? > LARGEST {
        let (name, most) = (file.display(), LARGEST >> 20);
        return Err(Failure::new(
            Code::TooLarge,
            format!("{name} is larger than {most} MiB, the most that is read of such pairs."),
            "Give a part of its pairs.",
        ));
    }
    std::fs::read(file).map_err(|error| io_failure(&error, file))
}

/// As [`scored_pairs_of`], of what stands in the file.
pub(super) fn scored_pairs(bytes: &[u8]) -> Result<Vec<ScoredPair>> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => of_lines(bytes),
        _ => scored_table(bytes),
    }
}

/// The pairs of a table with the columns `sentence1`, `sentence2` and `score`.
///
/// # Errors
/// When a column is missing, or a score is not a number.
pub fn scored_table(bytes: &[u8]) -> Result<Vec<ScoredPair>> {
    let invalid = |what: String| {
        Failure::new(
            Code::InvalidRequest,
            format!("The pairs of sentences cannot be read: {what}"),
            "Give a table with the columns sentence1, sentence2 and score.",
        )
    };
    let mut numbered = sheet::numbered_rows(bytes).map_err(|e| invalid(e.to_string()))?;
    numbered.retain(|(_, row)| row.iter().any(|cell| !cell.trim().is_empty()));
    let (mut numbers, mut rows): (Vec<u64>, Vec<Vec<String>>) = numbered.into_iter().unzip();
    if rows.first().is_some_and(|first| is_pair(first)) {
        rows.insert(0, COLUMNS.map(str::to_owned).to_vec());
        numbers.insert(0, 0);
    }
    let column = |name: &str| sheet::column_of(&rows, &[name]).map_err(|e| invalid(e.to_string()));
    let [one, other, scores] = COLUMNS.map(column);
    let scores = scores?;
    // The first row holds the names of the columns.
    let numbers = numbers.into_iter().skip(rows.len() - scores.len());
    one?.into_iter()
        .zip(other?)
        .zip(scores)
        .zip(numbers)
        .map(|(((a, b), score), row)| {
            let score = number(&score).ok_or_else(|| {
                invalid(format!("the score {score:?} in row {row} is no number."))
            })?;
            Ok(ScoredPair { a, b, score })
        })
        .collect()
}

/// Whether a row is a pair with its score, and no names of columns.
fn is_pair(row: &[String]) -> bool {
    matches!(row, [_, _, score] if number(score).is_some())
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|s| s.is_finite())
}

/// The pairs of a file with a line of JSON each.
fn of_lines(bytes: &[u8]) -> Result<Vec<ScoredPair>> {
    let invalid = |what: String| {
        Failure::new(
            Code::InvalidRequest,
            format!("The pairs of sentences cannot be read: {what}"),
            "Give a line of JSON for each pair, with a, b and score; or a table with the columns sentence1, sentence2 and score.",
        )
    };
    let text = std::str::from_utf8(bytes).map_err(|error| invalid(error.to_string()))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|e| invalid(format!("line {}: {e}", at + 1)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_and_lines_of_json_hold_the_same_pairs() {
        let pair = |a: &str, b: &str, score| ScoredPair {
            a: a.to_owned(),
            b: b.to_owned(),
            score,
        };
        let wanted = [
            pair("A plane lands.", "An air plane is landing.", 4.5),
            pair("A dog, a cat.", "A plane lands.", 0.0),
        ];
        for file in [
            "sentence1,sentence2,score\nA plane lands.,An air plane is landing.,4.5\n\"A dog, a cat.\",A plane lands.,0\n",
            "score\tsentence1\tsentence2\n4.5\tA plane lands.\tAn air plane is landing.\n0\tA dog, a cat.\tA plane lands.\n",
            "\u{feff}{\"a\": \"A plane lands.\", \"b\": \"An air plane is landing.\", \"score\": 4.5}\n\n{\"a\": \"A dog, a cat.\", \"b\": \"A plane lands.\", \"score\": 0}\n",
        ] {
            assert_eq!(
                scored_pairs(file.as_bytes()).ok().as_deref(),
                Some(&wanted[..]),
                "{file}"
            );
        }
    }

    #[test]
    fn a_file_without_a_pair_is_not_taken_for_no_file() {
        let of = |bytes: &str| scored_pairs(bytes.as_bytes()).and_then(some_of);
        for empty in ["", "\n \n", "sentence1,sentence2,score\n"] {
            let code = of(empty).err().map(|failure| failure.code);
            assert_eq!(code, Some(Code::TooLittleData), "{empty:?}");
        }
        assert!(of("a,b,1\n").is_ok());
    }

    #[test]
    fn what_is_neither_is_refused_with_its_place() {
        for (file, told) in [
            ("sentence1,sentence2\na,b\n", "is called score"),
            (
                "sentence1,sentence2,score\na,b,high\n",
                "in row 2 is no number",
            ),
            (
                "sentence1,sentence2,score\n\na,b,1\n,,\n\na,b,high\n",
                "in row 6 is no number",
            ),
            ("a,b,1\n\na,b,high\n", "in row 3 is no number"),
            (
                "{\"a\": \"one\", \"b\": \"two\", \"score\": 1}\n{\"a\": \"one\"}\n",
                "line 2:",
            ),
            (
                "{\"a\": \"one\", \"b\": \"two\", \"score\": \"1\"}\n",
                "line 1:",
            ),
        ] {
            let failure = scored_pairs(file.as_bytes())
                .err()
                .map(|failure| failure.message);
            assert!(
                failure.as_ref().is_some_and(|text| text.contains(told)),
                "{failure:?}"
            );
        }
    }
}

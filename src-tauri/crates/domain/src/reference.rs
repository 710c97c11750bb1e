//! References from one clause to another: "Article 6(1)", "Rule 11.2.1 of COBS", "《商业银行法》第十条".

use serde::{Deserialize, Serialize};

/// Where the labels of a reference are to be sought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceScope {
    /// In the whole of the document or the instrument that it names: "Article 6(1)".
    #[default]
    Whole,
    /// From the place of the reference outwards: "paragraph 2", "point (a)", "本条第二款".
    Near,
    /// The clause before the one that refers: "the preceding paragraph", "前款", "前条".
    Previous,
}

/// A reference as it is in a text, in Unicode scalar values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossReference {
    /// First scalar value.
    pub start: usize,
    /// One past the last scalar value.
    pub end: usize,
    /// The words themselves: `Article 6(1)`; of a list (`Articles 13 and 14`) each number is a reference.
    pub text: String,
    /// The instrument that it names, as written: `Regulation (EU) No 575/2013`, `COBS`, `商业银行法`. None: its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<String>,
    /// Labels from the outermost to the innermost, lower case, without brackets: `["article 6", "1", "a"]`, `["第八条",
    /// "二"]`. Empty if the reference means a whole act. With [`ReferenceScope::Previous`] ("the preceding paragraph")
    /// it holds only the name of the level.
    pub labels: Vec<String>,
    /// Of a range ("Articles 15 to 22") the labels of its last clause; `labels` are those of its first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<Vec<String>>,
    /// The place where the labels should be looked for.
    #[serde(default)]
    pub scope: ReferenceScope,
}

impl CrossReference {
    /// The labels in one line as a person would write them: `article 6(1)(a)`, with a range's end.
    pub fn label(&self) -> String {
        let first = written(&self.labels);
        match &self.through {
            Some(last) => format!("{first} – {}", written(last)),
            None => first,
        }
    }

    /// Its target in one line, the act first: `Regulation (EU) No 575/2013 article 4`.
    pub fn target(&self) -> String {
        match &self.instrument {
            Some(instrument) if self.labels.is_empty() => instrument.clone(),
            Some(instrument) => format!("{instrument} {}", self.label()),
            None => self.label(),
        }
    }
}

fn written(labels: &[String]) -> String {
    let mut out = String::new();
    for label in labels {
        if out.is_empty() {
            out.push_str(label);
        } else if label.contains(' ') || label.starts_with('第') {
            out.push(' ');
            out.push_str(label);
        } else {
            out.push('(');
            out.push_str(label);
            out.push(')');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_written_as_people_write_them() {
        let labels = |l: &[&str]| l.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let mut reference = CrossReference {
            labels: labels(&["article 6", "1", "a"]),
            ..CrossReference::default()
        };
        assert_eq!(reference.label(), "article 6(1)(a)");
        reference.through = Some(labels(&["article 9"]));
        assert_eq!(reference.label(), "article 6(1)(a) – article 9");
        reference = CrossReference {
            labels: labels(&["part 6", "chapter 1"]),
            ..CrossReference::default()
        };
        assert_eq!(reference.label(), "part 6 chapter 1");
    }
}

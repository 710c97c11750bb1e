//! Finds out which document of the workspace is the older version of another document.
//!
//! Two documents are versions of one act on two conditions. They have the same number, or the same title without dates
//! and version words. **And** they share much of their wording. A name alone never links them: a wrong link would show
//! a history that the act does not have.

use super::words::key;
use lexforge_domain::DocumentId;
use lexforge_domain::document::{DocumentMetadata, Sentence};
use lexforge_text::calendar::MONTHS;
use lexforge_text::likeness::hash;
use lexforge_text::lists::Word;
use lexforge_text::{word_lists, words};
use std::collections::HashSet;

word_lists! {
    /// Words that tell one version from another and nothing else.
    VERSION_WORDS: HashSet<Word> = "version_words.txt";
}

/// Words of one shingle.
const SHINGLE: usize = 5;
/// Shared wording (Dice coefficient of shingles) from which two documents of one number are versions of one act.
const SAME_NUMBER: f64 = 0.3;
/// Shared wording from which two documents of one title are versions of one act.
const SAME_TITLE: f64 = 0.5;
/// Titles of fewer words say too little.
const TITLE_WORDS: usize = 2;

/// The facts about a document that are known before its text is examined.
#[derive(Clone, Debug)]
pub struct Known {
    pub id: DocumentId,
    /// Facts that the document states about itself.
    pub metadata: DocumentMetadata,
    number: Option<String>,
    title: Vec<String>,
    /// A later version is linked to it.
    pub followed: bool,
    /// Whether it has a predecessor.
    pub follows: bool,
}

impl Known {
    /// A document by its title and the facts that it states about itself.
    pub fn new(id: DocumentId, title: &str, metadata: &DocumentMetadata) -> Self {
        let number = metadata.identifier.as_deref().map(|n| {
            n.chars()
                .filter(|c| c.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect::<String>()
        });
        Self {
            id,
            metadata: metadata.clone(),
            number: number.filter(|n| n.chars().any(char::is_numeric)),
            title: title_key(title),
            followed: false,
            follows: false,
        }
    }

    /// How much wording two documents must share to be versions of one act. `None` if both their numbers and their
    /// titles differ, because then they are not versions of one act.
    pub fn demands(&self, other: &Self) -> Option<f64> {
        if self.number.is_some() && self.number == other.number {
            return Some(SAME_NUMBER);
        }
        (self.title.len() >= TITLE_WORDS && self.title == other.title).then_some(SAME_TITLE)
    }

    /// Whether this one says that it is older than the other.
    pub(crate) fn older_than(&self, other: &Self) -> bool {
        let date = |k: &Self| {
            k.metadata
                .effective
                .clone()
                .or_else(|| k.metadata.date.clone())
        };
        matches!((date(self), date(other)), (Some(a), Some(b)) if a < b)
    }
}

/// The words of a title without dates, version words and their numbers.
fn title_key(title: &str) -> Vec<String> {
    let mut text = title.to_lowercase();
    for word in [
        "修订",
        "修正",
        "修改",
        "征求意见稿",
        "草案",
        "试行",
        "暂行",
        "最新",
        "年",
        "月",
        "日",
    ] {
        text = text.replace(word, " ");
    }
    let mut out = Vec::new();
    let mut after_version = false;
    for word in words(&text) {
        let digits = word.trim_start_matches('v');
        let number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        let year =
            number && digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
        let version = VERSION_WORDS.contains(word.as_str()) || MONTHS.contains(&word.as_str());
        let numbered = number && (word.starts_with('v') || after_version);
        after_version = version || year || numbered;
        if !(version || year || numbered) {
            out.push(word);
        }
    }
    out
}

/// The shingles of a text, and whether a sentence of it is recognised.
pub struct Wording {
    shingles: HashSet<u64>,
    keys: Vec<String>,
}

impl Wording {
    /// The wording of a document's sentences.
    pub fn of(sentences: &[Sentence]) -> Self {
        let mut keys: Vec<String> = sentences.iter().filter_map(key).collect();
        let words: Vec<String> = keys.iter().flat_map(|k| words(k)).collect();
        keys.sort_unstable();
        Self {
            shingles: words.windows(SHINGLE).map(hash).collect(),
            keys,
        }
    }

    /// Share of wording in common, 0 to 1 (Dice coefficient of shingles).
    pub fn shared(&self, other: &Self) -> f64 {
        let all = self.shingles.len() + other.shingles.len();
        if all == 0 {
            return 0.0;
        }
        2.0 * self.shingles.intersection(&other.shingles).count() as f64 / all as f64
    }

    /// Whether both say the same sentence by sentence: two copies, not two versions.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        self.keys == other.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_without_their_versions() {
        let same = |a: &str, b: &str| title_key(a) == title_key(b);
        for (a, b) in [
            ("Outsourcing Policy v1.2", "Outsourcing Policy v2"),
            ("outsourcing_policy_2022-05-01", "Outsourcing policy (2023)"),
            (
                "Bank Supervision Process, Version 1.0, March 2020",
                "Bank Supervision Process",
            ),
            ("贷款管理办法（2009年修订）", "贷款管理暂行办法"),
        ] {
            assert!(
                same(a, b),
                "{a} / {b}: {:?} {:?}",
                title_key(a),
                title_key(b)
            );
        }
        for (a, b) in [
            ("Guidelines on credit risk", "Guidelines on market risk"),
            ("Rulebook Part 1", "Rulebook Part 2"),
            ("固定资产贷款管理办法", "流动资金贷款管理办法"),
        ] {
            assert!(!same(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn a_number_or_a_title_is_demanded() {
        let known = |title: &str, number: Option<&str>, date: Option<&str>| {
            let metadata = DocumentMetadata {
                identifier: number.map(str::to_owned),
                date: date.map(str::to_owned),
                ..DocumentMetadata::default()
            };
            Known::new(DocumentId(1), title, &metadata)
        };
        let first = known(
            "Guidelines on stress testing",
            Some("EBA/GL/2018/04"),
            Some("2018-07-19"),
        );
        let later = known(
            "Something else altogether",
            Some("EBA/GL/2018/04"),
            Some("2020"),
        );
        assert_eq!(first.demands(&later), Some(SAME_NUMBER));
        assert!(first.older_than(&later) && !later.older_than(&first));
        let titled = known(
            "Guidelines on stress testing (2021)",
            Some("EBA/GL/2021/01"),
            None,
        );
        assert_eq!(first.demands(&titled), Some(SAME_TITLE));
        assert!(!titled.older_than(&first));
        assert_eq!(
            first.demands(&known("Guidelines on outsourcing", None, None)),
            None
        );
        assert_eq!(
            known("Regulation", None, None).demands(&known("Regulation", None, None)),
            None
        );
    }
}

//! Questions with choices and answer (QCA, docs/methods.md, "Questions").

use crate::id::{QcaId, SentenceId, TermId};
use crate::tags::{all, read_by_tag, tagged};
use crate::term::ReviewStatus;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(QcaLevel, QuestionType, Split, QuestionSource);
read_by_tag!(QcaLevel, QuestionType, Split, QuestionSource);

/// The things that a question distinguishes: whole sentences or single terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum QcaLevel {
    /// `Q_sen`: the choices are sentences.
    Sentence,
    /// `Q_tok`: the choices are terms.
    Token,
}

/// The type of question: what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum QuestionType {
    /// The meaning of a term.
    Definition,
    /// What somebody must do.
    Obligation,
    /// What somebody must not do.
    Prohibition,
    /// What somebody may do.
    Permission,
    /// A number or a limit.
    Threshold,
    /// A date or a time limit.
    Deadline,
    /// Anything else that a rule says.
    Statement,
    /// Which term belongs in the place of the gap.
    Term,
}

impl QuestionType {
    /// All types in the order in which they are listed.
    pub const ALL: [Self; 8] = all(Self::VARIANTS);
}

/// Part of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Split {
    /// For training.
    Train,
    /// For choosing settings and checkpoints.
    Dev,
    /// For the final figures only.
    Test,
}

impl Split {
    /// All parts in order.
    pub const ALL: [Self; 3] = [Self::Train, Self::Dev, Self::Test];
}

/// Which share of the questions each part is to have, in whole numbers: 6 : 1 : 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitShares {
    /// For training.
    pub train: u32,
    /// For choosing settings and checkpoints.
    pub dev: u32,
    /// For the final figures only.
    pub test: u32,
}

impl Default for SplitShares {
    fn default() -> Self {
        Self {
            train: 6,
            dev: 1,
            test: 3,
        }
    }
}

impl SplitShares {
    /// The share of each part, in the order of [`Split::ALL`]; together 1.
    pub fn parts(self) -> [f64; 3] {
        let all = f64::from(self.train) + f64::from(self.dev) + f64::from(self.test);
        [self.train, self.dev, self.test].map(|share| f64::from(share) / all)
    }

    /// Reads `6:1:3`; `None` where it is no three numbers from 1 to 1000.
    pub fn read(text: &str) -> Option<Self> {
        let mut numbers = text.split([':', '/', '：']).map(|part| {
            let share = part.trim().parse::<u32>().ok();
            share.filter(|share| (1..=1000).contains(share))
        });
        let mut next = || numbers.next().flatten();
        let shares = Self {
            train: next()?,
            dev: next()?,
            test: next()?,
        };
        numbers.next().is_none().then_some(shares)
    }

    /// Reads `7:3`, as publications without a development part have it: a tenth of all, taken from training, becomes
    /// that part, so that `7:3` is `6:1:3`. `None` where it is no two numbers from 1 to 1000, or training would be
    /// empty.
    pub fn read_two(text: &str) -> Option<Self> {
        let (train, test) = text.split_once([':', '/', '：'])?;
        let number = |part: &str| part.trim().parse::<u32>().ok();
        let number = |part: &str| number(part).filter(|share| (1..=1000).contains(share));
        let (train, test) = (number(train)?, number(test)?);
        // In tenths of a share, so that the tenth of all is a whole number.
        let (dev, test) = (train + test, 10 * test);
        let train = (10 * train).checked_sub(dev).filter(|&rest| rest > 0)?;
        let common = [train, dev, test].into_iter().fold(0, greatest_common);
        Self {
            train: train / common,
            dev: dev / common,
            test: test / common,
        }
        .in_bounds()
    }

    /// These shares, if each is one that [`SplitShares::read`] reads.
    fn in_bounds(self) -> Option<Self> {
        let all = [self.train, self.dev, self.test];
        let readable = all.iter().all(|share| (1..=1000).contains(share));
        readable.then_some(self)
    }
}

/// The greatest number that divides both; of 0 and a number that number.
fn greatest_common(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common(b, a % b) }
}

impl std::fmt::Display for SplitShares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.train, self.dev, self.test)
    }
}

/// The writer of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum QuestionSource {
    /// The offline generator: patterns and minimal edits, no language model.
    Offline,
    /// A language model.
    Llm,
}

/// The source of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChoiceOrigin {
    /// The right answer, from the anchor.
    Anchor,
    /// Taken from another sentence.
    Neighbour {
        /// That sentence.
        sentence: SentenceId,
    },
    /// A minimal edit (`modal`, `negation`, `condition`, `actor`, `number`, `action`, `term`, `splice`) of a sentence.
    Edit {
        /// Name of the edit.
        edit: String,
        /// The sentence that was edited.
        sentence: SentenceId,
    },
    /// A similar term.
    Term {
        /// That term.
        term: TermId,
    },
}

impl ChoiceOrigin {
    /// The sentence from which a wrong choice was made.
    pub fn borrowed_from(&self) -> Option<SentenceId> {
        match self {
            Self::Neighbour { sentence } | Self::Edit { sentence, .. } => Some(*sentence),
            Self::Anchor | Self::Term { .. } => None,
        }
    }
}

/// A question drafted by a writer; nothing is stored yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QcaDraft {
    /// Sentence or token level.
    pub level: QcaLevel,
    /// The type of question: what it asks for.
    #[serde(rename = "type")]
    pub question_type: QuestionType,
    /// The question.
    pub question: String,
    /// The choices, in the seeded order in which they are shown.
    pub choices: Vec<String>,
    /// Index of the right choice.
    pub answer: usize,
    /// Where each choice comes from, in the order of `choices`.
    pub origins: Vec<ChoiceOrigin>,
    /// Token level: a declarative sentence that contains the answer.
    pub rephrased: Option<String>,
    /// The anchor sentence.
    pub anchor_sentence: SentenceId,
    /// Token level: the term that is asked for.
    pub anchor_term: Option<TermId>,
    /// Who wrote it.
    pub source: QuestionSource,
}

impl QcaDraft {
    /// A draft about an anchor, with nothing else in it yet.
    pub fn new(
        level: QcaLevel,
        question_type: QuestionType,
        anchor_sentence: SentenceId,
        source: QuestionSource,
    ) -> Self {
        Self {
            level,
            question_type,
            question: String::new(),
            choices: Vec::new(),
            answer: 0,
            origins: Vec::new(),
            rephrased: None,
            anchor_sentence,
            anchor_term: None,
            source,
        }
    }
}

/// A question as the workspace keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Qca {
    /// Its id.
    pub id: QcaId,
    /// What was drafted.
    #[serde(flatten)]
    pub draft: QcaDraft,
    /// Its review status.
    pub status: ReviewStatus,
    /// The part of the dataset that its anchor belongs to.
    pub split: Split,
}

impl Qca {
    /// A question as it was drafted, before anybody has reviewed it.
    pub fn unreviewed(id: QcaId, draft: QcaDraft, split: Split) -> Self {
        Self {
            id,
            draft,
            status: ReviewStatus::Unreviewed,
            split,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_three_numbers_and_no_part_is_empty() {
        let shares = SplitShares::read(" 7 : 1 : 2 ").unwrap_or_default();
        assert_eq!((shares.train, shares.dev, shares.test), (7, 1, 2));
        assert_eq!(SplitShares::default().to_string(), "6:1:3");
        let parts = SplitShares::default().parts();
        assert!((parts[0] - 0.6).abs() < 1e-12 && (parts.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for text in [
            "7:3", "7:0:3", "6:1:3:1", "6:1:", "six:1:3", "-6:1:3", "6:1:1001", "",
        ] {
            assert_eq!(SplitShares::read(text), None, "{text}");
        }
    }

    #[test]
    fn of_two_shares_a_tenth_of_all_becomes_the_development_part() {
        for (text, expected) in [
            ("7:3", Some("6:1:3")),
            (" 8 / 2 ", Some("7:1:2")),
            ("1:1", Some("4:1:5")),
            ("75:25", Some("13:2:5")),
            ("1:9", None),
            ("1:8", Some("1:9:80")),
            ("7:0", None),
            ("7", None),
            ("6:1:3", None),
            ("1000:999", None),
            ("seven:3", None),
        ] {
            let read = SplitShares::read_two(text).map(|shares| shares.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }
}

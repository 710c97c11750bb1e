//! What to look at before documents are used to train.

use crate::id::{DocumentId, SentenceId};
use crate::tags::{all, tagged};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use strum::{IntoStaticStr, VariantArray};

tagged!(PersonalKind);

/// Kinds of data of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum PersonalKind {
    /// An address of e-mail.
    Email,
    /// The number of a bank account whose check digits fit (IBAN).
    Account,
    /// The number of a payment card whose check digit fits.
    Card,
    /// A telephone number.
    Phone,
    /// The number of a person in a state's register whose check digits fit.
    NationalId,
    /// A name behind a form of address.
    Name,
}

impl PersonalKind {
    /// All kinds.
    pub const ALL: [Self; 6] = all(Self::VARIANTS);
}

/// Data of a person in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalFinding {
    /// What it is.
    pub kind: PersonalKind,
    /// The document.
    pub document: DocumentId,
    /// The page, from 1.
    pub page: u32,
    /// The sentence.
    pub sentence: SentenceId,
    /// The words.
    pub text: String,
}

/// How a document looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentCheck {
    /// The document.
    pub document: DocumentId,
    /// Its file's name.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Its licence, as the document states it.
    pub licence: Option<String>,
    /// Data of persons, by kind.
    pub personal: BTreeMap<PersonalKind, u64>,
    /// Words that were looked at.
    pub words: u64,
    /// The number of tokens whose form is not that of a word.
    pub odd: u64,
    /// Some of these.
    pub examples: Vec<String>,
    /// Pages that were read from a picture.
    pub from_pictures: u32,
    /// Whether so many words are not real words that the document was probably read badly.
    pub noisy: bool,
}

/// How many questions there are of a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassCheck {
    /// The level.
    pub level: String,
    /// The type.
    pub class: String,
    /// Questions that were not rejected.
    pub questions: u64,
    /// Their share of the level's.
    pub share: f64,
    /// There are less than half as many as there would be if all types of the level had the same.
    pub thin: bool,
}

/// What to look at before the documents are used to train.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CorpusCheck {
    /// Every document.
    pub documents: Vec<DocumentCheck>,
    /// Data of persons, by kind, in all documents.
    pub personal: BTreeMap<PersonalKind, u64>,
    /// Their places in reading order; only the first ones if there are many.
    pub findings: Vec<PersonalFinding>,
    /// How many questions there are of each type.
    pub classes: Vec<ClassCheck>,
}

/// What the last check said of documents that are about to be used as data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckStanding {
    /// The documents.
    pub documents: u64,
    /// Those that were not checked.
    pub unchecked: u64,
    /// Those in which data of persons was found.
    pub personal: u64,
    /// Those that were probably read badly.
    pub noisy: u64,
    /// Those that state no licence.
    pub unlicensed: u64,
}

impl CheckStanding {
    /// It in words, as the audit chain has it.
    pub fn words(&self) -> String {
        format!(
            "documents in the data: {}; not checked {}, with personal data found {}, probably read badly {}, licence unknown {}",
            self.documents, self.unchecked, self.personal, self.noisy, self.unlicensed
        )
    }
}

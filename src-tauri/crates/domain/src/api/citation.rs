//! Where something stands that an answer leans on.

use super::validity::OutOfForce;
use crate::id::{DocumentId, SentenceId};
use crate::text::{Language, Region};
use serde::{Deserialize, Serialize};

/// A place that supports a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// The document.
    pub document: DocumentId,
    /// Its title.
    pub title: String,
    /// Its language.
    pub language: Language,
    /// Page on which the quote begins, from 1.
    pub page: u32,
    /// Section path, or empty.
    pub section: String,
    /// The rectangles of the quote on the page.
    pub boxes: Vec<Region>,
    /// The words, as they are in the document.
    pub quote: String,
    /// The sentence with these words.
    pub sentence: SentenceId,
    /// Id that the corpus file gave the sentence.
    #[serde(default)]
    pub external_id: Option<String>,
    /// A newer version of the document is in the workspace.
    #[serde(default)]
    pub superseded_by: Option<DocumentId>,
    /// Why the document is not in force on the day of the answer, by what a person set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_force: Option<OutOfForce>,
}

//! Clauses that a cited clause refers to: whoever reads "subject to Article 9(2)" has to read Article 9(2) as well.

use super::Citation;
use serde::{Deserialize, Serialize};

/// A reference in the words that an answer cites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Referred {
    /// The citation whose words make the reference, as an index in [`super::Answer::citations`].
    pub from: usize,
    /// The reference as written: "Article 9(2)".
    pub text: String,
    /// The act that it names; `None` where it is the document's own.
    #[serde(default)]
    pub instrument: Option<String>,
    /// Where the clause begins. `None` if the named act is not in the workspace.
    pub place: Option<Citation>,
}

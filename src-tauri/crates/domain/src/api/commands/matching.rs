//! Rules against policies.

use crate::SentenceId;
use crate::api::{
    self, MatchDecide, MatchDecision, MatchExport, MatchFile, MatchImport, MatchImported,
    MatchRequest,
};

commands! {
    MatchingRequest;

    /// Matches the rules of documents with the statements of others in the background; the answer is the job's number.
    MatchRules { request: MatchRequest } -> u64;

    /// The newest matching with what was decided since; `None` before the first.
    MatchOverview {} -> Option<api::MatchOverview>;

    /// One rule of the newest matching.
    MatchedRule { rule: SentenceId } -> api::MatchedRule;

    /// Keeps what a person says of rules.
    DecideMatch { said: MatchDecide } -> Vec<MatchDecision>;

    /// Reads a mapping collection of others; what it says of rules is proposed, and nothing is decided.
    ImportMapping { path: String, about: MatchImport } -> MatchImported;

    /// Writes the newest matching into a file.
    ExportMatching { form: MatchExport, path: String } -> MatchFile;
}

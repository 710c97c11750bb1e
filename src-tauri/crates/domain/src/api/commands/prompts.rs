//! Prompts and their test bench.

use crate::api::{PromptFile, PromptKind, PromptTrial, TrialPlan, TrialSubject};
use crate::endpoint::Consent;
use crate::text::Language;

commands! {
    PromptsRequest;

    /// The prompts as they are used now.
    Prompts {} -> Vec<PromptFile>;

    /// Keeps a wording of the workspace's own.
    PutPrompt { kind: PromptKind, language: Language, text: String } -> PromptFile;

    /// Goes back to the shipped wording.
    ResetPrompt { kind: PromptKind, language: Language } -> PromptFile;

    /// The prompt about a sentence as it would be sent, and to whom. Nothing is sent.
    PlanTrial { subject: TrialSubject, endpoint: String } -> TrialPlan;

    /// Sends the prompt about a sentence, once somebody agreed to it.
    TryPrompt { subject: TrialSubject, endpoint: String, consent: Option<Consent> } -> PromptTrial;
}

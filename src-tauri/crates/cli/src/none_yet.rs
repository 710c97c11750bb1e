//! What an empty list says: what is missing, and the command that brings it.

/// For lists that always have a line.
pub const NOTHING: &str = "There is nothing to list.";
pub const ANSWERS: &str = "No question was asked yet. Ask one: lexforge ask WORKSPACE “QUESTION”";
pub const CONFLICTS: &str = "There is no conflict: reviewers do not differ.";
pub const CONFUSABLES: &str = "No two terms are close enough to be taken for each other. Where no terms were found \
    yet, find them: lexforge terms extract WORKSPACE";
pub const DEFINITIONS: &str = "No definition was found.";
pub const DOCUMENTS: &str =
    "There are no documents yet. Import some: lexforge import WORKSPACE FILE…";
pub const DOUBTFUL_TERMS: &str = "No term looks as if it were none.";
pub const DRAFTS: &str = "No such draft was turned down when questions were last written.";
pub const ENDPOINTS: &str = "No endpoint is named yet. Name one: lexforge endpoints add WORKSPACE NAME --url URL \
    --model MODEL";
pub const ENTRIES: &str = "No entry of the audit chain fits.";
pub const EXAMS: &str = "There is no exam yet. Import one: lexforge exam import WORKSPACE FILE…";
pub const GRAPHS: &str = "There is no graph yet. Build one: lexforge graph build WORKSPACE";
pub const MACHINES: &str =
    "No machine is registered yet. Register one: lexforge compute add NAME --ssh HOST";
pub const MAPPINGS: &str =
    "No mapping of others was read yet. Read one: lexforge match import WORKSPACE FILE";
pub const MODELS: &str = "No base model was found. Name the folders of your models in LEXFORGE_MODELS. What else \
    is missing: lexforge doctor";
pub const OF_THIS_VERDICT: &str = "No rule of the newest matching has this verdict.";
pub const PACKS: &str = "No pack is installed: workers use the libtorch beside them. Take one in: lexforge \
    compute install --local FILE…";
pub const PAIRS: &str =
    "There are no labelled questions yet. Import some: lexforge pairs import WORKSPACE FILE";
pub const PROMPT_VERSIONS: &str = "No version of a prompt was saved here: the wordings that come with the product are \
    used. Save one: lexforge prompts edit WORKSPACE FILE";
pub const QUESTIONS: &str =
    "There are no questions yet. Write some: lexforge augment WORKSPACE --offline";
pub const REFERENCES: &str = "No reference was found.";
pub const REJECTED_TERMS: &str = "The last extraction left no proposed term out.";
pub const RERANKERS: &str = "No run has trained a cross-encoder yet. Train one: lexforge train WORKSPACE --task \
    rerank";
pub const RULES: &str = "The chosen documents have no rule that could be covered.";
pub const RUNS: &str = "No training run was started yet. Start one: lexforge train WORKSPACE";
pub const SENTENCES: &str = "The text has no sentence.";
pub const SIMILARITY: &str =
    "There is no such pair. Draw pairs: lexforge similarity draw WORKSPACE";
pub const SNAPSHOTS: &str =
    "There is no snapshot yet. Freeze one: lexforge dataset freeze WORKSPACE";
pub const TERMS: &str = "There is no such term. Find the terms of the documents: lexforge terms extract \
    WORKSPACE";
pub const TO_DECIDE: &str = "There is nothing to decide here. Where there should be, find terms: lexforge terms extract \
    WORKSPACE. Write questions: lexforge augment WORKSPACE --offline. Make triplets: lexforge triplets make WORKSPACE. \
    Draw pairs of sentences: lexforge similarity draw WORKSPACE";
pub const TRIPLETS: &str = "There is no such triplet. Make some: lexforge triplets make WORKSPACE";

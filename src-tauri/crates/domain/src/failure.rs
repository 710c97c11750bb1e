//! How a failure is reported to a person: a code that programs match, a message that says what happened and why, and a
//! hint that says what to do now.

use crate::remedy::{Advice, Remedy};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// What went wrong, for programs. A variant exists only where somebody acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Code {
    /// The file has no bytes, or no page of it carries anything to read.
    Empty,
    /// The file cannot be found or read.
    FileUnreadable,
    /// The file is of a kind that cannot be imported.
    UnsupportedFormat,
    /// The file is damaged.
    Damaged,
    /// The file is named like a PDF but is not one.
    NotAPdf,
    /// The file is encrypted in a way that cannot be opened, with a password or without.
    Encrypted,
    /// The file is locked with a password.
    PasswordRequired,
    /// The file is larger than the limit.
    TooLarge,
    /// The pages are images without a text layer, and there is no OCR that could read them.
    ScannedNoText,
    /// The parser exceeded its time limit.
    TimedOut,
    /// The parser exceeded its memory limit or crashed.
    ParserCrashed,
    /// A line of a corpus file has the wrong form.
    CorpusLineInvalid,
    /// The workspace does not exist.
    WorkspaceMissing,
    /// Something already stands where the workspace is to be made.
    WorkspaceExists,
    /// The workspace was written by a newer version.
    WorkspaceNewer,
    /// The file is not a workspace, or damaged.
    WorkspaceInvalid,
    /// The workspace is encrypted, and nobody gave the right passphrase.
    WorkspaceLocked,
    /// Another process holds the workspace for too long.
    WorkspaceBusy,
    /// The workspace lies on a network share.
    WorkspaceOnNetworkShare,
    /// Beside the workspace lies a write-ahead log of another state of it.
    LogForeign,
    /// The open workspace does not stand at its path any more.
    WorkspaceMoved,
    /// The folder or file cannot be written.
    ReadOnly,
    /// The disk is full.
    DiskFull,
    /// Nothing in the workspace has this id.
    NotFound,
    /// A step needs the result of an earlier one.
    StepMissing,
    /// There is too little material for the step.
    TooLittleData,
    /// The leak check found test material in training data.
    LeakFound,
    /// The worker program or libtorch is missing.
    WorkerMissing,
    /// The worker speaks another protocol version.
    WorkerIncompatible,
    /// The worker ended without a result.
    WorkerDied,
    /// Another process of a training on several is gone or does not answer.
    RankLost,
    /// The model folder is missing or incomplete.
    ModelMissing,
    /// The model's architecture or a feature of it is not supported.
    ModelUnsupported,
    /// The model does not suit the language of the corpus.
    LanguageUnsupported,
    /// The bundle or one of its inputs is not valid.
    BundleInvalid,
    /// A checkpoint does not match its manifest or its job.
    CheckpointInvalid,
    /// An export does not answer as the model from which it was made.
    ExportDiffers,
    /// Another worker is working on the bundle.
    BundleLocked,
    /// Memory ran out.
    OutOfMemory,
    /// The loss is not a number.
    LossNotFinite,
    /// No connection to the endpoint, or none that holds.
    EndpointUnreachable,
    /// The endpoint's certificate or encryption cannot be relied on.
    EndpointTls,
    /// The endpoint does not take the key.
    EndpointKey,
    /// The endpoint does not have the model, or the address is not that of its interface.
    EndpointModel,
    /// The endpoint is too busy, or reports an error of its own, again and again.
    EndpointBusy,
    /// The response is no answer of such an endpoint: a web page, a damaged or endless text.
    EndpointAnswer,
    /// The endpoint refuses the request.
    EndpointRefused,
    /// The endpoint's key cannot be had.
    KeyMissing,
    /// The file with a key is protected by a passphrase, and nobody gave the right one.
    KeyLocked,
    /// Nobody agreed to what would be sent.
    ConsentMissing,
    /// The endpoint may have come with the workspace, and nobody on this machine confirmed it.
    EndpointUnconfirmed,
    /// A target for training does not answer, or the connection was lost. Runs on the target continue.
    TargetUnreachable,
    /// A target does not let this user in, or is not the host that it was.
    TargetRefused,
    /// A target lacks something that a training needs there.
    TargetUnready,
    /// A review packet or its answer does not match its hash, or is no such file.
    PacketInvalid,
    /// A review packet of another workspace, or one that this workspace never wrote.
    PacketForeign,
    /// The content of a packet is not known: an earlier version wrote the packet, and its file was not named.
    PacketUnrecorded,
    /// A package is unsigned, signed by somebody else, or differs from its description. It is refused.
    PackageRefused,
    /// A person's name looks like that of another, and nobody said whether they are one.
    NameAlike,
    /// A file of terms is not in the expected format.
    GlossaryInvalid,
    /// The user stopped it.
    Cancelled,
    /// The audit chain is broken.
    AuditBroken,
    /// The request itself makes no sense.
    InvalidRequest,
    /// A programming error of the product.
    Internal,
}

impl Code {
    /// The code as it is printed and matched, for example `password_required`.
    pub fn tag(self) -> String {
        <&'static str>::from(self).to_owned()
    }
}

/// A failure as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// For programs.
    pub code: Code,
    /// What happened and why, one sentence or two.
    pub message: String,
    /// What to do now, in words that hold in every face.
    pub hint: String,
    /// The advice as a value; each interface puts it into its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Box<Remedy>>,
    /// The file that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The path of that file, if it can be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The page, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

impl Failure {
    /// A failure with its message and the remedy.
    pub fn new(code: Code, message: impl Into<String>, advice: impl Into<Advice>) -> Self {
        let Advice { words, remedy } = advice.into();
        Self {
            code,
            message: message.into(),
            hint: words,
            remedy,
            file: None,
            path: None,
            page: None,
        }
    }

    /// A request that makes no sense ([`Code::InvalidRequest`]), with why and the remedy.
    pub fn invalid(message: impl Into<String>, advice: impl Into<Advice>) -> Self {
        Self::new(Code::InvalidRequest, message, advice)
    }

    /// The same failure with another remedy.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<Advice>) -> Self {
        let Advice { words, remedy } = advice.into();
        (self.hint, self.remedy) = (words, remedy);
        self
    }

    /// Adds the name of a file to this failure.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Adds the path of a file to this failure.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Adds a page (from 1) to this failure.
    #[must_use]
    pub fn on_page(mut self, page: u32) -> Self {
        self.page = Some(page);
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_is_the_serialised_name() {
        for code in [
            Code::Empty,
            Code::PasswordRequired,
            Code::NotAPdf,
            Code::ScannedNoText,
            Code::Internal,
        ] {
            assert_eq!(
                format!("\"{}\"", code.tag()),
                serde_json::to_string(&code).unwrap()
            );
        }
    }
}

//! What a user can do after a failure. A [`Remedy`] is a value and not a text, so the command line can word it as a
//! command, and the window as a place in the window, both in the user's language.

use crate::id::{DocumentId, RunId};
use serde::{Deserialize, Serialize};

/// What the user can do now. Some variants name what the remedy is about, for example an endpoint. The
/// [`Display`](std::fmt::Display) form can be shown both on the command line and in the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Remedy {
    /// Import a document first.
    ImportDocument,
    /// Name one or more files.
    NameFiles,
    /// Find the terms first.
    FindTerms,
    /// Review terms, or choose a looser rule in the review plan.
    ReviewTerms,
    /// Build the graph first.
    BuildGraph,
    /// Build the graph again.
    BuildGraphAgain,
    /// Write questions first.
    WriteQuestions,
    /// Freeze a snapshot of the questions first.
    FreezeSnapshot,
    /// Train a model first.
    Train,
    /// Start a new run.
    TrainAnew,
    /// Measure how well questions find what answers them.
    MeasureRanking,
    /// Measure how well an encoder distinguishes triplets.
    MeasureTriplets,
    /// Make triplets of the workspace's sentences, or read some in.
    MakeTriplets,
    /// Put the workspace's folder of artifacts back beside it, or train again.
    PutArtifactsBack,
    /// Resume run `run`: it goes on from its last checkpoint.
    ResumeRun {
        /// The run.
        run: RunId,
    },
    /// If the machine that run `run` was sent to is gone for good, stop following the run.
    StopFollowing {
        /// The run.
        run: RunId,
    },
    /// Follow run `run` to its end or stop it there first, or say that it is to be followed no more nevertheless.
    StopFollowingAnyway {
        /// The run.
        run: RunId,
    },
    /// Wait until the run has finished, or resume it.
    WaitOrResume,
    /// Look at the list of runs.
    ListRuns,
    /// Look at the list of documents.
    ListDocuments,
    /// Look at the list of sentences.
    ListSentences,
    /// Look at the list of terms.
    ListTerms,
    /// Look at the list of prompts.
    ListPrompts,
    /// Look at the list of schemas; those that come with Lexforge stay.
    ListSchemas,
    /// Look at the list of endpoints, or name one.
    NameEndpoint,
    /// See to whom the endpoint sends and where its key is, and confirm it.
    ConfirmEndpoint {
        /// Its name.
        name: String,
    },
    /// Nothing was sent, because the machine's host key has changed. Compare both keys. Replace the trusted key only if
    /// the people who run the machine confirm the new one.
    LookAtBothKeys,
    /// Check the endpoint, then try again.
    CheckEndpoint,
    /// Name the proxy, too.
    NameProxy,
    /// Check that the server runs, its address and port, and that a firewall or a required proxy is not in the way.
    ReachEndpoint,
    /// Raise the endpoint's time limit, or ask fewer at a time.
    AskSlower,
    /// Raise the endpoint's limit of bytes if such long answers are needed.
    RaiseByteLimit,
    /// Give the endpoint the right key.
    GiveKey,
    /// Check the model's name and the path of the address, usually /v1.
    CheckModelName,
    /// Wait a while and run the step again, or ask fewer at a time; what was answered is kept.
    WaitForEndpoint,
    /// Name the endpoint again with its key.
    EnterKeyAgain,
    /// Unlock the key ring; or name an environment variable, or a file that you alone can read.
    UnlockKeyRing,
    /// Take the rights of others to `path` away: chmod `mode` `path`.
    KeepToYourself {
        /// The file or folder.
        path: String,
        /// The rights that it is to have, as `chmod` takes them.
        mode: String,
    },
    /// Look at what would be sent, and agree to it.
    AgreeToSending,
    /// Name the model, or an endpoint.
    NameBatchModel,
    /// Write the batch file first.
    WriteBatch {
        /// The verb of the command line that writes it.
        verb: String,
    },
    /// Choose a decoder, or a run that tuned one.
    ChooseDecoder,
    /// Choose the preset encoder, or a decoder as base.
    ChooseEncoderOrDecoder,
    /// Choose a base model whose vocabulary has this language.
    ChooseModelOfLanguage,
    /// The terms that were there are unchanged. See why the proposed ones were rejected, or choose another model.
    SeeRejected,
    /// Verify the audit chain, to see whether the workspace was altered.
    VerifyAudit,
    /// Verify the audit chain; freeze the questions again.
    VerifyAndFreezeAgain,
    /// Verify the audit chain; sign the head of a copy that holds.
    VerifyAndSignCopy,
    /// Verify the audit chain to see what was altered, and go back to a copy.
    GoBackToCopy,
    /// Verify the audit chain to see all that was altered; keep this file, and work on from a copy made before that.
    WorkFromEarlierCopy,
    /// Name a file with a signed head.
    NameSignedHead,
    /// Name the file that a backup made.
    NameBackup,
    /// Choose another name, or have what stands there replaced: it is then kept under a dated name.
    KeepBothOrReplace,
    /// Check the path, or make a workspace.
    MakeWorkspace,
    /// Choose a folder that you may write to, have the permissions changed, or work on a copy.
    WriteElsewhere,
    /// The log beside the file belongs to another state of the workspace. To open the file as it is, move the log (and
    /// the file whose name ends in -shm) to another folder and keep both. Changes that are only in the log are then
    /// missing in the workspace. To put a copy in place of a workspace, use "restore" instead of copying the file.
    MoveLogAside,
    /// Have a key made. Note its public key where nobody who can alter the workspace can alter it.
    MakeSigningKey,
    /// A key file holds 64 hexadecimal digits and nothing else; have one made under another name.
    OtherKeyFile,
    /// Unlock the key ring; or keep the key in a file that you alone can read.
    UnlockRingOrKeyFile,
    /// Give the passphrase of the key file.
    GivePassphrase,
    /// Give the passphrase of the workspace.
    GiveWorkspacePassphrase,
    /// Say whether both are the same person or another one.
    SayWhoItIs,
    /// Name the packet's file, too: it shows the content of the packet.
    NamePacketFile,
    /// Name the earlier version too, or link the document to it.
    LinkVersions {
        /// The document.
        document: DocumentId,
    },
    /// Give one word or more.
    GiveWord,
    /// Change the wording and save it again.
    ChangeWording,
    /// Install application and worker from the same version.
    InstallSameVersion,
    /// Install the package again; in a checkout run tools/setup, which fetches libtorch, and build the worker.
    SetUpWorker,
    /// Install the parser program beside the application.
    InstallParser,
    /// Export with one of the types `types`.
    ExportTypes {
        /// Their names.
        types: String,
    },
    /// Export as GGUF, or in another type.
    ExportGguf,
    /// Export in f16 or q8_0, or as a merged model.
    ExportMerged,
    /// Leave the type out: an adapter keeps the type that it was trained in.
    LeaveTypeOut,
    /// Choose another folder, or have the export that is there replaced.
    OtherFolderOrReplace,
    /// Choose another folder.
    OtherFolder,
    /// Name the model by its folder's name alone, and the folder above it among the folders of models.
    NameModelAlone,
    /// Train or review further, or make run `run` active against the gate.
    StandForRun {
        /// The run.
        run: RunId,
    },
}

impl std::fmt::Display for Remedy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ImportDocument => f.write_str("Import a document first."),
            Self::NameFiles => f.write_str("Name one or more files."),
            Self::FindTerms => f.write_str("Find the terms first."),
            Self::ReviewTerms => f.write_str("Review terms, or choose a looser rule in the review plan."),
            Self::BuildGraph => f.write_str("Build the graph first."),
            Self::BuildGraphAgain => f.write_str("Build the graph again."),
            Self::WriteQuestions => f.write_str("Write questions first."),
            Self::FreezeSnapshot => f.write_str("Freeze a snapshot of the questions first."),
            Self::Train => f.write_str("Train a model first."),
            Self::TrainAnew => f.write_str("Start a new run."),
            Self::MeasureRanking => {
                f.write_str("Measure how well questions find what answers them.")
            }
            Self::MeasureTriplets => {
                f.write_str("Measure how well the encoder tells triplets apart.")
            }
            Self::MakeTriplets => f.write_str("Make triplets first, or read some in."),
            Self::PutArtifactsBack => {
                f.write_str("Put the workspace's folder of artifacts back beside it, or train again.")
            }
            Self::ResumeRun { run } => write!(f, "Resume run {run}: it goes on from its last checkpoint."),
            Self::StopFollowing { run } => write!(
                f,
                "If that machine is gone for good, stop following run {run}; its record stays."
            ),
            Self::StopFollowingAnyway { .. } => f.write_str(
                "Follow the run to its end, or stop it there first; or say that it is to be followed no more all the \
                 same.",
            ),
            Self::WaitOrResume => f.write_str("Wait until the run has finished, or resume it."),
            Self::ListRuns => f.write_str("Look at the list of runs."),
            Self::ListDocuments => f.write_str("Look at the list of documents."),
            Self::ListSentences => f.write_str("Look at the list of sentences."),
            Self::ListTerms => f.write_str("Look at the list of terms."),
            Self::ListPrompts => f.write_str("Look at the list of prompts."),
            Self::ListSchemas => f.write_str("Look at the list of schemas; those that come with Lexforge stay."),
            Self::NameEndpoint => f.write_str("Look at the list of endpoints, or name one."),
            Self::ConfirmEndpoint { .. } => {
                f.write_str("See to whom the endpoint sends and where its key is, and confirm it.")
            }
            Self::LookAtBothKeys => f.write_str(
                "Nothing was sent. Look at both keys, and ask those who run the machine for its fingerprint. Replace the known \
                 key only when it is the same.",
            ),
            Self::CheckEndpoint => f.write_str("Check the endpoint, then try again."),
            Self::NameProxy => f.write_str("Name the proxy, too."),
            Self::ReachEndpoint => f.write_str(
                "Check that the server runs, its address and port, and that a firewall or a required proxy is not in \
                 the way.",
            ),
            Self::AskSlower => f.write_str("Raise the endpoint's time limit, or ask fewer at a time."),
            Self::RaiseByteLimit => f.write_str("Raise the endpoint's limit of bytes if such answers are wanted."),
            Self::GiveKey => f.write_str("Give the endpoint the right key."),
            Self::CheckModelName => f.write_str("Check the model's name and the path of the address, usually /v1."),
            Self::WaitForEndpoint => {
                f.write_str("Wait a while and run the step again, or ask fewer at a time; what was answered is kept.")
            }
            Self::EnterKeyAgain => f.write_str("Name the endpoint again with its key."),
            Self::UnlockKeyRing => {
                f.write_str("Unlock the key ring; or name an environment variable, or a file that you alone can read.")
            }
            Self::KeepToYourself { path, mode } => {
                write!(f, "Take the rights of others to {path} away: chmod {mode} {path}.")
            }
            Self::AgreeToSending => f.write_str("Look at what would be sent, and agree to it."),
            Self::NameBatchModel => f.write_str("Name the model, or an endpoint."),
            Self::WriteBatch { .. } => f.write_str("Write the batch file first."),
            Self::ChooseDecoder => f.write_str("Choose a decoder, or a run that tuned one."),
            Self::ChooseEncoderOrDecoder => f.write_str("Choose the preset encoder, or a decoder as base."),
            Self::ChooseModelOfLanguage => f.write_str("Choose a base model whose vocabulary has this language."),
            Self::SeeRejected => f.write_str(
                "The terms that were there are unchanged. See why the proposed ones were turned down, or choose \
                 another model.",
            ),
            Self::VerifyAudit => f.write_str("Verify the audit chain, to see whether the workspace was altered."),
            Self::VerifyAndFreezeAgain => f.write_str("Verify the audit chain; freeze the questions again."),
            Self::VerifyAndSignCopy => f.write_str("Verify the audit chain; sign the head of a copy that holds."),
            Self::GoBackToCopy => f.write_str("verify the audit chain to see what was altered, and go back to a copy"),
            Self::WorkFromEarlierCopy => f.write_str(
                "verify the audit chain to see all that was altered; keep this file, and work on from a copy made \
                 before that",
            ),
            Self::NameSignedHead => f.write_str("Name a file with a signed head."),
            Self::NameBackup => f.write_str("Name the file that a backup made."),
            Self::KeepBothOrReplace => f.write_str(
                "choose another name, or have what stands there replaced: it is then kept under a dated name",
            ),
            Self::MakeWorkspace => f.write_str("check the path, or make a workspace"),
            Self::WriteElsewhere => {
                f.write_str("choose a folder that you may write to, have the permissions changed, or work on a copy")
            }
            Self::MoveLogAside => f.write_str(
                "to open the file as it is, move the log (and the file that ends in -shm) to another folder and keep \
                 it: what stands in the log alone is then not in the workspace; put copies in place \
                 by restoring them",
            ),
            Self::MakeSigningKey => f.write_str(
                "Have a key made. Note its public key where nobody who can alter the workspace can alter it.",
            ),
            Self::OtherKeyFile => f.write_str(
                "A key file holds 64 hexadecimal digits and nothing else; have one made under another name.",
            ),
            Self::UnlockRingOrKeyFile => {
                f.write_str("Unlock the key ring; or keep the key in a file that you alone can read.")
            }
            Self::GivePassphrase => f.write_str("Give the passphrase of the key file, and do it again."),
            Self::GiveWorkspacePassphrase => f.write_str(
                "Give its passphrase. Without it nobody can open the workspace; a backup opens with the passphrase that \
                 the workspace had when it was made.",
            ),
            Self::SayWhoItIs => f.write_str("Say whether both are the same person or another one."),
            Self::NamePacketFile => f.write_str("Name the packet's file too: it shows what it held."),
            Self::LinkVersions { .. } => f.write_str("Name the earlier version too, or link the document to it."),
            Self::GiveWord => f.write_str("Give one word or more."),
            Self::ChangeWording => f.write_str("Change the wording and save it again."),
            Self::InstallSameVersion => f.write_str("Install application and worker from the same version."),
            Self::SetUpWorker => f.write_str(
                "Install the package again; in a checkout run tools/setup, which fetches libtorch, and build the worker.",
            ),
            Self::InstallParser => f.write_str("Install the parser program beside the application."),
            Self::ExportTypes { types } => write!(f, "Export with one of the types {types}."),
            Self::ExportGguf => f.write_str("Export as GGUF, or in another type."),
            Self::ExportMerged => f.write_str("Export in f16 or q8_0, or as a merged model."),
            Self::LeaveTypeOut => f.write_str("Leave the type out: an adapter keeps the type that it was trained in."),
            Self::OtherFolderOrReplace => {
                f.write_str("Choose another folder, or have the export that stands there replaced.")
            }
            Self::OtherFolder => f.write_str("Choose another folder."),
            Self::NameModelAlone => f.write_str(
                "Name the model by its folder's name alone, and the folder above it among the folders of models.",
            ),
            Self::StandForRun { .. } => f.write_str(
                "Train or review further; or make it active against the gate, with your name and the reason.",
            ),
        }
    }
}

/// What to do now: in words that hold in every face, and as a value where a face has better ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// In words.
    pub words: String,
    /// As a value.
    pub remedy: Option<Box<Remedy>>,
}

impl From<Remedy> for Advice {
    fn from(remedy: Remedy) -> Self {
        Self {
            words: remedy.to_string(),
            remedy: Some(Box::new(remedy)),
        }
    }
}

impl From<String> for Advice {
    fn from(words: String) -> Self {
        Self {
            words,
            remedy: None,
        }
    }
}

impl From<&str> for Advice {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

//! Machines that a training can run on, as window and command line ask for and get them.

use super::HourlyPrice;
use crate::Failure;
use crate::protocol::{JobId, SlurmSettings};
use crate::tags::{all, read_by_tag, tagged};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

tagged!(KeptKind);
read_by_tag!(KeptKind);

/// The place of a target.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum TargetPlace {
    /// Behind `ssh`.
    Ssh {
        /// A host, or its alias in the user's OpenSSH configuration.
        host: String,
    },
    /// This machine, with its own queue.
    Here,
}

/// A machine on which a training can run. No key and no password is stored for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Target {
    /// The user's name for it.
    pub name: String,
    /// Made by chance when it was added: a workspace from elsewhere cannot name it.
    pub id: JobId,
    /// Where it is.
    pub place: TargetPlace,
    /// The folder there; empty = `.lexforge` in the home of the user there.
    pub folder: String,
    /// How its queue is used; `None` = jobs run where `ssh` leads.
    pub slurm: Option<SlurmSettings>,
    /// The worker that was put there; `None` = not yet.
    pub worker: Option<String>,
    /// When it was added, RFC 3339, UTC.
    pub added: String,
    /// What an hour of a run there costs; `None` = nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<HourlyPrice>,
}

/// The targets of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetList {
    /// Those that can be used, ordered by name.
    pub targets: Vec<Target>,
    /// Those whose files cannot be read or are not believed, ordered by name.
    pub unreadable: Vec<UnreadableTarget>,
}

/// A target whose file cannot be read or is not believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadableTarget {
    /// The name of the file, without its ending.
    pub name: String,
    /// Why, and what to do.
    pub failure: Failure,
}

/// The kinds of questions that `ssh` asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum SshAsks {
    /// Whether a host that it has never met is the one that is meant.
    HostKey {
        /// The host as `ssh` calls it.
        host: String,
        /// Kind of the key.
        algorithm: String,
        /// Its fingerprint; empty if it could not be read. Then nobody can confirm it.
        fingerprint: String,
    },
    /// A password.
    Password,
    /// A one-time code.
    Code,
    /// The passphrase of a key.
    Passphrase,
    /// The PIN of a card or a security key.
    Pin,
    /// Yes or no.
    Confirm,
    /// To touch a security key; nothing needs to be entered.
    Touch,
    /// Something else, in the host's words.
    Other,
}

/// A question of `ssh` that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SshQuestion {
    /// Its number.
    pub id: u64,
    /// The host as its user calls it.
    pub host: String,
    /// The question.
    pub asks: SshAsks,
    /// The words of `ssh`, in part those of the host.
    pub words: String,
}

/// The key of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostKey {
    /// Kind of the key.
    pub algorithm: String,
    /// Its fingerprint.
    pub fingerprint: String,
}

/// Who trusted a key, as a row of the audit chain says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyTrusted {
    /// When, RFC 3339, UTC.
    pub time: String,
    /// Who.
    pub actor: String,
    /// The number of the row.
    pub sequence: i64,
}

/// A key that this user's `ssh` knows of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownKey {
    /// The key.
    pub key: HostKey,
    /// The list of known hosts that it stands in.
    pub file: String,
    /// Its line there, from 1.
    pub line: u64,
    /// Who trusted it; `None` = the open workspace has no row about it.
    pub trusted: Option<KeyTrusted>,
}

/// What the key that a host shows is to those that are known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostKeyState {
    /// It is known.
    Same,
    /// No key of this host is known.
    Unknown,
    /// Others are known. Every connection is refused.
    Changed,
}

/// The key that a host shows, beside those that are known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostKeys {
    /// The host as the list of known hosts names it.
    pub host: String,
    /// Whether it is the same.
    pub state: HostKeyState,
    /// The key that it shows now.
    pub shown: HostKey,
    /// The keys that are known.
    pub known: Vec<KnownKey>,
}

/// The files that were put on a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Installed {
    /// The target's name.
    pub target: String,
    /// The worker with its libtorch, by the hash over its files.
    pub worker: String,
    /// Their bytes.
    pub bytes: u64,
    /// How many of them were sent now.
    pub sent: u64,
    /// Seconds that it took.
    pub seconds: f64,
}

/// What is kept on a target, in the folder that is Lexforge's there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptThere {
    /// The target's name.
    pub target: String,
    /// The folder, as the target names it.
    pub folder: String,
    /// What is in it, by kind.
    pub things: Vec<KeptThing>,
}

impl KeptThere {
    /// How much it is in all, and whether all of it was measured.
    pub fn in_all(&self) -> (u64, bool) {
        KeptThing::in_all(&self.things)
    }
}

/// Something that is kept on a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptThing {
    /// Its kind.
    pub kind: KeptKind,
    /// Its name: a version of the worker, a model, or the number of a job there. Empty = it has none.
    pub name: String,
    /// How much it takes of the disk there. `None` = it could not be measured in time.
    pub bytes: Option<u64>,
    /// Of a run: whether all its results were fetched. `None` = it belongs to no run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched: Option<bool>,
}

impl KeptThing {
    /// How much they take together, and whether all of them were measured.
    pub fn in_all<'a>(things: impl IntoIterator<Item = &'a Self>) -> (u64, bool) {
        things
            .into_iter()
            .fold((0, true), |(sum, known), thing| match thing.bytes {
                Some(bytes) => (sum + bytes, known),
                None => (sum, false),
            })
    }
}

/// The kinds of what is kept on a target.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum KeptKind {
    /// A worker with its libtorch.
    Worker,
    /// A base model.
    Model,
    /// What a run was given and what it made: its bundle, without checkpoints.
    Bundle,
    /// The checkpoints of a run.
    Checkpoints,
    /// Files that came and that nothing is made of yet.
    Coming,
}

impl KeptKind {
    /// All kinds.
    pub const ALL: [Self; 5] = all(Self::VARIANTS);
}

/// The files that were removed from a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cleaned {
    /// The target's name.
    pub target: String,
    /// Jobs.
    pub jobs: u64,
    /// Jobs that are still worked on, and stay.
    pub kept: u64,
    /// Jobs that stay because nobody has fetched their results, or because they can go on.
    pub waiting: u64,
    /// Bytes that jobs and models took; 0 where everything was removed with its folder.
    pub bytes: u64,
    /// Workers of other versions that were removed.
    pub workers: u64,
}

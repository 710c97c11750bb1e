//! Messages between the application and a worker on a target, over one connection.
//!
//! Each side writes frames: a head of nine bytes ([`FrameHead`]), then as many bytes as the head says. A frame is a
//! JSON message or a piece of a file. A frame has the number of the request that it belongs to, so that several
//! requests can run at the same time. The worker writes [`STATION_MARK`] before its first frame. Text that a login
//! shell printed before the mark is skipped.

use super::{Control, JobEvent, QueueEnd};
use crate::{Failure, Sha256};
use serde::{Deserialize, Serialize};

/// Version of these frames and messages.
pub const STATION_VERSION: u32 = 2;
/// The bytes that the worker writes before its first frame.
pub const STATION_MARK: &[u8] = b"\0lexforge stdio\x01\n";
/// Bytes of the longest frame, without its head.
pub const LARGEST_FRAME: u32 = 1 << 20;

/// The content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// A message in JSON.
    Message,
    /// A piece of a file.
    Piece,
}

/// The bytes before the content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHead {
    /// What they are.
    pub kind: FrameKind,
    /// Number of the request; 0 = of none (the first message, signs of life).
    pub request: u32,
    /// How many they are.
    pub length: u32,
}

/// Bytes that are no head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFrame {
    /// The kind is unknown.
    Kind(u8),
    /// Longer than [`LARGEST_FRAME`].
    Length(u32),
}

impl std::fmt::Display for NoFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "a frame of the kind {kind}, which is none"),
            Self::Length(length) => write!(
                f,
                "a frame of {length} bytes, where {LARGEST_FRAME} are the most"
            ),
        }
    }
}

impl FrameHead {
    /// Bytes of a head.
    pub const BYTES: usize = 9;

    /// The head in the form in which it is sent: kind, number, length, the lowest byte first.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = match self.kind {
            FrameKind::Message => 0,
            FrameKind::Piece => 1,
        };
        bytes[1..5].copy_from_slice(&self.request.to_le_bytes());
        bytes[5..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }

    /// Reads a head from the bytes that [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// Where the bytes are not a head.
    pub fn of_bytes(bytes: [u8; Self::BYTES]) -> Result<Self, NoFrame> {
        let number = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let kind = match bytes[0] {
            0 => FrameKind::Message,
            1 => FrameKind::Piece,
            other => return Err(NoFrame::Kind(other)),
        };
        let (request, length) = (number(1), number(5));
        if length > LARGEST_FRAME {
            return Err(NoFrame::Length(length));
        }
        Ok(Self {
            kind,
            request,
            length,
        })
    }
}

/// A file by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeFile {
    /// Path below the folder that it belongs to.
    pub path: String,
    /// Its content.
    pub sha256: Sha256,
    /// Its length.
    pub bytes: u64,
}

/// A folder on the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "tree", rename_all = "snake_case")]
pub enum Tree {
    /// A job's bundle.
    Job {
        /// Its id.
        job: JobId,
    },
    /// A base model.
    Model {
        /// Hash over its files.
        content: Sha256,
        /// Name of its folder.
        name: String,
    },
}

/// The name of a job on a target, or of an attempt at it: 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobId(String);

impl JobId {
    /// Of 16 random bytes.
    pub fn of_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for JobId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() == 32 && text.bytes().all(digit) {
            Ok(Self(text))
        } else {
            Err("an id has 32 hexadecimal digits".to_owned())
        }
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> Self {
        id.0
    }
}

impl std::fmt::Display for JobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a job is put into Slurm's queue. Empty = not said, so that the cluster's own default holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct SlurmSettings {
    /// Partition.
    pub partition: String,
    /// Account that is charged.
    pub account: String,
    /// Time limit, as `sbatch --time` takes it.
    pub time: String,
    /// Generic resources, for example `gpu:1`.
    pub gres: String,
    /// Features of the nodes.
    pub constraint: String,
    /// Processors a task.
    pub cpus: String,
    /// Memory.
    pub memory: String,
    /// Tasks, one a rank; 0 = 1.
    pub ranks: u32,
    /// Nodes that the ranks are shared out among, as many on each.
    pub nodes: String,
    /// Seconds before the time limit at which the job is told to write its checkpoint; 0 = 120.
    pub notice: u32,
    /// Environment modules to load.
    pub modules: Vec<String>,
    /// The text before the worker's command, for example `apptainer exec --nv image.sif`.
    pub container: String,
    /// Further lines of the batch script, before the worker is started.
    pub lines: Vec<String>,
}

impl SlurmSettings {
    /// The number of ranks on each node. `None` if the number of nodes is not set, or if the ranks cannot be divided
    /// evenly.
    pub fn ranks_a_node(&self) -> Option<u32> {
        let nodes: u32 = self.nodes.parse().ok().filter(|&nodes| nodes > 0)?;
        let ranks = self.ranks.max(1);
        ranks.is_multiple_of(nodes).then_some(ranks / nodes)
    }
}

/// A request of the application to a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum StationRequest {
    /// No content: a sign that the connection is alive.
    Beat,
    /// How much of these contents is there.
    Have {
        /// The contents.
        contents: Vec<Sha256>,
    },
    /// Take a content from an offset on; its pieces follow under the same number.
    Put {
        /// The content.
        sha256: Sha256,
        /// Its whole length.
        bytes: u64,
        /// The place of the first piece.
        offset: u64,
    },
    /// Make a folder of contents that are there.
    Place {
        /// The folder.
        tree: Tree,
        /// Its files.
        files: Vec<TreeFile>,
    },
    /// Start a job that was placed. An attempt that was made before is not made again.
    Start {
        /// The job.
        job: JobId,
        /// The attempt.
        attempt: JobId,
        /// Contents of the base models that it may need.
        models: Vec<Sha256>,
        /// How it is put into the queue; `None` = it runs where the request arrives.
        slurm: Option<Box<SlurmSettings>>,
    },
    /// Asks for the state of a job.
    Look {
        /// The job.
        job: JobId,
    },
    /// Asks for a job's new events, until no worker works on the job any more.
    Follow {
        /// The job.
        job: JobId,
        /// The `seq` of the last event that is known. `None` = all events are new.
        after: Option<u64>,
    },
    /// Send a control word to a job's worker.
    Control {
        /// The job.
        job: JobId,
        /// What.
        wish: Control,
    },
    /// Asks for the files that a job made.
    Results {
        /// The job.
        job: JobId,
        /// Its checkpoints, too.
        checkpoints: bool,
    },
    /// A file of a job from an offset on.
    Get {
        /// The job.
        job: JobId,
        /// Its path in the bundle.
        path: String,
        /// Where to begin.
        offset: u64,
    },
    /// The other side has received all files of a job, so the target's copy is no longer the only one.
    Fetched {
        /// The job.
        job: JobId,
    },
    /// Remove jobs that nobody works on, models, and contents that nothing refers to.
    Clean {
        /// Jobs whose results nobody has fetched or that can go on, too.
        discard: bool,
    },
}

/// The answer of a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum StationReply {
    /// The first message.
    Ready {
        /// [`STATION_VERSION`].
        station_version: u32,
        /// [`super::PROTOCOL_VERSION`].
        protocol_version: u32,
        /// Version of the worker.
        version: String,
        /// The folder on the target.
        folder: String,
    },
    /// A sign of life.
    Beat,
    /// Bytes that are there, a number a content; none = all of it.
    Have {
        /// In the order of the request.
        bytes: Vec<Option<u64>>,
    },
    /// The state of a job.
    Job {
        /// That.
        state: TargetState,
    },
    /// Events in their order.
    Events {
        /// They.
        events: Vec<JobEvent>,
    },
    /// Files of a job.
    Files {
        /// They.
        files: Vec<TreeFile>,
    },
    /// What was removed.
    Removed {
        /// Jobs.
        jobs: u64,
        /// Jobs that are still worked on, and stay.
        kept: u64,
        /// Jobs that stay because nobody has fetched their results, or because they can go on.
        waiting: u64,
        /// Bytes that were freed.
        bytes: u64,
    },
    /// It is done.
    Done,
    /// The request was not carried out.
    Failed {
        /// Why.
        failure: Failure,
    },
}

/// The reason of a job that nobody works on any more and that the scheduler has not taken off its machine yet.
pub const LEAVING: &str = "Completing";

/// Where a job stands among the jobs that wait for the same machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePlace {
    /// Its number by priority, from 1.
    pub at: u64,
    /// How many jobs the scheduler shows that wait for their turn.
    pub of: u64,
    /// The partition.
    pub partition: String,
}

/// The state of a job on a target, as far as it is known there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum TargetState {
    /// There is no such job.
    Absent,
    /// It was sent, but nobody has started it, or starting it has failed.
    NotStarted,
    /// It is being started.
    Starting,
    /// It waits in a queue.
    Waiting {
        /// The scheduler's number.
        number: String,
        /// Why, in the scheduler's words.
        reason: String,
        /// The time since when, in seconds since 1970.
        #[serde(default)]
        since: Option<u64>,
        /// When the scheduler expects to start it, in seconds since 1970; `None` = it says nothing of that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        starts: Option<u64>,
        /// Where it stands among those that wait; `None` = not known, or it waits for something else than its turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<QueuePlace>,
        /// Why it is in the queue again.
        #[serde(default)]
        after: Option<QueueEnd>,
    },
    /// A worker is working on it.
    Running,
    /// A worker has it and waits.
    Paused,
    /// It stopped with a checkpoint.
    Stopped,
    /// The scheduler ended it; it can be started again.
    Ended {
        /// The scheduler's number.
        number: String,
        /// How.
        end: QueueEnd,
    },
    /// Its worker has ended without a report.
    Died,
    /// It failed.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// Its result is there.
    Finished,
    /// The target could not find out (a scheduler that does not answer): neither running nor gone.
    Unknown {
        /// Why.
        reason: String,
    },
}

impl TargetState {
    /// Whether somebody works on it or may: it is to be followed further.
    pub fn goes_on(&self) -> bool {
        matches!(
            self,
            Self::Starting
                | Self::Waiting { .. }
                | Self::Running
                | Self::Paused
                | Self::Unknown { .. }
        )
    }

    /// Whether it waits in a queue until somebody releases it, which its owner may do.
    pub fn is_held(&self) -> bool {
        matches!(self, Self::Waiting { reason, .. } if is_held(reason))
    }

    /// Whether it waits because its owner wants it to.
    pub fn is_held_by_user(&self) -> bool {
        matches!(self, Self::Waiting { reason, .. } if reason == HELD_BY_USER)
    }
}

/// Slurm's word for a job that its owner holds, or an administrator in the owner's name.
const HELD_BY_USER: &str = "JobHeldUser";

/// Whether the reason for which a job waits is one that ends when its owner releases it. Slurm writes the second one with
/// blanks or with underscores.
pub fn is_held(reason: &str) -> bool {
    reason == HELD_BY_USER || reason.replace('_', " ").starts_with("launch failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_comes_back_and_a_wrong_one_is_refused() {
        for kind in [FrameKind::Message, FrameKind::Piece] {
            let head = FrameHead {
                kind,
                request: 0x0102_0304,
                length: 77,
            };
            assert_eq!(FrameHead::of_bytes(head.to_bytes()), Ok(head));
        }
        let mut bytes = [0; FrameHead::BYTES];
        bytes[0] = 7;
        assert_eq!(FrameHead::of_bytes(bytes), Err(NoFrame::Kind(7)));
        bytes[0] = 0;
        bytes[5..].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(FrameHead::of_bytes(bytes), Err(NoFrame::Length(u32::MAX)));
    }

    #[test]
    fn an_id_names_no_path() {
        assert!(JobId::try_from("../../etc".to_owned()).is_err());
        assert!(JobId::try_from("A".repeat(32)).is_err());
        let id = JobId::of_bytes([7; 16]);
        assert_eq!(JobId::try_from(String::from(id.clone())), Ok(id));
    }
}

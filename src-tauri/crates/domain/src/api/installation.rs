//! The installation itself, as the command line asks for and gets it.

use serde::{Deserialize, Serialize};

/// An installation that is updated by file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// Its folder.
    pub folder: String,
    /// The version that starts.
    pub current: String,
    /// The version to go back to; `None` if the starting version was not brought by an update.
    pub before: Option<String>,
    /// All versions on the disk, the oldest first.
    pub versions: Vec<String>,
    /// The file with the public key that packages are checked with; `None` = no package is taken in.
    pub key: Option<String>,
}

/// Another version starts from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Updated {
    /// The version that started so far; it stays.
    pub from: String,
    /// The one that starts from now on.
    pub to: String,
    /// The installation's folder.
    pub folder: String,
    /// Bytes of its files, each read back and compared.
    pub bytes: u64,
    /// The words that the signer of the package wrote beside the signature; `None` if no package was installed.
    pub signed: Option<String>,
    /// Whether this version brings a public key, so that the next package can be checked.
    pub key: bool,
    /// Seconds that it took.
    pub seconds: f64,
}

/// A libtorch that was taken in by file, whole or in part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pack {
    /// The first digits of the hash of its list.
    pub id: String,
    /// Its version; empty where the list of the pack cannot be read.
    pub libtorch: String,
    /// The device that it computes on, for example `cuda`.
    pub device: String,
    /// Its folder.
    pub folder: String,
    /// Bytes of its files.
    pub bytes: u64,
    /// How many parts it comes in.
    pub parts: u64,
    /// The names of those that were not taken in yet; none = it is whole.
    pub missing: Vec<String>,
    /// Whether the worker starts with it.
    pub used: bool,
}

/// Parts of a pack were taken in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackTaken {
    /// The pack.
    pub pack: Pack,
    /// How many parts were taken in now.
    pub taken: u64,
    /// The words that the signer wrote beside the signature; `None` if the list was installed earlier.
    pub signed: Option<String>,
    /// Seconds that it took.
    pub seconds: f64,
}

/// The name and version of this program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its version.
    pub version: String,
    /// The folder of its programs.
    pub programs: String,
    /// The folder of files that belong to the user and to no workspace.
    pub data: String,
    /// The folders of models that are on this machine, in the order in which they are searched.
    pub models: Vec<String>,
    /// The folder for the licences of parts that others wrote. It need not exist.
    pub licences_at: String,
    /// Their text; none in a program that no package brought.
    pub licences: Option<String>,
}

/// The worker of this program, as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutWorker {
    /// Its version.
    pub version: String,
    /// The version of its libtorch.
    pub libtorch: String,
    /// The folder from which it was loaded; `None` where the system does not tell.
    pub libtorch_at: Option<String>,
    /// The folder of the pack that this libtorch comes from; `None` where it is of no pack.
    pub pack: Option<String>,
    /// The devices that it can compute on: `cpu`, `cuda:0 …`.
    pub devices: Vec<String>,
    /// Why there is no CUDA device, where somebody might expect one.
    pub cuda_note: Option<String>,
}

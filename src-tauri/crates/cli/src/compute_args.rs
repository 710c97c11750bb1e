//! The grammar of `compute`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `compute`
#[derive(Debug, Args)]
pub struct ComputeArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: ComputeAction,
}

/// What to do with targets.
#[derive(Debug, Subcommand)]
pub enum ComputeAction {
    /// Register a target. This does not connect to it yet.
    Add(Box<AddArgs>),
    /// Change where a target is, how its queue is used or what it costs. The runs that were sent to this target still
    /// belong to it. A setting that you do not name stays as it is. An empty value ("") removes a setting. Without a
    /// setting for the queue, the cluster decides; without a price, no cost is shown.
    Change(Box<ChangeArgs>),
    /// List targets.
    List,
    /// Check what a target has and what it lacks.
    Check(TargetArgs),
    /// Compare the key that a target's host shows now with the trusted keys of the host. This does not log in and
    /// changes nothing. Fails if the key has changed.
    Key {
        /// The target.
        name: String,
        /// A workspace whose audit chain says who trusted a known key, and when.
        #[arg(long, value_name = "FILE")]
        workspace: Option<PathBuf>,
    },
    /// Trust the key that a target's host shows now, instead of its earlier key. Do this only after the people who run
    /// the host have told you its fingerprint.
    ReplaceKey(ReplaceKeyArgs),
    /// Put the worker and libtorch into one folder on a target; files that are there already are not sent again. Or
    /// install libtorch from files on this machine.
    Install {
        /// The target.
        #[arg(required_unless_present = "local")]
        name: Option<String>,
        /// Install a pack on this machine, for example libtorch for CUDA. Name its list (.json, with its signature
        /// beside it) and its parts, in any order, or the folder that contains them. If parts are missing, they are
        /// named and can be added later.
        #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["name", "libtorch"])]
        local: Vec<PathBuf>,
        /// Folder of the libtorch to send. Default: the one that is used on this machine.
        #[arg(long, value_name = "DIR")]
        libtorch: Option<PathBuf>,
    },
    /// List the packs with another libtorch that are installed on this machine.
    Packs {
        /// Remove this pack. If it was in use, the worker starts again with the libtorch that came with it.
        #[arg(long, value_name = "PACK")]
        remove: Option<String>,
    },
    /// Remove jobs, models and leftover files from a target. Jobs that are being worked on stay.
    Clean {
        /// The target.
        name: String,
        /// Only list what is kept there, by kind and size. Nothing is removed.
        #[arg(long, conflicts_with_all = ["all", "discard", "old_workers"])]
        plan: bool,
        /// Also remove the worker and everything that this program put into the folder.
        #[arg(long)]
        all: bool,
        /// Also remove runs whose results were not fetched yet, and runs that could still go on. Their results are
        /// lost.
        #[arg(long)]
        discard: bool,
        /// Also remove workers of other versions than the one that this machine uses.
        #[arg(long, conflicts_with = "all")]
        old_workers: bool,
    },
    /// Forget a target. The files on it stay until the target is cleaned.
    Remove(TargetArgs),
    /// Print the batch script that a target's queue would get, or a PyTorchJob for Kubernetes. Nothing is submitted.
    Manifest(TargetArgs),
}

/// A target.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// Its name.
    pub name: String,
}

/// `compute replace-key`
#[derive(Debug, Args)]
pub struct ReplaceKeyArgs {
    /// The workspace whose audit chain keeps who replaced the key and why.
    pub workspace: PathBuf,
    /// The target.
    pub name: String,
    /// The new fingerprint, as those who run the host gave it, for example SHA256:…
    #[arg(long, value_name = "FINGERPRINT")]
    pub fingerprint: String,
    /// Why the key has changed, and who confirmed the new one.
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

/// `compute add`
#[derive(Debug, Args)]
#[group(id = "place", required = true, multiple = false, args = ["ssh", "slurm", "slurm_local"])]
pub struct AddArgs {
    /// A name for the target.
    pub name: String,
    /// A host that jobs run on, as `ssh HOST` reaches it: its name, user@host, or an alias of your OpenSSH
    /// configuration.
    #[arg(long, value_name = "HOST")]
    pub ssh: Option<String>,
    /// The login node of a Slurm cluster, as `ssh HOST` reaches it.
    #[arg(long, value_name = "HOST")]
    pub slurm: Option<String>,
    /// This machine is itself the login node of the Slurm cluster.
    #[arg(long)]
    pub slurm_local: bool,
    /// Folder on the target. Default: .lexforge in your home folder there.
    #[arg(long, value_name = "DIR", default_value = "")]
    pub folder: String,
    /// How its queue is used.
    #[command(flatten)]
    pub queue: QueueArgs,
    /// What it costs.
    #[command(flatten)]
    pub price: PriceArgs,
}

/// `compute change`
#[derive(Debug, Args)]
#[group(id = "new_place", multiple = false, args = ["ssh", "slurm", "slurm_local"])]
pub struct ChangeArgs {
    /// The target.
    pub name: String,
    /// The new host that jobs run on.
    #[arg(long, value_name = "HOST")]
    pub ssh: Option<String>,
    /// The new login node of a Slurm cluster.
    #[arg(long, value_name = "HOST")]
    pub slurm: Option<String>,
    /// This machine is itself the login node of the Slurm cluster.
    #[arg(long)]
    pub slurm_local: bool,
    /// A new folder on the target. The worker then has to be installed there first.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<String>,
    /// How its queue is used; an empty value leaves a setting to the cluster again.
    #[command(flatten)]
    pub queue: QueueArgs,
    /// What it costs; an empty price takes it away.
    #[command(flatten)]
    pub price: PriceArgs,
}

/// The price of a target.
#[derive(Debug, Args)]
pub struct PriceArgs {
    /// What an hour of a run there costs, including everything that the run uses, for example 2.40. Then the expected
    /// cost is shown before a run, if its duration can be estimated, and the real cost afterwards.
    #[arg(long, value_name = "AMOUNT")]
    pub price: Option<String>,
    /// The currency of the price, for example EUR.
    #[arg(long, value_name = "NAME")]
    pub currency: Option<String>,
}

/// Settings of Slurm; what is not given is left to the cluster, or stays.
#[derive(Debug, Args)]
pub struct QueueArgs {
    /// Partition.
    #[arg(long)]
    pub partition: Option<String>,
    /// Account that is charged.
    #[arg(long)]
    pub account: Option<String>,
    /// Time limit, written as for sbatch.
    #[arg(long)]
    pub time: Option<String>,
    /// Generic resources, for example gpu:1.
    #[arg(long)]
    pub gres: Option<String>,
    /// Features that the nodes must have.
    #[arg(long)]
    pub constraint: Option<String>,
    /// Processors for each task.
    #[arg(long)]
    pub cpus: Option<String>,
    /// Memory, written as for sbatch.
    #[arg(long)]
    pub memory: Option<String>,
    /// Number of processes in a training, one for each GPU.
    #[arg(long)]
    pub ranks: Option<u32>,
    /// Number of nodes. The processes are shared out evenly among them.
    #[arg(long)]
    pub nodes: Option<String>,
    /// How many seconds before the time limit a checkpoint is written and the job is queued again; 0 = 120.
    #[arg(long)]
    pub notice: Option<u32>,
    /// Environment module to load; may be repeated.
    #[arg(long = "module", value_name = "MODULE")]
    pub modules: Vec<String>,
    /// Text that is put before the worker's command, for example "apptainer exec --nv image.sif".
    #[arg(long)]
    pub container: Option<String>,
    /// An additional line of the batch script; may be repeated.
    #[arg(long = "line", value_name = "LINE")]
    pub lines: Vec<String>,
}

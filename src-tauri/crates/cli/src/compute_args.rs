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
    /// Write a target down; nothing is connected to.
    Add(Box<AddArgs>),
    /// List targets.
    List,
    /// See what a target has and lacks.
    Check(TargetArgs),
    /// Put worker and libtorch on a target, into one folder; what is there already is not sent again.
    Install {
        /// The target.
        name: String,
        /// Folder of the libtorch to send; none = the one that is used here.
        #[arg(long, value_name = "DIR")]
        libtorch: Option<PathBuf>,
    },
    /// Remove jobs, models and left files from a target; what is worked on stays.
    Clean {
        /// The target.
        name: String,
        /// The worker and everything of ours in the folder, too.
        #[arg(long)]
        all: bool,
        /// Also runs whose results were not fetched, or which can go on: these are lost.
        #[arg(long)]
        discard: bool,
    },
    /// Forget a target; what lies on it stays until it is cleaned.
    Remove(TargetArgs),
    /// Print the batch script that a target's queue gets, or a PyTorchJob for Kubernetes; nothing is submitted.
    Manifest(TargetArgs),
}

/// A target.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// Its name.
    pub name: String,
}

/// `compute add`
#[derive(Debug, Args)]
#[group(id = "place", required = true, multiple = false, args = ["ssh", "slurm", "slurm_local"])]
pub struct AddArgs {
    /// What to call it.
    pub name: String,
    /// A host that jobs run on, as `ssh HOST` reaches it: its name, user@host, or an alias of your OpenSSH configuration.
    #[arg(long, value_name = "HOST")]
    pub ssh: Option<String>,
    /// The login node of a Slurm cluster, as `ssh HOST` reaches it.
    #[arg(long, value_name = "HOST")]
    pub slurm: Option<String>,
    /// The Slurm cluster whose login node this machine is.
    #[arg(long)]
    pub slurm_local: bool,
    /// Folder on the target; none = .lexforge in your home there.
    #[arg(long, value_name = "DIR", default_value = "")]
    pub folder: String,
    /// How its queue is used.
    #[command(flatten)]
    pub queue: QueueArgs,
}

/// Settings of Slurm; what is not given is left to the cluster.
#[derive(Debug, Args)]
pub struct QueueArgs {
    /// Partition.
    #[arg(long, default_value = "")]
    pub partition: String,
    /// Account that is charged.
    #[arg(long, default_value = "")]
    pub account: String,
    /// Time limit, as sbatch takes it.
    #[arg(long, default_value = "")]
    pub time: String,
    /// Generic resources, for example gpu:1.
    #[arg(long, default_value = "")]
    pub gres: String,
    /// Features that the nodes must have.
    #[arg(long, default_value = "")]
    pub constraint: String,
    /// Processors a task.
    #[arg(long, default_value = "")]
    pub cpus: String,
    /// Memory, as sbatch takes it.
    #[arg(long, default_value = "")]
    pub memory: String,
    /// Processes of a training, one a GPU.
    #[arg(long, default_value_t = 0)]
    pub ranks: u32,
    /// Seconds before the time limit at which a checkpoint is written and the job goes into the queue again; 0 = 120.
    #[arg(long, default_value_t = 0)]
    pub notice: u32,
    /// Environment module to load; may be repeated.
    #[arg(long = "module", value_name = "MODULE")]
    pub modules: Vec<String>,
    /// What stands before the worker's command, for example "apptainer exec --nv image.sif".
    #[arg(long, default_value = "")]
    pub container: String,
    /// A further line of the batch script; may be repeated.
    #[arg(long = "line", value_name = "LINE")]
    pub lines: Vec<String>,
}

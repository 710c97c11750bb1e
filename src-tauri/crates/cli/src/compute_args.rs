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
    /// Change where a target is or how its queue is used; runs that were sent there still know it. What is not given
    /// stays.
    Change(Box<ChangeArgs>),
    /// List targets.
    List,
    /// See what a target has and lacks.
    Check(TargetArgs),
    /// Put the worker and libtorch on a target, into one folder; what is there already is not sent again. Or install,
    /// on this machine, a libtorch from files.
    Install {
        /// The target.
        #[arg(required_unless_present = "local")]
        name: Option<String>,
        /// Install a pack on this machine, for example libtorch for CUDA. Name its list (.json, with its signature
        /// beside it) and parts of it, in any order, or the folder that has them. Missing parts are named and can
        /// follow later.
        #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["name", "libtorch"])]
        local: Vec<PathBuf>,
        /// Folder of the libtorch to send; none = the one that is used here.
        #[arg(long, value_name = "DIR")]
        libtorch: Option<PathBuf>,
    },
    /// List the packs with another libtorch that were taken in here.
    Packs {
        /// Remove this one; where it was used, the worker starts with the libtorch that came with it again.
        #[arg(long, value_name = "PACK")]
        remove: Option<String>,
    },
    /// Remove jobs, models and left files from a target; what is worked on stays.
    Clean {
        /// The target.
        name: String,
        /// Also remove the worker and everything that this program put into the folder.
        #[arg(long)]
        all: bool,
        /// Also runs whose results were not fetched, or which can go on: these are lost.
        #[arg(long)]
        discard: bool,
        /// Also workers of other versions than the one that is used from here.
        #[arg(long, conflicts_with = "all")]
        old_workers: bool,
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
    /// A host that jobs run on, as `ssh HOST` reaches it: its name, user@host, or an alias of your OpenSSH
    /// configuration.
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
    /// Another host that jobs run on.
    #[arg(long, value_name = "HOST")]
    pub ssh: Option<String>,
    /// Another login node of a Slurm cluster.
    #[arg(long, value_name = "HOST")]
    pub slurm: Option<String>,
    /// The Slurm cluster whose login node this machine is.
    #[arg(long)]
    pub slurm_local: bool,
    /// Another folder on the target; the worker is installed there anew.
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
    /// What an hour of a run there costs, with all that the run uses, for example 2.40. Before a run it is then said
    /// what the run will cost, as far as its time is known, and afterwards what it took.
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
    /// Time limit, as sbatch takes it.
    #[arg(long)]
    pub time: Option<String>,
    /// Generic resources, for example gpu:1.
    #[arg(long)]
    pub gres: Option<String>,
    /// Features that the nodes must have.
    #[arg(long)]
    pub constraint: Option<String>,
    /// Processors a task.
    #[arg(long)]
    pub cpus: Option<String>,
    /// Memory, as sbatch takes it.
    #[arg(long)]
    pub memory: Option<String>,
    /// Processes of a training, one a GPU.
    #[arg(long)]
    pub ranks: Option<u32>,
    /// Nodes that the processes are shared out among, as many on each.
    #[arg(long)]
    pub nodes: Option<String>,
    /// Seconds before the time limit at which a checkpoint is written and the job goes into the queue again; 0 = 120.
    #[arg(long)]
    pub notice: Option<u32>,
    /// Environment module to load; may be repeated.
    #[arg(long = "module", value_name = "MODULE")]
    pub modules: Vec<String>,
    /// What stands before the worker's command, for example "apptainer exec --nv image.sif".
    #[arg(long)]
    pub container: Option<String>,
    /// A further line of the batch script; may be repeated.
    #[arg(long = "line", value_name = "LINE")]
    pub lines: Vec<String>,
}

//! The grammar of `runs`.

use crate::workspace_args::WorkspaceArgs;
use clap::{Args, Subcommand};
use lexforge_domain::RunId;
use std::path::PathBuf;

/// `runs`
#[derive(Debug, Args)]
pub struct RunsArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: RunsAction,
}

/// What to do with runs.
#[derive(Debug, Subcommand)]
pub enum RunsAction {
    /// List runs.
    List(WorkspaceArgs),
    /// Follow a run until its worker leaves; ending this does not end the run.
    Follow {
        /// The run.
        #[command(flatten)]
        run: RunRefArgs,
        /// Bring the checkpoints of a run on another machine, too, also if its results are here already.
        #[arg(long)]
        with_checkpoints: bool,
    },
    /// Have a run wait at its next step.
    Pause(RunRefArgs),
    /// Stop a run after a checkpoint.
    Stop(RunRefArgs),
    /// Have a paused run go on, or start a stopped one again from its newest checkpoint, and follow it.
    Resume {
        /// The run.
        #[command(flatten)]
        run: RunRefArgs,
        /// Start the worker and return.
        #[arg(long)]
        detach: bool,
    },
    /// Stop following a run that was sent to another machine, for example because that machine no longer exists. The
    /// record of the run stays, and no file on the machine is removed. If the machine no longer exists, files that were
    /// not fetched are lost.
    Unfollow {
        /// The workspace's file.
        workspace: PathBuf,
        /// The run's number.
        run: RunId,
        /// Without asking the machine: also if the run is at work there, or has finished and was not fetched.
        #[arg(long)]
        yes: bool,
    },
    /// Show a sweep (`train --sweep`): each combination with its figure on the dev part, and the best.
    Sweep {
        /// The workspace's file.
        workspace: PathBuf,
        /// The sweep's number; none = the newest.
        sweep: Option<u64>,
    },
    /// Show two runs side by side: what they set differently, and their figures.
    Compare {
        /// The workspace's file.
        workspace: PathBuf,
        /// One run's number.
        first: RunId,
        /// The other's.
        second: RunId,
    },
}

/// A run of a workspace.
#[derive(Debug, Args)]
pub struct RunRefArgs {
    /// The workspace's file.
    pub workspace: PathBuf,
    /// The run's number; none = the newest.
    pub run: Option<RunId>,
}

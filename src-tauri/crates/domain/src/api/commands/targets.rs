//! Machines that a training can run on.

use crate::api::{
    Check, Cleaned, HostKeys, HourlyPrice, KeptThere, Pack, SshQuestion, Target, TargetList,
    TargetPlace,
};
use crate::protocol::SlurmSettings;

commands! {
    TargetsRequest;

    /// The machines that this user has added, and those of them that cannot be read.
    Targets {} -> TargetList;

    /// Adds a machine to the list, without connecting to it.
    AddTarget { name: String, place: TargetPlace, folder: String, slurm: Option<SlurmSettings>, price: Option<HourlyPrice> } -> Target;

    /// Changes where a machine is and how its queue is used; runs that were sent there still know it.
    ChangeTarget { name: String, place: TargetPlace, folder: String, slurm: Option<SlurmSettings>, price: Option<HourlyPrice> } -> Target;

    /// Looks at a machine: a row for each thing that has to be right there.
    CheckTarget { name: String } -> Vec<Check>;

    /// The key that a machine shows now, and the keys of the machine that are trusted already. This does not log in.
    TargetKey { name: String } -> HostKeys;

    /// Trusts the key that a machine shows now instead of its earlier keys, if it has this fingerprint. The reason is
    /// stored in the audit chain.
    ReplaceTargetKey { name: String, fingerprint: String, reason: String } -> HostKeys;

    /// The text that a machine would get for a run: the batch script for its queue, or a manifest for Kubernetes. This
    /// makes no connection.
    TargetScript { name: String } -> String;

    /// The batch script of a queue with settings that are typed and not stored yet. This makes no connection.
    ScriptWith { folder: String, slurm: SlurmSettings } -> String;

    /// Brings the worker and its library to a machine in the background; the answer is the job's number.
    InstallTarget { name: String } -> u64;

    /// The libtorchs that were taken in by file on this machine.
    Packs {} -> Vec<Pack>;

    /// Takes in what a folder holds of a pack, in the background; the answer is the job's number.
    TakePackIn { path: String } -> u64;

    /// Removes a pack; where it was used, the worker starts with the libtorch that came with it again.
    RemovePack { id: String } -> Pack;

    /// What is kept on a machine, by kind and size. Nothing is removed.
    TargetHolds { name: String } -> KeptThere;

    /// Removes what finished runs left on a machine.
    CleanTarget { name: String, discard: bool } -> Cleaned;

    /// Forgets a machine; what lies on it stays. `null` where its file could not be read.
    RemoveTarget { name: String } -> Option<Target>;

    /// Questions of `ssh` that nobody has answered yet, oldest first.
    SshQuestions {} -> Vec<SshQuestion>;

    /// Answers a question of `ssh`. Without an answer the connection is given up. A question about a host key is
    /// answered with the key's fingerprint.
    AnswerSsh { id: u64, answer: Option<String> } -> ();
}

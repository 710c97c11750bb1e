//! Remedies as commands. The window has words of its own for them.

use lexforge_domain::api::Check;
use lexforge_domain::{Failure, Remedy};

/// The remedy for a failure, as a command for the terminal.
pub fn hint(failure: &Failure) -> String {
    failure
        .remedy
        .as_ref()
        .map_or_else(|| failure.hint.clone(), |remedy| command(remedy))
}

/// A failure below other lines: what happened, and the remedy. `indent` stands before each of the two lines.
pub fn described(failure: &Failure, indent: &str) -> String {
    format!(
        "\n{indent}! {} [{}]\n{indent}  {}",
        failure.message,
        failure.code.tag(),
        hint(failure)
    )
}

/// What was checked, with its remedies as commands.
pub fn of_checks(mut checks: Vec<Check>) -> Vec<Check> {
    for check in &mut checks {
        if let Some(advice) = &check.advice {
            check.remedy = command(advice);
        }
    }
    checks
}

fn command(remedy: &Remedy) -> String {
    match remedy {
        Remedy::ImportDocument => "Import a document first: lexforge import WORKSPACE FILE.".to_owned(),
        Remedy::NameFiles => "Name one or more files: lexforge run WORKSPACE FILE…".to_owned(),
        Remedy::FindTerms => "Find them first: lexforge terms extract WORKSPACE.".to_owned(),
        Remedy::ReviewTerms => {
            "Review terms, or choose a looser rule in the review plan: lexforge people plan WORKSPACE --terms \
             unreviewed."
                .to_owned()
        }
        Remedy::BuildGraph => "Build it first: lexforge graph build WORKSPACE.".to_owned(),
        Remedy::BuildGraphAgain => "Build it again: lexforge graph build WORKSPACE.".to_owned(),
        Remedy::WriteQuestions => "Write them first: lexforge augment WORKSPACE --offline.".to_owned(),
        Remedy::FreezeSnapshot => "Freeze one first: lexforge dataset freeze WORKSPACE.".to_owned(),
        Remedy::Train => "Train first: lexforge train WORKSPACE.".to_owned(),
        Remedy::MeasureRanking => {
            "Measure it with questions: lexforge rank eval WORKSPACE --queries FILE --qrels FILE --adapter RUN.".to_owned()
        }
        Remedy::MeasureTriplets => {
            "Measure it: lexforge triplets measure WORKSPACE --run RUN --sts FILE.".to_owned()
        }
        Remedy::MakeTriplets => "Make them first: lexforge triplets make WORKSPACE --offline.".to_owned(),
        Remedy::TrainAnew => "Start a new run: lexforge train WORKSPACE.".to_owned(),
        Remedy::PutArtifactsBack => {
            "Put the workspace's folder of artifacts back beside it, or train again: lexforge train WORKSPACE."
                .to_owned()
        }
        Remedy::ResumeRun { run } => format!("Resume it: lexforge runs resume WORKSPACE {run}."),
        Remedy::StopFollowing { run } => format!(
            "If that machine is gone for good, stop following the run; its record stays: lexforge runs unfollow \
             WORKSPACE {run}."
        ),
        Remedy::StopFollowingAnyway { run } => format!(
            "Follow it to its end (lexforge runs follow WORKSPACE {run}) or stop it first (lexforge runs stop); or give \
             it up all the same: lexforge runs unfollow WORKSPACE {run} --yes."
        ),
        Remedy::WaitOrResume => "Wait for it (lexforge runs follow) or resume it (lexforge runs resume).".to_owned(),
        Remedy::ListRuns => "List the runs: lexforge runs list WORKSPACE.".to_owned(),
        Remedy::ListDocuments => "List the documents: lexforge docs WORKSPACE.".to_owned(),
        Remedy::ListSentences => "List them with lexforge docs WORKSPACE --sentences.".to_owned(),
        Remedy::ListTerms => "List the terms: lexforge terms list WORKSPACE.".to_owned(),
        Remedy::ListPrompts => "List them with lexforge prompts list.".to_owned(),
        Remedy::ListSchemas => {
            "List them with lexforge terms schemas list; those that come with Lexforge stay.".to_owned()
        }
        Remedy::NameEndpoint => {
            "List them with lexforge endpoints list, or name one with lexforge endpoints add.".to_owned()
        }
        Remedy::ConfirmEndpoint { name } => format!(
            "See to whom it sends and where its key is, and confirm it: lexforge endpoints confirm WORKSPACE {name}, \
             or in the settings."
        ),
        Remedy::LookAtBothKeys => {
            "Nothing was sent. Look at both keys (lexforge compute key NAME), and ask those who run the machine for its \
             fingerprint. Only when it is the same: lexforge compute replace-key WORKSPACE NAME --fingerprint FINGERPRINT \
             --reason TEXT."
                .to_owned()
        }
        Remedy::CheckEndpoint => "Try it with lexforge endpoints check, and then again.".to_owned(),
        Remedy::NameProxy => "Name the proxy, too: --proxy ADDRESS.".to_owned(),
        Remedy::ReachEndpoint => {
            "Check that the server runs, its address and port, and that a firewall or a required proxy is not in the \
             way (endpoints add --proxy)."
                .to_owned()
        }
        Remedy::AskSlower => {
            "Raise the endpoint's time limit (--timeout), or ask fewer at a time (--concurrency).".to_owned()
        }
        Remedy::RaiseByteLimit => "Raise the endpoint's limit (--max-bytes) if such answers are wanted.".to_owned(),
        Remedy::GiveKey => {
            "Give it the right key: lexforge endpoints add … with --key-stdin, --key-env or --key-file.".to_owned()
        }
        Remedy::CheckModelName => {
            "Check the model's name (endpoints check lists those that the endpoint names) and the path of the \
             address, usually /v1."
                .to_owned()
        }
        Remedy::WaitForEndpoint => {
            "Wait a while and run the step again, or ask fewer at a time (--concurrency); what was answered is \
             kept."
                .to_owned()
        }
        Remedy::EnterKeyAgain => {
            "Name the endpoint again with it: lexforge endpoints add, or in the settings.".to_owned()
        }
        Remedy::UnlockKeyRing => {
            "Unlock it; or without one, name an environment variable (--key-env NAME, --proxy-password-env NAME) or \
             a file that you alone can read (--key-file PATH, --proxy-password-file PATH)."
                .to_owned()
        }
        Remedy::KeepToYourself { path, mode } => format!(
            "Take their rights away: chmod {mode} {path}. If others may have seen a key in it, have it replaced."
        ),
        Remedy::AgreeToSending => "Run it on a terminal and answer yes, or agree with --yes.".to_owned(),
        Remedy::NameBatchModel => "Name it with --model, or name an endpoint with --endpoint.".to_owned(),
        Remedy::WriteBatch { verb } => {
            format!("Write them first: lexforge {verb} WORKSPACE --batch-out FILE --model NAME.")
        }
        Remedy::ChooseDecoder => {
            "Choose a decoder, for example with --base lexforge-demo, or a run that tuned one.".to_owned()
        }
        Remedy::ChooseEncoderOrDecoder => {
            "Choose the preset encoder, or a decoder as base (lexforge models list).".to_owned()
        }
        Remedy::ChooseModelOfLanguage => {
            "Choose a base model whose vocabulary has this language (lexforge models list).".to_owned()
        }
        Remedy::SeeRejected => {
            "The terms that were there are unchanged. See why with lexforge terms rejected, or choose another \
             model."
                .to_owned()
        }
        Remedy::VerifyAudit => "Run lexforge audit verify to see whether the workspace was altered.".to_owned(),
        Remedy::VerifyAndFreezeAgain => "Run lexforge audit verify; freeze the questions again.".to_owned(),
        Remedy::VerifyAndSignCopy => "Run lexforge audit verify; sign the head of a copy that holds.".to_owned(),
        Remedy::GoBackToCopy => "run `lexforge audit verify` to see what was altered, and go back to a copy".to_owned(),
        Remedy::WorkFromEarlierCopy => {
            "run `lexforge audit verify` to see all that was altered; keep this file, and work on from a copy made \
             before that"
                .to_owned()
        }
        Remedy::NameSignedHead => "Name a file that lexforge audit sign wrote.".to_owned(),
        Remedy::NameBackup => "Name the file that `lexforge workspace backup` made.".to_owned(),
        Remedy::KeepBothOrReplace => {
            "choose another name, or restore with --replace: what stands there is then kept under a dated name"
                .to_owned()
        }
        Remedy::MakeWorkspace => "check the path, or make a workspace with `lexforge new PATH`".to_owned(),
        Remedy::WriteElsewhere => {
            "choose a folder that you may write to, have the permissions changed, or work on a copy: `lexforge \
             workspace backup WORKSPACE COPY`"
                .to_owned()
        }
        Remedy::MoveLogAside => {
            "to open the file as it is, move the log (and the file that ends in -shm) to another folder and keep it: \
             what stands in the log alone is then not in the workspace; put copies in place with \
             `lexforge workspace restore`"
                .to_owned()
        }
        Remedy::MakeSigningKey => {
            "Have one made: add --new-key. Note its public key where nobody who can alter the workspace can alter \
             it."
            .to_owned()
        }
        Remedy::OtherKeyFile => {
            "A key file holds 64 hexadecimal digits and nothing else; have one made under another name: --new-key."
                .to_owned()
        }
        Remedy::UnlockRingOrKeyFile => {
            "Unlock it; or keep the key in a file that you alone can read: --key-file PATH, the first time with \
             --new-key."
                .to_owned()
        }
        Remedy::GivePassphrase => {
            "Run it on a terminal, which asks for the passphrase; or put it into the variable LEXFORGE_PASSPHRASE."
                .to_owned()
        }
        Remedy::GiveWorkspacePassphrase => {
            "Run it on a terminal, which asks for the passphrase; or put it into the variable \
             LEXFORGE_WORKSPACE_PASSPHRASE, or into a file that you alone can read and that \
             LEXFORGE_WORKSPACE_PASSPHRASE_FILE names. A backup opens with the passphrase that the workspace had when it \
             was made."
                .to_owned()
        }
        Remedy::SayWhoItIs => {
            "Say whether both are the same person or another one: --same-person or --another-person with `people \
             add`, `packet write` and `packet merge`."
                .to_owned()
        }
        Remedy::NamePacketFile => {
            "Name the packet's file too (`packet merge … --packet FILE`): it shows what it held.".to_owned()
        }
        Remedy::LinkVersions { document } => {
            format!("Name the earlier version too, or link it: docs WORKSPACE --link {document} --replaces EARLIER.")
        }
        Remedy::GiveWord => {
            "Give one word or more, for example: lexforge search WORKSPACE \"personal data breach\".".to_owned()
        }
        Remedy::ChangeWording => "Change it and save it again; lexforge prompts show prints the one in use.".to_owned(),
        Remedy::InstallSameVersion => {
            "Install application and worker from the same version; `lexforge doctor` names both.".to_owned()
        }
        Remedy::SetUpWorker => {
            "Install the package again; in a checkout run tools/setup (it fetches libtorch) and build the worker; or set \
             LEXFORGE_WORKER to its path."
                .to_owned()
        }
        Remedy::InstallParser => {
            "Install the package again, build lexforge-parse beside the application, or point LEXFORGE_PARSE at it.".to_owned()
        }
        Remedy::ExportTypes { types } => format!("Export with --dtype {types}."),
        Remedy::ExportGguf => "Use --format gguf, or another --dtype.".to_owned(),
        Remedy::ExportMerged => "Use --dtype f16 or q8_0, or --format merged.".to_owned(),
        Remedy::LeaveTypeOut => "Leave --dtype out: an adapter keeps the type that it was trained in.".to_owned(),
        Remedy::OtherFolderOrReplace => {
            "Choose another folder with --out, or give --replace to put the new export in its place.".to_owned()
        }
        Remedy::OtherFolder => "Choose another folder with --out.".to_owned(),
        Remedy::NameModelAlone => {
            "Give the path of a folder that is there, or its name alone where LEXFORGE_MODELS names the folder above it."
                .to_owned()
        }
        Remedy::StandForRun { run } => format!(
            "Train or review further; or stand for it, which every later answer says: lexforge models activate WORKSPACE \
             --run {run} --override --by NAME --reason TEXT --accept."
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// The long options of a command and of all below it.
    fn options(of: &clap::Command, all: &mut BTreeSet<String>) {
        all.extend(
            of.get_arguments()
                .filter_map(|a| a.get_long())
                .map(str::to_owned),
        );
        of.get_subcommands().for_each(|below| options(below, all));
    }

    #[test]
    fn a_remedy_names_options_that_there_are() {
        let mut there = BTreeSet::new();
        options(&Cli::command(), &mut there);
        let source = include_str!("remedies.rs");
        let said = source.split("#[cfg(test)]").next().unwrap_or_default();
        let named: BTreeSet<&str> = said
            .split("--")
            .skip(1)
            .filter_map(|after| {
                after
                    .split(|c: char| !c.is_ascii_lowercase() && c != '-')
                    .next()
            })
            .filter(|name| !name.is_empty())
            .collect();
        assert!(named.contains("new-key"), "{named:?}");
        let unknown: Vec<_> = named
            .iter()
            .filter(|name| !there.contains(**name))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

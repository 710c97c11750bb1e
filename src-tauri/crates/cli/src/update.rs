//! `update`: a newer version by file, and back.

use crate::output::{Outcome, Output, count, done};
use crate::terminal::Terminal;
use clap::Args;
use lexforge_domain::api::{Installation, Updated};
use std::path::PathBuf;

/// `update`
#[derive(Debug, Args)]
pub struct UpdateArgs {
    /// Take in the newer version from this package. Its signature, FILE.minisig, must lie beside it.
    #[arg(long, value_name = "FILE", conflicts_with = "back")]
    pub from: Option<PathBuf>,
    /// Go back to the version that was used before.
    #[arg(long)]
    pub back: bool,
}

/// `update`
pub fn run(args: &UpdateArgs, out: &Output) -> Outcome {
    let watcher = Terminal::new(false);
    let updated = match (&args.from, args.back) {
        (Some(file), _) => lexforge_engine::update_from(file, &watcher),
        (None, true) => lexforge_engine::go_back(&watcher),
        (None, false) => {
            let there = lexforge_engine::installation()?;
            out.document(&there, || describe(&there));
            return done();
        }
    };
    watcher.finish();
    let updated = updated?;
    out.document(&updated, || told(&updated));
    done()
}

fn describe(there: &Installation) -> String {
    let before = there.before.as_ref().map_or_else(
        || "no version to go back to".to_owned(),
        |before| format!("back to {before}: lexforge update --back"),
    );
    let key = there.key.as_ref().map_or_else(
        || {
            "this version knows no public key: it cannot be updated by file until an administrator puts one into \
             update.pub in this folder, or into /etc/lexforge/update.pub"
                .to_owned()
        },
        |key| format!("packages are checked with {key}: lexforge update --from FILE"),
    );
    format!(
        "{}: version {} starts; there: {}\n{before}\n{key}",
        there.folder,
        there.current,
        there.versions.join(", ")
    )
}

fn told(updated: &Updated) -> String {
    let mut said = format!(
        "Version {} starts from now on ({} MiB read back, in {:.0} s). {} stays in {}.",
        updated.to,
        count(updated.bytes >> 20),
        updated.seconds,
        updated.from,
        updated.folder
    );
    match &updated.signed {
        Some(words) => {
            said.push_str(&format!(
                "\nThe signer wrote: {words}\nWindows that are open keep the version before until they are closed. Back: \
                 lexforge update --back"
            ));
            if !updated.key {
                said.push_str(
                    "\nThis version brings no public key: for the next update an administrator has to put one into \
                     update.pub in that folder.",
                );
            }
        }
        None => said.push_str(
            "\nWorkspaces that the newer version changed do not open in this one: put the backups back that were made before \
             the update (lexforge workspace restore).",
        ),
    }
    said
}

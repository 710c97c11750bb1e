//! Taking in what the shell tells of its own accord.

use crate::notify;
use crate::pace;
use crate::state::App;
use leptos::prelude::*;
use lexforge_domain::api::Notice;

impl App {
    /// Takes in what the shell tells.
    pub fn hear(self, notice: Notice) {
        match notice {
            Notice::Task { task } => {
                let now = pace::now();
                self.paces.update(|paces| paces.see(&task, now));
                notify::of_task(self, &task, now);
                self.tasks
                    .update(|tasks| match tasks.iter_mut().find(|t| t.id == task.id) {
                        Some(known) => *known = task,
                        None => tasks.push(task),
                    })
            }
            Notice::Run { run } => {
                notify::of_run(self, &run);
                self.runs
                    .update(|runs| match runs.iter_mut().find(|r| r.id == run.id) {
                        Some(known) => *known = run,
                        None => runs.insert(0, run),
                    })
            }
            Notice::RunEvent { id, event } => self.heard.set(Some((id, event))),
            Notice::Ssh { questions } => self.ssh.set(questions),
            Notice::Changed => self.reload(),
        }
    }
}

//! Handles what the shell reports without being asked.

use crate::notify;
use crate::pace;
use crate::state::App;
use leptos::prelude::*;
use lexforge_domain::api::Notice;

impl App {
    /// Handles a notice of the shell.
    pub fn hear(self, notice: Notice) {
        match notice {
            Notice::Task { task } => {
                let now = pace::now();
                self.paces.update(|paces| paces.see(&task, now));
                notify::of_task(self, &task, now);
                self.tasks.update(|tasks| {
                    let new = heard(tasks, task, |one, other| one.id == other.id);
                    tasks.extend(new);
                });
            }
            Notice::Run { run } => {
                notify::of_run(self, &run);
                self.runs.update(|runs| {
                    // The newest stands first.
                    if let Some(new) = heard(runs, run, |one, other| one.id == other.id) {
                        runs.insert(0, new);
                    }
                });
            }
            Notice::RunEvent { id, event } => self.heard.set(Some((id, event))),
            Notice::Ssh { questions } => self.ssh.set(questions),
            Notice::Changed => self.reload(),
        }
    }
}

/// Replaces the stored news about the same thing by this news. If nothing is stored about it, returns the news.
fn heard<T>(known: &mut [T], news: T, same: impl Fn(&T, &T) -> bool) -> Option<T> {
    match known.iter_mut().find(|one| same(one, &news)) {
        Some(one) => {
            *one = news;
            None
        }
        None => Some(news),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_takes_the_place_of_what_was_known() {
        let mut known = vec![(1, "at work"), (2, "at work")];
        let same = |one: &(u32, &str), other: &(u32, &str)| one.0 == other.0;
        assert_eq!(heard(&mut known, (2, "done"), same), None);
        assert_eq!(known, [(1, "at work"), (2, "done")]);
        assert_eq!(heard(&mut known, (3, "new"), same), Some((3, "new")));
        assert_eq!(known.len(), 2);
    }
}

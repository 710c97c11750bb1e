//! Requests that a button has started and that have no answer yet. The page shows them while they last, and the button
//! cannot start them a second time.
//!
//! Long work is a job, and the shell reports jobs by itself. This is for shorter requests, which may take a while on a
//! slow machine, and for the dialogs of the operating system.

use crate::attempt::ended;
use crate::backend::Answer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;

/// All that is under way, each by the words that say it.
#[derive(Clone, Copy, Default)]
pub struct Waits(RwSignal<Vec<String>>);

impl Waits {
    /// The words for everything that is under way.
    pub fn all(self) -> Vec<String> {
        self.0.get()
    }

    /// Whether what these words say is under way.
    pub fn has(self, words: &str) -> bool {
        self.0.with(|all| all.iter().any(|one| one == words))
    }

    /// Runs `deed`. `None` if what these words say is under way already: then it is not run.
    pub async fn during<T>(self, words: String, deed: impl Future<Output = T>) -> Option<T> {
        if self.0.try_update(|all| begun(all, &words)) != Some(true) {
            return None;
        }
        let done = deed.await;
        self.0.update(|all| all.retain(|one| *one != words));
        Some(done)
    }

    /// Runs `deed` as an attempt, unless what these words say is under way already.
    pub fn attempt<T: 'static>(
        self,
        words: String,
        failure: RwSignal<Option<Failure>>,
        deed: impl Future<Output = Answer<T>> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        spawn_local(async move {
            if let Some(answer) = self.during(words, deed).await {
                ended(failure, answer, then);
            }
        });
    }
}

/// Takes the words in; false if they are there already.
fn begun(all: &mut Vec<String>, words: &str) -> bool {
    let new = all.iter().all(|one| one != words);
    if new {
        all.push(words.to_owned());
    }
    new
}

#[cfg(test)]
mod tests {
    use super::begun;

    #[test]
    fn nothing_is_begun_twice() {
        let mut all = Vec::new();
        let pressed = ["open", "open", "write", "open"].map(|words| begun(&mut all, words));
        assert_eq!(pressed, [true, false, true, false]);
        assert_eq!(all, ["open", "write"]);
        all.retain(|one| one != "open");
        assert!(begun(&mut all, "open"), "after its end it is begun again");
    }
}

//! What other programs do to the open workspace: the command line, or a second window.

use super::open::OpenWorkspace;
use super::result::Result;

/// A workspace as it was when it was last looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    commits: i64,
    head: String,
}

impl OpenWorkspace {
    /// The present state of the workspace, to be compared with later.
    pub fn seen(&self) -> Result<Seen> {
        // The order matters: a commit between the two calls counts as new the next time.
        let commits = self.store.commits_elsewhere()?;
        Ok(Seen {
            commits,
            head: self.store.read(|r| r.audit_head())?,
        })
    }

    /// Whether another program has changed the workspace since `seen`, which is then updated. Changes by this program
    /// do not count. Changes without a row in the audit chain, such as the record of a request to an endpoint, do not
    /// count either, because nothing that is shown depends on them. If no other program has written, this does not read
    /// the file.
    ///
    /// # Errors
    /// When the workspace cannot be read; `seen` is unchanged then.
    pub fn changed_elsewhere(&self, seen: &mut Seen) -> Result<bool> {
        if self.store.commits_elsewhere()? == seen.commits {
            return Ok(false);
        }
        let now = self.seen()?;
        let before = std::mem::replace(seen, now);
        Ok(before.head != seen.head)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::Engine;
    use lexforge_store::NewAsking;

    #[test]
    fn what_another_program_changes_is_news_once_and_what_this_one_changes_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.lexforge");
        let (here, there) = (Engine::create(&path).unwrap(), Engine::open(&path).unwrap());
        let mut seen = here.workspace().seen().unwrap();
        assert!(
            !here.workspace().changed_elsewhere(&mut seen).unwrap(),
            "nobody changed anything"
        );
        set(&here, "mine");
        assert!(
            !here.workspace().changed_elsewhere(&mut seen).unwrap(),
            "one's own change is no news"
        );
        set(&there, "theirs");
        assert!(here.workspace().changed_elsewhere(&mut seen).unwrap());
        assert!(
            !here.workspace().changed_elsewhere(&mut seen).unwrap(),
            "told twice"
        );
        set(&here, "mine again");
        set(&there, "theirs again");
        set(&here, "and mine");
        assert!(
            here.workspace().changed_elsewhere(&mut seen).unwrap(),
            "a change among one's own"
        );
    }

    fn set(engine: &Engine, value: &str) {
        engine
            .workspace()
            .store
            .write("somebody", |w| w.set_setting("elsewhere", value))
            .unwrap();
    }

    #[test]
    fn a_request_to_an_endpoint_is_no_news() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.lexforge");
        let (here, there) = (Engine::create(&path).unwrap(), Engine::open(&path).unwrap());
        let mut seen = here.workspace().seen().unwrap();
        let word = || "word".to_owned();
        let new = NewAsking {
            purpose: word(),
            endpoint: word(),
            host: word(),
            model: word(),
            consent: "{}".to_owned(),
        };
        let asking = there
            .workspace()
            .store
            .write("somebody", |w| w.begin_asking(&new))
            .unwrap();
        assert!(
            here.workspace().changed_elsewhere(&mut seen).unwrap(),
            "that somebody asks is news"
        );
        let before = seen.clone();
        there
            .workspace()
            .store
            .write("somebody", |w| w.insert_request(asking, &[7; 32]))
            .unwrap();
        assert!(!here.workspace().changed_elsewhere(&mut seen).unwrap());
        assert_ne!(seen, before, "the commit was not seen at all");
    }
}

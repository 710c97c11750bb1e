//! Opens a workspace in the shell, and takes up what runs in it.

use crate::shell::{Answer, Shell};
use crate::tasks::VECTORS;
use crate::{drift, elsewhere, follow, vectors};
use lexforge_domain::api::WorkspaceView;
use lexforge_domain::text::Language;
use lexforge_engine::Engine;
use std::path::Path;
use std::sync::Arc;

impl Shell {
    /// Opens the workspace at a path in place of the one that was open, and takes up its running runs again.
    pub fn open(&self, path: &Path) -> Answer<WorkspaceView> {
        self.take(Engine::open(path)?)
    }

    /// Makes a workspace at a path and opens it.
    pub fn create(&self, path: &Path) -> Answer<WorkspaceView> {
        self.take(Engine::create(path)?)
    }

    /// Opens the workspace at a path, or makes it where nothing is.
    pub fn open_or_create(&self, path: &Path) -> Answer<WorkspaceView> {
        self.take(Engine::open_or_create(path)?)
    }

    /// Opens the sample workspace of a language, or makes it.
    pub fn open_sample(&self, language: Language) -> Answer<WorkspaceView> {
        self.take(Engine::open_sample(language)?)
    }

    /// Makes a workspace at a path from a review packet and opens it.
    pub fn open_packet(&self, packet: &Path, path: &Path) -> Answer<WorkspaceView> {
        self.take(Engine::open_packet(packet, path)?)
    }

    /// Closes the open workspace, rewrites its file with `rewrite`, and opens it again, even if rewriting failed.
    ///
    /// # Errors
    /// If a job is running in the workspace; then the workspace stays open and its file is not rewritten. Also the
    /// errors of `rewrite` and of opening.
    pub fn rewritten(&self, rewrite: impl FnOnce(&Path) -> Answer<()>) -> Answer<WorkspaceView> {
        self.tasks().cancel_all(VECTORS);
        let path = self.close()?;
        let done = rewrite(&path);
        let view = self.open(&path);
        done.and(view)
    }

    fn take(&self, engine: Engine) -> Answer<WorkspaceView> {
        // Before the view, so that what comes in between is news.
        let seen = engine.workspace().seen()?;
        let view = engine.view()?;
        let engine = Arc::new(engine);
        // Nobody asked for it: the workspace before this one gets its vectors when it is opened again.
        self.tasks().cancel_all(VECTORS);
        self.put(&engine);
        elsewhere::watch(self, &engine, seen);
        drift::watch(self, &engine);
        vectors::make_when_quiet(self, &engine);
        follow::running_runs(self, &engine)?;
        Ok(view)
    }
}

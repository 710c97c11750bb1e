//! The engine: an open workspace with all modules.

use crate::answering::Answering;
use crate::asking::Asking;
use crate::corpus::Corpus;
use crate::evaluation::Evaluations;
use crate::graph::Graph;
use crate::matching::Matching;
use crate::models::Models;
use crate::review::{Review, open_packet};
use crate::runs::Runs;
use crate::terms::Terms;
use crate::training::Training;
use crate::workspace::{OpenWorkspace, Result};
use crate::writing::Writing;
use lexforge_domain::Code;
use std::path::{Path, PathBuf};

/// An open workspace and everything that can be done to it, module by module.
pub struct Engine {
    workspace: OpenWorkspace,
}

impl Engine {
    /// Make a new workspace at `path` (`name.lexforge`).
    ///
    /// # Errors
    /// When something with this name exists already, or the folder cannot be written or is on a network share.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self {
            workspace: OpenWorkspace::create(path)?,
        })
    }

    /// Make a new workspace at `path` that is encrypted with a passphrase.
    ///
    /// # Errors
    /// As [`Engine::create`]; also when the passphrase is too short.
    pub fn create_encrypted(path: &Path, passphrase: &str) -> Result<Self> {
        Ok(Self {
            workspace: OpenWorkspace::create_encrypted(path, passphrase)?,
        })
    }

    /// Open the workspace at `path`.
    ///
    /// # Errors
    /// When it is missing, damaged, newer than this program, beside a log that belongs to another database, or held by
    /// another process for too long. A file without write permission is opened for reading only.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            workspace: OpenWorkspace::open(path)?,
        })
    }

    /// Open the workspace at `path` for a step that changes it. If the result of the step could not be stored, the
    /// workspace is not opened.
    ///
    /// # Errors
    /// As [`Engine::open`]. Also when the workspace cannot be written, or the disk is full.
    pub fn open_to_write(path: &Path) -> Result<Self> {
        let engine = Self::open(path)?;
        engine.workspace.require_writable()?;
        Ok(engine)
    }

    /// Open the workspace at `path`, or make it if nothing is there.
    ///
    /// # Errors
    /// As [`Engine::open`] and [`Engine::create`].
    pub fn open_or_create(path: &Path) -> Result<Self> {
        Self::opened_or_made(path).map(|(engine, _)| engine)
    }

    /// Opens the workspace, or makes it, and says whether this call made it. Another program may make the file after
    /// this one has looked for it; then the file of the other program is opened.
    fn opened_or_made(path: &Path) -> Result<(Self, bool)> {
        if path.exists() {
            return Ok((Self::open(path)?, false));
        }
        match Self::create(path) {
            Err(failure) if failure.code == Code::WorkspaceExists && path.is_file() => {
                Ok((Self::open(path)?, false))
            }
            made => Ok((made?, true)),
        }
    }

    /// Open the workspace at `path`, or make it if nothing is there, and run `work` on it. If it was made here and
    /// holds no document afterwards (no file could be read, or the work was stopped), it is removed again.
    ///
    /// # Errors
    /// As [`Engine::open_to_write`] and [`Engine::create`], and the errors of the work.
    pub fn fill<T>(path: &Path, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let nothing = std::fs::symlink_metadata(path).is_err();
        let (engine, made) = Self::opened_or_made(path)?;
        if !made {
            engine.workspace.require_writable()?;
        }
        let done = work(&engine);
        let empty = engine
            .workspace
            .store
            .read(|r| r.counts())
            .is_ok_and(|counts| counts.documents == 0);
        drop(engine);
        if nothing && made && empty {
            for companion in ["", "-wal", "-shm"] {
                let mut name = path.to_owned().into_os_string();
                name.push(companion);
                // A missing file needs no removal. A file that cannot be removed stays as an empty workspace.
                let _ = std::fs::remove_file(PathBuf::from(name));
            }
        }
        done
    }

    /// Make a new workspace from a packet. It holds the sentences, terms and questions of the packet, but no page
    /// images. Its review queue holds only the items of the packet.
    ///
    /// # Errors
    /// When the packet was changed or its parts do not fit together, or when something exists already at the path of
    /// the new workspace.
    pub fn open_packet(packet: &Path, workspace: &Path) -> Result<Self> {
        Ok(Self {
            workspace: open_packet(packet, workspace)?,
        })
    }

    /// The workspace itself: its settings, its audit chain, its copies.
    pub fn workspace(&self) -> &OpenWorkspace {
        &self.workspace
    }

    /// The base models that an open workspace can be worked on with.
    pub fn models(&self) -> Models<'_> {
        Models::of(&self.workspace)
    }

    /// The training runs of an open workspace.
    pub fn runs(&self) -> Runs<'_> {
        Runs::of(&self.workspace)
    }

    /// Asking language models for an open workspace.
    pub fn asking(&self) -> Asking<'_> {
        Asking::of(&self.workspace)
    }

    /// The documents of an open workspace.
    pub fn corpus(&self) -> Corpus<'_> {
        Corpus::of(&self.workspace)
    }

    /// The review that goes on in an open workspace.
    pub fn review(&self) -> Review<'_> {
        Review::of(&self.workspace)
    }

    /// The terms of an open workspace.
    pub fn terms(&self) -> Terms<'_> {
        Terms::of(&self.workspace)
    }

    /// The sentence graph of an open workspace.
    pub fn graph(&self) -> Graph<'_> {
        Graph::of(&self.workspace)
    }

    /// The questions of an open workspace, and who writes them.
    pub fn writing(&self) -> Writing<'_> {
        Writing::of(&self.workspace)
    }

    /// The snapshots of an open workspace, and what is trained on them.
    pub fn training(&self) -> Training<'_> {
        Training::of(&self.workspace)
    }

    /// Evaluations of the runs of an open workspace.
    pub fn evaluation(&self) -> Evaluations<'_> {
        Evaluations::of(&self.workspace)
    }

    /// Questions to the documents of an open workspace.
    pub fn answering(&self) -> Answering<'_> {
        Answering::of(&self.workspace)
    }

    /// The rules of an open workspace against the statements of its policies.
    pub fn matching(&self) -> Matching<'_> {
        Matching::of(&self.workspace)
    }
}

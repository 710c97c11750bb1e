//! A base model by its name, and where the worker may find it.

use lexforge_domain::protocol::ModelRef;
use std::path::{Path, PathBuf};

/// The embedded default encoder.
pub(crate) const DEFAULT_ENCODER: &str = "all-MiniLM-L6-v2";
/// The encoder for languages that the default one does not read.
pub(crate) const MULTILINGUAL_ENCODER: &str = "multilingual-e5-small-q4";
/// The decoder that comes with the product.
pub(crate) const DEMO_DECODER: &str = "lexforge-demo";

/// A base model and where the worker may find it.
#[derive(Clone, Debug)]
pub(crate) struct BaseModel {
    pub(crate) name: String,
    pub(crate) folders: Vec<PathBuf>,
    /// The hash of its content, if a job must have exactly this content; otherwise empty.
    pub(crate) sha256: String,
}

impl BaseModel {
    /// A model by its name, or by the path of its folder.
    pub(crate) fn named(name_or_path: Option<&str>) -> Self {
        let given = name_or_path.unwrap_or(DEFAULT_ENCODER);
        let path = Path::new(given);
        match (path.is_dir(), path.file_name()) {
            (true, Some(name)) => {
                let parent = path
                    .parent()
                    .filter(|p| !p.as_os_str().is_empty())
                    .unwrap_or(Path::new("."));
                let folder = parent
                    .canonicalize()
                    .unwrap_or_else(|_| parent.to_path_buf());
                Self {
                    name: name.to_string_lossy().into_owned(),
                    folders: vec![folder],
                    sha256: String::new(),
                }
            }
            _ => Self {
                name: given.to_owned(),
                folders: Vec::new(),
                sha256: String::new(),
            },
        }
    }

    /// Its name in a progress report.
    pub(crate) fn title(&self, adapted: bool) -> String {
        if adapted {
            format!("{} with the adapter", self.name)
        } else {
            self.name.clone()
        }
    }

    pub(crate) fn reference(&self) -> ModelRef {
        ModelRef {
            name: self.name.clone(),
            sha256: self.sha256.clone(),
        }
    }
}

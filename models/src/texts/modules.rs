//! The modules that a folder of Sentence Transformers runs one after the other, as `modules.json` lists them.

use crate::architectures::sizes::LARGEST_CONFIG;
use crate::files;
use crate::{Error, Result};
use lexforge_domain::Code;
use serde::Deserialize;
use std::path::{Component, Path};

/// The file that lists the modules in the order in which they run.
pub(crate) const MODULES_FILE: &str = "modules.json";

/// A module of the list.
#[derive(Clone, Debug, Deserialize)]
pub struct Module {
    #[serde(rename = "type")]
    kind: String,
    /// Its folder inside the model's; empty = the model's own.
    #[serde(default)]
    pub path: String,
}

impl Module {
    /// Its name without the package that it is of.
    pub fn kind(&self) -> &str {
        self.kind.rsplit('.').next().unwrap_or_default()
    }
}

/// The modules of a folder. `None` if the folder lists no modules.
///
/// # Errors
/// [`Code::ModelMissing`] if the list is damaged, or names a folder outside of the model's folder.
pub fn of_folder(folder: &Path) -> Result<Option<Vec<Module>>> {
    let modules: Option<Vec<Module>> = read(folder, MODULES_FILE)?;
    let inside = |path: &str| {
        Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
    };
    match modules
        .iter()
        .flatten()
        .find(|module| !inside(&module.path))
    {
        None => Ok(modules),
        Some(module) => Err(Error::told_of(
            Path::new(MODULES_FILE),
            Code::ModelMissing,
            format!(
                "The model's {MODULES_FILE} names {:?}, which is no folder inside the model's.",
                module.path
            ),
            "Copy the model's folder again from where it was published.",
        )),
    }
}

/// A file of the folder as JSON; `None` if there is no such file.
///
/// # Errors
/// [`Code::ModelMissing`] if it cannot be read.
pub fn read<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> Result<Option<T>> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(None);
    }
    let damaged = |why: String| {
        Error::told_of(
            Path::new(name),
            Code::ModelMissing,
            format!("The model's {name} cannot be read: {why}."),
            "Copy the model's folder again.",
        )
    };
    let bytes = files::read_whole(&path, LARGEST_CONFIG).map_err(|e| damaged(e.to_string()))?;
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|e| damaged(e.to_string()))
}

/// The error for a request of the file that this product does not support.
pub fn refused(file: &str, message: &str) -> Error {
    Error::told_of(
        Path::new(file),
        Code::ModelUnsupported,
        message,
        "Use an encoder that pools its tokens in one way, with no module after it but dense layers and the scaling to unit \
         length.",
    )
}

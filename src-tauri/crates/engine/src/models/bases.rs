//! Base models that can be chosen: those that come with the product, those in the usual folders, and those that earlier
//! runs used.

use super::Models;
use super::base::{BaseModel, DEFAULT_ENCODER, DEMO_DECODER, MULTILINGUAL_ENCODER};
use super::folder_state::folder_state;
use super::inspect::inspect;
use crate::workspace::Result;
use lexforge_compute::{WorkerProgram, installed};
use lexforge_domain::api::BaseRow;
use lexforge_domain::protocol::{InspectResult, MODELS_ENV};
use lexforge_domain::{Code, Failure};
use lexforge_files::name_of;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Models that come with the product.
pub(super) const SHIPPED: [&str; 3] = [DEFAULT_ENCODER, MULTILINGUAL_ENCODER, DEMO_DECODER];
/// Setting under which the folders of models that were named by path are kept.
const FOLDERS_SETTING: &str = "models.folders";
/// File that makes a folder a model folder.
const CONFIG_FILE: &str = "config.json";

/// How long somebody waits while another one has a model folder examined.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked meanwhile whether that has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The stored description of one model folder, with the folder's state. The lock is held while the folder is examined.
type Seen = Mutex<Option<(String, BaseRow)>>;

/// Results of examining model folders: one lock a folder, so that a worker that hangs at one of them holds up no other.
#[derive(Default)]
struct Inspected(Mutex<Vec<(PathBuf, Arc<Seen>)>>);

impl Inspected {
    fn folder(&self, path: &Path) -> Arc<Seen> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, seen)) = all.iter().find(|(known, _)| known.as_path() == path) {
            return Arc::clone(seen);
        }
        let seen = Arc::<Seen>::default();
        all.push((path.to_path_buf(), Arc::clone(&seen)));
        seen
    }

    /// The row of a model folder. The folder is examined if this was not done before or if it has changed since. `None`
    /// if another thread has been examining it for longer than `patience`.
    fn row(
        &self,
        path: &Path,
        state: Option<String>,
        patience: Duration,
        examine: impl FnOnce() -> BaseRow,
    ) -> Option<BaseRow> {
        let seen = self.folder(path);
        // Locked until the folder is examined: nobody starts a second worker for it.
        let mut kept = held(&seen, patience)?;
        if let (Some(state), Some((of, row))) = (&state, kept.as_ref())
            && of == state
        {
            return Some(row.clone());
        }
        let row = examine();
        *kept = state.map(|state| (state, row.clone()));
        Some(row)
    }
}

/// The lock of a folder; `None` where another one holds it for longer than `patience`.
fn held(seen: &Seen, patience: Duration) -> Option<MutexGuard<'_, Option<(String, BaseRow)>>> {
    let since = Instant::now();
    loop {
        match seen.try_lock() {
            Ok(kept) => return Some(kept),
            Err(TryLockError::Poisoned(kept)) => return Some(kept.into_inner()),
            Err(TryLockError::WouldBlock) if since.elapsed() >= patience => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
        }
    }
}

impl Models<'_> {
    /// Base models that can be chosen: the shipped ones, those in `LEXFORGE_MODELS` and the usual folders, and those
    /// that earlier runs of this workspace used. A model that cannot be used is listed with the reason.
    ///
    /// # Errors
    /// When the workspace cannot be read, or the worker is missing.
    pub fn base_models(&self) -> Result<Vec<BaseRow>> {
        let used: Vec<String> = self
            .workspace
            .store
            .read(|r| r.runs())?
            .into_iter()
            .map(|r| r.base)
            .collect();
        list(&self.remembered()?, &used, &mut |name, path| {
            self.base_row(name, path)
        })
    }

    /// A base model by its name or the path of its folder, with the folders of this workspace's earlier models.
    pub(crate) fn base(&self, name_or_path: Option<&str>) -> Result<BaseModel> {
        let mut base = BaseModel::named(name_or_path);
        let holds = |folder: &PathBuf| folder.join(&base.name).join(CONFIG_FILE).is_file();
        let known: Vec<PathBuf> = self.remembered()?.into_iter().filter(holds).collect();
        base.folders.extend(known);
        Ok(base)
    }

    /// Remember where a model was found that the user named by its path.
    pub(crate) fn remember(&self, base: &BaseModel) -> Result<()> {
        let mut folders = self.remembered()?;
        let before = folders.len();
        for folder in &base.folders {
            if !folders.contains(folder) {
                folders.push(folder.clone());
            }
        }
        if folders.len() > before {
            self.workspace
                .set_setting(FOLDERS_SETTING, &serde_json::json!(folders).to_string())?;
        }
        Ok(())
    }

    fn remembered(&self) -> Result<Vec<PathBuf>> {
        let store = &self.workspace.store;
        let kept = store.read(|r| r.json_setting(FOLDERS_SETTING))?;
        Ok(kept.unwrap_or_default())
    }

    fn base_row(&self, name: &str, path: Option<&Path>) -> BaseRow {
        let examine = || {
            let found = match path {
                Some(path) => inspect(&BaseModel::named(path.to_str()), None, &[]),
                None => self
                    .base(Some(name))
                    .and_then(|base| inspect(&base, None, &[])),
            };
            row_of(name, path, found)
        };
        // A model without a folder of its own has its name for one.
        let place = path.unwrap_or_else(|| Path::new(name));
        let row = self.workspace.memo::<Inspected>().row(
            place,
            path.and_then(folder_state),
            PATIENCE,
            examine,
        );
        row.unwrap_or_else(|| row_of(name, path, Err(being_examined(name))))
    }
}

fn being_examined(name: &str) -> Failure {
    Failure::new(
        Code::BundleLocked,
        format!("The model {name} is still being examined, which was begun before."),
        "Look again later. If this stays, its disk or the worker hangs: close the program and open it again.",
    )
}

/// Base models that can be chosen without a workspace: the shipped ones and those in the usual folders.
///
/// # Errors
/// When the worker is missing.
pub fn base_models() -> Result<Vec<BaseRow>> {
    list(&[], &[], &mut |name, path| {
        let given = path.and_then(Path::to_str).unwrap_or(name);
        row_of(
            name,
            path,
            inspect(&BaseModel::named(Some(given)), None, &[]),
        )
    })
}

/// The description of each base model on this machine with the hash of its content, or the reason why it cannot be
/// used.
///
/// # Errors
/// When the worker is missing.
pub(crate) fn described() -> Result<Vec<(String, Result<InspectResult>)>> {
    let mut found = Vec::new();
    list(&[], &[], &mut |name, path| {
        let given = path.and_then(Path::to_str).unwrap_or(name);
        let about = inspect(&BaseModel::named(Some(given)), None, &[]);
        found.push((name.to_owned(), about.clone()));
        row_of(name, path, about)
    })?;
    Ok(found)
}

/// Base models in these folders and the usual ones, the shipped ones and those of these names.
fn list(
    remembered: &[PathBuf],
    used: &[String],
    row: &mut dyn FnMut(&str, Option<&Path>) -> BaseRow,
) -> Result<Vec<BaseRow>> {
    // Without a worker, every row would report the same failure.
    let worker = WorkerProgram::locate()?;
    let mut rows: Vec<BaseRow> = Vec::new();
    let mut seen = BTreeSet::new();
    let folders = usual_folders().into_iter().chain(beside(&worker));
    for folder in remembered.iter().cloned().chain(folders) {
        for path in models_in(&folder) {
            let name = name_of(&path);
            // The worker takes the first of a name, and so do we.
            if seen.insert(name.clone()) {
                rows.push(row(&name, Some(&path)));
            }
        }
    }
    // Everything works without the encoder of other languages: where it is missing, only the diagnosis says so.
    let needed = SHIPPED.iter().filter(|name| **name != MULTILINGUAL_ENCODER);
    for name in needed.copied().chain(used.iter().map(String::as_str)) {
        if seen.insert(name.to_owned()) {
            rows.push(row(name, None));
        }
    }
    rows.sort_by_key(|r| (!r.shipped, r.problem.is_some(), r.name.to_lowercase()));
    Ok(rows)
}

/// Folders that hold the models of the installation to which the worker belongs. It searches them last.
fn beside(worker: &WorkerProgram) -> Vec<PathBuf> {
    installed::folder_of_program(worker.path())
        .map(|folder| installed::model_folders(&folder).to_vec())
        .unwrap_or_default()
}

/// The folders of models that are there, each once, in the order in which they are searched.
pub(crate) fn model_places() -> Vec<PathBuf> {
    let mut folders = usual_folders();
    if let Ok(worker) = WorkerProgram::locate() {
        folders.extend(beside(&worker));
    }
    // A folder that is named twice, or by a link, is the same folder.
    let mut seen = BTreeSet::new();
    folders.retain(|folder| folder.canonicalize().is_ok_and(|real| seen.insert(real)));
    folders
}

/// Folders that hold model folders, in the order in which the worker searches them.
fn usual_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(list) = std::env::var_os(MODELS_ENV) {
        folders.extend(std::env::split_paths(&list).filter(|p| !p.as_os_str().is_empty()));
    }
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    if let Some(cache) = cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache"))) {
        folders.push(cache.join("lexforge").join("models"));
    }
    folders.push(Path::new(".deps").join("models"));
    folders
}

fn row_of(name: &str, path: Option<&Path>, found: Result<InspectResult>) -> BaseRow {
    let shipped = SHIPPED.contains(&name);
    let path = path.map(|p| {
        p.canonicalize()
            .unwrap_or_else(|_| p.to_path_buf())
            .display()
            .to_string()
    });
    let row = BaseRow {
        name: name.to_owned(),
        path,
        shipped,
        architecture: String::new(),
        decoder: false,
        parameters: 0,
        problem: None,
    };
    match found {
        Ok(model) => BaseRow {
            architecture: model.architecture.clone(),
            decoder: model.decoder,
            parameters: model.parameters,
            problem: hindrances(&model).into_iter().next(),
            ..row
        },
        Err(failure) => BaseRow {
            problem: Some(failure),
            ..row
        },
    }
}

/// The folder of a base model with a known content, as the worker would find it. `None` if this machine no longer has
/// it.
pub(crate) fn folder_of(base: &BaseModel) -> Option<PathBuf> {
    let beside = WorkerProgram::locate()
        .map(|worker| beside(&worker))
        .unwrap_or_default();
    let folders = base
        .folders
        .iter()
        .cloned()
        .chain(usual_folders())
        .chain(beside);
    let named = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_str() == Some(base.name.as_str()))
    };
    // A searched folder may be the model's itself, whatever it is called.
    let of_folder = |folder: PathBuf| {
        let own = own_name(&folder).is_some_and(|name| name == base.name) || named(&folder);
        [Some(folder.join(&base.name)), own.then_some(folder)]
    };
    let mut found = folders.flat_map(of_folder).flatten();
    found.find(|path| path.join(CONFIG_FILE).is_file())
}

/// The name that a model folder's configuration gives itself.
fn own_name(folder: &Path) -> Option<String> {
    let text = std::fs::read(folder.join(CONFIG_FILE)).ok()?;
    let config: serde_json::Value = serde_json::from_slice(&text).ok()?;
    config.get("_name_or_path")?.as_str().map(str::to_owned)
}

/// The faults because of which a model cannot be used.
pub(crate) fn hindrances(model: &InspectResult) -> Vec<Failure> {
    model.problems.clone()
}

/// Model folders in a folder, by name; the folder itself where it is one.
fn models_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.join(CONFIG_FILE).is_file() {
        found.push(folder.to_path_buf());
    }
    if let Ok(entries) = std::fs::read_dir(folder) {
        found.extend(
            entries
                .flatten()
                .map(|e| e.path())
                .filter(|p| p.join(CONFIG_FILE).is_file()),
        );
    }
    found.sort();
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

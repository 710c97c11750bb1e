//! Model folders: where they are looked for and how their content is named.

use crate::architectures::sizes::LARGEST_CONFIG;
use crate::files;
use crate::texts::modules;
use crate::weights::{INDEX_FILE, SINGLE_FILE};
use crate::{Error, Result};
use lexforge_compute::installed;
use lexforge_domain::protocol::{MODELS_ENV, ModelRef};
use lexforge_domain::{Code, Remedy, Sha256};
use lexforge_text::likeness::nearest;
use sha2::Digest;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Name of the configuration in a model folder.
pub const CONFIG_FILE: &str = "config.json";
/// Name of the tokenizer in a model folder.
pub const TOKENIZER_FILE: &str = "tokenizer.json";

/// Folders in which base models lie, in the order in which they are searched.
#[derive(Clone, Debug, Default)]
pub struct ModelFolders(Vec<PathBuf>);

impl ModelFolders {
    /// The folders to search, in this order:
    /// 1. those named on the command line;
    /// 2. `LEXFORGE_MODELS` (a path list);
    /// 3. `$XDG_CACHE_HOME/lexforge/models` or `~/.cache/lexforge/models`;
    /// 4. `.deps/models` and the demonstration model `models/demo` of a source checkout;
    /// 5. the folder beside the program.
    pub fn usual(named: &[PathBuf]) -> Self {
        let mut folders = named.to_vec();
        if let Some(list) = std::env::var_os(MODELS_ENV) {
            folders.extend(std::env::split_paths(&list).filter(|p| !p.as_os_str().is_empty()));
        }
        let cache = std::env::var_os("XDG_CACHE_HOME")
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
        if let Some(cache) = cache {
            folders.push(cache.join("lexforge").join("models"));
        }
        folders.push(Path::new(".deps").join("models"));
        folders.push(Path::new("models").join("demo"));
        if let Some(beside) = std::env::current_exe()
            .ok()
            .as_deref()
            .and_then(Path::parent)
        {
            folders.extend(beside_program(beside));
        }
        Self(folders)
    }

    /// Only these.
    pub fn only(folders: Vec<PathBuf>) -> Self {
        Self(folders)
    }

    /// The folder of a model: the first folder that has its name and the required content. A searched folder also
    /// counts if it is itself named like the model, or if its `config.json` gives this name (`_name_or_path`, as
    /// Transformers writes it).
    ///
    /// # Errors
    /// [`Code::ModelMissing`] if no folder fits; the message names the folders searched.
    pub fn find(&self, model: &ModelRef) -> Result<PathBuf> {
        let plain = Path::new(&model.name)
            .file_name()
            .is_some_and(|n| n.to_str() == Some(model.name.as_str()));
        if Path::new(&model.name).is_absolute() {
            return Err(Error::told(
                Code::ModelMissing,
                format!("There is no model in the folder {:?} any more.", model.name),
                "Put it back there, or choose another model.",
            ));
        }
        if !plain {
            return Err(Error::told(
                Code::InvalidRequest,
                format!("{:?} is not the name of a model folder.", model.name),
                Remedy::NameModelAlone,
            ));
        }
        let mut other_content = None;
        let mut no_model = None;
        for folder in &self.0 {
            let named = folder
                .file_name()
                .is_some_and(|n| n.to_str() == Some(model.name.as_str()))
                || own_name(folder).is_some_and(|name| name == model.name);
            let candidates = [
                Some(folder.join(&model.name)),
                named.then(|| folder.clone()),
            ];
            for candidate in candidates.into_iter().flatten() {
                if !candidate.join(CONFIG_FILE).is_file() {
                    if candidate.is_dir() {
                        no_model.get_or_insert(candidate);
                    }
                    continue;
                }
                if model.sha256.is_empty() || content_hash(&candidate)? == model.sha256 {
                    return Ok(candidate);
                }
                other_content.get_or_insert(candidate);
            }
        }
        if let (None, Some(folder)) = (&other_content, no_model) {
            return Err(Error::told_of(
                &folder,
                Code::ModelMissing,
                format!("This folder holds no model: it has no {CONFIG_FILE}."),
                "Name the folder in which the model's files lie, as they come from Hugging Face.",
            ));
        }
        Err(match other_content {
            Some(found) => Error::told_of(
                &found,
                Code::ModelMissing,
                format!(
                    "This folder is named {:?} but holds another version of the model than the job asks for.",
                    model.name
                ),
                "Put the version that the job was made with there, or make the job again with this one.",
            ),
            None => Error::told(
                Code::ModelMissing,
                format!(
                    "The model {:?} was not found; searched: {}.",
                    model.name,
                    self.listed()
                ),
                match nearest(&model.name, self.names()) {
                    Some(meant) => format!(
                        "Perhaps {meant:?} is meant, which is there. Otherwise set {MODELS_ENV} to the folder that holds {:?}.",
                        model.name
                    ),
                    None => format!(
                        "Set {MODELS_ENV} to the folder that holds {:?}. The default model comes with the package; in a checkout \
                         tools/setup fetches it.",
                        model.name
                    ),
                },
            ),
        })
    }

    /// The names of the models that are there; a folder that cannot be read has none.
    fn names(&self) -> Vec<String> {
        let within = self
            .0
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok());
        let mut names: Vec<String> = within
            .flat_map(|entries| entries.flatten())
            .filter(|entry| entry.path().join(CONFIG_FILE).is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.extend(self.0.iter().filter_map(|folder| own_name(folder)));
        names.sort();
        names
    }

    fn listed(&self) -> String {
        self.0
            .iter()
            .map(|p| p.display().to_string())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The folders in which models are looked for, given the folder of the programs. The last one is for programs that
/// were built in a source checkout: `models/demo` of this checkout.
fn beside_program(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let checkout = folder.join("..").join("..").join("models").join("demo");
    installed::model_folders(folder)
        .into_iter()
        .chain([checkout])
}

/// The name that a model folder's configuration gives itself.
fn own_name(folder: &Path) -> Option<String> {
    let text = files::read_whole(&folder.join(CONFIG_FILE), LARGEST_CONFIG).ok()?;
    let config: serde_json::Value = serde_json::from_slice(&text).ok()?;
    config.get("_name_or_path")?.as_str().map(str::to_owned)
}

/// The value of [`ModelRef::sha256`]: the SHA-256 of `config.json`, followed by the SHA-256 of the weights' index if
/// there is an index; hexadecimal.
///
/// # Errors
/// If a file cannot be read.
pub fn content_hash(folder: &Path) -> Result<String> {
    let mut hash = files::sha256_of(&folder.join(CONFIG_FILE))?.to_string();
    let index = folder.join(INDEX_FILE);
    if index.is_file() {
        hash.push_str(files::sha256_of(&index)?.as_str());
    }
    Ok(hash)
}

/// One SHA-256 for an encoder's folder and, if there is an adapter, for the folder of the adapter. [`print()`] says
/// which parts of a folder are hashed.
///
/// # Errors
/// As [`print()`].
pub(crate) fn print_with(folder: &Path, adapter: Option<&Path>) -> Result<Sha256> {
    let own = print(folder)?;
    let Some(adapter) = adapter else {
        return Ok(own);
    };
    let both = format!("{own} {}", print(adapter)?);
    Ok(Sha256::of_digest(sha2::Sha256::digest(both)))
}

/// One SHA-256 of everything on which a folder's vectors depend. Small files are hashed whole. Of each file of weights
/// only the length and samples spread over the file are hashed, so that a large model takes no longer than a small one.
/// Samples are enough, because training changes all weights.
///
/// # Errors
/// If a file cannot be read.
pub fn print(folder: &Path) -> Result<Sha256> {
    let mut digest = sha2::Sha256::new();
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .map_err(Error::io(folder))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    names.sort();
    for path in names {
        let weights = path.extension().is_some_and(|end| end == "safetensors");
        let named = path.file_name().and_then(|name| name.to_str());
        if weights {
            sample(&path, &mut digest)?;
        } else if named.is_some_and(|name| DECIDING.contains(&name)) {
            digest.update(files::sha256_of(&path)?.as_str());
        }
    }
    // Dense layers lie in folders of their own.
    for module in modules::of_folder(folder)?.iter().flatten() {
        let weights = folder.join(&module.path).join(SINGLE_FILE);
        if !module.path.is_empty() && weights.is_file() {
            sample(&weights, &mut digest)?;
        }
    }
    Ok(Sha256::of_digest(digest.finalize()))
}

/// Small files that vectors depend on; how texts are read is told apart.
const DECIDING: [&str; 3] = [CONFIG_FILE, TOKENIZER_FILE, "adapter_config.json"];
/// Samples of a file of weights.
const SAMPLES: u64 = 256;
/// Bytes of a sample.
const SAMPLE: usize = 4096;

fn sample(path: &Path, digest: &mut sha2::Sha256) -> Result<()> {
    let mut file = std::fs::File::open(path).map_err(Error::io(path))?;
    let bytes = file.metadata().map_err(Error::io(path))?.len();
    digest.update(bytes.to_le_bytes());
    let mut buffer = vec![0u8; SAMPLE];
    let step = (bytes / SAMPLES).max(SAMPLE as u64);
    let mut at = 0;
    while at < bytes {
        let take = (bytes - at).min(SAMPLE as u64) as usize;
        let part = &mut buffer[..take];
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(part))
            .map_err(Error::io(path))?;
        digest.update(part);
        at += step;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, sha256: &str) -> ModelRef {
        ModelRef {
            name: name.into(),
            sha256: sha256.into(),
        }
    }

    #[test]
    fn a_model_is_found_by_name_and_content() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (folder, text) in [(&first, "{}"), (&second, "{\"a\":1}")] {
            std::fs::create_dir(folder.path().join("m")).unwrap();
            std::fs::write(folder.path().join("m").join(CONFIG_FILE), text).unwrap();
        }
        let folders = ModelFolders::only(vec![first.path().into(), second.path().into()]);
        assert_eq!(
            folders.find(&model("m", "")).unwrap(),
            first.path().join("m")
        );
        let wanted = content_hash(&second.path().join("m")).unwrap();
        assert_eq!(
            folders.find(&model("m", &wanted)).unwrap(),
            second.path().join("m")
        );
        let itself = ModelFolders::only(vec![second.path().join("m")]);
        assert_eq!(
            itself.find(&model("m", &wanted)).unwrap(),
            second.path().join("m")
        );
        std::fs::create_dir(first.path().join("n")).unwrap();
        std::fs::write(
            first.path().join("n").join(CONFIG_FILE),
            r#"{"_name_or_path":"own"}"#,
        )
        .unwrap();
        let named = ModelFolders::only(vec![second.path().into(), first.path().join("n")]);
        assert_eq!(
            named.find(&model("own", "")).unwrap(),
            first.path().join("n")
        );
        for (name, sha256, code) in [
            ("m", "00", Code::ModelMissing),
            ("absent", "", Code::ModelMissing),
            ("../m", "", Code::InvalidRequest),
            ("a/m", "", Code::InvalidRequest),
            ("", "", Code::InvalidRequest),
        ] {
            let failure = folders
                .find(&model(name, sha256))
                .unwrap_err()
                .into_failure();
            assert_eq!(failure.code, code, "{name}");
            assert!(!failure.hint.is_empty());
        }
    }

    #[test]
    fn a_misspelt_model_is_told_with_the_one_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["all-MiniLM-L6-v2", "bge-small"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join(CONFIG_FILE), "{}").unwrap();
        }
        std::fs::create_dir(folder.path().join("all-MiniLM")).unwrap();
        let folders = ModelFolders::only(vec![folder.path().into(), "/nowhere".into()]);
        let hint = |name: &str| {
            folders
                .find(&model(name, ""))
                .unwrap_err()
                .into_failure()
                .hint
        };
        assert!(
            hint("all-MiniLM-L6").contains("\"all-MiniLM-L6-v2\""),
            "{}",
            hint("all-MiniLM-L6")
        );
        assert!(
            !hint("qwen3-8b").contains("Perhaps"),
            "{}",
            hint("qwen3-8b")
        );
        let empty = folders.find(&model("all-MiniLM", "")).unwrap_err();
        let told = empty.into_failure().message;
        assert!(told.contains("it has no config.json"), "{told}");
    }

    #[test]
    fn a_print_tells_weights_apart_that_have_one_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("model.safetensors");
        std::fs::write(folder.path().join(CONFIG_FILE), "{}").unwrap();
        std::fs::write(&weights, vec![1u8; 3_000_000]).unwrap();
        let one = print(folder.path()).unwrap();
        assert_eq!(print(folder.path()).unwrap(), one);
        let content = content_hash(folder.path()).unwrap();
        std::fs::write(folder.path().join("README.md"), "x").unwrap();
        assert_eq!(print(folder.path()).unwrap(), one);
        std::fs::write(&weights, vec![2u8; 3_000_000]).unwrap();
        assert_ne!(print(folder.path()).unwrap(), one);
        assert_eq!(content_hash(folder.path()).unwrap(), content);
        let two = print(folder.path()).unwrap();
        let dense = folder.path().join("2_Dense");
        std::fs::create_dir(&dense).unwrap();
        std::fs::write(dense.join("model.safetensors"), vec![3u8; 3_000]).unwrap();
        assert_eq!(print(folder.path()).unwrap(), two, "no module of the model");
        let list = r#"[{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]"#;
        std::fs::write(folder.path().join("modules.json"), list).unwrap();
        assert_ne!(print(folder.path()).unwrap(), two);
    }
}

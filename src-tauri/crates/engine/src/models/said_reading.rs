//! Stores how the model of a folder reads texts, in the files that Sentence Transformers keeps beside a model.
//! Everything that makes vectors reads these files. So a setting made once applies to search, graph, training and
//! bench.

use super::bases::SHIPPED;
use super::inspect::inspect_model;
use crate::workspace::{Result, file_failure, io_failure};
use lexforge_domain::api::SaidReading;
use lexforge_domain::protocol::{InspectResult, Pooling};
use lexforge_domain::{Code, Failure};
use lexforge_files::aside::Aside;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Files by their names in a model's folder.
const MODULES: &str = "modules.json";
const POOLING: &str = "1_Pooling";
const PROMPTS: &str = "config_sentence_transformers.json";
const LENGTHS: [&str; 3] = [
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_xlm-roberta_config.json",
];

/// Writes into the folder how its model reads texts, and describes the model as it is afterwards. Other settings in
/// the files stay. If the model cannot read texts in that way, the files are restored.
///
/// # Errors
/// When there is no model in the folder, it comes with Lexforge, a file of it is damaged or cannot be written, or the
/// model cannot read texts in that way.
pub fn say_reading(folder: &Path, said: &SaidReading) -> Result<InspectResult> {
    let named = folder.to_string_lossy();
    if SHIPPED.iter().any(|own| folder.ends_with(own)) {
        return Err(Failure::invalid(
            format!(
                "{named} comes with Lexforge, and the graphs of all workspaces count on how it reads."
            ),
            "Copy its folder under another name, and say it of the copy.",
        ));
    }
    if !folder.join("config.json").is_file() {
        return Err(Failure::new(
            Code::ModelMissing,
            format!("There is no model in {named}: it holds no config.json."),
            "Name the folder of a model.",
        ));
    }
    let mut changed = Changed::default();
    let found = changed
        .say(folder, said)
        .and_then(|()| inspect_model(&named))
        .and_then(
            |model| match model.problems.iter().find(|_| model.reading.is_none()) {
                Some(problem) => Err(problem.clone()),
                None => Ok(model),
            },
        );
    if found.is_err() {
        changed.undo();
    }
    found
}

/// Where the pooling is said: as the list of modules has it, or by its usual name.
fn pooling_folder(folder: &Path) -> Result<String> {
    let modules = match read(&folder.join(MODULES))? {
        None => return Ok(POOLING.to_owned()),
        Some(modules) => modules,
    };
    let pools = |module: &&Value| {
        let kind = module["type"].as_str().unwrap_or_default();
        kind.rsplit('.').next() == Some("Pooling")
    };
    let listed = modules.as_array().into_iter().flatten().find(pools);
    let path = listed.and_then(|module| module["path"].as_str());
    // A list without a pooling, or one that leads out of the folder, is refused where the model is read.
    Ok(match path {
        Some(path) if !path.is_empty() && !path.contains(['/', '\\', '.']) => path.to_owned(),
        _ => POOLING.to_owned(),
    })
}

/// Sets one way of pooling and switches off all others.
fn say_pooling(file: &mut Map<String, Value>, pooling: Pooling) {
    file.retain(|name, _| !name.starts_with("pooling_mode"));
    let ways = [
        ("cls_token", Pooling::Cls),
        ("mean_tokens", Pooling::Mean),
        ("max_tokens", Pooling::Max),
        ("mean_sqrt_len_tokens", Pooling::MeanSqrt),
        ("weightedmean_tokens", Pooling::WeightedMean),
        ("lasttoken", Pooling::Last),
    ];
    for (name, way) in ways {
        file.insert(format!("pooling_mode_{name}"), json!(way == pooling));
    }
}

/// The files that were written, with what stood in them.
#[derive(Default)]
struct Changed(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Changed {
    /// Writes all that is said; where a file cannot be written, those before it are.
    fn say(&mut self, folder: &Path, said: &SaidReading) -> Result<()> {
        if let Some(pooling) = said.pooling {
            let name = format!("{}/config.json", pooling_folder(folder)?);
            self.edit(folder, &name, |file| say_pooling(file, pooling))?;
        }
        if said.question.is_some() || said.passage.is_some() {
            self.edit(folder, PROMPTS, |file| {
                let mut prompts = match file.remove("prompts") {
                    Some(Value::Object(prompts)) => prompts,
                    _ => Map::new(),
                };
                for (name, text) in [("query", &said.question), ("document", &said.passage)] {
                    if let Some(text) = text {
                        prompts.insert(name.to_owned(), json!(text));
                    }
                }
                file.insert("prompts".to_owned(), Value::Object(prompts));
            })?;
        }
        if let Some(most) = said.max_length {
            let there = LENGTHS.iter().find(|name| folder.join(name).is_file());
            self.edit(folder, there.unwrap_or(&LENGTHS[0]), |file| {
                file.insert("max_seq_length".to_owned(), json!(most));
            })?;
        }
        Ok(())
    }

    fn edit(
        &mut self,
        folder: &Path,
        name: &str,
        edit: impl FnOnce(&mut Map<String, Value>),
    ) -> Result<()> {
        let path = folder.join(name);
        let mut file = match read(&path)? {
            None => Map::new(),
            Some(Value::Object(file)) => file,
            Some(_) => return Err(damaged(name, "it is no object")),
        };
        let before = std::fs::read(&path).ok();
        edit(&mut file);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|e| io_failure(&e, parent))?;
        }
        let text = format!("{:#}\n", Value::Object(file));
        Aside::write_whole(&path, text.as_bytes()).map_err(file_failure)?;
        self.0.push((path, before));
        Ok(())
    }

    /// Restores the files as they were before, the last changed one first. A file that cannot be restored is skipped,
    /// because the caller already reports the error that led here.
    fn undo(self) {
        for (path, before) in self.0.into_iter().rev() {
            let _ = match before {
                Some(bytes) => Aside::write_whole(&path, &bytes).is_ok(),
                None => std::fs::remove_file(&path).is_ok(),
            };
        }
    }
}

fn read(path: &Path) -> Result<Option<Value>> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(path).map_err(|e| io_failure(&e, path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|e| damaged(&name, &e.to_string()))
}

fn damaged(name: &str, why: &str) -> Failure {
    Failure::new(
        Code::ModelMissing,
        format!("The model's {name} cannot be read: {why}."),
        "Copy the model's folder again.",
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_way_of_pooling_takes_the_place_of_all_others() {
        let mut file = json!({
            "word_embedding_dimension": 16,
            "pooling_mode_mean_tokens": true,
            "pooling_mode_max_tokens": true,
            "pooling_mode": "mean"
        });
        let file = file.as_object_mut().unwrap();
        say_pooling(file, Pooling::Cls);
        let on: Vec<&str> = file
            .iter()
            .filter(|(_, value)| **value == json!(true))
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(on, ["pooling_mode_cls_token"]);
        assert_eq!(file["word_embedding_dimension"], 16);
        assert!(!file.contains_key("pooling_mode"));
    }

    #[test]
    fn the_list_of_modules_says_where_the_pooling_stands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(pooling_folder(path).unwrap(), POOLING);
        let list = |at: &str| {
            let text = json!([
                { "type": "sentence_transformers.models.Transformer", "path": "" },
                { "type": "sentence_transformers.models.Pooling", "path": at },
            ]);
            std::fs::write(path.join(MODULES), text.to_string()).unwrap();
        };
        list("pool");
        assert_eq!(pooling_folder(path).unwrap(), "pool");
        // Nothing is written outside of the model's folder.
        list("../elsewhere");
        assert_eq!(pooling_folder(path).unwrap(), POOLING);
        std::fs::write(path.join(MODULES), "[").unwrap();
        assert_eq!(pooling_folder(path).unwrap_err().code, Code::ModelMissing);
    }

    #[test]
    fn what_cannot_be_is_refused_and_what_was_changed_goes_back() {
        let folder = tempfile::tempdir().unwrap();
        let said = SaidReading::default();
        let refused = say_reading(folder.path(), &said).unwrap_err();
        assert_eq!(refused.code, Code::ModelMissing);
        for own in SHIPPED {
            let refused = say_reading(&folder.path().join(own), &said).unwrap_err();
            assert_eq!(refused.code, Code::InvalidRequest, "{own}");
        }

        let mut changed = Changed::default();
        std::fs::write(folder.path().join(PROMPTS), "{\"prompts\": {}}").unwrap();
        let length = |file: &mut Map<String, Value>| {
            file.insert("max_seq_length".to_owned(), json!(128));
        };
        changed.edit(folder.path(), PROMPTS, length).unwrap();
        changed.edit(folder.path(), LENGTHS[0], length).unwrap();
        changed.undo();
        let there = std::fs::read_to_string(folder.path().join(PROMPTS)).unwrap();
        assert_eq!(there, "{\"prompts\": {}}");
        assert!(!folder.path().join(LENGTHS[0]).exists());
    }

    /// The pooling is written before the prompts, whose file turns out to be no JSON.
    #[test]
    fn where_a_later_file_is_damaged_the_earlier_ones_are_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.json"), "{}").unwrap();
        std::fs::write(folder.path().join(PROMPTS), "{").unwrap();
        let said = SaidReading {
            pooling: Some(Pooling::Cls),
            question: Some("query: ".to_owned()),
            ..SaidReading::default()
        };
        let refused = say_reading(folder.path(), &said).unwrap_err();
        assert_eq!(refused.code, Code::ModelMissing);
        assert!(!folder.path().join(POOLING).join("config.json").exists());
    }
}

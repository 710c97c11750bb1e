//! The files that tell Sentence Transformers how an exported encoder reads texts. They are needed if the files of the
//! base say something else.

use crate::adapters::adapter::Adapter;
use crate::export::output::whole;
use crate::files::pretty;
use crate::texts::modules::{self, MODULES_FILE};
use crate::texts::reading;
use crate::{Error, Result};
use lexforge_domain::protocol::{ExportedFile, Pooling, TextReading};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The text before a module's name in the list.
const PACKAGE: &str = "sentence_transformers.models";

/// Writes how texts are read with the adapter, unless the files copied from the base already say exactly this. A
/// written file replaces the copy of the same name in `files`.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn write_reading(
    base: &Path,
    adapter: &Adapter,
    hidden: usize,
    folder: &Path,
    files: &mut Vec<ExportedFile>,
) -> Result<()> {
    let of_base = reading::of_folder(base)?;
    let reading = reading::with_adapter(of_base.clone(), Some(adapter));
    if reading == of_base && modules::of_folder(base)?.is_some() {
        return Ok(());
    }
    let mut write = |name: &str, content: Value| -> Result<()> {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(Error::io(parent))?;
        }
        if path.is_file() {
            std::fs::remove_file(&path).map_err(Error::io(&path))?;
        }
        files.retain(|file| file.name != name);
        files.push(ExportedFile {
            name: name.to_owned(),
            ..whole(&path, &pretty(&content)?)?
        });
        Ok(())
    };
    write(MODULES_FILE, list(&reading))?;
    write("1_Pooling/config.json", pooling(reading.pooling, hidden))?;
    write(
        "sentence_bert_config.json",
        json!({ "max_seq_length": reading.max_length, "do_lower_case": false }),
    )?;
    let mut prompts = Map::new();
    for (name, prompt) in [("query", &reading.question), ("document", &reading.passage)] {
        prompts.insert(name.to_owned(), prompt.as_str().into());
    }
    let similarity = if reading.normalize { "cosine" } else { "dot" };
    write(
        "config_sentence_transformers.json",
        json!({ "prompts": prompts, "default_prompt_name": null, "similarity_fn_name": similarity }),
    )
}

fn list(reading: &TextReading) -> Value {
    let mut modules: Vec<(&str, &str)> = vec![("Transformer", ""), ("Pooling", "1_Pooling")];
    modules.extend(
        reading
            .dense
            .iter()
            .map(|layer| ("Dense", layer.path.as_str())),
    );
    if reading.normalize {
        modules.push(("Normalize", "3_Normalize"));
    }
    let module = |(number, (kind, path)): (usize, (&str, &str))| json!({ "idx": number, "name": number.to_string(), "path": path, "type": format!("{PACKAGE}.{kind}") });
    modules.into_iter().enumerate().map(module).collect()
}

fn pooling(pooling: Pooling, hidden: usize) -> Value {
    let mode = match pooling {
        Pooling::Mean => "mean_tokens",
        Pooling::Cls => "cls_token",
        Pooling::Last => "lasttoken",
        Pooling::Max => "max_tokens",
        Pooling::MeanSqrt => "mean_sqrt_len_tokens",
        Pooling::WeightedMean => "weightedmean_tokens",
    };
    json!({ "word_embedding_dimension": hidden, format!("pooling_mode_{mode}"): true })
}

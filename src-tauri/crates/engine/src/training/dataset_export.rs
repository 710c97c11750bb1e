//! Snapshots as files for training with other programs.
//!
//! The folder holds one file for each part, a card for people (`README.md`), and `snapshot.json`, which identifies the
//! snapshot by its hash, its rule and the head of the audit chain. Alpaca and ShareGPT are written as LLaMA-Factory
//! reads them, with its `dataset_info.json`.

use super::Training;
use super::dataset_card::{About, CARD_FILE, card};
use super::written::Written;
use crate::corpus::personal_counts;
use crate::workspace::{Result, io_failure};
use lexforge_domain::api::{
    DatasetExport, DatasetExportRequest, DatasetFormat, DocumentRow, PersonalKind,
};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::document::Sentence;
use lexforge_domain::qca::{Qca, QcaLevel, Split};
use lexforge_domain::{Code, DocumentId, Failure, Remedy, SentenceId};
use lexforge_store::DatasetItem;
use lexforge_text::is_han;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

/// The side file.
const SIDE: &str = "snapshot.json";
/// The file that LLaMA-Factory reads first.
const INFO: &str = "dataset_info.json";

impl Training<'_> {
    /// Writes a snapshot into a folder.
    ///
    /// # Errors
    /// When there is no snapshot, the folder holds something already, or it cannot be written.
    pub fn export_dataset(&self, request: &DatasetExportRequest) -> Result<DatasetExport> {
        let dataset = self.snapshot_to_export(request)?;
        let licence = request.licence.as_deref().map(str::trim);
        let licence = licence.filter(|text| !text.is_empty());
        let folder = Path::new(&request.out);
        empty_folder(folder)?;
        let (sentences, documents, audit_head) = self
            .workspace
            .store
            .read(|r| Ok((r.sentences(None)?, r.documents()?, r.audit_head()?)))?;
        let document_of: HashMap<SentenceId, DocumentId> =
            sentences.iter().map(|s| (s.id, s.document)).collect();
        let personal_of = personal_of(&sentences);
        let texts: HashMap<SentenceId, String> =
            sentences.into_iter().map(|s| (s.id, s.text)).collect();
        let mut written = Written::default();
        let Parts { files, of_document } = self.write_parts(
            request,
            &dataset,
            &texts,
            &document_of,
            folder,
            &mut written,
        )?;
        if request.format != DatasetFormat::Jsonl {
            written.write(&folder.join(INFO), |out| {
                writeln!(out, "{:#}", info(&dataset, request.format))
            })?;
        }
        let mut personal: BTreeMap<PersonalKind, u64> = BTreeMap::new();
        let used = of_document.keys().flatten();
        for (kind, n) in used.filter_map(|id| personal_of.get(id)).flatten() {
            *personal.entry(*kind).or_default() += n;
        }
        let side = json!({
            "snapshot": dataset,
            "format": request.format,
            "without_choices": request.without_choices,
            "items": files,
            "audit_head": audit_head,
            "licence": licence,
            "personal": personal,
            "written_by": concat!("lexforge ", env!("CARGO_PKG_VERSION")),
        });
        let counted: Vec<(&DocumentRow, u64)> = documents
            .iter()
            .filter_map(|row| Some((row, *of_document.get(&Some(row.id))?)))
            .collect();
        let about = About {
            dataset: &dataset,
            documents: &counted,
            without_document: of_document.get(&None).copied().unwrap_or(0),
            personal: &personal,
            licence,
            files: &files,
            audit_head: &audit_head,
        };
        let card = card(&about);
        written.write(&folder.join(CARD_FILE), |out| {
            out.write_all(card.as_bytes())
        })?;
        written.write(&folder.join(SIDE), |out| writeln!(out, "{side:#}"))?;
        self.workspace.store.write(&self.workspace.actor, |w| {
            let what = format!(
                "{} as {}, hash {}",
                request.out,
                request.format.tag(),
                dataset.hash
            );
            w.note(
                "dataset.export",
                &format!("dataset {}", dataset.id),
                Some(&what),
            )
        })?;
        written.keep();
        Ok(DatasetExport {
            dataset: dataset.id,
            hash: dataset.hash,
            format: request.format,
            folder: request.out.clone(),
            files,
            audit_head,
        })
    }

    /// The snapshot that is meant: the newest where none is named.
    fn snapshot_to_export(&self, request: &DatasetExportRequest) -> Result<Dataset> {
        match request.dataset {
            Some(id) => self.dataset(id),
            None => self.datasets()?.into_iter().next().ok_or_else(|| {
                Failure::new(
                    Code::StepMissing,
                    "There is no snapshot to export.",
                    Remedy::FreezeSnapshot,
                )
            }),
        }
    }

    /// Writes a file for each part. `texts` and `document_of` have the text and the document of each sentence.
    fn write_parts(
        &self,
        request: &DatasetExportRequest,
        dataset: &Dataset,
        texts: &HashMap<SentenceId, String>,
        document_of: &HashMap<SentenceId, DocumentId>,
        folder: &Path,
        written: &mut Written,
    ) -> Result<Parts> {
        let store = &self.workspace.store;
        let mut parts = Parts::default();
        for split in Split::ALL {
            let items = store.read(|r| r.dataset_items(dataset.id, Some(split)))?;
            let mut rows = Vec::with_capacity(items.len());
            for item in &items {
                let value = read_item(item)?;
                let question = question_of(&value)?;
                let document = document_of.get(&question.draft.anchor_sentence).copied();
                *parts.of_document.entry(document).or_default() += 1;
                rows.push(row(item, &value, &question, request, texts)?);
            }
            let name = file_name(split, request.format);
            written.write(&folder.join(&name), |out| match request.format {
                DatasetFormat::Jsonl => rows.iter().try_for_each(|row| writeln!(out, "{row}")),
                _ => writeln!(out, "{:#}", Value::from(rows.clone())),
            })?;
            parts.files.insert(name, rows.len() as u64);
        }
        Ok(parts)
    }
}

/// How many items each file has, and how many come from each document.
#[derive(Default)]
struct Parts {
    files: BTreeMap<String, u64>,
    of_document: HashMap<Option<DocumentId>, u64>,
}

/// The data of persons in each document.
fn personal_of(sentences: &[Sentence]) -> HashMap<DocumentId, BTreeMap<PersonalKind, u64>> {
    let mut sentences_of: HashMap<DocumentId, Vec<&Sentence>> = HashMap::new();
    for sentence in sentences {
        let of = sentences_of.entry(sentence.document).or_default();
        of.push(sentence);
    }
    sentences_of
        .into_iter()
        .map(|(document, of)| (document, personal_counts(of.into_iter())))
        .collect()
}

fn file_name(split: Split, format: DatasetFormat) -> String {
    let ending = if format == DatasetFormat::Jsonl {
        "jsonl"
    } else {
        "json"
    };
    format!("{}.{ending}", split.tag())
}

fn unreadable() -> Failure {
    Failure::new(
        Code::WorkspaceInvalid,
        "An item of the snapshot cannot be read.",
        Remedy::VerifyAudit,
    )
}

fn read_item(item: &DatasetItem) -> Result<Value> {
    serde_json::from_str(&item.json).map_err(|_| unreadable())
}

fn question_of(value: &Value) -> Result<Qca> {
    let question = value.get("question").cloned();
    question
        .and_then(|q| serde_json::from_value(q).ok())
        .ok_or_else(unreadable)
}

/// One item in the requested form.
fn row(
    item: &DatasetItem,
    value: &Value,
    question: &Qca,
    request: &DatasetExportRequest,
    texts: &HashMap<SentenceId, String>,
) -> Result<Value> {
    let draft = &question.draft;
    let answer = draft.choices.get(draft.answer).ok_or_else(unreadable)?;
    Ok(match request.format {
        DatasetFormat::Jsonl => json!({
            "id": question.id,
            "level": draft.level,
            "type": draft.question_type,
            "question": draft.question,
            "choices": draft.choices,
            "answer": draft.answer,
            "answer_text": answer,
            "rephrased": draft.rephrased,
            "anchor_sentence": draft.anchor_sentence,
            "anchor_text": texts.get(&draft.anchor_sentence),
            "source": draft.source,
            "status": question.status,
            "split": item.split,
            // A snapshot of an earlier version has numbers only.
            "cluster": value.get("cluster_name").cloned().unwrap_or_else(|| json!(format!("cluster {}", item.cluster))),
        }),
        DatasetFormat::Alpaca => {
            json!({ "instruction": asked(question, request.without_choices), "input": "", "output": answer })
        }
        DatasetFormat::Sharegpt => json!({ "conversations": [
            { "from": "human", "value": asked(question, request.without_choices) },
            { "from": "gpt", "value": answer },
        ]}),
    })
}

/// The question as a person would put it, with its choices a line each; the answer is the text of one of them.
fn asked(question: &Qca, without_choices: bool) -> String {
    let draft = &question.draft;
    if without_choices {
        return draft.question.clone();
    }
    let chinese = draft.question.chars().any(is_han);
    let lead = match (draft.level, chinese) {
        (QcaLevel::Sentence, false) => "Answer with one of these sentences:",
        (QcaLevel::Token, false) => "Answer with one of these terms:",
        (QcaLevel::Sentence, true) => "请从下列句子中选出答案：",
        (QcaLevel::Token, true) => "请从下列术语中选出答案：",
    };
    let choices: Vec<String> = draft.choices.iter().map(|c| format!("- {c}")).collect();
    format!("{}\n\n{lead}\n{}", draft.question, choices.join("\n"))
}

/// LLaMA-Factory's description of the files, a data set a part.
fn info(dataset: &Dataset, format: DatasetFormat) -> Value {
    let of = |split: Split| {
        let mut entry = json!({ "file_name": file_name(split, format) });
        if format == DatasetFormat::Sharegpt {
            entry["formatting"] = json!("sharegpt");
            entry["columns"] = json!({ "messages": "conversations" });
            entry["tags"] = json!({
                "role_tag": "from", "content_tag": "value", "user_tag": "human", "assistant_tag": "gpt",
            });
        } else {
            entry["columns"] =
                json!({ "prompt": "instruction", "query": "input", "response": "output" });
        }
        (
            format!(
                "lexforge_{}_{}",
                dataset.hash.get(..8).unwrap_or_default(),
                split.tag()
            ),
            entry,
        )
    };
    Split::ALL
        .into_iter()
        .map(of)
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Creates the folder. A folder that is not empty is refused.
fn empty_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| io_failure(&e, folder))?;
    let mut entries = std::fs::read_dir(folder).map_err(|e| io_failure(&e, folder))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(Failure::invalid(
            format!("{} is not empty.", folder.display()),
            "Name a folder that is not there yet, or an empty one.",
        )),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

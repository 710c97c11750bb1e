//! Tests of `dataset_export`.

use super::*;
use crate::review::fixture::Fixture;
use lexforge_domain::api::QuestionFilter;
use lexforge_store::NewDataset;

/// A workspace with a snapshot of its questions.
fn frozen() -> (Fixture, Dataset) {
    let fixture = Fixture::of(6);
    let rows = fixture
        .engine
        .writing()
        .questions(&QuestionFilter::default())
        .unwrap()
        .rows;
    let items = rows.iter().map(|row| DatasetItem {
        qca: row.question.id,
        split: row.question.split,
        cluster: 1,
        answer_group: 1,
        json: json!({ "question": row.question, "cluster": 1, "answer_group": 1 }).to_string(),
    });
    let new = NewDataset {
        policy: lexforge_domain::dataset::ReviewPolicy::UnreviewedAutomatic,
        review: Default::default(),
        hash: "ab".repeat(32),
        train: Default::default(),
        dev: Default::default(),
        test: Default::default(),
        by_type: BTreeMap::new(),
        shortcuts: Vec::new(),
        flagged: false,
        split_unit: "section".to_owned(),
        shares: Some(Default::default()),
        cluster_kind: Default::default(),
        clusters: Default::default(),
        set_aside: 0,
        leak_check: Default::default(),
        corpus_hash: String::new(),
        seed: 1,
        items: items.collect(),
    };
    let id = fixture
        .engine
        .workspace()
        .store
        .write("tester", |w| w.insert_dataset(&new))
        .unwrap();
    let dataset = fixture.engine.training().dataset(id).unwrap();
    (fixture, dataset)
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_form_can_be_read_by_who_expects_it() {
    let (fixture, dataset) = frozen();
    let folder = tempfile::tempdir().unwrap();
    for format in DatasetFormat::ALL {
        let out = folder.path().join(format.tag());
        let request = DatasetExportRequest {
            format,
            licence: (format == DatasetFormat::Jsonl).then(|| " CC BY 4.0 ".to_owned()),
            out: out.display().to_string(),
            ..DatasetExportRequest::default()
        };
        let head = fixture
            .engine
            .workspace()
            .store
            .read(|r| r.audit_head())
            .unwrap();
        let done = fixture.engine.training().export_dataset(&request).unwrap();
        assert_eq!((done.files.len(), done.files.values().sum::<u64>()), (3, 6));
        let side = read(&out.join(SIDE));
        assert_eq!(
            (
                side["snapshot"]["hash"].as_str(),
                side["audit_head"].as_str()
            ),
            (Some(&*dataset.hash), Some(&*head))
        );
        assert_eq!(done.audit_head, head);
        let card = std::fs::read_to_string(out.join(CARD_FILE)).unwrap();
        let documents = fixture.engine.corpus().documents().unwrap();
        let hash = &documents[0].sha256;
        assert!(card.contains(&format!("| 6 | {hash} |")), "{card}");
        assert!(card.contains(&dataset.hash) && card.contains(&head));
        assert!(card.contains("in the shares 6:1:3"));
        assert!(card.contains("unreviewed (automatic)") && card.contains("nothing is known"));
        let licence = ["named none", "CC BY 4.0"];
        let [none, named] = licence.map(|words| card.contains(words));
        assert_eq!(
            [none, named],
            [
                format != DatasetFormat::Jsonl,
                format == DatasetFormat::Jsonl
            ]
        );
        assert_eq!(side["licence"].as_str(), named.then_some("CC BY 4.0"));
        for split in Split::ALL {
            let path = out.join(file_name(split, format));
            let text = std::fs::read_to_string(&path).unwrap();
            let rows: Vec<Value> = match format {
                DatasetFormat::Jsonl => text
                    .lines()
                    .map(|line| serde_json::from_str(line).unwrap())
                    .collect(),
                _ => read(&path).as_array().unwrap().clone(),
            };
            assert_eq!(rows.len(), 2);
            for row in &rows {
                let (question, answer) = match format {
                    DatasetFormat::Jsonl => {
                        assert_eq!(
                            row["choices"][row["answer"].as_u64().unwrap() as usize],
                            row["answer_text"]
                        );
                        assert_eq!(row["split"], split.tag());
                        assert!(row["anchor_text"].as_str().unwrap().contains("duty"));
                        (row["question"].clone(), row["answer_text"].clone())
                    }
                    DatasetFormat::Alpaca => {
                        let mut keys: Vec<&String> = row.as_object().unwrap().keys().collect();
                        keys.sort();
                        assert_eq!(keys, ["input", "instruction", "output"]);
                        (row["instruction"].clone(), row["output"].clone())
                    }
                    DatasetFormat::Sharegpt => {
                        let turns = row["conversations"].as_array().unwrap();
                        assert_eq!(
                            (turns.len(), &turns[0]["from"], &turns[1]["from"]),
                            (2, &json!("human"), &json!("gpt"))
                        );
                        (turns[0]["value"].clone(), turns[1]["value"].clone())
                    }
                };
                let (question, answer) = (question.as_str().unwrap(), answer.as_str().unwrap());
                assert!(
                    question.starts_with("Who shall keep record") && answer.starts_with("duty")
                );
                // The right choice stands among those shown, word for word.
                assert!(
                    format == DatasetFormat::Jsonl || question.contains(&format!("\n- {answer}")),
                    "{question}"
                );
            }
        }
        if format != DatasetFormat::Jsonl {
            let info = read(&out.join(INFO));
            for (name, entry) in info.as_object().unwrap() {
                assert!(
                    name.starts_with("lexforge_")
                        && out.join(entry["file_name"].as_str().unwrap()).exists()
                );
            }
        }
        // A folder that is not empty is refused.
        assert_eq!(
            fixture
                .engine
                .training()
                .export_dataset(&request)
                .unwrap_err()
                .code,
            Code::InvalidRequest
        );
    }
    let out = folder.path().join("qa").display().to_string();
    let request = DatasetExportRequest {
        format: DatasetFormat::Alpaca,
        without_choices: true,
        out,
        ..Default::default()
    };
    fixture.engine.training().export_dataset(&request).unwrap();
    let rows = read(&folder.path().join("qa/train.json"));
    assert!(rows[0]["instruction"].as_str().unwrap().ends_with('?'));
}

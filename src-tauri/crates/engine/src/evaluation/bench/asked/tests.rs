//! Tests of `asked`.

use super::*;
use std::cell::Cell;

fn asked() -> Asked {
    let model = serde_json::json!({
        "name": "m", "sha256": "", "architecture": "bert", "parameters": 1, "layers": 1, "hidden_size": 1,
        "vocabulary": 1, "max_positions": 1, "dtype": "f32", "bytes": 1, "reading": null, "problems": [],
        "memory": null,
    });
    Asked {
        model: serde_json::from_value(model).unwrap(),
        items: Vec::new(),
        vectors_alone: false,
        open: false,
    }
}

#[test]
fn a_model_is_looked_at_again_if_it_or_what_it_is_asked_has_changed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("m");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("config.json"), "{}").unwrap();
    let base = BaseModel::named(folder.to_str());
    let (looks, count) = (Looks::default(), Cell::new(0));
    let ask = |base: &BaseModel, questions: Questions<'_>, documents: &[(DocumentId, Language)]| {
        let look = || {
            count.set(count.get() + 1);
            Ok(asked())
        };
        looks.of(questions, base, documents.to_vec(), look).unwrap();
        count.get()
    };
    let english = [(DocumentId(1), Language::En)];
    assert_eq!(ask(&base, Questions::Others(&[]), &english), 1);
    assert_eq!(ask(&base, Questions::Others(&[]), &english), 1);
    assert_eq!(ask(&base, Questions::ByVectors(&[]), &english), 2);
    let chinese = [(DocumentId(1), Language::Zh)];
    assert_eq!(ask(&base, Questions::Others(&[]), &chinese), 3);
    let other = BaseModel {
        sha256: "another".to_owned(),
        ..base.clone()
    };
    assert_eq!(ask(&other, Questions::Others(&[]), &english), 4);
    std::fs::write(folder.join("model.safetensors"), "weights").unwrap();
    assert_eq!(ask(&base, Questions::Others(&[]), &english), 5);
    assert_eq!(ask(&base, Questions::Others(&[]), &english), 5);
}

//! Exports a trained run from the workspace: as a merged model, as GGUF, and as an adapter. Each export has its figures
//! and hashes, and a row of the audit chain.

use crate::prepared;
use lexforge_tests::product::{Product, refused};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;

const WS: &str = "a.lexforge";

fn figure(export: &Value, measure: &str) -> f64 {
    let figures = export["parity"]["figures"].as_array().unwrap();
    figures
        .iter()
        .find(|figure| figure["measure"] == measure)
        .unwrap()["value"]
        .as_f64()
        .unwrap()
}

/// Every file is there with the bytes and the hash that the result names.
#[track_caller]
fn whole(folder: &Path, export: &Value) {
    for file in export["files"].as_array().unwrap() {
        let bytes = std::fs::read(folder.join(file["name"].as_str().unwrap())).unwrap();
        assert_eq!(
            hex::encode(Sha256::digest(&bytes)),
            file["sha256"],
            "{file}"
        );
        assert_eq!(bytes.len() as u64, file["bytes"].as_u64().unwrap());
    }
    let card = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for words in [
        export["adapter_sha256"].as_str().unwrap(),
        "What it is not for",
        "in both directions",
    ] {
        assert!(card.contains(words), "{words}\n{card}");
    }
}

#[test]
fn a_run_leaves_in_every_form_with_its_proof() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    let job = prepared::trained_decoder(&lexforge.path(WS)).unwrap();
    let adapter = job["run"]["adapter"].as_str().unwrap().to_owned();
    let export = |words: &[&str]| {
        let words: Vec<&str> = ["models", "export", WS]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        lexforge.json(&words)
    };

    let merged = export(&[
        "1",
        "--format",
        "merged",
        "--dtype",
        "f32",
        "--out",
        "out/merged",
        "--shard-mb",
        "4",
    ]);
    whole(&lexforge.path("out/merged"), &merged);
    assert_eq!(
        (&merged["adapter_sha256"], &merged["run"]),
        (&Value::from(adapter.as_str()), &Value::from(1))
    );
    assert!(figure(&merged, "largest_difference") <= 1e-4, "{merged:#}");
    assert_eq!(
        (
            &merged["parity"]["prompts"],
            &merged["parity"]["same_tokens"]
        ),
        (&Value::from(50), &Value::from(50))
    );
    assert!(
        merged["parity"]["own_prompts"].as_u64().unwrap() < 50,
        "the run's own questions are not asked"
    );
    assert!(
        lexforge
            .path("out/merged/model.safetensors.index.json")
            .is_file()
    );
    assert_eq!(
        merged["lineage"]["dataset"], job["dataset"]["hash"],
        "{:#}",
        merged["lineage"]
    );
    let inspected = lexforge.json(&[
        "models",
        "inspect",
        lexforge.path("out/merged").to_str().unwrap(),
    ]);
    assert_eq!(
        (&inspected["dtype"], &inspected["problems"]),
        (&Value::from("F32"), &Value::Array(vec![]))
    );

    // The usual types, the newest run, a folder beside the workspace.
    let gguf = export(&["--format", "gguf"]);
    assert_eq!(gguf["dtype"], "q8_0");
    let folder = Path::new(gguf["folder"].as_str().unwrap()).to_owned();
    assert_eq!(
        folder,
        lexforge.path("a-run-1-gguf-q8_0").canonicalize().unwrap()
    );
    whole(&folder, &gguf);
    for measure in ["mean_kl", "largest_kl", "agreement"] {
        println!("gguf q8_0 {measure}: {}", figure(&gguf, measure));
    }
    let peft = export(&["1", "--format", "peft", "--out", "out/peft"]);
    whole(&lexforge.path("out/peft"), &peft);
    assert_eq!(peft["parity"], Value::Null);

    // Existing files are not replaced without the option, and with it only an earlier export is replaced.
    let again = |words: &[&str]| {
        let words: Vec<&str> = ["models", "export", WS, "--json", "--format", "peft"]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        lexforge.run(&words)
    };
    assert!(refused(&again(&["--out", "out/peft"]), "invalid_request").contains("exists"));
    assert_eq!(again(&["--out", "out/peft", "--replace"]).code, 0);
    std::fs::create_dir(lexforge.path("mine")).unwrap();
    std::fs::write(lexforge.path("mine/letter.txt"), "mine").unwrap();
    refused(&again(&["--out", "mine", "--replace"]), "invalid_request");
    assert!(lexforge.path("mine/letter.txt").is_file());
    refused(
        &again(&["--dtype", "f32", "--out", "out/x"]),
        "invalid_request",
    );
    refused(&again(&["7", "--out", "out/x"]), "not_found");
    assert!(!lexforge.path("out/x").exists());
    // No temporary files remain.
    let left: Vec<_> = std::fs::read_dir(lexforge.path("out"))
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");

    let rows = lexforge.lines(&["audit", "list", WS]);
    let exports: Vec<&Value> = rows
        .iter()
        .filter(|row| row["action"] == "model.export")
        .collect();
    assert_eq!(exports.len(), 4);
    let hash = merged["files"][0]["sha256"].as_str().unwrap();
    assert!(
        exports
            .iter()
            .any(|row| row["subject"] == "run 1" && row["reason"].as_str().unwrap().contains(hash))
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

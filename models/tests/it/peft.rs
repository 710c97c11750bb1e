//! An adapter of the product, opened with Python's PEFT: the embeddings agree to 1e-4.

use crate::common::*;
use std::process::Command;

#[test]
fn peft_loads_the_adapter_and_gives_the_same_embeddings() {
    let Some(model) = minilm() else { return };
    let script = root().join("tests").join("python").join("check_peft.py");
    // Look for the packages first, so that a machine without them does not train in vain.
    let Some(python) = lexforge_needs::python("torch, peft, transformers, safetensors") else {
        return;
    };
    let models = model.parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("run");
    let mut job = train_job();
    job.model.name = MINILM.into();
    job.settings.stages[0].epochs = 1;
    job.settings.lora.r = 8;
    train_bundle(&bundle, &job, &items(16, 1), &items(4, 2));
    run_well(&bundle, models);

    let embedding = folder.path().join("embed");
    let mut job = embed_job(MINILM, 128);
    job.adapter = Some("adapter".into());
    let long = "The institution keeps a register. ".repeat(60);
    let texts = [
        "An executive supervisor approves the loan.",
        "A supervisor does not.",
        "",
        "董事会批准。",
        long.as_str(),
    ];
    embed_bundle(&embedding, &job, &texts);
    std::fs::create_dir_all(embedding.join("adapter")).unwrap();
    for file in std::fs::read_dir(bundle.join("tuned")).unwrap().flatten() {
        std::fs::copy(
            file.path(),
            embedding.join("adapter").join(file.file_name()),
        )
        .unwrap();
    }
    run_well(&embedding, models);
    let output = Command::new(&python)
        .arg(script)
        .args([
            &model,
            &embedding.join("adapter"),
            &embedding.join(&job.input),
            &embedding.join(&job.output),
        ])
        .arg(job.max_length.unwrap().to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{}", said.trim());
}

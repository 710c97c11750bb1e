//! A decoder made from nothing by the real program.

use crate::common;
use lexforge_models::architectures::architecture::Config;
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::language::LanguageModel;
use lexforge_models::files::sha256_of;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tch::{Device, Kind};

/// A few rules, again and again in another order, and questions about them.
fn corpus(folder: &Path) {
    std::fs::create_dir(folder).unwrap();
    let rules = [
        "The bank shall report every large loan to the supervisor within ten days.",
        "The board shall approve the limits for every kind of risk once a year.",
        "The board secretary keeps the minutes and reports to the board.",
        "A client may ask the bank for a copy of the register at any time.",
        "银行应当在十日内向监督管理机构报告大额贷款。",
        "董事会应当每年批准各类风险的限额。",
        "董事会秘书负责保管会议记录并向董事会报告。",
    ];
    let mut random = common::Random(3);
    let texts: String = (0..120)
        .map(|i| {
            let text: Vec<&str> = (0..4).map(|_| rules[random.below(rules.len())]).collect();
            format!("{}\n", serde_json::json!({"text": text.join("\n") + "\n", "source": format!("rules {}", i / 30)}))
        })
        .collect();
    std::fs::write(folder.join("rules.jsonl"), texts).unwrap();
    let asked: String = (0..60)
        .map(|i| {
            let choices = if i % 3 == 0 {
                vec![]
            } else {
                vec!["the board", "the board secretary", "the bank"]
            };
            let line = serde_json::json!({"question": "Who keeps the minutes?", "choices": choices,
                "answer": "the board secretary"});
            format!("{line}\n")
        })
        .collect();
    std::fs::write(folder.join("questions.jsonl"), asked).unwrap();
}

/// The program on a tiny model, with further options in the place of these.
fn command(corpus: &Path, out: &Path, further: &[(&str, &str)]) -> Command {
    let usual = [
        ("--threads", "1"),
        ("--vocabulary", "400"),
        ("--hidden", "32"),
        ("--inner", "64"),
        ("--layers", "2"),
        ("--heads", "4"),
        ("--key-heads", "2"),
        ("--positions", "128"),
        ("--batch-tokens", "256"),
        ("--learning-rate", "0.01"),
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_lexforge-pretrain"));
    command.env("OMP_WAIT_POLICY", "passive");
    command.arg("--corpus").arg(corpus).arg("--out").arg(out);
    for (name, value) in usual
        .iter()
        .filter(|(name, _)| !further.iter().any(|(other, _)| other == name))
        .chain(further)
    {
        command.args([name, value]);
    }
    command
}

fn pretrain(corpus: &Path, out: &Path, further: &[(&str, &str)]) -> Output {
    command(corpus, out, further).output().unwrap()
}

#[test]
fn a_few_steps_lower_the_loss_and_the_same_seed_gives_the_same_weights() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    corpus(&at("corpus"));
    let made = |name: &str, seed: &str| {
        let output = pretrain(
            &at("corpus"),
            &at(name),
            &[("--tokens", "10240"), ("--seed", seed)],
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (
            report,
            sha256_of(&at(name).join("model.safetensors")).unwrap(),
        )
    };
    let (report, first) = made("first", "1");
    assert_eq!(made("again", "1").1, first);
    assert_ne!(made("other", "2").1, first);
    assert_eq!(report["steps"], 40);
    let loss: (f64, f64) = serde_json::from_value(report["loss"].clone()).unwrap();
    assert!(loss.0 > 5.0 && loss.1 < 0.6 * loss.0, "{loss:?}");
    // The stored weights predict the held-out texts better than chance.
    let held_out = report["held_out"].as_array().unwrap();
    assert_eq!(held_out.len(), 2);
    for part in held_out {
        let (nats, bits) = (
            part["nats_per_token"].as_f64().unwrap(),
            part["bits_per_byte"].as_f64().unwrap(),
        );
        assert!(
            nats < 0.7 * 400f64.ln() && bits > 0.0 && bits < nats / 2f64.ln(),
            "{part}"
        );
    }
    assert!(!at("first.part").exists());
    let model = LanguageModel::open(&at("first"), Some(Kind::Float), Device::Cpu).unwrap();
    let prompt = model
        .language
        .prompt(&[Message::user("Who keeps the minutes?")])
        .unwrap();
    assert_eq!(
        prompt,
        "<|im_start|>user\nWho keeps the minutes?<|im_end|>\n<|im_start|>assistant\n"
    );
    assert!(
        model
            .answer(&[Message::user("Who keeps the minutes?")], 8)
            .is_ok()
    );
    let Config::Decoder(config) = Config::of_folder(&at("first")).unwrap() else {
        panic!("no decoder")
    };
    assert_eq!(
        (config.name, config.tied, config.key_heads),
        ("qwen3", true, 2)
    );
}

#[test]
fn a_training_that_was_broken_off_goes_on_to_the_same_weights() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    corpus(&at("corpus"));
    let long = [("--tokens", "25600"), ("--state-every", "30")];
    let run = |name: &str| pretrain(&at("corpus"), &at(name), &long);
    assert!(run("straight").status.success());
    // Broken off as soon as its first state is stored.
    let mut child = command(&at("corpus"), &at("broken"), &long)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !at("broken.part").join("state.safetensors").is_file()
        && child.try_wait().unwrap().is_none()
    {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        !at("broken").exists(),
        "it was done before it could be broken off"
    );
    let other = pretrain(
        &at("corpus"),
        &at("broken"),
        &[long[0], long[1], ("--seed", "9")],
    );
    assert!(
        String::from_utf8_lossy(&other.stderr).contains("other settings"),
        "{other:?}"
    );
    let resumed = run("broken");
    assert!(
        String::from_utf8_lossy(&resumed.stderr).contains("going on after step"),
        "{resumed:?}"
    );
    let hash = |name: &str| sha256_of(&at(name).join("model.safetensors")).unwrap();
    assert_eq!(hash("broken"), hash("straight"));
    let twice = run("broken");
    assert!(
        !twice.status.success() && String::from_utf8_lossy(&twice.stderr).contains("there already")
    );
}

#[test]
fn what_cannot_be_trained_on_is_said_and_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    std::fs::create_dir(at("empty")).unwrap();
    corpus(&at("corpus"));
    let refused = |corpus: &str, further: &[(&str, &str)], said: &str| {
        let output = pretrain(&at(corpus), &at("out"), further);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && stderr.contains(said) && stderr.contains("hint: "),
            "{stderr}"
        );
        assert!(!at("out").exists() && !at("out.part").exists());
    };
    refused("empty", &[], "no text to train on");
    refused("absent", &[], "absent");
    refused("corpus", &[("--heads", "3")], "sizes");
    refused("corpus", &[("--vocabulary", "200")], "vocabulary");
    std::fs::write(at("corpus").join("bad.jsonl"), "{\"txt\": 1}\n").unwrap();
    refused("corpus", &[], "Line 1");
}

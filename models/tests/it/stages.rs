//! Tests of the stages of a decoder: each stage learns, and the stages follow each other. Neither a kill nor a
//! micro-batch changes the result. One file because all tests train the same small decoder.

use crate::common::stages::*;
use crate::common::*;
use lexforge_domain::protocol::{
    Event, Objective, Pooling, Precision, QuestionForm, RESULT_FILE, SentenceObjective,
    TokenLossKind, TrainJob,
};
use lexforge_domain::qca::QcaLevel;
use lexforge_models::adapters::lora::Pass;
use lexforge_models::architectures::decoder::Attention;
use lexforge_models::architectures::encoder::{DecoderVectors, Text, Vectors};
use lexforge_models::decoding::language::LanguageModel;
use lexforge_models::tensors;
use std::path::Path;
use tch::Device;

fn warnings(bundle: &Path) -> Vec<String> {
    let code = |event| match event {
        Event::Warning { code, .. } => Some(code),
        _ => None,
    };
    events(bundle)
        .into_iter()
        .filter_map(|e| code(e.event))
        .collect()
}

#[test]
fn three_stages_lower_what_they_learn_and_a_kill_anywhere_changes_nothing() {
    let bench = Bench::new();
    let mut job = decoder_job(three_stages()); // dropout on
    job.replay = Some("inputs/replay.jsonl".into());
    let (whole, straight) = bench.trained("straight", &job);
    let names: Vec<&str> = whole.stages.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["sft", "sentence", "token"]);
    assert_eq!(
        whole
            .stages
            .iter()
            .map(|s| (s.items, s.steps))
            .collect::<Vec<_>>(),
        [(60, 40), (30, 20), (30, 20)]
    );
    assert_eq!(
        whole.stages.iter().map(|s| s.from).collect::<Vec<_>>(),
        [0, 40, 60]
    );
    for stage in &whole.stages {
        assert!(stage.last_loss < stage.first_loss, "{stage:?}");
        assert!(stage.dev_loss_best < stage.dev_loss_before, "{stage:?}");
    }

    let killed = bench.bundle("killed", &job);
    // Within each stage, and around the boundaries at 40 and 60.
    for (attempt, step) in [13, 39, 41, 59, 66].into_iter().enumerate() {
        let mut child = start(&killed, &bench.models);
        wait_for_any_step(&killed, &mut child, attempt as u32 + 1, step);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run_well(&killed, &bench.models);
    assert_eq!(adapter(&killed), straight, "the adapters differ");
    assert_eq!(result(&killed).stages, whole.stages);
    // The curve of all attempts is that of one: the last loss told for each step.
    let curve = |bundle: &Path| {
        let mut losses = std::collections::BTreeMap::new();
        for event in events(bundle) {
            if let Event::Progress {
                stage,
                step,
                loss: Some(loss),
                ..
            } = event.event
            {
                losses.insert(step, (stage, loss.to_bits()));
            }
        }
        losses
    };
    assert_eq!(curve(&killed), curve(&bench.folder.path().join("straight")));
    assert_eq!(curve(&killed).len(), 80);
}

fn joint(sentence: f64, token: f64, pooling: Pooling) -> Objective {
    Objective::Joint {
        temperature: 0.07,
        sentence,
        token,
        pooling,
        term_layer: None,
    }
}

#[test]
fn every_objective_learns_and_its_adapter_is_the_same_in_micro_batches() {
    let bench = Bench::new();
    let objectives = [
        (
            "choices",
            Objective::Sft {
                form: QuestionForm::Choices,
                replay: 0.0,
            },
        ),
        ("plain", Objective::PlainText),
        ("mntp", Objective::MaskedNextToken { share: 0.15 }),
        ("sentence", Objective::Sentence(sentence_objective())),
        (
            "divergence",
            Objective::Token {
                loss: TokenLossKind::Divergence,
            },
        ),
        (
            "paper",
            Objective::Token {
                loss: TokenLossKind::Paper,
            },
        ),
        (
            "candidates",
            Objective::Token {
                loss: TokenLossKind::Candidates,
            },
        ),
        ("joint", joint(0.4, 0.6, Pooling::Mean)),
        ("contrastive", Objective::ContrastiveToken),
        ("gritlm", Objective::Gritlm(sentence_objective())),
    ];
    for (name, objective) in objectives {
        let mut job = decoder_job(vec![stage(objective)]);
        job.settings.lora.dropout = 0.0;
        let (whole, straight) = bench.trained(name, &job);
        let learnt = &whole.stages[0];
        assert!(learnt.last_loss < learnt.first_loss, "{name}: {learnt:?}");
        assert!(
            learnt.items > 0 && learnt.dev_loss_before.is_some(),
            "{name}: {learnt:?}"
        );

        job.settings.stages[0].micro_batch = Some(2);
        // A few steps: rounding differs, and every further step makes more of it.
        job.settings.stages[0].max_steps = Some(3);
        let (_, pieces) = bench.trained(&format!("{name}-pieces"), &job);
        job.settings.stages[0].micro_batch = None;
        let (_, together) = bench.trained(&format!("{name}-together"), &job);
        assert_ne!(together, straight, "{name}");
        let difference = difference(&pieces, &together);
        assert!(difference < 1e-4, "{name}: {difference}");
    }
}

/// Writing and comparing in one pass: before the first step the loss is the sum of that of each alone.
#[test]
fn gritlm_learns_to_write_and_to_compare() {
    let bench = Bench::new();
    let compares = SentenceObjective {
        all_levels: true,
        ..sentence_objective()
    };
    let cases = [
        (
            "written",
            Objective::Sft {
                form: QuestionForm::Both,
                replay: 0.0,
            },
        ),
        ("compared", Objective::Sentence(compares.clone())),
        ("together", Objective::Gritlm(compares)),
    ];
    let [written, compared, together] = cases.map(|(name, objective)| {
        let mut job = decoder_job(vec![stage(objective)]);
        job.settings.stages[0].max_steps = Some(1);
        let (result, _) = bench.trained(&format!("gritlm-{name}"), &job);
        let stage = &result.stages[0];
        (stage.dev_loss_before.unwrap(), stage.items)
    });
    assert!((written.0 + compared.0 - together.0).abs() < 1e-4);
    assert!(written.0 > 0.0 && compared.0 > 0.0);
    assert_eq!((written.1, compared.1), (together.1, together.1));
}

/// Sentences and terms in one pass, on an encoder, whatever its pooling (docs/methods.md, "Training").
#[test]
fn an_encoder_learns_sentences_and_terms_together() {
    let bench = Bench::new();
    for pooling in [Pooling::Mean, Pooling::Cls, Pooling::Last, Pooling::Max] {
        let mut job = train_job();
        job.settings.stages = vec![stage(joint(0.4, 0.6, pooling))];
        job.settings.lora.dropout = 0.0;
        let name = pooling.tag();
        let (both, straight) = bench.trained(name, &job);
        let learnt = &both.stages[0];
        assert!(
            learnt.last_loss < learnt.first_loss && learnt.items == 60,
            "{name}: {learnt:?}"
        );

        // The loss before the first step is the weighted sum of that of each level alone.
        let mut first = |sentence, token| {
            job.settings.stages = vec![stage(joint(sentence, token, pooling))];
            job.settings.stages[0].max_steps = Some(1);
            let label = format!("{name}-{sentence}-{token}");
            bench.trained(&label, &job).0.stages[0].dev_loss_before
        };
        let [sentences, terms, together] =
            [(1.0, 0.0), (0.0, 1.0), (0.4, 0.6)].map(|(s, t)| first(s, t).unwrap());
        assert!(
            (0.4 * sentences + 0.6 * terms - together).abs() < 1e-5,
            "{name}: {sentences}, {terms}, {together}"
        );
        assert!(sentences > 0.0 && terms > 0.0);

        job.settings.stages = vec![stage(joint(0.4, 0.6, pooling))];
        job.settings.stages[0].max_steps = Some(3);
        let (_, together) = bench.trained(&format!("{name}-together"), &job);
        job.settings.stages[0].micro_batch = Some(2);
        let (_, pieces) = bench.trained(&format!("{name}-pieces"), &job);
        assert_ne!(together, straight, "{name}");
        assert!(difference(&pieces, &together) < 1e-4, "{name}");
    }
}

/// Largest difference of two adapters.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let read = |bytes: &[u8]| tensors::from_bytes(bytes, |e| panic!("{e}")).unwrap();
    let (a, b) = (read(a), read(b));
    assert_eq!(a.len(), b.len());
    a.iter()
        .map(|(name, x)| (x - &b[name]).abs().max().double_value(&[]))
        .fold(0.0, f64::max)
}

/// A half-precision run with a scaled loss learns like a run in full precision. After a kill it goes on with the scale
/// that it had.
#[test]
fn half_precision_learns_with_a_scaled_loss() {
    let bench = Bench::new();
    let mut job = decoder_job(three_stages());
    for precision in [Precision::Fp16, Precision::Bf16] {
        job.settings.precision = precision;
        let name = format!("{precision:?}");
        let (whole, straight) = bench.trained(&name, &job);
        for stage in &whole.stages {
            assert!(
                stage.last_loss < stage.first_loss && stage.dev_loss_best < stage.dev_loss_before,
                "{stage:?}"
            );
        }
        let killed = bench.bundle(&format!("{name}-killed"), &job);
        let mut child = start(&killed, &bench.models);
        wait_for_any_step(&killed, &mut child, 1, 45);
        child.kill().unwrap();
        child.wait().unwrap();
        run_well(&killed, &bench.models);
        assert_eq!(adapter(&killed), straight, "{name}: the adapters differ");
        let state = bench
            .folder
            .path()
            .join(&name)
            .join("checkpoints/stage-3-step-0000080/state.json");
        let state: serde_json::Value =
            serde_json::from_slice(&std::fs::read(state).unwrap()).unwrap();
        let scale = state["loss_scale"]["scale"].as_f64().unwrap();
        assert_eq!(scale > 1.0, precision == Precision::Fp16, "{name}: {scale}");
        assert_eq!(whole.precision, name.to_lowercase());
    }
}

#[test]
fn a_stage_that_no_longer_gains_ends_early_and_hands_on_its_best() {
    let bench = Bench::new();
    // Held-out questions are those of the training with other answers: what is learnt is soon wrong there.
    let mut dev = drafted(60, 0);
    for item in &mut dev {
        std::mem::swap(&mut item.answer, &mut item.negatives[0]);
    }
    let mut stages = three_stages();
    stages[0].learning_rate = 0.05;
    stages[0].epochs = 20;
    stages[0].patience = Some(2);
    let job = decoder_job(stages);
    let trained = |name: &str, job: &TrainJob| {
        let bundle = bench.bundle_of(name, job, &dev);
        run_well(&bundle, &bench.models);
        (result(&bundle), bundle)
    };
    let (whole, bundle) = trained("early", &job);
    let first = &whole.stages[0];
    assert!(first.stopped_early && first.steps < 200, "{first:?}");
    assert_eq!(
        first.steps,
        first.best_step + 10,
        "two looks after the best: {first:?}"
    );
    assert_eq!(whole.stages[1].from, first.steps);
    let of = events(&bundle)
        .into_iter()
        .rev()
        .find_map(|e| match e.event {
            Event::Progress {
                of, loss: Some(_), ..
            } => Some(of),
            _ => None,
        });
    assert_eq!(of, Some(whole.steps));
    // The second stage starts from the best adapter of the first, and not from its last one.
    let mut only_first = job.clone();
    only_first.settings.stages.truncate(1);
    let (_, made) = trained("first", &only_first);
    let mut only_second = decoder_job(vec![three_stages().remove(1)]);
    only_second.adapter = Some("adapter".into());
    let kept = bench.bundle_of("second", &only_second, &dev);
    std::fs::create_dir_all(kept.join("adapter")).unwrap();
    for file in std::fs::read_dir(made.join("tuned")).unwrap().flatten() {
        std::fs::copy(file.path(), kept.join("adapter").join(file.file_name())).unwrap();
    }
    run_well(&kept, &bench.models);
    assert_eq!(
        result(&kept).stages[0].dev_loss_before,
        whole.stages[1].dev_loss_before
    );
}

#[test]
fn what_cannot_be_learnt_from_is_counted_and_told() {
    let bench = Bench::new();
    let mut job = decoder_job(three_stages());
    job.settings.max_length = 24;
    let bundle = bench.folder.path().join("counted");
    let mut train = drafted(40, 0);
    train.retain(|item| item.level == QcaLevel::Token);
    train[0].rephrased = Some("the year".into()); // the term is not there
    train[1].rephrased = None;
    train[2].question = "the bank ".repeat(30);
    train_bundle(&bundle, &job, &train, &[]);
    run_well(&bundle, &bench.models);
    let whole = result(&bundle);
    assert_eq!(whole.stages[1].steps, 0, "no item of the sentence level");
    for (reason, at_least) in [
        ("sft: longer_than_max_length", 1),
        ("token: longer_than_max_length", 1),
        ("token: term_not_in_sentence", 1),
        ("token: no_rephrased_sentence", 1),
    ] {
        assert!(
            whole.left_out.get(reason).is_some_and(|n| *n >= at_least),
            "{reason}: {:?}",
            whole.left_out
        );
    }
    let told = warnings(&bundle);
    for code in ["items_left_out", "stage_passed_over"] {
        assert!(told.iter().any(|w| w == code), "{code}: {told:?}");
    }

    // A job without any items, and a job with a stage that an encoder cannot have.
    let empty = bench.folder.path().join("empty");
    train_bundle(
        &empty,
        &decoder_job(vec![three_stages().remove(1)]),
        &train,
        &[],
    );
    assert_eq!(run(&empty, &bench.models).status.code(), Some(1));
    assert_eq!(failure(&empty).0, "too_little_data");
    let encoder = bench.folder.path().join("encoder");
    let mut job = train_job();
    job.settings.stages = three_stages();
    train_bundle(&encoder, &job, &train, &[]);
    assert_eq!(run(&encoder, &bench.models).status.code(), Some(1));
    let (code, message, hint) = failure(&encoder);
    assert!(
        code == "invalid_request" && message.contains("decoder") && hint.contains("Qwen3"),
        "{message} {hint}"
    );
}

#[test]
fn vectors_see_both_directions_alone_and_in_a_packed_batch() {
    let bench = Bench::new();
    let model =
        LanguageModel::open(&bench.models.join(formula::DECODER), None, Device::Cpu).unwrap();
    // The first token's vector can depend on the last token only where attention goes both ways.
    let first = DecoderVectors {
        decoder: model.decoder.as_ref(),
        pooling: Pooling::Cls,
        attention: Attention::Bidirectional,
    };
    let texts: [&[u32]; 4] = [
        &[4, 5, 6, 7],
        &[4, 5, 6, 8],
        &[9, 10],
        &[11, 12, 13, 14, 15],
    ];
    let of = |texts: &[&[u32]]| {
        let texts: Vec<Text<'_>> = texts.iter().map(|&ids| ids.into()).collect();
        first.encode_texts(&texts, Pass::Infer).unwrap()
    };
    let apart = |a: &tch::Tensor, b: &tch::Tensor| (a - b).abs().max().double_value(&[]);
    let packed = of(&texts);
    assert!(
        apart(&packed.get(0), &packed.get(1)) > 1e-3,
        "packed: the last token is not seen by the first"
    );
    let alone: Vec<_> = texts.iter().map(|&text| of(&[text]).get(0)).collect();
    assert!(
        apart(&alone[0], &alone[1]) > 1e-3,
        "batch 1: the last token is not seen by the first"
    );
    for (number, vector) in alone.iter().enumerate() {
        assert!(
            apart(vector, &packed.get(number as i64)) < 1e-5,
            "text {number}"
        );
    }
}

/// A disk has space for two checkpoints but not for a third. The run then fails with a clear message and leaves no
/// half-written file. With more space it goes on, and its adapter is the same as that of a run that never failed.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_at_a_checkpoint_loses_nothing() {
    let bench = Bench::new();
    let mut job = decoder_job(three_stages());
    job.settings.lora.r = 16;
    let (whole, straight) = bench.trained("straight", &job);
    bench.bundle("full", &job);
    let checkpoint = |name: &str| {
        let folder = bench.folder.path().join(name).join("checkpoints");
        let size = |e: std::fs::DirEntry| {
            std::fs::read_dir(e.path())
                .unwrap()
                .flatten()
                .map(|f| f.metadata().unwrap().len())
                .sum::<u64>()
        };
        std::fs::read_dir(folder)
            .unwrap()
            .flatten()
            .map(size)
            .max()
            .unwrap()
    };
    let size = 100_000 + 2 * checkpoint("straight") + checkpoint("straight") / 2;
    // The mount lives in a namespace of its own; what is on it at the end is copied back beside it.
    let script = format!(
        "mkdir disk && mount -t tmpfs -o size={size} none disk && cp -r full disk/ || exit 77; \
         \"$0\" run disk/full --models \"$1\"; code=$?; [ $code = 1 ] || exit 78; \
         ls -a disk/full/checkpoints >&2; cp -r disk/full failed; \
         mount -o remount,size=64m disk || exit 77; \
         \"$0\" run disk/full --models \"$1\" || exit 79; cp -r disk/full after"
    );
    let output = std::process::Command::new("unshare")
        .args([
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            &script,
            env!("CARGO_BIN_EXE_lexforge-worker"),
        ])
        .arg(&bench.models)
        .current_dir(bench.folder.path())
        .env("OMP_WAIT_POLICY", "passive")
        .output();
    let said = match output {
        Ok(output) if output.status.code() == Some(0) => {
            String::from_utf8_lossy(&output.stderr).into_owned()
        }
        Ok(output)
            if output
                .status
                .code()
                .is_some_and(|code| (78..=79).contains(&code)) =>
        {
            panic!(
                "{:?}: {}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            )
        }
        _ => {
            lexforge_needs::unavailable("no file system can be mounted here");
            return;
        }
    };
    assert!(
        said.contains("error[disk_full]") && said.contains("resume"),
        "{said}"
    );
    let bundle = |name: &str| bench.folder.path().join(name);
    assert!(!bundle("failed").join(RESULT_FILE).exists());
    assert_eq!(adapter(&bundle("after")), straight, "the adapters differ");
    assert_eq!(result(&bundle("after")).stages, whole.stages);
}

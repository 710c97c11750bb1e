//! Embed jobs on a tiny model with the real program.

use crate::common::*;
use lexforge_domain::protocol::{
    EmbedResult, Event, Job, JobResult, Pooling, RESULT_FILE, TermReading,
};
use std::path::Path;

fn embed(
    folder: &Path,
    name: &str,
    change: impl Fn(&mut lexforge_domain::protocol::EmbedJob),
    texts: &[&str],
) -> Vec<Vec<f32>> {
    let bundle = folder.join(name);
    let mut job = embed_job(TINY, 32);
    job.threads = 1;
    change(&mut job);
    embed_bundle(&bundle, &job, texts);
    run_well(&bundle, folder);
    embeddings(&bundle.join(&job.output))
}

#[test]
fn a_text_has_the_same_vector_alone_and_in_company() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    let mut random = Random(3);
    let mut texts: Vec<String> = (0..40).map(|i| words(&mut random, 1 + i % 13)).collect();
    texts.push(String::new());
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for (name, pooling) in [
        ("mean", Pooling::Mean),
        ("cls", Pooling::Cls),
        ("last", Pooling::Last),
    ] {
        let together = embed(
            folder.path(),
            name,
            |job| job.pooling = Some(pooling),
            &texts,
        );
        assert_eq!(together.len(), texts.len());
        for index in [0, 12, 25, 40] {
            let alone = embed(
                folder.path(),
                &format!("{name}-{index}"),
                |job| job.pooling = Some(pooling),
                &texts[index..=index],
            );
            let difference = largest_difference(&alone, &together[index..=index]);
            assert!(difference < 1e-6, "{name} {index}: {difference}");
        }
        for row in &together {
            let norm: f32 = row.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((norm - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn the_tokenizers_own_padding_and_cut_do_not_act_and_ours_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    let long = "the bank shall report every loan to the board of the bank a year";
    let full = embed(folder.path(), "full", |_| {}, &[long, "the bank zzz"]);
    let cut = embed(
        folder.path(),
        "cut",
        |job| job.max_length = Some(6),
        &[long, "the bank zzz"],
    );
    assert!(
        largest_difference(&full[..1], &cut[..1]) > 1e-3,
        "a cut text has another vector"
    );
    assert!(
        largest_difference(&full[1..], &cut[1..]) < 1e-6,
        "a short one keeps its own"
    );
    let result = |name: &str| -> EmbedResult {
        match serde_json::from_slice(
            &std::fs::read(folder.path().join(name).join(RESULT_FILE)).unwrap(),
        )
        .unwrap()
        {
            JobResult::Embed(result) => result,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((result("full").truncated, result("cut").truncated), (0, 1));
    assert!(
        (result("full").unknown_rate - 1.0 / 17.0).abs() < 1e-9,
        "{}",
        result("full").unknown_rate
    );
}

/// A term's vector is that of its own tokens, as they are in its text: at the input the same word at the same place has
/// one vector, and after the layers the words around it have changed it.
#[test]
fn a_term_has_the_vector_of_its_place_in_its_text() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    let lines = [
        ("the bank shall report", Some([4, 8])),
        ("every bank may approve a loan", Some([6, 10])),
        ("the bank shall report", None),
        (
            "the bank shall report every loan to the board",
            Some([4, 8]),
        ),
    ];
    let job = |layer: Option<usize>| {
        let mut job = embed_job(TINY, 8);
        job.terms = Some(TermReading { layer });
        job
    };
    let bundle = |name: &str, layer: Option<usize>| {
        let bundle = folder.path().join(name);
        let job = job(layer);
        write_job(&bundle, Job::Embed(job.clone()));
        let lines: Vec<_> = lines
            .iter()
            .map(|(text, part)| serde_json::json!({"text": text, "part": part}))
            .collect();
        write_jsonl(&bundle.join(&job.input), &lines);
        bundle
    };
    let made = |name: &str, layer: Option<usize>| {
        let bundle = bundle(name, layer);
        run_well(&bundle, folder.path());
        let result: JobResult =
            serde_json::from_slice(&std::fs::read(bundle.join(RESULT_FILE)).unwrap()).unwrap();
        let JobResult::Embed(result) = result else {
            panic!("{result:?}")
        };
        assert_eq!(result.layers, Some(2));
        embeddings(&bundle.join(&result.output))
    };
    let (input, last) = (made("input", Some(0)), made("last", None));
    assert!(largest_difference(&input[..1], &input[1..2]) < 1e-6);
    assert!(largest_difference(&last[..1], &last[1..2]) > 1e-3);
    // The whole text as a term has another vector, and a text that would be cut gives none.
    assert!(largest_difference(&last[..1], &last[2..3]) > 1e-3);
    assert!(last[3].iter().all(|value| *value == 0.0));
    for row in &last[..3] {
        let norm: f32 = row.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!((norm - 1.0).abs() < 1e-5);
    }
    assert!(largest_difference(&last, &made("named", Some(2))) < 1e-6);
    let refused = run(&bundle("beyond", Some(3)), folder.path());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("has 2 layers"),
        "{told}"
    );
}

#[test]
fn a_trained_adapter_changes_the_vectors_and_a_foreign_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    let run_folder = folder.path().join("run");
    train_bundle(&run_folder, &train_job(), &items(40, 1), &items(10, 2));
    run_well(&run_folder, folder.path());
    let texts = [
        "the bank shall report",
        "every supervisor may approve a loan",
    ];
    let plain = embed(folder.path(), "plain", |_| {}, &texts);
    let tuned_folder = folder.path().join("tuned");
    let bundle = tuned_folder.join("adapter");
    std::fs::create_dir_all(&bundle).unwrap();
    for file in std::fs::read_dir(run_folder.join("tuned"))
        .unwrap()
        .flatten()
    {
        std::fs::copy(file.path(), bundle.join(file.file_name())).unwrap();
    }
    let tuned = embed(
        folder.path(),
        "tuned",
        |job| job.adapter = Some("adapter".into()),
        &texts,
    );
    assert!(largest_difference(&plain, &tuned) > 1e-4);

    // The same adapter with another pooling: done, with a warning.
    let copy = |name: &str| {
        let target = folder.path().join(name).join("adapter");
        std::fs::create_dir_all(&target).unwrap();
        for file in std::fs::read_dir(&bundle).unwrap().flatten() {
            std::fs::copy(file.path(), target.join(file.file_name())).unwrap();
        }
        target
    };
    copy("pooling");
    embed(
        folder.path(),
        "pooling",
        |job| {
            job.adapter = Some("adapter".into());
            job.pooling = Some(Pooling::Cls);
        },
        &texts,
    );
    let warned = events(&folder.path().join("pooling"));
    assert!(
        warned
            .iter()
            .any(|e| matches!(&e.event, Event::Warning { code, .. } if code == "adapter_settings"))
    );

    let target = copy("foreign");
    let config = target.join("adapter_config.json");
    let text = std::fs::read_to_string(&config)
        .unwrap()
        .replace("\"LORA\"", "\"IA3\"");
    std::fs::write(&config, text).unwrap();
    let mut job = embed_job(TINY, 32);
    job.adapter = Some("adapter".into());
    let foreign = folder.path().join("foreign");
    embed_bundle(&foreign, &job, &texts);
    assert_eq!(run(&foreign, folder.path()).status.code(), Some(1));
    let (code, message, _) = failure(&foreign);
    assert_eq!(code, "model_unsupported");
    assert!(message.contains("IA3"), "{message}");
}

/// A decoder's first token sees nothing of what follows it, unless the job or the folder says so.
#[test]
fn a_decoder_reads_as_it_writes_or_in_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    formula::tiny_decoder(folder.path());
    let texts = ["the board shall report", "the board shall audit"];
    let of = |name: &str, pooling, causal| {
        let change = |job: &mut lexforge_domain::protocol::EmbedJob| {
            job.model.name = formula::DECODER.into();
            job.pooling = Some(pooling);
            job.causal = causal;
        };
        let rows = embed(folder.path(), name, change, &texts);
        largest_difference(&rows[..1], &rows[1..])
    };
    assert_eq!(of("usual", Pooling::Cls, None), 0.0);
    assert_eq!(of("written", Pooling::Cls, Some(true)), 0.0);
    assert!(of("both", Pooling::Cls, Some(false)) > 1e-4);
    assert!(of("last", Pooling::Last, None) > 1e-4);
    let path = folder.path().join(formula::DECODER).join("config.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config["is_causal"] = false.into();
    std::fs::write(&path, config.to_string()).unwrap();
    assert!(of("said", Pooling::Cls, None) > 1e-4);
}

#[test]
fn no_texts_are_an_empty_table() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(folder.path());
    assert!(embed(folder.path(), "none", |_| {}, &[]).is_empty());
}

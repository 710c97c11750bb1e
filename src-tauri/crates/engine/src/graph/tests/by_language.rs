//! Tests with an encoder for each language. The encoders are recorded, and later builds keep them. A language that no
//! document has is refused. If an encoder is gone, the failure names its language.

use super::{import, rules, workspace};
use crate::models::{ENCODERS_SETTING, Models};
use crate::{Encoder, Engine, GraphRequest, Silent};
use lexforge_domain::Code;
use lexforge_domain::api::EncoderChoice;
use lexforge_domain::text::Language;

fn chinese(from: usize) -> Vec<String> {
    (from..from + 8)
        .map(|i| format!("商业银行应当在{i}日内向监管机构报告流动性风险。"))
        .collect()
}

fn in_two_languages() -> (tempfile::TempDir, Engine) {
    let (folder, engine) = workspace(2);
    import(&engine, "办法", &chinese(1), Language::Zh);
    engine.terms().extract_terms(&Silent).unwrap();
    (folder, engine)
}

fn each(of: &[(Language, Encoder)]) -> GraphRequest {
    GraphRequest {
        encoder: Encoder::ByLanguage(of.to_vec()),
        ..GraphRequest::default()
    }
}

fn absent() -> Encoder {
    Encoder::Named(EncoderChoice {
        model: Some("no/such/folder".to_owned()),
        ..EncoderChoice::default()
    })
}

#[test]
fn the_choice_by_language_is_recorded_and_kept() {
    let (_folder, engine) = in_two_languages();
    let counted = [(Language::Zh, Encoder::Lsa), (Language::En, Encoder::Lsa)];
    engine
        .graph()
        .build_graph(&each(&counted), &Silent)
        .unwrap();
    let used = Models::of(engine.workspace()).encoders().unwrap();
    assert!(used.iter().all(|part| part.by_language), "{used:?}");
    let kept = |engine: &Engine| match engine.graph().encoder_in_use().unwrap() {
        Encoder::ByLanguage(mut of) => {
            of.sort_by_key(|(language, _)| *language);
            of
        }
        other => panic!("{other:?}"),
    };
    let mut wanted = counted.to_vec();
    wanted.sort_by_key(|(language, _)| *language);
    assert_eq!(kept(&engine), wanted);
    // Building again and adding to it both go on with it.
    engine.graph().rebuild_graph(None, None, &Silent).unwrap();
    assert_eq!(kept(&engine), wanted);
    import(&engine, "办法二", &chinese(20), Language::Zh);
    engine.terms().extract_terms(&Silent).unwrap();
    engine.graph().update_graph(&Silent).unwrap();
    assert_eq!(kept(&engine), wanted);
    // One encoder for all languages takes its place.
    let whole = Some(Encoder::Lsa);
    engine.graph().rebuild_graph(None, whole, &Silent).unwrap();
    assert_eq!(engine.graph().encoder_in_use().unwrap(), Encoder::Lsa);
}

#[test]
fn an_encoder_for_a_language_that_no_document_has_is_refused() {
    let (_folder, engine) = workspace(2);
    let asked = each(&[(Language::Zh, Encoder::Lsa)]);
    let refused = engine.graph().build_graph(&asked, &Silent).unwrap_err();
    assert_eq!(refused.code, Code::InvalidRequest);
    assert!(refused.message.contains("“zh”"), "{}", refused.message);
    assert!(engine.graph().graph_builds().unwrap().is_empty());
}

#[test]
fn the_language_of_a_document_without_sentences_is_there() {
    let (_folder, engine) = workspace(2);
    import(&engine, "a blank page", &[], Language::Zh);
    let asked = each(&[(Language::Zh, Encoder::Lsa), (Language::En, Encoder::Lsa)]);
    engine.graph().build_graph(&asked, &Silent).unwrap();
    assert_eq!(engine.graph().graph_builds().unwrap().len(), 1);
}

/// Without the model nothing is replaced, and the message names the language: the other encoder is still there.
#[test]
fn an_encoder_that_is_gone_is_named_with_its_language() {
    let (_folder, engine) = in_two_languages();
    let told = |request: &GraphRequest| {
        let refused = engine.graph().build_graph(request, &Silent);
        refused.unwrap_err().message
    };
    let one = told(&each(&[
        (Language::Zh, absent()),
        (Language::En, Encoder::Lsa),
    ]));
    assert!(
        one.starts_with("The encoder for the language zh cannot be used. "),
        "{one}"
    );
    // An encoder for all languages needs no language.
    let all = told(&GraphRequest {
        encoder: absent(),
        ..GraphRequest::default()
    });
    assert!(!all.contains("for the language"), "{all}");
    assert!(one.ends_with(&all), "{one} / {all}");

    // The same for a graph whose encoder went away later.
    let counted = [(Language::Zh, Encoder::Lsa), (Language::En, Encoder::Lsa)];
    engine
        .graph()
        .build_graph(&each(&counted), &Silent)
        .unwrap();
    let gone = serde_json::json!([
        {"encoder": "char-ngram LSA (128, en)", "languages": ["en"], "by_language": true},
        {"encoder": "gone (mean) ab (graph)", "languages": ["zh"], "by_language": true,
         "choice": {"model": "no/such/folder", "run": null}},
    ]);
    let store = &engine.workspace().store;
    store
        .write("tester", |w| {
            w.set_setting(ENCODERS_SETTING, &gone.to_string())
        })
        .unwrap();
    import(&engine, "act 7", &rules(7, 12), Language::En);
    engine.terms().extract_terms(&Silent).unwrap();
    let refused = engine.graph().update_graph(&Silent).unwrap_err();
    assert!(
        refused.message.contains("for the language zh"),
        "{}",
        refused.message
    );
}

//! Tests of `endpoint`.

use super::*;

#[test]
fn the_consent_line_names_host_and_amount() {
    let mut plan = AskPlan {
        endpoint: "firm".into(),
        host: "llm.example.internal".into(),
        via: None,
        model: "m".into(),
        local: false,
        prompts: 1204,
        answered: 0,
        sentences: 612,
        documents: 3,
        characters: 0,
        unencrypted: false,
        at_most: false,
        scope: String::new(),
    };
    let line = "Send 1,204 prompts to llm.example.internal (model m)? They contain 612 sentences from 3 documents.";
    assert_eq!(plan.line(), line);
    (
        plan.prompts,
        plan.sentences,
        plan.documents,
        plan.unencrypted,
    ) = (1, 1, 1, true);
    assert!(plan.line().starts_with("Send 1 prompt to "));
    assert!(
        plan.line()
            .ends_with("1 sentence from 1 document. Nothing encrypts them on the way.")
    );
    plan.via = Some("proxy.example.internal:3128".into());
    assert!(
        plan.line()
            .contains("(model m) through the proxy proxy.example.internal:3128? ")
    );
}

use super::*;
use crate::endpoint::PromptKey;
use crate::shifts;
use crate::wording::Wordings;
use std::collections::HashMap;
use std::sync::Arc;

const TEXT: &str =
    "The keeper shall report each loss to the office within ten days of its discovery.";

fn prompter() -> TripletPrompter {
    TripletPrompter {
        writer: PromptWriter {
            identity: "a".to_owned(),
            model: "m".to_owned(),
            seed: 1,
            max_tokens: 500,
            reasks: 1,
            wordings: Arc::new(Wordings::default()),
            extent: lexforge_domain::api::Extent::default(),
            shares: None,
        },
        shifts: shifts::shipped(),
        translated: false,
    }
}

/// Answers each open prompt in turn until the sentence is settled; how many prompts that took.
fn settled(said: &[&str]) -> (Vec<WrittenTriplet>, usize) {
    settled_by(&prompter(), said)
}

fn settled_by(prompter: &TripletPrompter, said: &[&str]) -> (Vec<WrittenTriplet>, usize) {
    let mut known = HashMap::<PromptKey, AnswerText>::new();
    let mut said = said.iter();
    loop {
        let answers = |key: &PromptKey| known.get(key).cloned();
        match prompter.standing(SentenceId(1), TEXT, Language::En, &answers) {
            TripletStanding::Settled(all) => return (all, known.len()),
            TripletStanding::Open(open) => {
                for planned in open {
                    assert_eq!(planned.sentences, [SentenceId(1)]);
                    let text = said.next().expect("one more prompt than answers");
                    let answer = AnswerText {
                        text: (*text).to_owned(),
                        finish: "stop".to_owned(),
                    };
                    assert!(known.insert(planned.key, answer).is_none(), "asked twice");
                }
            }
        }
    }
}

fn variants(of: &[(&str, &str)]) -> String {
    let all: Vec<_> = of
        .iter()
        .map(|(shift, text)| serde_json::json!({"shift": shift, "text": text}))
        .collect();
    serde_json::json!({ "variants": all }).to_string()
}

fn score(score: u32) -> String {
    serde_json::json!({"reason": "so", "score": score}).to_string()
}

#[test]
fn one_text_is_not_both_the_same_and_something_else() {
    let same =
        "Each loss shall be reported to the office by the keeper within ten days of its discovery.";
    let written = variants(&[("rule_based.procedure", same)]);
    let paraphrase = serde_json::json!({ "paraphrase": same }).to_string();
    let (all, _) = settled(&[&written, &score(10), &paraphrase, &score(10)]);
    let reasons: Vec<Option<&str>> = all.iter().map(|one| one.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("positive_is_negative")]);
}

#[test]
fn what_the_judge_keeps_becomes_triplets_and_the_rest_keeps_its_reason() {
    let time = TEXT.replace("ten", "thirty");
    let force = TEXT.replace("shall", "may");
    let written = variants(&[
        ("temporal.time_limit", &time),
        ("rule_based.force", &force),
        ("own.invented", &force),
        ("rule_based.procedure", TEXT),
    ]);
    let positive =
        "Each loss shall be reported to the office by the keeper within ten days of its discovery.";
    let paraphrase = serde_json::json!({ "paraphrase": positive }).to_string();
    let (all, asked) = settled(&[&written, &score(9), &score(7), &paraphrase, &score(10)]);
    assert_eq!(asked, 5);
    let reasons: Vec<Option<&str>> = all.iter().map(|one| one.reason.as_deref()).collect();
    assert_eq!(
        reasons,
        [
            Some("negative_judged_below"),
            Some("unknown_shift"),
            Some("copy"),
            None
        ]
    );
    let kept = all.last().unwrap();
    assert_eq!(
        (kept.negative.as_str(), kept.positive.as_str()),
        (time.as_str(), positive)
    );
    assert_eq!(kept.scores, [9.0, 10.0]);
}

#[test]
fn a_rewording_that_loses_what_binds_is_not_even_judged() {
    let written = variants(&[("temporal.time_limit", &TEXT.replace("ten", "thirty"))]);
    let loose = serde_json::json!({ "paraphrase":
        "Each loss may be reported to the office by the keeper within ten days of its discovery." });
    let (all, asked) = settled(&[&written, &score(8), &loose.to_string()]);
    assert_eq!(asked, 3);
    assert_eq!(all[0].reason.as_deref(), Some("positive_modal_changed"));
}

#[test]
fn what_cannot_be_read_is_asked_for_anew_and_then_given_up() {
    let (all, asked) = settled(&["no", "nor this"]);
    assert_eq!((all.len(), asked), (1, 2));
    assert!(all[0].reason.is_some());
    let (none, asked) = settled(&["no", &variants(&[])]);
    assert_eq!((none.len(), asked), (0, 2));
}

#[test]
fn what_says_the_same_may_be_a_translation_that_keeps_what_binds() {
    let prompter = TripletPrompter {
        translated: true,
        ..prompter()
    };
    let written = variants(&[("temporal.time_limit", &TEXT.replace("ten", "thirty"))]);
    let said = |text: &str| serde_json::json!({ "translation": text }).to_string();
    let right = "保管人应当在发现损失后十日内向办公室报告每一项损失。";
    let (all, asked) = settled_by(&prompter, &[&written, &score(9), &said(right), &score(9)]);
    assert_eq!((all.len(), asked), (1, 4));
    assert_eq!((all[0].positive.as_str(), &all[0].reason), (right, &None));
    // The judge keeps it from 9 on, and another figure is not even judged.
    let (all, _) = settled_by(&prompter, &[&written, &score(9), &said(right), &score(8)]);
    assert_eq!(all[0].reason.as_deref(), Some("positive_judged_below"));
    let other = right.replace('十', "三十");
    let (all, asked) = settled_by(&prompter, &[&written, &score(9), &said(&other)]);
    assert_eq!(asked, 3);
    assert_eq!(all[0].reason.as_deref(), Some("positive_number_changed"));
}

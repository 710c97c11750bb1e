//! What the shipped wordings are, and what edits of them are refused.

use super::*;
use lexforge_text::is_han;

fn hash(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..8])
}

#[test]
fn every_shipped_file_can_be_used() {
    for (kind, language, text) in SHIPPED {
        let parsed = Wording::parse(kind, language, text);
        assert!(
            parsed.is_ok(),
            "{} {}: {parsed:?}",
            kind.tag(),
            language.tag()
        );
        assert!(shipped(kind, language).is_shipped() && shipped(kind, language).text() == text);
    }
    assert_eq!(SHIPPED.len(), PromptKind::ALL.len() * 2);
    assert_eq!(
        shipped(PromptKind::Judge, Language::Ko).language(),
        Language::En
    );
}

/// The hashes must stay the same. With other hashes, the answers stored in workspaces would not be found, and the
/// endpoint would be asked, and paid, again. Three of the first four wordings were changed on purpose after they became
/// files: they now ask for sentences that add nothing and for questions that do not copy.
#[test]
fn the_wordings_of_the_first_prompts_are_what_they_were() {
    for (kind, language, expected) in [
        (PromptKind::SentenceQca, Language::En, "f6c9a76b37724cdd"),
        (PromptKind::SentenceQca, Language::Zh, "05187b7061437a6f"),
        (PromptKind::TokenQca, Language::En, "4c5af448745d824a"),
        (PromptKind::TokenQca, Language::Zh, "f6df25ce7888c179"),
    ] {
        assert_eq!(hash(&shipped(kind, language).system), expected);
    }
    for (language, before, after) in [
        (Language::En, "6dbdc512de165525", "f41baeb34ad4bb77"),
        (Language::Zh, "30fd0d619e5112fe", "174729202300976e"),
    ] {
        let (first, second) = shipped(PromptKind::EntityExtraction, language)
            .system
            .split_once("\n{classes}\n\n")
            .unwrap();
        assert_eq!(
            (hash(first), hash(second)),
            (before.to_owned(), after.to_owned())
        );
    }
    let shape = || Shape {
        name: "x",
        schema: serde_json::json!({}),
    };
    let filled: [Filled<'_>; 2] = [("anchor", "<a>"), ("neighbour", "<b>")];
    let prompt = shipped(PromptKind::SentenceQca, Language::En).prompt(&filled, None, 9, shape());
    assert_eq!(
        (prompt.user.as_str(), prompt.wording),
        ("Text A:\n<a>\n\nText B:\n<b>", None)
    );
    let filled: [Filled<'_>; 2] = [("anchor", "<a>"), ("term", "<t>")];
    let prompt = shipped(PromptKind::TokenQca, Language::Zh).prompt(&filled, None, 9, shape());
    assert_eq!(prompt.user, "文本 A：\n<a>\n\n术语 T：\n<t>");
    let filled: [Filled<'_>; 2] = [("sentences", "<1>\n<2>\n"), ("classes", "- x")];
    let words = shipped(PromptKind::EntityExtraction, Language::En);
    assert_eq!(words.prompt(&filled, None, 9, shape()).user, "<1>\n<2>\n");
    let again = Some((1, Why::Unparseable(Unparseable::NoObject)));
    let expected = "<1>\n<2>\n\nAnswer 1 could not be read: the answer has no JSON object. Answer again with one JSON object and nothing else.";
    assert_eq!(words.prompt(&filled, again, 9, shape()).user, expected);
}

#[test]
fn an_edit_is_checked_before_it_is_kept() {
    let good = shipped(PromptKind::SentenceQca, Language::En)
        .text()
        .to_owned();
    let parse = |text: &str| Wording::parse(PromptKind::SentenceQca, Language::En, text);
    let edited = parse(&good.replace("exam questions", "hard exam questions")).unwrap();
    assert!(
        !edited.is_shipped()
            && edited.hash() != shipped(PromptKind::SentenceQca, Language::En).hash()
    );
    assert!(parse(&good.replace('\n', "\r\n")).is_ok());
    let cases = [
        (
            good.replace("sentence-qca, en", "token-qca, en"),
            "first line",
        ),
        (
            good.replace("{neighbour}", "the other"),
            "{neighbour} is missing",
        ),
        (
            good.replace("{neighbour}", "{neighbour} {neighbour}"),
            "2 times",
        ),
        (
            good.replace("{neighbour}", "{neighbour} {term}"),
            "{term} is nothing",
        ),
        (
            good.replace("You write exam", "{anchor} You write exam"),
            "{anchor} is nothing",
        ),
        (good.replace("{reason}", "something"), "{reason} is missing"),
        (good.replace("[user]", "[system]"), "twice"),
        (good.replace("[system]", ""), "[system] is missing"),
        (
            good.replace("You write", "<<<A 00\nYou write"),
            "must not stand",
        ),
        (
            good.replace("You write", &"You write ".repeat(2000)),
            "characters",
        ),
        (
            good.replace(
                "Text A:\n{anchor}",
                &format!("{}{{anchor}}", "Text A ".repeat(900)),
            ),
            "more than",
        ),
        (
            good.replace(
                "You write exam questions",
                &"你为需要分清相近法规条文的人员编写试题".repeat(80),
            ),
            "English",
        ),
        (String::new(), "first line"),
    ];
    for (text, expected) in cases {
        let fault = parse(&text).unwrap_err();
        assert!(fault.contains(expected), "{expected}: {fault}");
    }
    let english = good.replace("sentence-qca, en", "sentence-qca, zh");
    assert!(
        Wording::parse(PromptKind::SentenceQca, Language::Zh, &english)
            .unwrap_err()
            .contains("Chinese")
    );
    assert!(parse(&good.replace("Answer {attempt}", "Your answer")).is_ok());
}

#[test]
fn what_is_filled_in_is_not_filled_again() {
    let hostile = "Rule {neighbour} and {anchor} {\"a\": 1} {";
    let filled: [Filled<'_>; 2] = [("anchor", hostile), ("neighbour", "B")];
    assert_eq!(
        fill("{anchor}|{neighbour}|{x}|{\"type\"}|{", &filled),
        format!("{hostile}|B|{{x}}|{{\"type\"}}|{{")
    );
}

#[test]
fn another_wording_makes_another_prompt_even_where_the_words_sent_are_the_same() {
    let text = shipped(PromptKind::TokenQca, Language::En).text();
    let noted = text.replace("What stands before", "A note. What stands before");
    let own = Wording::parse(PromptKind::TokenQca, Language::En, &noted).unwrap();
    let shape = || Shape {
        name: "x",
        schema: serde_json::json!({}),
    };
    let filled: [Filled<'_>; 2] = [("anchor", "a"), ("term", "t")];
    let (one, two) = (
        shipped(PromptKind::TokenQca, Language::En).prompt(&filled, None, 9, shape()),
        own.prompt(&filled, None, 9, shape()),
    );
    assert_eq!((&one.system, &one.user), (&two.system, &two.user));
    assert_ne!(one.key("id", "m"), two.key("id", "m"));
    let wordings = Wordings::default().with(own.clone());
    assert_eq!(wordings.get(PromptKind::TokenQca, Language::Other), &own);
    assert_eq!(wordings.own_hashes(), [own.hash()]);
    assert!(
        wordings
            .get(PromptKind::TokenQca, Language::Zh)
            .is_shipped()
    );
}

#[test]
fn every_reason_has_words_in_both_languages() {
    for why in Rejection::ALL {
        let words = Why::Rejected(*why).words(Language::Zh);
        assert!(words.chars().any(is_han), "{words}");
        assert_ne!(Why::Rejected(*why).words(Language::En), words);
    }
}

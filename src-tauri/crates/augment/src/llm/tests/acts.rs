//! A term that several acts define: what is asked of it, and which answers are rejected.

use super::*;

const OWN: &str = "any place of business of a bank which is open to the public";
const DEALERS: (SentenceId, &str) = (
    SentenceId(7),
    "any shop of a dealer which sells goods to its customers.",
);
const BROKERS: (SentenceId, &str) = (
    SentenceId(8),
    "any office of a broker which accepts orders from investors;",
);

fn defined() -> Anchor<'static> {
    let text = "‘branch’ means any place of business of a bank which is open to the public.";
    let mut anchor = Anchor::new(SentenceId(1), text, Language::En, SentenceKind::Definition);
    anchor.document_title = "Deposits Act";
    anchor.definition = Some(("branch", OWN));
    anchor.elsewhere = vec![DEALERS];
    anchor
}

const GOOD: &str = r#"{"question": "What is a branch within the meaning of the Deposits Act?",
 "right": "A branch is any place of business of a bank which is open to the public.",
 "others": ["A branch is any shop of a dealer which sells goods to its customers."],
 "hard": ["A branch is any shop of a bank which is open to the public.",
          "A branch is any place of business of a dealer which is open to the public."]}"#;

#[test]
fn a_term_that_acts_define_differently_is_asked_about_by_the_name_of_its_act() {
    let planned = writer().prompts(&defined());
    let [only] = planned.as_slice() else {
        panic!("{planned:?}");
    };
    assert_eq!(only.sentences, [SentenceId(1), SentenceId(7)]);
    for shown in ["branch", "Deposits Act", OWN, "any shop of a dealer"] {
        assert!(only.prompt.user.contains(shown), "{}", only.prompt.user);
    }
    let draft = written(&defined(), GOOD).0.unwrap().remove(0);
    assert_eq!(validate(&draft, &defined()), Ok(()));
    assert_eq!(
        (draft.level, draft.question_type),
        (QcaLevel::Sentence, QuestionType::Definition)
    );
    assert!(draft.choices[draft.answer].contains("place of business of a bank"));
    let other = ChoiceOrigin::Neighbour {
        sentence: SentenceId(7),
    };
    let at = draft.origins.iter().position(|o| *o == other).unwrap();
    assert!(draft.choices[at].contains("shop of a dealer"));
}

#[test]
fn chinese_terms_are_asked_about_in_chinese() {
    let text = "本法所称泊位，是指码头上供一艘船停靠的位置。";
    let mut anchor = Anchor::new(SentenceId(1), text, Language::Zh, SentenceKind::Definition);
    anchor.document_title = "港口法";
    anchor.definition = Some(("泊位", "码头上供一艘船停靠的位置"));
    anchor.elsewhere = vec![(SentenceId(7), "停车场内划定的车辆存放处")];
    let planned = writer().prompts(&anchor);
    assert!(planned[0].prompt.system.contains("不同法规"), "{planned:?}");
    let good = r#"{"question": "港口法所称的泊位是指什么？",
        "right": "泊位是指码头上供一艘船停靠的位置。",
        "others": ["泊位是指停车场内划定的车辆存放处。"],
        "hard": ["泊位是指码头上供一艘船存放的位置。", "泊位是指停车场内供一艘船停靠的位置。"]}"#;
    let draft = written(&anchor, good).0.unwrap().remove(0);
    assert_eq!(validate(&draft, &anchor), Ok(()));
}

/// What another act says is right there: without the name of the act the question has two right answers.
#[test]
fn what_mixes_the_acts_up_is_turned_down() {
    let reason = |text: &str| {
        let chain = writer()
            .chains(&defined(), &|_| Some(answer(text)))
            .remove(0);
        assert_eq!(chain.standing, Standing::GivenUp, "{text}");
        chain.turned_down[0].reason.clone()
    };
    let (right, other) = (
        "A branch is any place of business of a bank which is open to the public.",
        "A branch is any shop of a dealer which sells goods to its customers.",
    );
    for (from, to, expected) in [
        (
            " within the meaning of the Deposits Act",
            "",
            "act_not_named",
        ),
        ("the Deposits Act", "the Trade Act", "act_not_named"),
        ("What is a branch", "What is an office", "act_not_named"),
        (
            other,
            "A branch is any place of business of a bank which is open to its customers.",
            "meanings_mixed",
        ),
        (right, "A branch is any shop.", "not_grounded"),
        (
            "\"hard\": [",
            "\"hard\": [\"A branch is a shop.\", ",
            "wrong_content",
        ),
    ] {
        let spoilt = GOOD.replace(from, to);
        assert_ne!(spoilt, GOOD, "{from}");
        assert_eq!(reason(&spoilt), expected, "{spoilt}");
    }
}

/// All other acts stand in one question, and as many changed meanings as are left.
#[test]
fn three_other_acts_leave_no_room_for_changed_meanings() {
    let mut anchor = defined();
    let third = "any part of a company which keeps accounts of its own";
    // The fourth definition says the same as the first.
    anchor.elsewhere = vec![DEALERS, BROKERS, (SentenceId(9), DEALERS.1)];
    anchor.elsewhere.push((SentenceId(10), third));
    let plan = meaning::plan(&anchor, 1).unwrap().unwrap();
    let shown = plan.sentences();
    assert_eq!(shown, [1, 7, 8, 10].map(SentenceId));
    let three = r#"{"question": "What is a branch within the meaning of the Deposits Act?",
        "right": "A branch is any place of business of a bank which is open to the public.",
        "others": ["A branch is any shop of a dealer which sells goods to its customers.",
                   "A branch is any office of a broker which accepts orders from investors.",
                   "A branch is any part of a company which keeps accounts of its own."],
        "hard": []}"#;
    let draft = written(&anchor, three).0.unwrap().remove(0);
    let elsewhere = draft
        .origins
        .iter()
        .filter(|o| matches!(o, ChoiceOrigin::Neighbour { .. }));
    assert_eq!(elsewhere.count(), 3);
}

#[test]
fn each_pair_is_asked_beside_the_meaning_but_for_the_other_act_s_definition() {
    let mut anchor = defined();
    anchor.neighbours = [(7, DEALERS.1), (20, OTHER)]
        .map(|(id, text)| Neighbour {
            id: SentenceId(id),
            text,
            lead_in: None,
            cosine: 0.9,
        })
        .to_vec();
    let each = PromptWriter {
        extent: Extent {
            per: Per::Pair,
            most_per_anchor: None,
            most_in_all: None,
        },
        ..writer()
    };
    let prompts = each.prompts(&anchor);
    let shown: Vec<&[SentenceId]> = prompts.iter().map(|p| p.sentences.as_slice()).collect();
    assert_eq!(shown[0], [SentenceId(1), SentenceId(7)]);
    assert!(!shown[1..].iter().any(|s| s.contains(&SentenceId(7))));
}

#[test]
fn without_another_act_or_a_name_of_its_own_nothing_changes() {
    let mut anchor = defined();
    anchor.elsewhere.clear();
    assert!(meaning::plan(&anchor, 1).is_none() && writer().first_meaning(&anchor).is_none());
    let mut anchor = defined();
    anchor.document_title = " ";
    assert!(meaning::plan(&anchor, 1).is_none());
    let mut anchor = defined();
    anchor.elsewhere = vec![(SentenceId(7), OWN)];
    assert_eq!(
        meaning::plan(&anchor, 1).map(Result::err),
        Some(Some(SkipReason::NoUsableNeighbour))
    );
}

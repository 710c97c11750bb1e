//! A question for each pair and each term: what is asked, shown and left out.

use super::*;

const THIRD: &str =
    "A lighthouse keeper may close the tower to visitors for two weeks after a heavy storm.";

/// An anchor with two neighbours that make a pair and one that says much the same, and a second term.
fn with_candidates() -> Anchor<'static> {
    let mut anchor = anchor();
    for (id, text) in [
        (3, THIRD),
        (
            4,
            "The controller shall notify the supervisory authority of a breach within 48 hours.",
        ),
    ] {
        anchor.neighbours.push(Neighbour {
            id: SentenceId(id),
            text,
            lead_in: None,
            cosine: 0.8,
        });
    }
    anchor.terms.push(AnchorTerm {
        id: TermId(20),
        text: "controller",
        start: 4,
        end: 14,
        definition: None,
    });
    let more = [
        "pension board",
        "port operator",
        "rating firm",
        "health board",
    ];
    let near = anchor.similar_terms.get_mut(&TermId(1)).unwrap();
    near.extend((5..).zip(more).map(|(id, text)| (TermId(id), text, 0.77)));
    anchor
}

fn each(most_per_anchor: Option<u64>) -> PromptWriter {
    PromptWriter {
        extent: Extent {
            per: Per::Pair,
            most_per_anchor,
            most_in_all: None,
        },
        ..writer()
    }
}

#[test]
fn each_pair_and_each_term_is_a_question_of_its_own() {
    let anchor = with_candidates();
    let prompts = each(None).prompts(&anchor);
    let shown: Vec<&[SentenceId]> = prompts.iter().map(|p| p.sentences.as_slice()).collect();
    let (one, two, three) = (SentenceId(1), SentenceId(2), SentenceId(3));
    assert_eq!(shown, [&[one, two][..], &[one], &[one, three]]);
    let keys: HashSet<PromptKey> = prompts.iter().map(|p| p.key).collect();
    assert_eq!(keys.len(), prompts.len());
    // The nearest pair and the term are asked for in the same words as before: an answer that is there is used.
    let before = writer().prompts(&anchor);
    assert!(before.iter().all(|p| keys.contains(&p.key)));

    let mut items = Items::default();
    each(None).count_items(&anchor, &mut items);
    assert_eq!((items.anchors, items.possible, items.asked), (1, 5, 3));
    let reasons = [SkipReason::FewSimilarTerms, SkipReason::NoUsableNeighbour];
    assert_eq!(
        items.left_out,
        BTreeMap::from(reasons.map(|r| (r.tag().to_owned(), 1)))
    );
}

#[test]
fn a_term_is_shown_with_all_its_similar_terms_up_to_eight_choices() {
    let text = r#"{"question": "Whom must a controller notify of a breach within 72 hours?",
                       "rephrased": "The controller notifies the supervisory authority of a breach within 72 hours."}"#;
    let answers = |_: &PromptKey| Some(answer(text));
    let check = |writer: PromptWriter, choices: usize| {
        let mut writer = LlmWriter::new(writer, &answers);
        let draft = writer
            .token_questions(&with_candidates())
            .unwrap()
            .remove(0);
        assert_eq!(draft.choices.len(), choices);
        assert_eq!(validate(&draft, &with_candidates()), Ok(()));
    };
    check(writer(), 4);
    check(each(None), 8);
}

#[test]
fn what_is_beyond_a_cap_is_counted() {
    let anchor = with_candidates();
    let none = |_: &PromptKey| None;
    let check = |most, asked: u64, capped: u64| {
        let mut writer = LlmWriter::new(each(Some(most)), &none);
        let sentences = writer.sentence_questions(&anchor).unwrap_err().reason;
        let terms = writer.token_questions(&anchor).unwrap_err().reason;
        assert_eq!(sentences, SkipReason::NotAnswered);
        let expected = if most == 1 {
            SkipReason::CappedPerAnchor
        } else {
            SkipReason::NotAnswered
        };
        assert_eq!(terms, expected);
        let items = writer.items();
        let of = |reason: SkipReason| items.left_out.get(reason.tag()).copied().unwrap_or(0);
        assert_eq!(
            (
                items.asked,
                of(SkipReason::CappedPerAnchor),
                of(SkipReason::NotAnswered)
            ),
            (asked, capped, asked)
        );
        assert_eq!(items.possible, items.left_out.values().sum::<u64>());
    };
    check(1, 1, 2);
    check(2, 2, 1);
    check(9, 3, 0);

    let in_all = PromptWriter {
        extent: Extent {
            per: Per::Pair,
            most_per_anchor: None,
            most_in_all: Some(2),
        },
        ..writer()
    };
    let shared = in_all.shared_out([with_candidates()].into_iter());
    assert_eq!(shared.prompts(&anchor).len(), 2);
    // An anchor that had no share gets nothing.
    let mut other = with_candidates();
    other.id = SentenceId(9);
    assert!(shared.prompts(&other).is_empty());
}

/// A wrong choice may say only what the neighbour of its own pair says.
#[test]
fn a_pair_borrows_from_its_own_neighbour_alone() {
    let foreign = SENTENCES.replace(
        "The auditor must report a loss of working papers to the board within seven days.",
        THIRD,
    );
    let standing = |writer: PromptWriter| {
        let mut chains = writer.chains(&with_candidates(), &|_| Some(answer(&foreign)));
        chains.remove(0).standing
    };
    assert!(matches!(standing(writer()), Standing::Passed(_)));
    assert_eq!(standing(each(None)), Standing::GivenUp);
}

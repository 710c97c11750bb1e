//! Tests of `triplets`.

use super::*;
use lexforge_domain::SentenceId;
use lexforge_domain::text::SentenceKind;
use std::collections::BTreeSet;

const ENGLISH: &str = "Where a breach occurs, the keeper shall notify the office within 72 hours in accordance with this Part.";
const CHINESE: &str =
    "商业银行应当按照本办法的规定在每季度结束后三十日内向监督管理机构报送统计报表。";

fn of(text: &str, language: Language, most: usize) -> Result<DraftedTriplets, &'static str> {
    let mut maker = OfflineTriplets::new(shifts::shipped(), most, 7);
    let rule = |who: &str| format!("{who} shall keep a register of all transfers.");
    let others = [rule("The auditor"), rule("The auditor"), rule("The clerk")];
    maker.learn_actors(others.iter().map(|text| (Language::En, text.as_str())));
    maker.of(&Anchor::new(
        SentenceId(3),
        text,
        language,
        SentenceKind::Rule,
    ))
}

#[test]
fn only_the_wanted_shifts_are_made() {
    let of = |only: &[&str]| {
        let only = only.iter().map(|&tag| tag.to_owned()).collect();
        let mut maker = OfflineTriplets::new(shifts::shipped(), 9, 7).only(only);
        let (id, rule) = (SentenceId(3), SentenceKind::Rule);
        maker.of(&Anchor::new(id, ENGLISH, Language::En, rule))
    };
    let all: BTreeSet<String> = of(&[]).unwrap().kept.into_iter().map(|d| d.shift).collect();
    assert!(
        all.len() > 1 && all.contains("temporal.time_limit"),
        "{all:?}"
    );
    for tag in ["temporal", "temporal.time_limit"] {
        let kept = of(&[tag]).unwrap().kept;
        assert!(!kept.is_empty());
        assert!(
            kept.iter()
                .all(|draft| draft.shift == "temporal.time_limit")
        );
    }
    assert_eq!(of(&["perspectival.stance"]).unwrap_err(), "no_edit");
}

#[test]
fn each_negative_changes_one_thing_and_the_positive_nothing_that_binds() {
    for (text, language, edits) in [
        (
            ENGLISH,
            Language::En,
            &["time", "modal", "actor", "condition"][..],
        ),
        (CHINESE, Language::Zh, &["time", "modal"][..]),
    ] {
        let drafted = of(text, language, 9).unwrap();
        let made: BTreeSet<&str> = drafted.kept.iter().map(|d| d.edit).collect();
        for edit in edits {
            assert!(made.contains(edit), "{edit} of {made:?}");
        }
        assert_eq!(made.len(), drafted.kept.len(), "one of each edit");
        for draft in &drafted.kept {
            assert_eq!(draft.source, text);
            assert_eq!(lost(text, &draft.positive, language), None, "{draft:?}");
            assert_ne!(draft.negative, text);
            assert!(draft.negative.contains(&draft.added), "{draft:?}");
            assert!(draft.shift.contains('.'), "{draft:?}");
        }
        let who = drafted.kept.iter().find(|d| d.edit == "actor");
        assert!(who.is_none_or(|d| d.added == "the auditor"), "{who:?}");
    }
}

#[test]
fn the_rarest_shift_is_taken_first() {
    let mut maker = OfflineTriplets::new(shifts::shipped(), 1, 7);
    let mut made = BTreeMap::new();
    for number in 0..20 {
        let text = ENGLISH.replace("office", &format!("office {number}"));
        let anchor = Anchor::new(SentenceId(number), &text, Language::En, SentenceKind::Rule);
        for draft in maker.of(&anchor).unwrap().kept {
            *made.entry(draft.shift).or_insert(0) += 1;
        }
    }
    let (least, most) = (made.values().min().unwrap(), made.values().max().unwrap());
    assert!(made.len() > 2 && most - least <= 1, "{made:?}");
}

#[test]
fn a_rewritten_source_keeps_what_binds_and_the_shift() {
    for (text, language) in [(ENGLISH, Language::En), (CHINESE, Language::Zh)] {
        let anchor = Anchor::new(SentenceId(3), text, language, SentenceKind::Rule);
        let mut maker = OfflineTriplets::new(shifts::shipped(), 9, 7);
        let all = maker.of(&anchor).unwrap().kept;
        let kept = all.iter().find(|draft| draft.edit == "time").unwrap();
        let found = maker.rewritten(&anchor, kept).unwrap();
        assert_eq!(
            (&found.source, &found.positive),
            (&kept.positive, &kept.source)
        );
        assert_eq!(found.shift, kept.shift);
        assert_eq!(found.rewordings.last(), Some(&REWRITTEN));
        assert_eq!(lost(&found.source, &found.positive, language), None);
        assert!(
            lost(&found.source, &found.negative, language).is_some(),
            "{found:?}"
        );
    }
}

#[test]
fn what_gives_no_triplet_says_why() {
    let check = |text: &str, language: Language, reason: &str| {
        assert_eq!(of(text, language, 3).unwrap_err(), reason, "{text}");
    };
    check("The keeper shall:", Language::En, "fragment");
    check(ENGLISH, Language::Ko, "language_unsupported");
}

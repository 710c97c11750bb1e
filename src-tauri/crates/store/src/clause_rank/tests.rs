//! Tests of `clause_rank`.

use super::*;

fn map() -> ClauseMap {
    let id = SentenceId;
    let mut map = ClauseMap::default();
    map.add("Data Protection Act", &[(id(1), id(2)), (id(3), id(3))]);
    map.add("7", &[(id(5), id(6))]);
    map
}

#[test]
fn a_sentence_stands_in_one_clause() {
    let map = map();
    let of = |id| map.clause(SentenceId(id));
    assert_eq!(
        [of(1), of(2), of(3), of(4), of(5), of(6), of(7)],
        [Some(0), Some(0), Some(1), None, Some(2), Some(2), None]
    );
    assert_eq!(map.sentences(2), Some((SentenceId(5), SentenceId(6))));
    assert_eq!(map.len(), 3);
}

#[test]
fn an_everyday_word_stands_for_those_of_rules() {
    assert!(formal("told").contains(&"notifi".to_owned()));
    assert!(formal("tell").contains(&"inform".to_owned()));
    assert!(formal("notifi").is_empty());
    assert!(formal("取钱").contains(&"支取".to_owned()));
    let (tell, notify) = ([(1, 4), (5, 0)], [(2, 3)]);
    let places = together(&[&tell, &notify]);
    assert_eq!(*places, [(1, 4), (2, 3), (5, 0)]);
    // Both sentences of the first clause have the word.
    assert_eq!(counted(&map(), &places, None), [(0, 2), (2, 1)]);
    assert!(together(&[]).is_empty());
}

#[test]
fn words_that_stand_side_by_side_stand_for_a_name() {
    for (text, stands) in [
        ("a non-performing exposure", true),
        ("bad loans", true),
        ("the performance of a loan", false),
    ] {
        let own = words(text);
        let has = |word: &str| own.iter().any(|one| one == word);
        assert_eq!(stands_instead("badloan", has), stands, "{text}");
    }
    let at = |places: &[(u32, u32)]| Arc::new(Postings::new(places.to_vec()));
    let (non, perform) = (at(&[(1, 0), (2, 4), (3, 1)]), at(&[(1, 1), (2, 7)]));
    let read: Read<'_> = HashMap::from([("non", non), ("perform", perform)]);
    let both = places_of(&read, "non perform").map(|p| p.places.clone());
    assert_eq!(both, Some(vec![(1, 0)]));
    assert!(places_of(&read, "non contract").is_none());
}

#[test]
fn words_that_different_rules_have_for_the_same_find_each_other() {
    let index = |word: &str| words(word).concat();
    for (asked, rule) in [
        ("appointed", "designated"),
        ("fired", "dismissed"),
        ("sacked", "dismissal"),
        ("retained", "kept"),
        ("kept", "maintained"),
        ("banned", "prohibited"),
        ("EU", "Union"),
    ] {
        assert!(formal(&index(asked)).contains(&index(rule)), "{asked}");
    }
    // "Designate" and "design" have the same stem, but a question about a design does not ask who is appointed.
    assert!(formal(&index("design")).is_empty());
    // A report is not a notice, but what is reported may be notified.
    assert!(formal(&index("reported")).contains(&index("notify")));
    assert_eq!(
        everyday::named_as_things("Who signs the report?"),
        ["report"]
    );
}

#[test]
fn a_word_stands_for_its_other_spelling() {
    let spelt = spelt_otherwise("Is the organization licensed at the berth?");
    let of = |word: &str| spelt.get(&words(word)[0]).cloned().unwrap_or_default();
    assert_eq!(of("organization"), words("organisation"));
    assert!(of("berth").is_empty());
}

#[test]
fn a_title_s_words_count_in_each_clause_of_its_document() {
    let map = map();
    let titled = map.titled.get("protect");
    assert_eq!(
        counted(&map, &[(2, 0), (5, 1), (6, 0)], titled),
        [(0, 2), (1, 1), (2, 2)]
    );
    assert_eq!(counted(&map, &[(5, 1)], None), [(2, 1)]);
    // A title that is only a number names nothing.
    assert!(!map.titled.contains_key("7"));
}

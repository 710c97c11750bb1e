//! Tests of `words`.

use super::*;

#[test]
fn scores_fall_with_the_rank_of_the_merge() {
    let tokens: Vec<String> = ["<unk>", "a", "b", "ab", "abb"].map(str::to_owned).to_vec();
    let merges = [("a", "b"), ("ab", "b"), ("a", "bb")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(scores_of(&tokens, &merges), [-3.0, -4.0, -5.0, 0.0, -1.0]);
}

#[test]
fn the_best_union_comes_first_and_unknown_characters_fall_to_bytes() {
    let token = |text: &str, score: f32, number: u32| (text.to_owned(), (score, number));
    let known = [
        token("▁", -9.0, 0),
        token("a", -9.0, 1),
        token("b", -9.0, 2),
        token("ab", -2.0, 3),
        token("▁a", -1.0, 4),
        token("<0xC3>", -9.0, 5),
        token("<0xA9>", -9.0, 6),
    ];
    let characters = Characters {
        known: known.into(),
        marks: vec![("<s>".into(), 7), ("<s>>".into(), 8)],
        space: true,
    };
    assert_eq!(characters.encode("ab"), [4, 2]);
    assert_eq!(characters.encode("a ab"), [4, 4, 2]);
    assert_eq!(characters.encode("bab"), [0, 2, 3]);
    assert_eq!(characters.encode("<s>b<s>>é"), [7, 0, 2, 8, 0, 5, 6]);
    let bare = Characters {
        space: false,
        ..characters
    };
    assert_eq!(bare.encode("ab"), [3]);
}

#[test]
fn a_cut_without_a_name_is_refused() {
    let described =
        |pre: Value, normalizer: Value| json!({"pre_tokenizer": pre, "normalizer": normalizer});
    let bytes =
        |regex: bool| json!({"type": "ByteLevel", "add_prefix_space": false, "use_regex": regex});
    let split = |expression: &str| {
        json!({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": expression},
                "behavior": "Isolated", "invert": false}, bytes(false)]})
    };
    assert_eq!(
        cut_of(&described(split(QWEN_WORDS), json!({"type": "NFC"})))
            .unwrap()
            .0,
        "qwen2"
    );
    assert_eq!(
        cut_of(&described(split(LLAMA3_WORDS), Value::Null)).unwrap(),
        ("llama-bpe", None)
    );
    assert_eq!(
        cut_of(&described(bytes(true), Value::Null)).unwrap().0,
        "gpt-2"
    );
    for (pre, normalizer) in [
        (split(r"\w+"), Value::Null),
        (json!({"type": "Whitespace"}), Value::Null),
        (bytes(false), Value::Null),
        (split(QWEN_WORDS), json!({"type": "Lowercase"})),
    ] {
        assert!(
            cut_of(&described(pre, normalizer))
                .unwrap_err()
                .to_string()
                .contains("GGUF")
        );
    }
}

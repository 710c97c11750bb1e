//! Learns a new tokenizer, a byte-level BPE (Sennrich et al. 2016; Radford et al. 2019), from the texts of a corpus.
//! Also writes the small files that make a model folder out of it.
//!
//! The tokenizer normalises nothing and has a token for every byte, so decoding gives back any text unchanged.

use lexforge_models::texts::vocabulary::QWEN_WORDS;
use lexforge_models::{Error, Result};
use serde_json::json;
use tokenizers::decoders::byte_level::ByteLevel;
use tokenizers::models::TrainerWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{AddedToken, SplitDelimiterBehavior, Tokenizer};

/// Stands between two documents.
pub const BETWEEN: &str = "<|endoftext|>";
/// Begins what somebody says.
pub const BEGIN: &str = "<|im_start|>";
/// Ends what somebody says.
pub const END: &str = "<|im_end|>";
/// All of these, in the order of their numbers.
pub const SPECIALS: [&str; 3] = [BETWEEN, BEGIN, END];

/// The longest token in bytes: six Chinese characters, or a long word. Without this limit, whole phrases that a small
/// corpus repeats would become tokens that are useless for other texts.
const LONGEST: usize = 18;

/// ChatML, which Qwen's templates write too where nothing is thought aloud.
const TEMPLATE: &str = concat!(
    "{%- for message in messages %}",
    "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
    "{%- endfor %}",
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}",
);

/// Learns a vocabulary with a given number of entries. A text that is given several times counts several times.
///
/// # Errors
/// If the crate `tokenizers` fails.
pub fn train<'a>(
    texts: impl Iterator<Item = &'a str> + Send,
    vocabulary: usize,
) -> Result<Tokenizer> {
    let shim = |e: tokenizers::Error| Error::Shim(e.to_string());
    let split = Split::new(
        SplitPattern::Regex(QWEN_WORDS.into()),
        SplitDelimiterBehavior::Isolated,
        false,
    )
    .map_err(shim)?;
    let bytes = ByteLevel::new(false, false, false);
    let cut = Sequence::new(vec![
        PreTokenizerWrapper::Split(split),
        PreTokenizerWrapper::ByteLevel(bytes),
    ]);
    let mut tokenizer = Tokenizer::new(BPE::default());
    let _ = tokenizer
        .with_pre_tokenizer(Some(cut))
        .with_post_processor(Some(bytes))
        .with_decoder(Some(bytes));
    let specials = SPECIALS.map(|token| AddedToken::from(token, true));
    let trainer = BpeTrainer::builder()
        .vocab_size(vocabulary)
        .min_frequency(2)
        .show_progress(false)
        .special_tokens(specials.to_vec())
        .initial_alphabet(ByteLevel::alphabet().into_iter().collect())
        .max_token_length(Some(LONGEST))
        .build();
    tokenizer
        .train(&mut TrainerWrapper::BpeTrainer(trainer), texts)
        .map_err(shim)?;
    Ok(tokenizer)
}

/// The `tokenizer_config.json` for the tokenizer.
///
/// # Errors
/// If the tokenizer lacks one of the special tokens.
pub fn configuration(tokenizer: &Tokenizer, positions: i64) -> Result<serde_json::Value> {
    let mut added = serde_json::Map::new();
    for content in SPECIALS {
        let number = special(tokenizer, content)?;
        added.insert(
            number.to_string(),
            json!({"content": content, "special": true, "lstrip": false, "rstrip": false, "normalized": false,
                "single_word": false}),
        );
    }
    Ok(json!({
        "tokenizer_class": "PreTrainedTokenizerFast",
        "added_tokens_decoder": added,
        "bos_token": null,
        "eos_token": END,
        "pad_token": BETWEEN,
        "unk_token": null,
        "model_max_length": positions,
        "clean_up_tokenization_spaces": false,
        "chat_template": TEMPLATE,
    }))
}

/// The id of a special token.
///
/// # Errors
/// If the tokenizer has no such token.
pub fn special(tokenizer: &Tokenizer, content: &str) -> Result<u32> {
    tokenizer
        .token_to_id(content)
        .ok_or_else(|| Error::Shim(format!("the tokenizer has no {content}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back_and_frequent_words_are_one_token() {
        let texts = [
            "The bank shall report to the board.\n",
            "银行应当向董事会报告，董事会应当审议。\n",
        ]
        .repeat(20);
        let tokenizer = train(texts.iter().copied(), 320).unwrap();
        assert_eq!(tokenizer.get_vocab_size(true), 320);
        assert_eq!(SPECIALS.map(|t| special(&tokenizer, t).unwrap()), [0, 1, 2]);
        for text in [
            "The board, 42 %.",
            "董事会秘书〇𠮷",
            "e\u{301} \t\r\n  ½",
            "ﬁ",
        ] {
            let ids = tokenizer
                .encode_fast(text, false)
                .unwrap()
                .get_ids()
                .to_vec();
            assert_eq!(tokenizer.decode(&ids, false).unwrap(), text);
        }
        let count = |text: &str| tokenizer.encode_fast(text, false).unwrap().len();
        assert!(count(" board") <= 2 && count("银行应当") <= 4);
        let longest = tokenizer
            .get_vocab(false)
            .into_keys()
            .map(|token| token.chars().count())
            .max()
            .unwrap();
        assert!(longest <= LONGEST, "{longest}");
        let again = train(texts.iter().copied(), 320).unwrap();
        assert_eq!(
            again.to_string(false).unwrap(),
            tokenizer.to_string(false).unwrap()
        );
    }
}

//! Limits how much longer a tokenizer may make a text before it cuts it into tokens. A normaliser can replace one
//! letter by many, and several such steps multiply.

use serde_json::Value;
use tokenizers::Tokenizer;

/// How many times longer a text may become. The normalisers in use stay below 100 by this bound.
const MOST_GROWTH: f64 = 512.0;
/// Steps of a normaliser; those in use have at most 6.
const MOST_STEPS: usize = 64;
/// How many times a post-processor may take up the text.
const MOST_REPEATS: usize = 8;
/// Bytes that may be put before a text.
const LONGEST_PREFIX: usize = 4096;

/// Refuses a tokenizer that would make texts far too long.
///
/// # Errors
/// The reason, in words that follow "cannot be used: ".
pub fn check(tokenizer: &Tokenizer) -> Result<(), String> {
    let described = |what: Option<Result<Value, serde_json::Error>>| {
        what.transpose()
            .map_err(|e| format!("a part of it cannot be read: {e}"))
    };
    if let Some(normaliser) = described(tokenizer.get_normalizer().map(serde_json::to_value))? {
        let mut steps = 0;
        let growth = growth(&normaliser, &mut steps)?;
        if growth > MOST_GROWTH {
            return Err("its normaliser makes a text hundreds of times longer".to_owned());
        }
    }
    if let Some(processor) = described(tokenizer.get_post_processor().map(serde_json::to_value))?
        && repeats(&processor) > MOST_REPEATS
    {
        return Err("its template takes up each text many times".to_owned());
    }
    Ok(())
}

/// By how much a normaliser makes a text longer at most, counted in bytes.
fn growth(step: &Value, steps: &mut usize) -> Result<f64, String> {
    *steps += 1;
    if *steps > MOST_STEPS {
        return Err(format!("its normaliser has more than {MOST_STEPS} steps"));
    }
    let text = |name: &str| {
        step.get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .len()
    };
    Ok(
        match step.get("type").and_then(Value::as_str).unwrap_or_default() {
            "Sequence" => {
                let parts = step.get("normalizers").and_then(Value::as_array);
                let mut product = 1.0;
                for part in parts.into_iter().flatten() {
                    product *= growth(part, steps)?;
                }
                product
            }
            "Replace" => {
                let pattern = step
                    .pointer("/pattern/String")
                    .and_then(Value::as_str)
                    .map_or(0, str::len);
                match pattern {
                    // A pattern may match the empty text between any two letters.
                    0 => 1.0 + text("content") as f64,
                    length => (text("content") as f64 / length as f64).max(1.0),
                }
            }
            "Prepend" if text("prepend") > LONGEST_PREFIX => {
                return Err("it puts a very long text before others".to_owned());
            }
            // The largest number of letters that one letter can become. BERT's normaliser puts a space on both sides of
            // a Chinese character. The byte-level normaliser writes each byte as a letter of two bytes.
            "BertNormalizer" => 3.0,
            "ByteLevel" => 2.0,
            "Precompiled" => longest_replacement(step)?,
            // The forms of Unicode make a few letters longer, but again and again no longer.
            _ => 1.0,
        },
    )
}

/// The longest text by which a compiled table of SentencePiece replaces a letter.
fn longest_replacement(step: &Value) -> Result<f64, String> {
    use base64::Engine;
    let damaged = || "its compiled normaliser is damaged".to_owned();
    let coded = step
        .get("precompiled_charsmap")
        .and_then(Value::as_str)
        .ok_or_else(damaged)?;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(coded)
        .map_err(|_| damaged())?;
    // The size of the index, the index, then the replacements with a zero after each.
    let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
        return Ok(1.0);
    };
    let replacements = rest
        .get(u32::from_le_bytes(*size) as usize..)
        .ok_or_else(damaged)?;
    let longest = replacements
        .split(|&byte| byte == 0)
        .map(<[u8]>::len)
        .max()
        .unwrap_or(1);
    Ok((longest as f64).max(1.0))
}

/// How often a template of a post-processor takes up a text.
fn repeats(processor: &Value) -> usize {
    let taken = |name: &str| {
        let pieces = processor.get(name).and_then(Value::as_array);
        pieces
            .into_iter()
            .flatten()
            .filter(|piece| piece.get("Sequence").is_some())
            .count()
    };
    let parts = processor.get("processors").and_then(Value::as_array);
    let inner = parts
        .into_iter()
        .flatten()
        .map(repeats)
        .fold(1usize, |product, n| product.saturating_mul(n.max(1)));
    inner.saturating_mul(taken("single").max(taken("pair")).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer(normalizer: &Value, processor: &Value) -> Tokenizer {
        let file = serde_json::json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": normalizer,
            "pre_tokenizer": null, "post_processor": processor, "decoder": null,
            "model": {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"},
        });
        Tokenizer::from_bytes(file.to_string().as_bytes()).unwrap()
    }

    fn replace(pattern: &str, content: &str) -> Value {
        serde_json::json!({"type": "Replace", "pattern": {"String": pattern}, "content": content})
    }

    fn sequence(steps: Vec<Value>) -> Value {
        serde_json::json!({"type": "Sequence", "normalizers": steps})
    }

    #[test]
    fn the_normalisers_in_use_are_taken() {
        let bert = serde_json::json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true});
        let any =
            serde_json::json!({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"});
        let nfc = serde_json::json!({"type": "NFC"});
        let first = serde_json::json!({"type": "Prepend", "prepend": "▁"});
        for normaliser in [
            Value::Null,
            bert,
            any,
            nfc,
            sequence(vec![first, replace(" ", "▁")]),
        ] {
            assert_eq!(
                check(&tokenizer(&normaliser, &Value::Null)),
                Ok(()),
                "{normaliser}"
            );
        }
    }

    #[test]
    fn steps_that_multiply_are_refused_before_a_text_is_read() {
        let doubling = |times: usize| sequence(vec![replace("a", "aa"); times]);
        assert_eq!(check(&tokenizer(&doubling(4), &Value::Null)), Ok(()));
        for normaliser in [
            doubling(40),
            doubling(100),
            replace("a", &"a".repeat(5_000)),
            sequence(vec![sequence(vec![replace("a", "aaaa"); 3]); 3]),
            sequence(vec![serde_json::json!({"type": "ByteLevel"}); 20]),
            serde_json::json!({"type": "Replace", "pattern": {"Regex": ""}, "content": "a".repeat(600)}),
            serde_json::json!({"type": "Prepend", "prepend": "a".repeat(10_000)}),
        ] {
            assert!(
                check(&tokenizer(&normaliser, &Value::Null)).is_err(),
                "{normaliser}"
            );
        }
    }

    #[test]
    fn a_template_that_repeats_the_text_is_refused() {
        let one = serde_json::json!({"Sequence": {"id": "A", "type_id": 0}});
        let template = |times: usize| {
            serde_json::json!({"type": "TemplateProcessing", "single": vec![one.clone(); times],
                "pair": [one, {"Sequence": {"id": "B", "type_id": 1}}], "special_tokens": {}})
        };
        assert_eq!(check(&tokenizer(&Value::Null, &template(1))), Ok(()));
        assert!(check(&tokenizer(&Value::Null, &template(1_000))).is_err());
    }
}

//! Reads the one JSON object in an answer. Code fences and words around the object are allowed; several different
//! objects are not.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use strum::IntoStaticStr;

/// Longest answer that is looked through, in bytes: no question needs a hundredth of it.
pub(crate) const LONGEST: usize = 256 << 10;
/// Most places at which an object could begin that are tried.
const PLACES: usize = 4096;

/// Why an answer could not be read. Each is counted.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Unparseable {
    /// It has no text.
    #[error("the answer is empty")]
    Empty,
    /// The endpoint or the model declined.
    #[error("the model declined to answer")]
    Declined,
    /// It has more text than any answer needs.
    #[error("the answer is far too long")]
    #[strum(serialize = "too_long_answer")]
    TooLong,
    /// It was cut at the limit of tokens before its object was whole.
    #[error("the answer was cut at the limit of tokens")]
    Cut,
    /// It has no JSON object.
    #[error("the answer has no JSON object")]
    NoObject,
    /// Its objects lack a field, or have one of another kind.
    #[error("the answer's object has not the fields that were asked for")]
    WrongFields,
    /// It has several objects that would do.
    #[error("the answer has several objects")]
    Several,
    /// The object's content contradicts itself or the question.
    #[error("the answer's content does not fit what was asked")]
    WrongContent,
}

impl Unparseable {
    /// The tag under which it is counted.
    pub fn tag(self) -> &'static str {
        self.into()
    }

    /// The reason in Chinese, for a model that is asked again.
    pub(crate) fn chinese(self) -> &'static str {
        match self {
            Self::Empty => "回答为空",
            Self::Declined => "模型拒绝回答",
            Self::TooLong => "回答过长",
            Self::Cut => "回答在达到长度上限时被截断",
            Self::NoObject => "没有 JSON 对象",
            Self::WrongFields => "JSON 对象的字段不符合要求",
            Self::Several => "有多个 JSON 对象",
            Self::WrongContent => "内容不符合要求",
        }
    }
}

/// Reads the one object of form `T` from an answer. `finish` is the reason why the answer ended.
///
/// # Errors
/// The reason why the answer does not have exactly one such object.
pub fn read<T: DeserializeOwned + PartialEq>(text: &str, finish: &str) -> Result<T, Unparseable> {
    if matches!(finish, "refusal" | "content_filter") {
        return Err(Unparseable::Declined);
    }
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if text.is_empty() {
        return Err(Unparseable::Empty);
    }
    if text.len() > LONGEST {
        return Err(Unparseable::TooLong);
    }
    let objects = objects(text);
    if objects.is_empty() {
        let cut = finish == "length" || text.contains('{') && !text.contains('}');
        return Err(if cut {
            Unparseable::Cut
        } else {
            Unparseable::NoObject
        });
    }
    let mut fitting: Vec<T> = objects
        .into_iter()
        .filter_map(|object| serde_json::from_value(Value::Object(object)).ok())
        .collect();
    // An object that is repeated counts once.
    fitting.dedup();
    match (fitting.pop(), fitting.len()) {
        (Some(one), 0) => Ok(one),
        (Some(_), _) => Err(Unparseable::Several),
        (None, _) if finish == "length" => Err(Unparseable::Cut),
        (None, _) => Err(Unparseable::WrongFields),
    }
}

/// The outermost JSON objects in a text, in order.
fn objects(text: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut from = 0;
    for _ in 0..PLACES {
        let Some(at) = text[from..].find('{').map(|at| from + at) else {
            break;
        };
        let mut stream =
            serde_json::Deserializer::from_str(&text[at..]).into_iter::<Map<String, Value>>();
        match stream.next() {
            Some(Ok(object)) => {
                from = at + stream.byte_offset();
                found.push(object);
            }
            // This brace belongs to the prose, or begins an object that was cut off. An object may still follow.
            _ => from = at + 1,
        }
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pair {
        question: String,
        answer: String,
    }

    const GOOD: &str = r#"{"question": "Who {pays}?", "answer": "The \"bank\"."}"#;

    fn check(text: &str, expected: Result<(), Unparseable>) {
        assert_eq!(read::<Pair>(text, "stop").map(|_| ()), expected, "{text}");
    }

    #[test]
    fn what_stands_around_the_object_is_tolerated() {
        for text in [
            GOOD.to_owned(),
            format!("\u{feff}\n{GOOD}\n"),
            format!("```json\n{GOOD}\n```"),
            format!("```\n{GOOD}\n```\nI hope that this helps {{really}}."),
            format!("Here is the object (see {{braces}}):\n{GOOD}"),
            format!("<think>It could be {{\"x\": 1}}.</think>{GOOD}"),
            format!("{GOOD}\n{GOOD}"),
        ] {
            let pair: Pair = read(&text, "stop").unwrap();
            assert_eq!(
                (pair.question.as_str(), pair.answer.as_str()),
                ("Who {pays}?", "The \"bank\"."),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_unclear_is_counted_by_its_reason() {
        check("", Err(Unparseable::Empty));
        check(" \n\u{feff} ", Err(Unparseable::Empty));
        check("I cannot do that.", Err(Unparseable::NoObject));
        check("[1, 2]", Err(Unparseable::NoObject));
        check(r#"{"question": "Who?"#, Err(Unparseable::Cut));
        check(r#"{"question": "Who?"}"#, Err(Unparseable::WrongFields));
        check(
            r#"{"question": "Who?", "answer": 3}"#,
            Err(Unparseable::WrongFields),
        );
        check(
            r#"{"question": "Who?", "answer": "x", "note": "y"}"#,
            Err(Unparseable::WrongFields),
        );
        check(
            r#"{"a": {"question": "Who?", "answer": "x"}}"#,
            Err(Unparseable::WrongFields),
        );
        check(
            &format!("{GOOD} or {}", GOOD.replace("bank", "payer")),
            Err(Unparseable::Several),
        );
        check(&"x".repeat(LONGEST + 1), Err(Unparseable::TooLong));
        assert_eq!(
            read::<Pair>("{\"question\": \"W", "length"),
            Err(Unparseable::Cut)
        );
        assert_eq!(
            read::<Pair>(GOOD, "content_filter"),
            Err(Unparseable::Declined)
        );
    }

    /// Hostile and random texts cost bounded work and never a panic.
    #[test]
    fn nothing_breaks_the_reader() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let pieces = [
            "{", "}", "\"", "\\", ":", ",", "[", "]", "question", "answer", "1e999", "\u{0}", "é",
            "问", GOOD,
        ];
        for _ in 0..3000 {
            let n = rng.random_range(0..40);
            let text: String = (0..n)
                .map(|_| pieces[rng.random_range(0..pieces.len())])
                .collect();
            let _ = read::<Pair>(&text, "stop");
        }
        for one in ["{", "{\"a\":", "[{", "{\"question\":\"{", "\\\"{"] {
            let text = one.repeat(LONGEST / one.len());
            assert!(read::<Pair>(&text, "stop").is_err());
        }
    }
}

//! The conditions for a proposed term: words of its sentence, one noun phrase, no number, a class of the schema.

use lexforge_domain::extract::TermSource;
use lexforge_domain::schema::TermSchema;
use lexforge_domain::text::Language;
use lexforge_text::calendar::MONTHS;
use lexforge_text::{fold, is_han};
use strum::IntoStaticStr;

/// Words, and characters, of the longest term.
const MOST_WORDS: usize = 8;
const MOST_CHARACTERS: usize = 90;
/// Characters of the longest term of ideographs.
const MOST_IDEOGRAPHS: usize = 24;

/// Why a proposed term was rejected. Each is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// The class is none of the schema's.
    UnknownClass,
    /// No sentence has the number that the answer names.
    UnknownSentence,
    /// The term does not occur in its sentence.
    NotInSentence,
    /// It has a number or a date.
    Number,
    /// It is more, or something else, than one noun phrase.
    NotAPhrase,
    /// It has fewer letters than any term.
    TooShort,
    /// It has more words than any term.
    TooLong,
    /// The same term was proposed for the sentence before.
    Repeated,
    /// More terms were proposed for the sentence than are taken.
    TooMany,
    /// The sentence speaks to a language model: what it asks for is not taken from an answer.
    #[strum(serialize = "addressed_to_a_model")]
    Addressed,
}

impl Reason {
    /// The tag under which it is counted.
    pub fn tag(self) -> &'static str {
        self.into()
    }
}

/// Checks a term that a model proposed. Returns the term in the spelling that it has in its sentence.
///
/// # Errors
/// The reason why the term is rejected.
pub(super) fn term(
    source: &TermSource<'_>,
    class: &str,
    term: &str,
    schema: &TermSchema,
) -> Result<String, Reason> {
    if source.addressed {
        return Err(Reason::Addressed);
    }
    // Cheap first: a list of ten thousand is looked through before anything is searched for.
    if term.len() > 4 * MOST_CHARACTERS {
        return Err(Reason::TooLong);
    }
    if !schema.classes.iter().any(|known| known.name == class) {
        return Err(Reason::UnknownClass);
    }
    let term = without_article(term.trim());
    let surface = found(source.text, term).ok_or(Reason::NotInSentence)?;
    phrase(&surface, schema.language)?;
    Ok(surface)
}

/// Checks that a text is a single noun phrase, as terms are. A number, a date, a clause and several joined phrases are
/// not.
///
/// # Errors
/// The reason why the text is not a single noun phrase.
pub fn phrase(text: &str, language: Language) -> Result<(), Reason> {
    let wide = text.chars().filter(|c| is_han(*c)).count();
    if text.chars().filter(|c| c.is_alphabetic()).count() < 2 {
        return Err(Reason::TooShort);
    }
    if text.chars().count()
        > if wide > 0 {
            MOST_IDEOGRAPHS
        } else {
            MOST_CHARACTERS
        }
    {
        return Err(Reason::TooLong);
    }
    if text.chars().any(|c| c.is_numeric() && !is_han(c))
        || text.contains(['%', '％', '‰', '€', '$', '£', '¥', '￥'])
    {
        return Err(Reason::Number);
    }
    if text.contains([
        ',', ';', ':', '.', '!', '?', '，', '；', '：', '。', '！', '？', '、', '"', '“', '”', '{',
        '}', '<', '>', '=', '\n', '\t', '[', ']', '《', '》',
    ]) {
        return Err(Reason::NotAPhrase);
    }
    if language == Language::Zh || wide > 0 {
        chinese(text)
    } else {
        english(text)
    }
}

fn english(text: &str) -> Result<(), Reason> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    if words.len() > MOST_WORDS {
        return Err(Reason::TooLong);
    }
    // "May" stands in duties too.
    if words
        .iter()
        .any(|w| w != "may" && MONTHS.contains(&w.as_str()))
    {
        return Err(Reason::Number);
    }
    let clause = |w: &String| {
        matches!(
            w.as_str(),
            "is" | "are"
                | "was"
                | "were"
                | "be"
                | "been"
                | "has"
                | "have"
                | "had"
                | "shall"
                | "must"
                | "may"
                | "can"
                | "could"
                | "will"
                | "would"
                | "should"
                | "does"
                | "do"
                | "not"
                | "that"
                | "which"
                | "who"
                | "whom"
                | "whose"
                | "where"
                | "when"
                | "if"
                | "unless"
                | "because"
                | "this"
                | "these"
                | "those"
                | "it"
                | "they"
                | "its"
                | "their"
                | "his"
                | "her"
                | "any"
                | "each"
                | "every"
                | "such"
        )
    };
    let joint = |w: &String| {
        matches!(
            w.as_str(),
            "of" | "in"
                | "on"
                | "at"
                | "by"
                | "for"
                | "to"
                | "from"
                | "with"
                | "and"
                | "or"
                | "the"
                | "a"
                | "an"
                | "as"
                | "under"
        )
    };
    // "Terms and conditions" is one thing, "the bank and the insurer" are two: two determined or two long halves.
    let halves: Vec<&[String]> = words.split(|w| w == "and" || w == "or").collect();
    let several = halves.len() > 2 || halves.len() == 2 && halves.iter().all(|half| half.len() > 2);
    let ends = words.first().is_none_or(joint) || words.last().is_none_or(joint);
    if words.iter().any(clause) || several || ends {
        Err(Reason::NotAPhrase)
    } else {
        Ok(())
    }
}

fn chinese(text: &str) -> Result<(), Reason> {
    let numeral = |c: char| "一二三四五六七八九十百千万亿零〇两".contains(c);
    let chars: Vec<char> = text.chars().collect();
    let counted = chars.windows(2).any(|pair| {
        numeral(pair[0])
            && matches!(
                pair[1],
                '年' | '月' | '日' | '天' | '元' | '条' | '款' | '项' | '章' | '倍'
            )
    });
    if counted
        || text.contains("百分之")
        || text.contains('第') && chars.iter().any(|c| numeral(*c)) && text.contains('条')
    {
        return Err(Reason::Number);
    }
    let clause = [
        "应当", "不得", "可以", "必须", "是指", "属于", "包括", "按照", "根据", "依照", "以及",
        "或者", "并且", "如果",
    ];
    let ends = [
        "的", "和", "与", "及", "或", "在", "对", "由", "为", "向", "从", "其", "该", "本", "各",
        "等",
    ];
    let bad = clause.iter().any(|w| text.contains(w))
        || ends.iter().any(|w| text.ends_with(w))
        || [
            "的", "和", "与", "及", "或", "其", "该", "在", "由", "向", "从",
        ]
        .iter()
        .any(|w| text.starts_with(w))
        || text.matches('的').count() > 1;
    if bad { Err(Reason::NotAPhrase) } else { Ok(()) }
}

/// The term as its sentence writes it, found in any case and between word boundaries.
fn found(sentence: &str, term: &str) -> Option<String> {
    let fold = |text: &str| -> Vec<char> { text.chars().map(fold::plain).collect() };
    let (hay, needle) = (fold(sentence), fold(term));
    if needle.is_empty() || needle.len() > hay.len() {
        return None;
    }
    let inside = |a: Option<&char>, b: Option<&char>| matches!((a, b), (Some(a), Some(b)) if a.is_alphanumeric() && b.is_alphanumeric() && !is_han(*a) && !is_han(*b));
    // "Performing loan" does not stand in "non-performing loan": the part that denies belongs to the term.
    let denied = |at: usize| {
        let before: String = hay[..at].iter().collect();
        ["non-", "non ", "非"]
            .iter()
            .any(|prefix| before.ends_with(prefix) && !before.ends_with("并非"))
    };
    let at = (0..=hay.len() - needle.len()).find(|&at| {
        let end = at + needle.len();
        hay[at..end] == needle[..]
            && !denied(at)
            && !inside(at.checked_sub(1).and_then(|i| hay.get(i)), hay.get(at))
            && !inside(hay.get(end - 1), hay.get(end))
    })?;
    Some(
        sentence
            .chars()
            .skip(at)
            .take(needle.len())
            .map(|c| if c.is_whitespace() { ' ' } else { c })
            .collect(),
    )
}

/// A term without the article that a model may leave before it.
fn without_article(term: &str) -> &str {
    let articles = ["the ", "The ", "a ", "A ", "an ", "An "];
    articles
        .iter()
        .find_map(|article| term.strip_prefix(article))
        .unwrap_or(term)
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_not_cut_off_what_denies_it() {
        let check = |sentence: &str, term: &str, expected: Option<&str>| {
            assert_eq!(
                found(sentence, term).as_deref(),
                expected,
                "{term} in {sentence}"
            );
        };
        check(
            "A bank reports each non-performing loan.",
            "performing loan",
            None,
        );
        check(
            "A bank reports each non-performing loan.",
            "non-performing loan",
            Some("non-performing loan"),
        );
        check(
            "A non-performing loan is no performing loan.",
            "performing loan",
            Some("performing loan"),
        );
        check("非金融机构应当登记。", "金融机构", None);
        check("非金融机构应当登记。", "非金融机构", Some("非金融机构"));
        check("并非金融机构的，应当登记。", "金融机构", Some("金融机构"));
    }
}

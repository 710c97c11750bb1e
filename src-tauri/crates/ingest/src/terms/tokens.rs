//! English tokens: words with inner hyphens and apostrophes, and everything else as breaks.

/// A token of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// As written, with a plain apostrophe.
    pub text: String,
    /// Lower case.
    pub lower: String,
    /// A word, as against a number, a symbol or a punctuation mark.
    pub word: bool,
}

/// The tokens of a sentence.
pub(crate) fn tokenise(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c.is_whitespace() {
            i += 1;
            continue;
        }
        let start = i;
        if c.is_alphanumeric() {
            while i < chars.len() && (chars[i].is_alphanumeric() || joins(&chars, i)) {
                i += 1;
            }
            let mut written: String = chars[start..i].iter().map(|c| plain(*c)).collect();
            let mut possessive = false;
            for end in ["'s", "'"] {
                if let Some(stem) = written.strip_suffix(end) {
                    written = stem.to_owned();
                    possessive = true;
                    break;
                }
            }
            let word = !written.chars().any(|c| c.is_ascii_digit()) && written.chars().any(char::is_alphabetic);
            let lower = written.to_lowercase();
            tokens.push(Token { text: written, lower, word });
            if possessive {
                // "the controller's duty" is not the phrase "controller duty".
                tokens.push(Token { text: "'s".into(), lower: "'s".into(), word: false });
            }
        } else {
            i += 1;
            tokens.push(Token { text: c.to_string(), lower: c.to_string(), word: false });
        }
    }
    // "subject to" is a preposition, unless "subject" ends a phrase ("the data subject to whom").
    for i in 0..tokens.len() {
        let preposition = tokens[i].lower == "subject" && tokens.get(i + 1).is_some_and(|t| t.lower == "to");
        if preposition
            && (i == 0 || !tokens[i - 1].word || super::lexicon::FUNCTION.contains(tokens[i - 1].lower.as_str()))
        {
            tokens[i].word = false;
        }
    }
    tokens
}

/// Whether the character at `i` holds two parts of one word together.
fn joins(chars: &[char], i: usize) -> bool {
    let inner = i > 0 && chars[i - 1].is_alphanumeric() && chars.get(i + 1).is_some_and(|c| c.is_alphanumeric());
    match plain(chars[i]) {
        '-' | '\'' | '&' => inner,
        '.' => inner && chars[i - 1].is_ascii_digit(),
        _ => false,
    }
}

fn plain(c: char) -> char {
    match c {
        '’' | 'ʼ' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_breaks() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<String> =
                tokenise(text).into_iter().map(|t| if t.word { t.lower } else { format!("|{}", t.text) }).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check(
            "The controller’s cross-border data, 8.5 %",
            &["the", "controller", "|'s", "cross-border", "data", "|,", "|8.5", "|%"],
        );
        check("subject to consent of the data subject", &["|subject", "to", "consent", "of", "the", "data", "subject"]);
        check("(R&D) Article 6a", &["|(", "r&d", "|)", "article", "|6a"]);
    }
}

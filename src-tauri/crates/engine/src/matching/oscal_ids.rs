//! The ids by which a mapping collection of OSCAL names texts.

use lexforge_domain::api::MatchText;
use lexforge_text::fold::letters;
use sha2::{Digest as _, Sha256};

/// The number of hexadecimal digits by which the words of a text are identified. In a workspace of a million texts, the
/// chance that two texts have the same digits is 10⁻⁵.
const WORDS_DIGITS: usize = 14;

/// An id that other tools accept. It begins with a letter or an underscore; letters, digits, full stops, hyphens and
/// underscores follow. A text without an id gets one that is computed from its words and its section. So any workspace
/// with the same document can read the file.
pub(super) fn token(text: &MatchText) -> String {
    let Some(id) = &text.external_id else {
        return format!("{}{}", words_token(text), short(&letters(&text.section), 4));
    };
    let plain: String = id
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let prefix = match plain.chars().next() {
        Some(c) if c.is_ascii_alphabetic() || c == '_' => "",
        _ => "s_",
    };
    // Letters that such an id cannot have would leave different ids alike.
    let lost = id.chars().any(|c| !c.is_ascii() && c.is_alphanumeric());
    let rest = match lost {
        true => format!("_{}", short(id, 8)),
        false => String::new(),
    };
    format!("{prefix}{plain}{rest}")
}

/// The beginning of the id that a text gets if it has no id of its own. It is made from the words of the text only, so
/// it stays the same when the text's section gets another name.
pub(super) fn words_token(text: &MatchText) -> String {
    format!("s_{}_", short(&letters(&text.text), WORDS_DIGITS))
}

/// The beginning of such an id, if this is one.
pub(super) fn words_of(id: &str) -> Option<&str> {
    let rest = id.strip_prefix("s_")?;
    let (words, section) = rest.split_once('_')?;
    let is_hex = |part: &str| part.chars().all(|c| c.is_ascii_hexdigit());
    let own = words.len() == WORDS_DIGITS && section.len() == 4 && is_hex(words) && is_hex(section);
    id.get(..id.len() - section.len()).filter(|_| own)
}

/// The first hexadecimal digits of a hash.
fn short(of: &str, digits: usize) -> String {
    let mut hash = hex::encode(Sha256::digest(of));
    hash.truncate(digits);
    hash
}

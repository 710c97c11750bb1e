//! The sections that the reader adds to those of a document.

use lexforge_domain::text::Language;

/// Top-level section that holds the footnotes.
pub const FOOTNOTES_SECTION: &str = "Footnotes";
/// Top-level section that holds the entries of a table of contents.
pub const CONTENTS_SECTION: &str = "Contents";
/// Top-level section that holds the short lines around a title: the series, `(Text with EEA relevance)`.
pub const FRONT_MATTER_SECTION: &str = "Front matter";

// No heading of a document is called so: what stands under its own 目录 is not left out.
const CHINESE_FOOTNOTES: &str = "脚注部分";
const CHINESE_CONTENTS: &str = "目录部分";
const CHINESE_FRONT_MATTER: &str = "文首部分";

/// The name of one of these sections in a document of this language. Any other name stays as it is.
pub fn section_name(name: &str, language: Language) -> &str {
    match (language, name) {
        (Language::Zh, FOOTNOTES_SECTION) => CHINESE_FOOTNOTES,
        (Language::Zh, CONTENTS_SECTION) => CHINESE_CONTENTS,
        (Language::Zh, FRONT_MATTER_SECTION) => CHINESE_FRONT_MATTER,
        _ => name,
    }
}

/// Whether a top-level section of this name holds the entries of a table of contents.
pub fn is_contents(section: &str) -> bool {
    section == CONTENTS_SECTION || section == CHINESE_CONTENTS
}

/// Whether a top-level section of this name holds the footnotes.
pub fn is_footnotes(section: &str) -> bool {
    section == FOOTNOTES_SECTION || section == CHINESE_FOOTNOTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_known_by_their_names_in_each_language() {
        for language in [Language::En, Language::Zh] {
            for (name, contents, footnotes) in [
                (CONTENTS_SECTION, true, false),
                (FOOTNOTES_SECTION, false, true),
                (FRONT_MATTER_SECTION, false, false),
                ("目录", false, false),
            ] {
                let name = section_name(name, language);
                let chinese = !name.is_ascii();
                assert_eq!(chinese, language == Language::Zh || name == "目录");
                assert_eq!(is_contents(name), contents, "{name}");
                assert_eq!(is_footnotes(name), footnotes, "{name}");
            }
        }
    }
}

//! Examples in the documentation of Rust code: the blocks that rustdoc would compile and run.

/// Words behind the fence of a code block that say how rustdoc treats it. A block with no other word is Rust to it.
const NO_LANGUAGES: [&str; 8] = [
    "rust",
    "ignore",
    "no_run",
    "should_panic",
    "compile_fail",
    "standalone_crate",
    "test_harness",
    "custom",
];

/// The lines of a source, counted from 1, at which a documentation comment opens a code block without a language of its
/// own. Such a block has no language after its fence, or is indented by four spaces.
pub fn without_language(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut reader = Reader::default();
    for (line, number) in code.lines().zip(1..) {
        match documentation(line) {
            Some(text) if reader.opens_example(text) => found.push(number),
            Some(_) => {}
            None => reader = Reader::default(),
        }
    }
    found
}

/// The text of a line of a documentation comment.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let outer = || line.strip_prefix("///").filter(|t| !t.starts_with('/'));
    let text = line.strip_prefix("//!").or_else(outer)?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

/// Where a reader of one documentation comment stands.
#[derive(Debug, Default)]
struct Reader {
    /// The sign of the open fence and how often it stands there.
    fence: Option<(char, usize)>,
    /// Within a paragraph.
    prose: bool,
    /// Within a list, whose paragraphs are set in as well.
    list: bool,
    /// Within a block that is set in.
    set_in: bool,
}

impl Reader {
    /// Whether the next line opens a code block without a language of its own.
    fn opens_example(&mut self, text: &str) -> bool {
        let rest = text.trim_start();
        let deep = text.len() - rest.len() >= 4;
        let run = |sign: char| rest.chars().take_while(|c| *c == sign).count();
        if let Some((sign, length)) = self.fence {
            let signs = run(sign);
            if signs >= length && rest[signs..].trim().is_empty() {
                self.fence = None;
            }
            return false;
        }
        if rest.is_empty() {
            self.prose = false;
            return false;
        }
        if deep && !self.prose && !self.list {
            return !std::mem::replace(&mut self.set_in, true);
        }
        self.set_in = false;
        for sign in ['`', '~'] {
            let signs = run(sign);
            let behind = &rest[signs..];
            if signs >= 3 && !behind.contains('`') {
                (self.fence, self.prose) = (Some((sign, signs)), false);
                return !names_language(behind);
            }
        }
        let goes_on = self.list && (self.prose || text.starts_with(' '));
        self.list = begins_item(rest) || goes_on;
        self.prose = true;
        false
    }
}

/// Whether one of the words behind a fence is a language that rustdoc does not compile.
fn names_language(behind: &str) -> bool {
    behind
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .any(|word| {
            !NO_LANGUAGES.contains(&word)
                && !word.starts_with("ignore-")
                && !word.starts_with("edition")
        })
}

/// Whether a line begins an item of a list.
fn begins_item(line: &str) -> bool {
    let behind_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || behind_number.len() < line.len()
            && (behind_number.starts_with(". ") || behind_number.starts_with(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a comment at which it opens an example.
    fn opened(mark: &str, comment: &[&str]) -> Vec<usize> {
        let lines: Vec<String> = comment.iter().map(|l| format!("  {mark}{l}")).collect();
        without_language(&lines.join("\n"))
    }

    #[test]
    fn blocks_without_a_language_are_found() {
        for mark in ["/// ", "//! "] {
            for fence in [
                "```",
                "~~~",
                "````",
                "```rust",
                "```no_run",
                "```rust,edition2024",
            ] {
                let end = &fence[..3];
                let comment = ["Says it.", fence, "say();", end];
                assert_eq!(opened(mark, &comment), [2], "{mark}{fence}");
            }
            let set_in = ["Says it.", "", "    say();", "", "    again();", "", "    "];
            assert_eq!(opened(mark, &set_in), [3]);
            let two = [
                "```", "say();", "```", "Prose.", "```json", "{}", "```", "```",
            ];
            assert_eq!(opened(mark, &two), [1, 8]);
        }
    }

    #[test]
    fn blocks_of_other_languages_and_prose_are_none() {
        for fence in ["```text", "```json", "~~~toml", "``` sh"] {
            let end = &fence[..3];
            let comment = ["Says it.", fence, "    say();", "", "    say();", end];
            assert_eq!(opened("/// ", &comment), [0; 0], "{fence}");
        }
        let prose = [
            "`say` says",
            "    what goes on here.",
            "- an item",
            "",
            "    with a second paragraph",
            "2. another item",
        ];
        assert_eq!(opened("/// ", &prose), [0; 0]);
        // No comments of documentation.
        assert_eq!(opened("// ", &["```", "```"]), [0; 0]);
        assert_eq!(opened("//// ", &["```", "```"]), [0; 0]);
    }
}

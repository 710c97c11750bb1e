//! What the command line prints of texts that others wrote: no character of theirs acts on the terminal.

use lexforge_tests::product::Product;

/// Escape sequences that move the cursor or set the window's title, in both encodings; characters that change the
/// direction of text; invisible characters; line ends other than a line feed.
const HOSTILE: &str =
    "a\u{1b}[2J\u{1b}]0;owned\u{7}b\u{9b}31mc\u{202e}d\u{2066}e\u{200b}f\u{e0041}g\u{2028}h\u{7f}i";

/// Characters that may occur in a term: no control characters, but some that turn or hide text.
const TURNED: &str = "d\u{202e}e\u{200b}f\u{2066}g";

/// Whether a character acts on a terminal or turns what stands around it.
fn acts(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[test]
fn nothing_that_others_wrote_acts_on_the_terminal() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_ACTOR", "Reviewer 1");
    let text = format!(
        "# Rules {HOSTILE} on duties\n\n## Article 1 {HOSTILE}\n\n‘reporting {HOSTILE} officer’ means a person {HOSTILE} whom \
         the board has named.\n\n‘material event’ means an event that matters.\n\nThe reporting {HOSTILE} officer shall \
         report each material event {HOSTILE} within 3 days.\n"
    );
    let name = format!("{HOSTILE}\n! all is well.md");
    let file = lexforge.file(&name, text.as_bytes());
    let file = file.display().to_string();
    let mut marked = 0;
    let mut shown = |words: &[&str]| {
        let done = lexforge.run(words);
        for stream in [&done.out, &done.err] {
            let found: Vec<char> = stream.chars().filter(|c| acts(*c)).collect();
            assert!(found.is_empty(), "{words:?} prints {found:?}:\n{stream:?}");
            assert!(
                !stream.lines().any(|line| line.starts_with("! all is well")),
                "{words:?}:\n{stream}"
            );
            marked += usize::from(stream.contains("\\u{"));
        }
        done
    };
    let imported = shown(&["import", "a.lexforge", &file]);
    assert_eq!(imported.code, 0, "{}{}", imported.out, imported.err);
    shown(&["terms", "extract", "a.lexforge"]);
    shown(&["terms", "extract", "a.lexforge", "--schema", HOSTILE]);
    let ids: Vec<String> = lexforge
        .lines(&["terms", "list", "a.lexforge"])
        .iter()
        .map(|t| t["id"].to_string())
        .collect();
    let id = ids[0].as_str();
    let edit = [
        "--accept", "--text", TURNED, "--class", TURNED, "--reason", HOSTILE,
    ];
    let decided = shown(&[&["terms", "decide", "a.lexforge", id], &edit[..]].concat());
    assert_eq!(decided.code, 0, "{}", decided.err);
    shown(&[
        "terms",
        "decide",
        "a.lexforge",
        id,
        "--reject",
        "--as",
        "Reviewer 2",
        "--reason",
        HOSTILE,
    ]);
    shown(&[
        "packet",
        "write",
        "a.lexforge",
        "share.json",
        "--for",
        "Reviewer 3",
    ]);
    shown(&["packet", "open", "share.json", "mine.lexforge"]);
    for words in [
        vec!["docs", "a.lexforge"],
        vec!["docs", "a.lexforge", "--sentences"],
        vec!["docs", "a.lexforge", "--text", "1"],
        vec!["search", "a.lexforge", "officer"],
        vec!["search", "a.lexforge", HOSTILE],
        vec!["terms", "list", "a.lexforge"],
        vec!["terms", "show", "a.lexforge", id],
        vec!["terms", "show", "mine.lexforge", id],
        vec!["terms", "queue", "a.lexforge"],
        vec!["terms", "queue", "mine.lexforge"],
        vec!["terms", "conflicts", "a.lexforge"],
        vec!["terms", "confusables", "a.lexforge", "--find"],
        vec!["terms", "agreement", "a.lexforge"],
        vec!["people", "list", "a.lexforge"],
        vec!["people", "add", "a.lexforge", HOSTILE],
        vec!["audit", "list", "a.lexforge"],
        vec!["audit", "verify", "a.lexforge"],
        vec!["qca", "export", "a.lexforge"],
        vec!["qca", "rejected", "a.lexforge"],
        vec!["text", "segment", &file],
        vec!["text", "definitions", &file],
        vec!["text", "references", &file],
        vec!["prompts", "list", "a.lexforge"],
        vec!["graph", "list", "a.lexforge"],
        vec!["dataset", "list", "a.lexforge"],
        vec!["import", "a.lexforge", HOSTILE],
        vec!["docs", HOSTILE],
        vec!["packet", "merge", "a.lexforge", &file],
        vec!["terms", "import", "a.lexforge", &file],
        vec!["audit", HOSTILE],
        vec![HOSTILE],
    ] {
        shown(&words);
    }
    assert!(
        marked > 8,
        "what acts is shown by its number, and not left out: {marked}"
    );
    // JSON is data: it says the same, and no control character is in it as itself.
    let done = lexforge.run(&["docs", "a.lexforge", "--json"]);
    assert!(
        !done.out.chars().any(|c| c.is_control() && c != '\n'),
        "{:?}",
        done.out
    );
    assert!(done.out.contains('\u{202e}'));
}

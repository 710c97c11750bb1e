//! Whether the pages show commands and options that there are. A page that shows others sends its reader into an error.

use crate::args::Cli;
use clap::{Command, CommandFactory, Parser};
use std::collections::BTreeSet;

/// A page by its name and text.
const PAGES: [(&str, &str); 31] = [
    ("README.md", include_str!("../../../../README.md")),
    ("CHANGELOG.md", include_str!("../../../../CHANGELOG.md")),
    ("guide.md", include_str!("../../../../docs/guide.md")),
    (
        "guide/documents.md",
        include_str!("../../../../docs/guide/documents.md"),
    ),
    (
        "guide/asking.md",
        include_str!("../../../../docs/guide/asking.md"),
    ),
    (
        "guide/search-tuning.md",
        include_str!("../../../../docs/guide/search-tuning.md"),
    ),
    (
        "guide/policies.md",
        include_str!("../../../../docs/guide/policies.md"),
    ),
    (
        "guide/reviewing.md",
        include_str!("../../../../docs/guide/reviewing.md"),
    ),
    (
        "guide/training-data.md",
        include_str!("../../../../docs/guide/training-data.md"),
    ),
    (
        "guide/tuning.md",
        include_str!("../../../../docs/guide/tuning.md"),
    ),
    (
        "guide/deciding.md",
        include_str!("../../../../docs/guide/deciding.md"),
    ),
    (
        "guide/keeping.md",
        include_str!("../../../../docs/guide/keeping.md"),
    ),
    ("install.md", include_str!("../../../../docs/install.md")),
    ("security.md", include_str!("../../../../docs/security.md")),
    (
        "reliability.md",
        include_str!("../../../../docs/reliability.md"),
    ),
    (
        "benchmarks.md",
        include_str!("../../../../docs/benchmarks.md"),
    ),
    (
        "benchmarks/ask.md",
        include_str!("../../../../docs/benchmarks/ask.md"),
    ),
    (
        "benchmarks/evaluation.md",
        include_str!("../../../../docs/benchmarks/evaluation.md"),
    ),
    (
        "benchmarks/graph.md",
        include_str!("../../../../docs/benchmarks/graph.md"),
    ),
    (
        "benchmarks/match.md",
        include_str!("../../../../docs/benchmarks/match.md"),
    ),
    (
        "benchmarks/models.md",
        include_str!("../../../../docs/benchmarks/models.md"),
    ),
    (
        "benchmarks/packages.md",
        include_str!("../../../../docs/benchmarks/packages.md"),
    ),
    (
        "benchmarks/questions.md",
        include_str!("../../../../docs/benchmarks/questions.md"),
    ),
    (
        "benchmarks/reading.md",
        include_str!("../../../../docs/benchmarks/reading.md"),
    ),
    (
        "benchmarks/remote.md",
        include_str!("../../../../docs/benchmarks/remote.md"),
    ),
    (
        "benchmarks/terms.md",
        include_str!("../../../../docs/benchmarks/terms.md"),
    ),
    (
        "benchmarks/training.md",
        include_str!("../../../../docs/benchmarks/training.md"),
    ),
    ("fuzzing.md", include_str!("../../../../docs/fuzzing.md")),
    ("export.md", include_str!("../../../../docs/export.md")),
    ("methods.md", include_str!("../../../../docs/methods.md")),
    (
        "several-gpus.md",
        include_str!("../../../../docs/several-gpus.md"),
    ),
];

/// Options of other programs that the pages name without the program before them: `lexforge-worker serve`, the tools.
const OF_OTHERS: [&str; 14] = [
    "batch",
    "detached",
    "device",
    "drain",
    "fresh",
    "nocapture",
    "nodeps",
    "precisions",
    "queue",
    "rounds",
    "show",
    "small",
    "table",
    "time-limit",
];

/// The words of a command as a shell separates them, up to a comment, a pipe, a redirection or an explanation after it.
fn words(line: &str) -> Vec<String> {
    let (mut found, mut word, mut quote, mut blanks) = (Vec::new(), String::new(), None, 0);
    for letter in line.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (mark, Some(open)) if mark == open => quote = None,
            (' ', None) => {
                blanks += 1;
                if !word.is_empty() {
                    found.push(std::mem::take(&mut word));
                }
                if blanks == 3 {
                    break;
                }
                continue;
            }
            ('#' | '|' | '<' | '>', None) if word.is_empty() => break,
            _ => word.push(letter),
        }
        blanks = 0;
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

/// The command in a line of a page as a reader types it, without the text before the program.
fn typed(line: &str) -> Option<Vec<String>> {
    let shown = line.strip_prefix("    ")?.trim_start();
    let mut all = words(shown.strip_prefix("$ ").unwrap_or(shown));
    let before = |word: &String| {
        word == "sudo" || (word.contains('=') && word.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    let first = all.iter().position(|word| !before(word))?;
    (all[first] == "lexforge").then(|| all.split_off(first))
}

/// The texts between backticks on a page, except in its lines of examples.
fn quoted(page: &str) -> Vec<String> {
    let running: Vec<&str> = page
        .lines()
        .filter(|line| !line.starts_with("    "))
        .collect();
    let running = running.join("\n");
    running
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// The long options of a command.
fn options(of: &Command) -> BTreeSet<&str> {
    of.get_arguments()
        .flat_map(|argument| {
            let others = argument.get_all_aliases().unwrap_or_default();
            argument.get_long().into_iter().chain(others)
        })
        .collect()
}

/// The long options of a command and of all below it.
fn all_options<'a>(of: &'a Command, all: &mut BTreeSet<&'a str>) {
    all.extend(options(of));
    of.get_subcommands()
        .for_each(|below| all_options(below, all));
}

/// The option that a word names.
fn option(word: &str) -> Option<&str> {
    let name = word.strip_prefix("--")?;
    let end = name
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .unwrap_or(name.len());
    name.starts_with(|c: char| c.is_ascii_lowercase())
        .then(|| &name[..end])
}

/// Whether a word is written like a verb of the command line, and not like a placeholder for a name or a file.
fn is_verb(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !word.starts_with('-')
}

/// The fault of a command in running text: a command or an option that does not exist.
fn wrong(span: &str, whole: &Command) -> Option<String> {
    let span = words(span);
    let mut rest = span.iter().map(String::as_str).peekable();
    let named = rest.next_if_eq(&"lexforge").is_some();
    let mut at = whole;
    while let Some(below) = rest.peek().and_then(|word| at.find_subcommand(word)) {
        at = below;
        rest.next();
    }
    if at.get_name() == whole.get_name() {
        return match rest.peek() {
            Some(word) if named && is_verb(word) => Some(format!("no verb {word}")),
            Some(word) if option(word).is_some() => {
                let mut all = BTreeSet::from(OF_OTHERS);
                all_options(whole, &mut all);
                rest.filter_map(option)
                    .find(|name| !all.contains(name))
                    .map(|name| format!("no command has --{name}"))
            }
            _ => None,
        };
    }
    if let Some(word) = rest.peek()
        && at.is_subcommand_required_set()
        && is_verb(word)
    {
        return Some(format!("{} has no {word}", at.get_name()));
    }
    let there = options(at);
    rest.filter_map(option)
        .find(|name| !there.contains(name))
        .map(|name| format!("{} has no --{name}", at.get_name()))
}

/// The whole grammar, with what holds for every verb handed down.
fn grammar() -> Command {
    let mut whole = Cli::command();
    whole.build();
    whole
}

#[test]
fn the_pages_show_commands_that_there_are() {
    let (mut seen, mut refused) = (0, Vec::new());
    for (name, page) in PAGES {
        for (number, line) in page.lines().enumerate() {
            let Some(command) = typed(line) else { continue };
            seen += 1;
            if let Err(error) = Cli::try_parse_from(&command)
                && error.use_stderr()
            {
                refused.push(format!("{name}, line {}: {line}\n{error}", number + 1));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(seen > 120, "only {seen} commands were found on the pages");
}

#[test]
fn running_text_names_verbs_and_options_that_there_are() {
    let whole = grammar();
    let refused: Vec<String> = PAGES
        .into_iter()
        .flat_map(|(name, page)| quoted(page).into_iter().map(move |span| (name, span)))
        .filter_map(|(name, span)| Some(format!("{name}: `{span}`: {}", wrong(&span, &whole)?)))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn what_is_not_there_is_found() {
    let whole = grammar();
    for (span, is_wrong) in [
        ("lexforge ask WS --history", false),
        ("ask --as-of 2024-06-30 --json", false),
        ("ask --colour red", true),
        ("terms queue --mine", false),
        ("terms burn WS", true),
        ("lexforge burn WS", true),
        ("rank eval --out RUN", false),
        ("--no-ocr", false),
        ("--no-such-option", true),
        ("--queue", false),
        ("---", false),
        ("terms_apart", false),
        ("tools/setup --cuda", false),
    ] {
        assert_eq!(wrong(span, &whole).is_some(), is_wrong, "{span}");
    }
    for (line, expected) in [
        (
            "    $ lexforge ask a.lexforge \"two words\" --json   and why",
            vec!["lexforge", "ask", "a.lexforge", "two words", "--json"],
        ),
        (
            "    LEXFORGE_LOG=debug lexforge new a  # a remark",
            vec!["lexforge", "new", "a"],
        ),
        (
            "    $ lexforge prompts show a b > mine.txt",
            vec!["lexforge", "prompts", "show", "a", "b"],
        ),
    ] {
        assert_eq!(typed(line).unwrap_or_default(), expected, "{line}");
    }
    for line in [
        "lexforge is a program",
        "    lexforge-app a",
        "    make demo",
    ] {
        assert_eq!(typed(line), None, "{line}");
    }
}

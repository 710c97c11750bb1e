//! The head of a Markdown file: lines of YAML above the text with the title, the owner and the version. Only plain
//! `key: value` lines and lists of plain values are read; a warning names anything else. Lines that do not form such a
//! head stay in the text.

use crate::about::day;
use lexforge_domain::document::{DocumentMetadata, DocumentWarning};

/// A longer head counts as text.
const MOST_LINES: usize = 200;
/// A longer key is a sentence with a colon.
const LONGEST_KEY: usize = 40;
/// The code of the warnings.
const CODE: &str = "front_matter";

/// The content of the head, and the text below it.
#[derive(Debug, Default)]
pub struct Head<'t> {
    pub title: Option<String>,
    /// Further facts that the file states about the document.
    pub metadata: DocumentMetadata,
    /// The part to be read as text.
    pub text: &'t str,
    /// Warnings about lines that were not read.
    pub warnings: Vec<DocumentWarning>,
}

/// A key with its value, and the lines below that belong to it.
struct Entry<'t> {
    key: &'t str,
    value: &'t str,
    below: Vec<&'t str>,
}

/// The meaning of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Owner,
    Version,
    Date,
    Effective,
    Issuer,
    Identifier,
    Licence,
}

/// Keys without blanks and marks, in lower case. Of two keys for one thing the earlier counts.
const KEYS: [(&str, Field); 40] = [
    ("title", Field::Title),
    ("name", Field::Title),
    ("标题", Field::Title),
    ("名称", Field::Title),
    ("owner", Field::Owner),
    ("owners", Field::Owner),
    ("policyowner", Field::Owner),
    ("documentowner", Field::Owner),
    ("responsible", Field::Owner),
    ("maintainer", Field::Owner),
    ("负责人", Field::Owner),
    ("责任人", Field::Owner),
    ("责任部门", Field::Owner),
    ("version", Field::Version),
    ("revision", Field::Version),
    ("版本", Field::Version),
    ("版本号", Field::Version),
    ("date", Field::Date),
    ("lastrevised", Field::Date),
    ("revised", Field::Date),
    ("lastupdated", Field::Date),
    ("updated", Field::Date),
    ("published", Field::Date),
    ("adopted", Field::Date),
    ("approved", Field::Date),
    ("approvaldate", Field::Date),
    ("日期", Field::Date),
    ("发布日期", Field::Date),
    ("effective", Field::Effective),
    ("effectivedate", Field::Effective),
    ("生效日期", Field::Effective),
    ("issuer", Field::Issuer),
    ("issuedby", Field::Issuer),
    ("identifier", Field::Identifier),
    ("documentnumber", Field::Identifier),
    ("编号", Field::Identifier),
    ("licence", Field::Licence),
    ("license", Field::Licence),
    ("许可", Field::Licence),
    ("许可证", Field::Licence),
];

/// Takes the head off a text.
pub fn take(text: &str) -> Head<'_> {
    let all_text = |told: Option<&str>| Head {
        text,
        warnings: told.map(warning).into_iter().collect(),
        ..Head::default()
    };
    let mut lines = text.split_inclusive('\n');
    let marked = is_mark(lines.clone().next().unwrap_or_default());
    let mut at = 0;
    if marked {
        at = lines.next().map_or(0, str::len);
    }
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut ended = false;
    let mut plain = true;
    for line in lines.take(MOST_LINES) {
        at += line.len();
        let line = line.trim_end();
        if is_mark(line) || marked && line == "..." {
            ended = true;
            break;
        }
        plain &= put(line, &mut entries, marked);
        // This line does not fit the form of a head. If there is no mark (`---`) above the lines, then the whole file
        // is text. If there is a mark, the whole file is text only if no line before this one fitted, because the mark
        // may be a horizontal rule above a text. If earlier lines fitted, a warning follows after the loop.
        if !plain && (!marked || entries.is_empty()) {
            return all_text(None);
        }
    }
    if entries.is_empty() || !marked && (!ended || !names_itself(&entries)) {
        return all_text(None);
    }
    if !ended {
        return all_text(Some(
            "The file begins as with a head of metadata that has no end. It was read as text.",
        ));
    }
    if !plain {
        return all_text(Some(
            "The head of the file holds lines that are no metadata. It was read as text.",
        ));
    }
    read(&entries, &text[at..])
}

fn is_mark(line: &str) -> bool {
    line.trim_end() == "---"
}

fn warning(message: &str) -> DocumentWarning {
    DocumentWarning {
        code: CODE.to_owned(),
        page: None,
        message: message.to_owned(),
    }
}

/// Adds a line to the entries. Returns whether it can be a line of such a head.
fn put<'t>(line: &'t str, entries: &mut Vec<Entry<'t>>, marked: bool) -> bool {
    if line.trim().is_empty() {
        // A rule and a blank line begin a text.
        return marked && !entries.is_empty();
    }
    if line.starts_with('#') {
        // Between marks it is a remark; without marks it is a heading.
        return marked;
    }
    let below = line.starts_with([' ', '\t']) || line.starts_with("- ");
    if below {
        let Some(entry) = entries.last_mut() else {
            return false;
        };
        entry.below.push(line);
        return true;
    }
    let Some((key, value)) = pair(line) else {
        return false;
    };
    if !marked && key.contains(' ') {
        return false;
    }
    entries.push(Entry {
        key,
        value,
        below: Vec::new(),
    });
    true
}

/// `key: value`.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim().trim_matches(['"', '\'']);
    let is_key = !key.is_empty()
        && key.chars().count() <= LONGEST_KEY
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || " -_./".contains(c));
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (is_key && apart).then(|| (key, value.trim()))
}

/// A head without a mark above it counts only if it has several keys and names the file's title.
fn names_itself(entries: &[Entry<'_>]) -> bool {
    entries.len() > 1 && entries.iter().any(|e| field(e.key) == Some(Field::Title))
}

fn field(key: &str) -> Option<Field> {
    let bare: String = key
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    KEYS.iter().find(|(k, _)| *k == bare).map(|(_, f)| *f)
}

fn read<'t>(entries: &[Entry<'t>], text: &'t str) -> Head<'t> {
    let mut head = Head {
        text,
        ..Head::default()
    };
    let mut taken = vec![false; entries.len()];
    let mut find = |wanted: Field, of: &dyn Fn(&str) -> Option<String>| -> Option<String> {
        let mut found: Option<String> = None;
        for (key, _) in KEYS.iter().filter(|(_, f)| *f == wanted) {
            let known = |e: &&Entry<'_>| {
                let bare: String = e.key.chars().filter(|c| c.is_alphanumeric()).collect();
                bare.to_lowercase() == *key
            };
            let Some(at) = entries.iter().position(|e| known(&e)) else {
                continue;
            };
            if let Some(value) = scalar(&entries[at]).as_deref().and_then(of) {
                // A second key for the same is not read, and so is named.
                taken[at] |= found.is_none();
                found.get_or_insert(value);
            }
        }
        found
    };
    let words = |value: &str| {
        value
            .chars()
            .any(char::is_alphanumeric)
            .then(|| value.to_owned())
    };
    head.title = find(Field::Title, &words);
    head.metadata.owner = find(Field::Owner, &words);
    head.metadata.version = find(Field::Version, &words);
    head.metadata.issuer = find(Field::Issuer, &words);
    head.metadata.identifier = find(Field::Identifier, &words);
    head.metadata.licence = find(Field::Licence, &words);
    head.metadata.date = find(Field::Date, &day).or_else(|| newest_revision(entries));
    head.metadata.effective = find(Field::Effective, &day);
    let unread: Vec<&str> = entries
        .iter()
        .zip(&taken)
        .filter(|(_, taken)| !**taken)
        .map(|(e, _)| e.key)
        .collect();
    if !unread.is_empty() {
        let unread = unread.join(", ");
        head.warnings.push(warning(&format!(
            "The head of the file was read as metadata and not as text. Not read, or only in part: {unread}."
        )));
    }
    head
}

/// The value of an entry, where it is a plain one: in one line, in lines below it, or a list of plain ones.
fn scalar(entry: &Entry<'_>) -> Option<String> {
    let below = || entry.below.iter().map(|line| line.trim());
    let nested = below().any(|line| pair(line.trim_start_matches("- ")).is_some());
    match entry.value {
        "" if entry.below.is_empty() || nested => None,
        "" if below().all(|line| line.starts_with("- ")) => {
            let items: Option<Vec<String>> = below().map(|line| plain(&line[2..])).collect();
            Some(items?.join(", "))
        }
        "" | "|" | ">" | "|-" | ">-" => Some(below().collect::<Vec<_>>().join(" ")),
        value if entry.below.is_empty() => plain(value),
        value if !nested && !value.starts_with(['"', '\'', '[', '{']) => {
            let first = plain(value)?;
            let rest: Vec<&str> = below().collect();
            Some(format!("{first} {}", rest.join(" ")))
        }
        _ => None,
    }
}

/// A value in one line, without its quotes.
fn plain(value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(rest) = value.strip_prefix('"') {
        let inner = rest.strip_suffix('"')?;
        // Other escapes than these are not supported.
        let read = inner.replace("\\\"", "\"");
        return (!read.contains('\\')).then_some(read);
    }
    if let Some(rest) = value.strip_prefix('\'') {
        return Some(rest.strip_suffix('\'')?.replace("''", "'"));
    }
    if let Some(rest) = value.strip_prefix('[') {
        let items: Option<Vec<String>> = rest.strip_suffix(']')?.split(',').map(plain).collect();
        return Some(items?.join(", "));
    }
    if value.starts_with(['{', '&', '*', '!', '|', '>', '@', '`']) || ["~", "null"].contains(&value)
    {
        return None;
    }
    let value = value.split(" #").next().unwrap_or_default().trim();
    Some(value.to_owned())
}

/// The newest of the dates of a list of revisions.
fn newest_revision(entries: &[Entry<'_>]) -> Option<String> {
    let lists = entries.iter().filter(|e| {
        let key = e.key.to_lowercase();
        ["revision", "history", "changelog", "修订"]
            .iter()
            .any(|word| key.contains(word))
    });
    lists
        .flat_map(|e| &e.below)
        .filter_map(|line| {
            let (key, value) = pair(line.trim().trim_start_matches("- "))?;
            (field(key) == Some(Field::Date)).then(|| day(&plain(value)?))?
        })
        .max()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

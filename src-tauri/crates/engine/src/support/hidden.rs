//! Removes words from which somebody could tell whose machine it is: names of the account, and paths, because paths
//! contain names of people, firms and projects.

use std::path::PathBuf;

/// Folders of the system: they are called alike everywhere.
const SYSTEM: [&str; 11] = [
    "/usr/",
    "/etc/",
    "/bin/",
    "/sbin/",
    "/lib/",
    "/lib32/",
    "/lib64/",
    "/dev/",
    "/proc/",
    "/sys/",
    "/opt/lexforge",
];
/// The beginnings of names of the product's own files, and of files that have the same name everywhere.
const OURS: [&str; 6] = [
    "lexforge",
    "libtorch",
    "tesseract",
    "logs",
    "models",
    "worker",
];
/// A sign that replaces a known folder while the text is examined. A folder's path may contain blanks; this sign does
/// not.
const MARK: char = '\u{e000}';

/// Takes names and paths out of texts. The same folder is called alike in all of them.
pub(super) struct Hidden {
    /// Folders that may stand in a text by their kinds, the longest first.
    known: Vec<(String, &'static str)>,
    /// The names of the account.
    names: Vec<String>,
    /// Folders that were met, in this order.
    met: Vec<String>,
}

impl Hidden {
    /// The facts about this user, and folders that a text may name, even with blanks in their paths.
    pub(super) fn of_user(folders: &[PathBuf]) -> Self {
        let named = std::env::home_dir();
        // As the folder is called, and where it really lies.
        let real = named.as_ref().and_then(|home| home.canonicalize().ok());
        let homes: Vec<PathBuf> = [named, real].into_iter().flatten().collect();
        let mut names: Vec<String> = ["USER", "LOGNAME", "USERNAME", "LEXFORGE_ACTOR"]
            .into_iter()
            .filter_map(|variable| std::env::var(variable).ok())
            .collect();
        let called = homes.iter().filter_map(|home| home.file_name());
        names.extend(called.map(|name| name.to_string_lossy().into_owned()));
        let kinds = [
            (homes, "home"),
            (vec![std::env::temp_dir()], "temporary"),
            (folders.to_vec(), "folder"),
        ];
        let known = kinds.into_iter().flat_map(|(folders, kind)| {
            folders
                .into_iter()
                .map(move |folder| (folder.display().to_string(), kind))
        });
        Self::of(known.collect(), names)
    }

    fn of(mut known: Vec<(String, &'static str)>, mut names: Vec<String>) -> Self {
        known.retain(|(folder, _)| folder.len() > 1);
        known.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        // A name of one letter would match words of every text.
        names.retain(|name| name.chars().count() > 1);
        Self {
            known,
            names,
            met: Vec::new(),
        }
    }

    /// The text without the names and paths. A path is replaced by its kind and a number. The name of its file stays if
    /// the file belongs to the product.
    pub(super) fn text(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (at, (folder, _)) in self.known.iter().enumerate() {
            text = replaced(&text, folder, &format!("/{MARK}{at}"));
        }
        let mut out = String::with_capacity(text.len());
        let (mut rest, mut before) = (text.as_str(), ' ');
        while let Some(c) = rest.chars().next() {
            let end = path_at(rest, before).unwrap_or(0);
            let (taken, left) = rest.split_at(end.max(c.len_utf8()));
            match end {
                0 => out.push(c),
                _ => out.push_str(&self.path(taken)),
            }
            before = taken.chars().next_back().unwrap_or(c);
            rest = left;
        }
        for name in &self.names {
            out = replaced(&out, name, "<user>");
        }
        out
    }

    fn path(&mut self, path: &str) -> String {
        if SYSTEM.iter().any(|system| path.starts_with(system)) {
            return path.to_owned();
        }
        let (folder, name) = path
            .rsplit_once(['/', '\\'])
            .filter(|(_, name)| OURS.iter().any(|ours| name.starts_with(ours)))
            .map_or((path, None), |(folder, name)| (folder, Some(name)));
        let number = match self.met.iter().position(|met| met == folder) {
            Some(at) => at + 1,
            None => {
                self.met.push(folder.to_owned());
                self.met.len()
            }
        };
        let known = path.strip_prefix('/').and_then(|p| p.strip_prefix(MARK));
        let known = known.and_then(|known| {
            let digits = known.split(|c: char| !c.is_ascii_digit()).next()?;
            self.known.get(digits.parse::<usize>().ok()?)
        });
        let kind = known.map_or("folder", |(_, kind)| kind);
        match name {
            Some(name) => format!("<{kind} {number}>/{name}"),
            None => format!("<{kind} {number}>"),
        }
    }
}

/// Where the path ends that begins here; `None` if no path begins here.
fn path_at(text: &str, before: char) -> Option<usize> {
    let mut chars = text.chars();
    let (first, second, third) = (chars.next()?, chars.next()?, chars.next());
    let drive = first.is_ascii_alphabetic() && second == ':' && matches!(third, Some('\\' | '/'));
    let share = first == '\\' && second == '\\' && third.is_some_and(char::is_alphanumeric);
    let begins = first == '/' && (second.is_alphanumeric() || "._-~".contains(second));
    let begins = begins || (first == '/' && second == MARK);
    // `and/or`, `text/plain`, and what comes after the host of an address.
    if before.is_alphanumeric() || "._-~/%>)]".contains(before) || !(drive || share || begins) {
        return None;
    }
    let over = |c: char| c.is_whitespace() || c.is_control() || "\"'`“”‘’«»()[]{}<>|,;".contains(c);
    // The colon of a drive belongs to its path; any other ends it.
    let from = if drive { 2 } else { 0 };
    let end = text[from..]
        .find(|c| over(c) || c == ':')
        .map_or(text.len(), |at| at + from);
    let path = text[..end].trim_end_matches(['.', '/', '\\', '!', '?', '。', '，', '；']);
    (path.len() > 1).then_some(path.len())
}

/// A text with another one in the place of a word or a path, which ends where it ends there.
fn replaced(text: &str, word: &str, by: &str) -> String {
    let within = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(at) = rest.find(word) {
        let (left, right) = rest.split_at(at);
        let right = &right[word.len()..];
        out.push_str(left);
        let part = within(left.chars().next_back().or(before)) || within(right.chars().next());
        out.push_str(if part { word } else { by });
        before = word.chars().next_back();
        rest = right;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden() -> Hidden {
        let known = vec![
            ("/people/anna".to_owned(), "home"),
            ("/srv/Anna Berg/work".to_owned(), "folder"),
        ];
        Hidden::of(known, vec!["anna".to_owned(), "x".to_owned()])
    }

    #[test]
    fn a_path_tells_its_kind_and_no_name() {
        for (text, expected) in [
            (
                "ok\tparser\t/data/users/anna/bin/lexforge-parse\t",
                "ok\tparser\t<folder 1>/lexforge-parse\t",
            ),
            (
                "/mnt/berg/secret plan.pdf: Permission denied.",
                "<folder 1> plan.pdf: Permission denied.",
            ),
            (
                "It is not there: /people/anna/Clients/Acme.",
                "It is not there: <home 1>.",
            ),
            ("\"/srv/Anna Berg/work/logs\"", "\"<folder 1>/logs\""),
            (
                "LD=/mnt/a/libtorch:/mnt/b/x",
                "LD=<folder 1>/libtorch:<folder 2>",
            ),
            ("place=/people/anna/.c/x.rs:41:9", "place=<home 1>:41:9"),
            (
                "C:\\Users\\anna\\x.lexforge and \\\\host\\anna",
                "<folder 1> and <folder 2>",
            ),
            (
                "/usr/bin/tesseract 5 and/or text/plain",
                "/usr/bin/tesseract 5 and/or text/plain",
            ),
            (
                "https://models.firm.example/v1/chat 1/2 a / b",
                "https://models.firm.example/v1/chat 1/2 a / b",
            ),
            ("/people/annabel/x", "<folder 1>"),
        ] {
            assert_eq!(hidden().text(text), expected, "{text}");
        }
    }

    #[test]
    fn the_same_folder_is_called_alike_and_the_account_is_nobody() {
        let mut hidden = hidden();
        assert_eq!(hidden.text("/mnt/a /mnt/b"), "<folder 1> <folder 2>");
        assert_eq!(
            hidden.text("/mnt/b of anna, anna's, annabel, x"),
            "<folder 2> of <user>, <user>'s, annabel, x"
        );
        assert_eq!(
            hidden.text("{\"host\": \"anna-pc\"}"),
            "{\"host\": \"<user>-pc\"}"
        );
    }
}

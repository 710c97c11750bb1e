//! Folders to the files in them that can be imported, in a fixed order; what is left out is counted by reason.

use lexforge_domain::api::{SkipReason, SkippedFile, SkippedFiles};
use lexforge_files::name_of;
use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files and folders that are listed by name; the rest is counted.
const LISTED: usize = 100;
/// Bytes of a web page that are looked at for what wrote it.
const REPORT_HEAD: u64 = 4096;
/// Deeper folders are not entered.
const DEPTH: usize = 64;

/// The files to import, ordered by name: the files that the user named, and all files below the folders that the user
/// named. A file that is reached twice is taken once; this also ends loops of links.
pub fn files(named: &[PathBuf]) -> (Vec<PathBuf>, SkippedFiles) {
    let mut walk = Walk::default();
    for path in named {
        if path.is_dir() {
            walk.folder(path, 0);
        } else {
            // Named outright: whatever it is, the import says what is wrong with it.
            if let Ok(real) = fs::canonicalize(path)
                && !walk.seen.insert(real)
            {
                walk.skip(path, SkipReason::SamePath);
                continue;
            }
            walk.files.push(path.clone());
        }
    }
    (walk.files, walk.skipped)
}

#[derive(Default)]
struct Walk {
    files: Vec<PathBuf>,
    skipped: SkippedFiles,
    seen: HashSet<PathBuf>,
}

impl Walk {
    fn skip(&mut self, path: &Path, reason: SkipReason) {
        *self.skipped.counts.entry(reason).or_default() += 1;
        if self.skipped.files.len() < LISTED {
            self.skipped.files.push(SkippedFile {
                file: path.display().to_string(),
                reason,
            });
        }
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        if depth > DEPTH {
            return self.skip(folder, SkipReason::TooDeep);
        }
        match fs::canonicalize(folder) {
            Ok(real) if !self.seen.insert(real.clone()) => {
                return self.skip(folder, SkipReason::SamePath);
            }
            Ok(_) => {}
            Err(_) => return self.skip(folder, SkipReason::Unreadable),
        }
        let Ok(entries) = fs::read_dir(folder) else {
            return self.skip(folder, SkipReason::Unreadable);
        };
        let mut paths = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => paths.push(entry.path()),
                // The rest of the folder cannot be listed.
                Err(_) => self.skip(folder, SkipReason::Unreadable),
            }
        }
        paths.sort();
        for path in paths {
            self.entry(&path, depth);
        }
    }

    fn entry(&mut self, path: &Path, depth: usize) {
        let name = name_of(path);
        if name.starts_with('.') || name.starts_with("~$") {
            return self.skip(path, SkipReason::Hidden);
        }
        let Ok(meta) = fs::metadata(path) else {
            return self.skip(path, SkipReason::Unreadable);
        };
        if meta.is_dir() {
            return self.folder(path, depth + 1);
        }
        if !meta.is_file() {
            return self.skip(path, SkipReason::NotAFile);
        }
        if !lexforge_ingest::format::is_known(&name) {
            return self.skip(path, SkipReason::UnknownFormat);
        }
        if is_own_report(path) {
            return self.skip(path, SkipReason::OwnReport);
        }
        match fs::canonicalize(path) {
            Ok(real) if self.seen.insert(real.clone()) => self.files.push(path.to_path_buf()),
            Ok(_) => self.skip(path, SkipReason::SamePath),
            Err(_) => self.skip(path, SkipReason::Unreadable),
        }
    }
}

/// Whether a file is a report that this product wrote beside a workspace. Such a report looks like any other page but
/// is not a regulation. So it is skipped when a folder is imported. If the user names the file itself, it is imported.
fn is_own_report(path: &Path) -> bool {
    let is_page = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
    if !is_page {
        return false;
    }
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(REPORT_HEAD).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    // Reports of versions before the mark have it in their title.
    read.is_ok()
        && (head.contains(r#"<meta name="generator" content="Lexforge">"#)
            || head.contains("· Lexforge report</title>"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_once_in_order() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("rules/b/deep")).unwrap();
        for name in [
            "rules/z.pdf",
            "rules/a.TXT",
            "rules/b/deep/c.jsonl",
            "rules/.secret.pdf",
            "rules/~$a.docx",
            "rules/x.exe",
        ] {
            fs::write(at(name), name).unwrap();
        }
        let report = "<!doctype html>\n<title>a.lexforge · Lexforge report</title>";
        fs::write(at("rules/a-report.html"), report).unwrap();
        let marked = r#"<!doctype html><meta name="generator" content="Lexforge">"#;
        fs::write(at("rules/b-report.html"), marked).unwrap();
        fs::write(
            at("rules/law.html"),
            "<title>Lexforge reports on laws</title>",
        )
        .unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("rules"), at("rules/b/loop")).unwrap();
            std::os::unix::fs::symlink(at("rules/z.pdf"), at("rules/zz.pdf")).unwrap();
            std::os::unix::fs::symlink(at("nowhere"), at("rules/dangling.pdf")).unwrap();
        }
        let (files, skipped) = files(&[
            at("rules/z.pdf"),
            at("rules"),
            at("absent.pdf"),
            at("rules/b"),
        ]);
        let names: Vec<String> = files
            .iter()
            .map(|f| f.strip_prefix(root.path()).unwrap().display().to_string())
            .collect();
        assert_eq!(
            names,
            [
                "rules/z.pdf",
                "rules/a.TXT",
                "rules/b/deep/c.jsonl",
                "rules/law.html",
                "absent.pdf"
            ]
        );
        assert_eq!(skipped.counts[&SkipReason::OwnReport], 2);
        assert_eq!(skipped.counts[&SkipReason::Hidden], 2);
        assert_eq!(skipped.counts[&SkipReason::UnknownFormat], 1);
        #[cfg(unix)]
        {
            // The loop, the link to z.pdf, z.pdf itself, and the folder named a second time.
            assert_eq!(skipped.counts[&SkipReason::SamePath], 4);
            assert_eq!(skipped.counts[&SkipReason::Unreadable], 1);
        }
        assert_eq!(
            skipped.files.len() as u64,
            skipped.counts.values().sum::<u64>()
        );
    }
}

//! A made-up installation and made-up packages for it.
#![allow(clippy::unwrap_used)] // A test that cannot go on has failed.

use super::home::{CURRENT, Home, VERSIONS};
use super::update::update;
use crate::workspace::{Result, Silent};
use lexforge_domain::Code;
use lexforge_domain::api::Updated;
use minisign::KeyPair;
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

/// An installation of version 0.1.0, with the key that packages must be signed with.
pub(super) struct Made {
    pub(super) folder: tempfile::TempDir,
    pub(super) key: KeyPair,
    pub(super) home: Home,
}

/// An entry of an archive: its path below `lexforge/`, kind, rights, and bytes or where it leads.
pub(super) type Part = (String, EntryType, u32, Vec<u8>);

pub(super) fn file(path: &str, bytes: &[u8]) -> Part {
    (path.to_owned(), EntryType::Regular, 0o644, bytes.to_vec())
}

impl Made {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("lexforge");
        let old = root.join(VERSIONS).join("0.1.0");
        fs::create_dir_all(&old).unwrap();
        fs::write(old.join("lexforge"), "old").unwrap();
        fs::write(
            old.join("release.json"),
            release("0.1.0", &[("lexforge", b"old")]),
        )
        .unwrap();
        symlink("versions/0.1.0", root.join(CURRENT)).unwrap();
        let key = KeyPair::generate_unencrypted_keypair().unwrap();
        fs::write(old.join("update.pub"), public(&key)).unwrap();
        let home = Home::of_program(&old.join("lexforge")).unwrap();
        Self { folder, key, home }
    }

    pub(super) fn root(&self) -> &Path {
        self.home.root()
    }

    pub(super) fn places(&self) -> Vec<PathBuf> {
        vec![self.root().join("versions/0.1.0/update.pub")]
    }

    /// Writes a package of these parts and signs it with this key.
    pub(super) fn package(&self, parts: &[Part], key: &KeyPair) -> PathBuf {
        let path = self.folder.path().join("package.tar.zst");
        fs::write(&path, archive(parts)).unwrap();
        sign(&path, key);
        path
    }

    pub(super) fn update(&self, package: &Path) -> Result<Updated> {
        update(&self.home, &self.places(), package, &Silent)
    }

    /// The update is refused with these words, and nothing has changed.
    #[track_caller]
    pub(super) fn refused(&self, package: &Path, code: Code, words: &str) {
        let failure = self.update(package).unwrap_err();
        assert_eq!(failure.code, code, "{failure:?}");
        assert!(failure.message.contains(words), "{failure:?}");
        assert!(!failure.hint.is_empty());
        self.is_untouched();
    }

    #[track_caller]
    pub(super) fn is_untouched(&self) {
        let names = |folder: &Path| {
            let mut all: Vec<String> = fs::read_dir(folder)
                .unwrap()
                .map(|e| e.unwrap().file_name().into_string().unwrap())
                .collect();
            all.sort();
            all
        };
        assert_eq!(self.starts(), "old");
        assert_eq!(names(&self.root().join(VERSIONS)), [".lock", "0.1.0"]);
        assert_eq!(names(self.root()), ["current", "versions"]);
        let outside = names(self.folder.path());
        assert!(
            outside
                .iter()
                .all(|name| name.starts_with("package.") || name == "lexforge"),
            "{outside:?}"
        );
    }

    /// The content of the program of the version that starts.
    pub(super) fn starts(&self) -> String {
        fs::read_to_string(self.root().join("current/lexforge")).unwrap()
    }
}

pub(super) fn public(key: &KeyPair) -> String {
    key.pk.to_box().unwrap().to_string()
}

pub(super) fn sign(path: &Path, key: &KeyPair) {
    let bytes = fs::File::open(path).unwrap();
    let signature = minisign::sign(None, &key.sk, bytes, Some("made up"), None).unwrap();
    fs::write(format!("{}.minisig", path.display()), signature.to_string()).unwrap();
}

pub(super) fn release(version: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let listed: serde_json::Map<String, serde_json::Value> = files
        .iter()
        .map(|(path, bytes)| {
            let file = serde_json::json!({
                "bytes": bytes.len(), "sha256": hex::encode(Sha256::digest(bytes)), "runs": *path == "lexforge",
            });
            ((*path).to_owned(), file)
        })
        .collect();
    let system = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    serde_json::to_vec(&serde_json::json!({
        "format": 1, "product": "lexforge", "version": version, "system": system, "files": listed,
    }))
    .unwrap()
}

fn archive(parts: &[Part]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (path, kind, mode, bytes) in parts {
        let mut header = Header::new_gnu();
        // The name is written as bytes: the library sets no path that leads out of the archive, and tests need
        // such paths.
        let name = format!("lexforge/{path}");
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(*mode);
        if *kind == EntryType::Symlink || *kind == EntryType::Link {
            header.set_size(0);
            header.as_old_mut().linkname[..bytes.len()].copy_from_slice(bytes);
            header.set_cksum();
            builder.append(&header, std::io::empty()).unwrap();
        } else {
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            builder.append(&header, &bytes[..]).unwrap();
        }
    }
    zstd::encode_all(&builder.into_inner().unwrap()[..], 1).unwrap()
}

/// A whole package of a version, as `tools/dist` lays it out.
pub(super) fn parts(version: &str) -> Vec<Part> {
    let files: [(&str, &[u8]); 3] = [
        ("lexforge", b"new"),
        ("libtorch/lib/libtorch.so", b"library"),
        ("update.pub", b"key"),
    ];
    let below = format!("versions/{version}");
    let mut parts = vec![file(
        &format!("{below}/release.json"),
        &release(version, &files),
    )];
    let link = |name: &str, target: String| {
        (
            name.to_owned(),
            EntryType::Symlink,
            0o777,
            target.into_bytes(),
        )
    };
    parts.push(link("current", below.clone()));
    parts.push(link("lexforge", "current/lexforge".to_owned()));
    parts.push((
        format!("{below}/libtorch/"),
        EntryType::Directory,
        0o755,
        Vec::new(),
    ));
    parts.extend(
        files
            .iter()
            .map(|(path, bytes)| file(&format!("{below}/{path}"), bytes)),
    );
    parts
}

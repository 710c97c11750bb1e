//! Packs of a made-up libtorch: parts in any order, resumed, wrong, missing; and which one the worker starts with.
#![allow(clippy::unwrap_used)] // A test that cannot go on has failed.

use super::fixture::{public, sign};
use super::pack::{packs_in, remove_from, take_in};
use crate::workspace::{Result, Silent};
use lexforge_compute::pack::used;
use lexforge_domain::api::PackTaken;
use lexforge_domain::{Code, Failure};
use minisign::KeyPair;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// A disk with a pack on it, and the folder that it is taken in to.
struct Made {
    folder: tempfile::TempDir,
    key: KeyPair,
}

const FILES: [(&str, &str); 4] = [
    ("lib/libtorch.so", "small"),
    ("lib/libtorch_cpu.so", "some-more-bytes-of-a-library"),
    (
        "lib/libtorch_cuda.so",
        "the-largest-of-all:-it-goes-over-several-parts",
    ),
    ("licences/torch/LICENSE", "words"),
];
/// Bytes of a part.
const HOLDS: usize = 30;

impl Made {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = KeyPair::generate_unencrypted_keypair().unwrap();
        fs::write(folder.path().join("update.pub"), public(&key)).unwrap();
        fs::create_dir(folder.path().join("disk")).unwrap();
        let made = Self { folder, key };
        made.write(&|_| ());
        made
    }

    fn disk(&self, name: &str) -> PathBuf {
        self.folder.path().join("disk").join(name)
    }

    fn place(&self) -> PathBuf {
        self.folder.path().join("libtorch")
    }

    /// Writes parts and signed list, after the list was changed.
    fn write(&self, change: &dyn Fn(&mut Value)) {
        let whole: Vec<u8> = FILES.iter().flat_map(|(_, text)| text.bytes()).collect();
        let mut parts = Vec::new();
        for (at, held) in whole.chunks(HOLDS).enumerate() {
            let (name, packed) = (format!("{at}.zst"), zstd::encode_all(held, 1).unwrap());
            parts.push(json!({ "name": name, "sha256": hash(&packed), "holds": held.len() }));
            fs::write(self.disk(&name), packed).unwrap();
        }
        let files: serde_json::Map<String, Value> = FILES
            .iter()
            .map(|(path, text)| {
                let file = json!({ "bytes": text.len(), "sha256": hash(text.as_bytes()) });
                ((*path).to_owned(), file)
            })
            .collect();
        let system = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let mut list = json!({
            "format": 1, "product": "lexforge-libtorch", "libtorch": "2.11.0", "device": "cuda", "system": system,
            "files": files, "parts": parts,
        });
        change(&mut list);
        fs::write(self.disk("list.json"), list.to_string()).unwrap();
        sign(&self.disk("list.json"), &self.key);
    }

    fn take_with(
        &self,
        names: &[&str],
        says: &dyn Fn(&Path) -> Result<String>,
    ) -> Result<PackTaken> {
        let files: Vec<PathBuf> = names.iter().map(|name| self.disk(name)).collect();
        let keys = [self.folder.path().join("update.pub")];
        take_in(&self.place(), &keys, &files, says, &Silent)
    }

    fn take(&self, names: &[&str]) -> Result<PackTaken> {
        self.take_with(names, &|_| Ok("2.11.0".to_owned()))
    }

    #[track_caller]
    fn refused(&self, names: &[&str], words: &str) -> Failure {
        let failure = self.take(names).unwrap_err();
        assert!(failure.message.contains(words), "{failure:?}");
        assert!(!failure.hint.is_empty());
        assert_eq!(used(&self.place()), None);
        failure
    }
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[test]
fn parts_come_in_any_order_and_the_last_one_has_the_pack_used() {
    let made = Made::new();
    let begun = made
        .take(&["2.zst", "list.json", "list.json.minisig"])
        .unwrap();
    assert_eq!(
        (begun.taken, begun.pack.missing.as_slice()),
        (1, ["0.zst", "1.zst"].map(str::to_owned).as_slice())
    );
    assert_eq!(begun.signed.as_deref(), Some("made up"));
    assert!(!begun.pack.used);
    assert_eq!(used(&made.place()), None);

    // The list is known by now; a part that is there already is not taken in twice.
    let more = made.take(&["2.zst", "0.zst"]).unwrap();
    assert_eq!(
        (more.taken, more.pack.missing.as_slice()),
        (1, ["1.zst".to_owned()].as_slice())
    );
    assert_eq!(more.signed, None);

    let tried = |libraries: &Path| {
        assert!(libraries.join("libtorch_cuda.so").is_file());
        Ok("2.11.0".to_owned())
    };
    let whole = made.take_with(&["1.zst"], &tried).unwrap().pack;
    assert!(whole.used && whole.missing.is_empty());
    assert_eq!(used(&made.place()), Some(whole.id.clone()));
    for (path, text) in FILES {
        assert_eq!(
            fs::read_to_string(Path::new(&whole.folder).join(path)).unwrap(),
            text
        );
    }
    assert!(!Path::new(&whole.folder).join("taken").exists());
    assert_eq!(
        packs_in(&made.place()).unwrap(),
        std::slice::from_ref(&whole)
    );

    // Once more, as a folder: it is there.
    assert_eq!(made.take(&[""]).unwrap().taken, 0);
    assert_eq!(remove_from(&made.place(), &whole.id).unwrap(), whole);
    assert_eq!(used(&made.place()), None);
    assert!(packs_in(&made.place()).unwrap().is_empty());
    assert_eq!(
        remove_from(&made.place(), &whole.id).unwrap_err().code,
        Code::NotFound
    );
    assert_eq!(
        remove_from(&made.place(), "../disk").unwrap_err().code,
        Code::NotFound
    );
}

#[test]
fn a_wrong_part_is_refused_and_the_others_stay() {
    let made = Made::new();
    made.take(&["list.json", "0.zst"]).unwrap();
    let good = fs::read(made.disk("1.zst")).unwrap();
    for bad in [
        b"other".to_vec(),
        good[..good.len() - 1].to_vec(),
        Vec::new(),
    ] {
        fs::write(made.disk("1.zst"), bad).unwrap();
        made.refused(&["1.zst"], "no part of this pack");
    }
    fs::write(made.disk("1.zst"), good).unwrap();
    let whole = made.take(&["1.zst", "2.zst"]).unwrap();
    assert_eq!(whole.taken, 2);
    assert!(whole.pack.used);
}

#[test]
fn what_else_lies_in_the_folder_is_passed_over() {
    let made = Made::new();
    for name in ["._list.json", "._0.zst", "notes.json", "other.zst"] {
        fs::write(made.disk(name), "something else").unwrap();
    }
    fs::create_dir(made.disk("folder.zst")).unwrap();
    // A file with the name of a part that is no part was damaged.
    let good = fs::read(made.disk("1.zst")).unwrap();
    fs::write(made.disk("1.zst"), "damaged").unwrap();
    made.refused(&[""], "no part of this pack");
    fs::write(made.disk("1.zst"), good).unwrap();
    // A file that the user names should be used.
    made.refused(&["list.json", "other.zst"], "no part of this pack");
    assert!(made.take(&[""]).unwrap().pack.used);

    // If no list is signed, the failure must say so. If a folder holds two packs, the user must choose one.
    let unsigned = Made::new();
    fs::remove_file(unsigned.disk("list.json.minisig")).unwrap();
    unsigned.refused(&[""], "is unsigned");
    let two = Made::new();
    fs::copy(two.disk("list.json"), two.disk("second.json")).unwrap();
    sign(&two.disk("second.json"), &two.key);
    two.refused(&[""], "several packs");
}

#[test]
fn a_whole_pack_that_was_damaged_later_is_taken_in_anew() {
    let made = Made::new();
    let whole = made.take(&[""]).unwrap().pack;
    let library = PathBuf::from(&whole.folder).join("lib/libtorch.so");
    for damage in [true, false] {
        match damage {
            true => fs::write(&library, "other").unwrap(),
            false => fs::remove_file(&library).unwrap(),
        }
        let begun = made.take(&["list.json", "0.zst"]).unwrap();
        assert_eq!((begun.taken, begun.pack.missing.len()), (1, 2));
        assert!(!begun.pack.used);
        let again = made.take(&[""]).unwrap();
        assert_eq!(again.taken, 2);
        assert_eq!(again.pack, whole);
        assert_eq!(fs::read_to_string(&library).unwrap(), "small");
    }
}

#[test]
fn a_pack_whose_list_cannot_be_read_is_told_and_can_be_removed() {
    let made = Made::new();
    let whole = made.take(&[""]).unwrap().pack;
    fs::write(Path::new(&whole.folder).join("list.json"), "{").unwrap();
    let told = packs_in(&made.place()).unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    let pack = &told[0];
    assert_eq!((&pack.id, pack.used, pack.parts), (&whole.id, true, 0));
    assert!(pack.libtorch.is_empty());
    remove_from(&made.place(), &whole.id).unwrap();
    assert_eq!(used(&made.place()), None);
    assert!(packs_in(&made.place()).unwrap().is_empty());
    // With its list it comes back whole, too.
    let whole = made.take(&[""]).unwrap().pack;
    fs::remove_file(Path::new(&whole.folder).join("list.json")).unwrap();
    assert_eq!(made.take(&[""]).unwrap().pack, whole);
}

#[test]
fn what_was_altered_after_it_was_taken_in_is_not_used() {
    let made = Made::new();
    made.take(&["list.json", "0.zst", "1.zst"]).unwrap();
    let beside = PathBuf::from(&packs_in(&made.place()).unwrap()[0].folder);
    fs::write(beside.join("lib/libtorch.so"), "other").unwrap();
    let failure = made.refused(&["2.zst"], "is not what the package says");
    assert!(failure.hint.contains("taken in again"), "{failure:?}");
    // It is not known which part was damaged, so the pack begins again.
    assert!(packs_in(&made.place()).unwrap().is_empty());

    // A file that cannot be read does not show that parts are damaged, so the parts stay.
    made.take(&["list.json", "0.zst", "1.zst"]).unwrap();
    let library = beside.join("lib/libtorch.so");
    fs::remove_file(&library).unwrap();
    fs::create_dir(&library).unwrap();
    let failure = made.take(&["2.zst"]).unwrap_err();
    assert_ne!(failure.code, Code::PackageRefused, "{failure:?}");
    assert!(beside.is_dir());
    fs::remove_dir(&library).unwrap();
    fs::write(&library, "small").unwrap();
    assert!(made.take(&["2.zst"]).unwrap().pack.used);
}

#[test]
fn a_list_that_is_not_signed_or_makes_no_sense_is_refused() {
    let made = Made::new();
    made.refused(&["0.zst"], "not known");
    fs::remove_file(made.disk("list.json.minisig")).unwrap();
    made.refused(&["list.json"], "is unsigned");
    let other = KeyPair::generate_unencrypted_keypair().unwrap();
    sign(&made.disk("list.json"), &other);
    made.refused(&["list.json"], "another key");
    let file = json!({ "bytes": 1, "sha256": "0".repeat(64) });
    type Change<'a> = (&'a dyn Fn(&mut Value), &'a str);
    let changes: [Change<'_>; 6] = [
        (
            &|list| list["product"] = "lexforge".into(),
            "not of a libtorch",
        ),
        (&|list| list["system"] = "other".into(), "It is for other"),
        (&|list| list["format"] = 2.into(), "has form 2"),
        (
            &|list| list["files"]["lib/../../x"] = file.clone(),
            "no file of a pack",
        ),
        (
            &|list| list["files"]["bin/x"] = file.clone(),
            "no file of a pack",
        ),
        (
            &|list| list["parts"][0]["holds"] = 1.into(),
            "do not make its files",
        ),
    ];
    for (change, words) in changes {
        made.write(change);
        let failure = made.refused(&["list.json"], words);
        assert_eq!(failure.code, Code::PackageRefused);
    }
    assert!(packs_in(&made.place()).unwrap().is_empty());
    fs::remove_file(made.folder.path().join("update.pub")).unwrap();
    made.refused(&["list.json"], "knows no public key");
}

#[test]
fn a_pack_that_the_worker_does_not_start_with_is_not_used() {
    let made = Made::new();
    let other = made.take_with(&[""], &|_| Ok("2.12.0".to_owned()));
    let failure = other.unwrap_err();
    assert!(failure.message.contains("2.12.0"), "{failure:?}");
    assert_eq!(used(&made.place()), None);
    let broken = made.take_with(&["0.zst"], &|_| {
        Err(Failure::new(
            Code::WorkerMissing,
            "It does not start.",
            "Mend it.",
        ))
    });
    assert_eq!(broken.unwrap_err().code, Code::WorkerMissing);
    // All parts are there, so nothing is copied again when the worker fits.
    let taken = made.take(&["list.json"]).unwrap();
    assert_eq!(taken.taken, 0);
    assert!(taken.pack.used);
}

//! Updates of a made-up installation: which packages are installed, and which are refused.
#![allow(clippy::unwrap_used)] // A test that cannot go on has failed.

use super::fixture::{Made, Part, file, parts, public, release, sign};
use super::home::{CURRENT, Home};
use super::update::{back, describe, update};
use crate::workspace::Silent;
use lexforge_domain::Code;
use minisign::KeyPair;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use tar::EntryType;

#[test]
fn a_newer_version_starts_and_the_one_before_stays() {
    let made = Made::new();
    // Files that a killed update left behind.
    fs::create_dir(made.root().join("versions/.new-0.2.0")).unwrap();
    fs::create_dir(made.root().join("versions/.old-0.3.0")).unwrap();
    let updated = made
        .update(&made.package(&parts("0.2.0"), &made.key))
        .unwrap();
    assert_eq!(
        (updated.from.as_str(), updated.to.as_str()),
        ("0.1.0", "0.2.0")
    );
    assert_eq!(updated.signed.as_deref(), Some("made up"));
    assert!(updated.key);
    assert_eq!(made.starts(), "new");
    let program = made.root().join("current/lexforge");
    assert_eq!(
        fs::metadata(program).unwrap().permissions().mode() & 0o7777,
        0o755
    );
    let library = made.root().join("current/libtorch/lib/libtorch.so");
    assert_eq!(
        fs::metadata(library).unwrap().permissions().mode() & 0o7777,
        0o644
    );
    let there = describe(&made.home).unwrap();
    assert_eq!(
        (there.current.as_str(), there.before.as_deref()),
        ("0.2.0", Some("0.1.0"))
    );
    assert_eq!(there.versions, ["0.1.0", "0.2.0"]);

    let returned = back(&made.home, &Silent).unwrap();
    assert_eq!(
        (returned.from.as_str(), returned.to.as_str()),
        ("0.2.0", "0.1.0")
    );
    assert_eq!(made.starts(), "old");
    let failure = back(&made.home, &Silent).unwrap_err();
    assert_eq!(failure.code, Code::NotFound);
    // The newer one is taken in once more, over what lies there.
    fs::write(made.root().join("versions/0.2.0/lexforge"), "damaged").unwrap();
    made.update(&made.package(&parts("0.2.0"), &made.key))
        .unwrap();
    assert_eq!(made.starts(), "new");
}

#[test]
fn a_version_that_is_not_newer_is_refused() {
    for (version, words) in [
        ("0.1.0", "which is the one that is installed"),
        ("0.0.9", "older than 0.1.0"),
    ] {
        let made = Made::new();
        let package = made.package(&parts(version), &made.key);
        made.refused(&package, Code::InvalidRequest, words);
    }
}

#[test]
fn what_is_not_signed_as_it_must_be_is_refused() {
    let made = Made::new();
    let package = made.package(&parts("0.2.0"), &made.key);
    let signature = format!("{}.minisig", package.display());
    let whole = fs::read(&package).unwrap();

    let mut altered = whole.clone();
    altered[whole.len() / 2] ^= 1;
    fs::write(&package, altered).unwrap();
    made.refused(&package, Code::PackageRefused, "altered");
    fs::write(&package, &whole[..whole.len() - 1]).unwrap();
    made.refused(&package, Code::PackageRefused, "altered");
    fs::write(&package, &whole).unwrap();

    let words = fs::read_to_string(&signature).unwrap();
    fs::write(&signature, words.replace("made up", "made on")).unwrap();
    made.refused(&package, Code::PackageRefused, "does not fit");
    fs::write(&signature, "nonsense").unwrap();
    made.refused(
        &package,
        Code::PackageRefused,
        "no signature that can be checked",
    );
    fs::remove_file(&signature).unwrap();
    made.refused(&package, Code::PackageRefused, "is unsigned");

    let stranger = KeyPair::generate_unencrypted_keypair().unwrap();
    let package = made.package(&parts("0.2.0"), &stranger);
    made.refused(&package, Code::PackageRefused, "another key");

    fs::write(made.root().join("versions/0.1.0/update.pub"), "nonsense").unwrap();
    made.refused(&package, Code::PackageRefused, "holds no public key");
    fs::remove_file(made.root().join("versions/0.1.0/update.pub")).unwrap();
    made.refused(&package, Code::PackageRefused, "knows no public key");
}

#[test]
fn an_administrator_s_key_stands_above_that_of_the_version() {
    let made = Made::new();
    let theirs = KeyPair::generate_unencrypted_keypair().unwrap();
    let place = made.folder.path().join("package.pub");
    fs::write(&place, public(&theirs)).unwrap();
    let places = [vec![place], made.places()].concat();
    let package = made.package(&parts("0.2.0"), &made.key);
    let failure = update(&made.home, &places, &package, &Silent).unwrap_err();
    assert_eq!(failure.code, Code::PackageRefused);
    made.is_untouched();
    let package = made.package(&parts("0.2.0"), &theirs);
    update(&made.home, &places, &package, &Silent).unwrap();
    assert_eq!(made.starts(), "new");
}

/// A signer may have been tricked into signing bad entries. Nothing is written outside of the folder, and nothing stays
/// in it.
#[test]
fn what_no_package_may_hold_is_refused() {
    let link = |path: &str, target: &str| {
        (
            path.to_owned(),
            EntryType::Symlink,
            0o777,
            target.as_bytes().to_vec(),
        )
    };
    let cases: Vec<(Part, &str)> = vec![
        (
            file("versions/0.2.0/../../../outside", b"x"),
            "leads elsewhere",
        ),
        (file("../outside", b"x"), "leads elsewhere"),
        (file("versions/0.1.0/lexforge", b"x"), "not among the files"),
        (file("versions/0.2.0/stray", b"x"), "not among the files"),
        (file("versions/0.2.0/lexforge", b"new"), "twice"),
        (link("versions/0.2.0/out", "/etc"), "plain files alone"),
        (link("current", "versions/0.1.0"), "plain files alone"),
        (link("lexforge", "/bin/sh"), "plain files alone"),
        (
            link("a/lexforge", "current/a/lexforge"),
            "plain files alone",
        ),
        (
            (
                "versions/0.2.0/hard".to_owned(),
                EntryType::Link,
                0o644,
                b"lexforge/current".to_vec(),
            ),
            "plain files alone",
        ),
        (
            (
                "versions/0.2.0/pipe".to_owned(),
                EntryType::Fifo,
                0o644,
                Vec::new(),
            ),
            "plain files alone",
        ),
        (
            (
                "versions/0.2.0/doc/".to_owned(),
                EntryType::Directory,
                0o4755,
                Vec::new(),
            ),
            "rights of another",
        ),
        (
            (
                "elsewhere/".to_owned(),
                EntryType::Directory,
                0o755,
                Vec::new(),
            ),
            "outside of the version",
        ),
    ];
    for (part, words) in cases {
        let made = Made::new();
        let all = [parts("0.2.0"), vec![part]].concat();
        let package = made.package(&all, &made.key);
        made.refused(&package, Code::PackageRefused, words);
    }
}

#[test]
fn a_package_that_is_not_what_it_lists_is_refused() {
    let whole = parts("0.2.0");
    let with = |at: usize, change: &dyn Fn(&mut Part)| {
        let mut all = whole.clone();
        change(&mut all[at]);
        all
    };
    let listing = |version: &str, files: &[(&str, &[u8])]| {
        vec![file(
            &format!("versions/{version}/release.json"),
            &release(version, files),
        )]
    };
    let elsewhere = String::from_utf8(whole[0].3.clone())
        .unwrap()
        .replace(std::env::consts::ARCH, "z80");
    let later = String::from_utf8(whole[0].3.clone())
        .unwrap()
        .replace("\"format\":1", "\"format\":2");
    let stranger = String::from_utf8(whole[0].3.clone())
        .unwrap()
        .replace("\"product\":\"lexforge\"", "\"product\":\"other\"");
    for (all, words) in [
        (whole[1..].to_vec(), "does not begin with release.json"),
        (whole[..whole.len() - 1].to_vec(), "does not hold it"),
        (
            with(4, &|part| part.3 = b"bad".to_vec()),
            "not what the package itself lists",
        ),
        (
            with(4, &|part| part.3 = b"longer".to_vec()),
            "not what the package itself lists",
        ),
        (with(4, &|part| part.2 = 0o4755), "rights of another user"),
        (with(0, &|part| part.3 = b"{".to_vec()), "cannot be read"),
        (
            with(0, &|part| part.3 = elsewhere.clone().into_bytes()),
            "It is for",
        ),
        (
            with(0, &|part| part.3 = later.clone().into_bytes()),
            "has form 2",
        ),
        (
            with(0, &|part| part.3 = stranger.clone().into_bytes()),
            "a package of other",
        ),
        (listing("0.2", &[("lexforge", b"new")]), "is no version"),
        (
            listing("0.2.0", &[("a", b"new")]),
            "does not hold the program",
        ),
        (
            listing("0.2.0", &[("lexforge", b"new"), ("../a", b"")]),
            "no file of a package",
        ),
        (
            listing("0.2.0", &[("lexforge", b"new"), ("before", b"")]),
            "no file of a package",
        ),
    ] {
        let made = Made::new();
        let package = made.package(&all, &made.key);
        made.refused(&package, Code::PackageRefused, words);
    }
    // Signed, and no archive at all.
    let made = Made::new();
    let package = made.package(&whole, &made.key);
    fs::write(&package, "no archive").unwrap();
    sign(&package, &made.key);
    let failure = made.update(&package).unwrap_err();
    assert!(failure.message.contains("cannot be"), "{failure:?}");
    made.is_untouched();
}

#[test]
fn a_package_for_which_there_is_no_room_is_refused() {
    let made = Made::new();
    let mut all = parts("0.2.0");
    let large = String::from_utf8(all[0].3.clone()).unwrap().replacen(
        "\"bytes\":3",
        "\"bytes\":4611686018427387904",
        1,
    );
    all[0].3 = large.into_bytes();
    let package = made.package(&all, &made.key);
    made.refused(&package, Code::DiskFull, "are free in");
}

#[test]
fn two_updates_at_once_are_told_apart() {
    let made = Made::new();
    let package = made.package(&parts("0.2.0"), &made.key);
    let held = made.home.hold().unwrap();
    made.refused(&package, Code::InvalidRequest, "Another update");
    drop(held);
    made.update(&package).unwrap();
}

#[test]
fn a_version_that_was_damaged_is_not_gone_back_to() {
    let made = Made::new();
    made.update(&made.package(&parts("0.2.0"), &made.key))
        .unwrap();
    fs::write(made.root().join("versions/0.1.0/lexforge"), "odd").unwrap();
    let failure = back(&made.home, &Silent).unwrap_err();
    assert_eq!(failure.code, Code::PackageRefused);
    assert!(
        failure.message.contains("is not what the package says"),
        "{failure:?}"
    );
    assert_eq!(made.starts(), "new");
    fs::remove_dir_all(made.root().join("versions/0.1.0")).unwrap();
    assert_eq!(back(&made.home, &Silent).unwrap_err().code, Code::NotFound);
}

#[test]
fn other_installations_are_not_updated_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("lexforge");
    fs::write(&program, "").unwrap();
    assert!(Home::of_program(&program).is_none());
    // Versions without the link to the one that starts.
    let program = folder.path().join("versions/0.1.0/lexforge");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, "").unwrap();
    assert!(Home::of_program(&program).is_none());
    symlink("elsewhere", folder.path().join(CURRENT)).unwrap();
    let home = Home::of_program(&program).unwrap();
    assert_eq!(home.current().unwrap_err().code, Code::Damaged);
}

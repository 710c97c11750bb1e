//! Tests of `encryption`.

use super::*;
use crate::Engine;
use lexforge_domain::Remedy;

#[test]
fn a_workspace_is_encrypted_opened_by_its_passphrase_and_decrypted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    drop(Engine::create(&path).unwrap());
    assert!(!is_encrypted(&path).unwrap());
    for (failure, said) in [
        (unlock_workspace(&path, "p", false), "not encrypted"),
        (decrypt_workspace(&path, Some("p")), "not encrypted"),
        (
            encrypt_workspace(&path, "1234567", false),
            "at least 8 characters",
        ),
    ] {
        let failure = failure.unwrap_err();
        assert!(failure.message.contains(said), "{failure}");
    }
    let plain = decrypt_workspace(&path, None).unwrap_err();
    assert!(
        plain.hint.contains("opens without a passphrase"),
        "{plain:?}"
    );
    {
        let open = Engine::open(&path).unwrap();
        let busy = encrypt_workspace(&path, "a long passphrase", false).unwrap_err();
        assert_eq!(busy.code, Code::WorkspaceBusy, "{busy}");
        drop(open);
    }
    encrypt_workspace(&path, "a long passphrase", false).unwrap();
    assert!(is_encrypted(&path).unwrap());
    assert!(encrypt_workspace(&path, "another passphrase", false).is_err());
    // This process knows the key now.
    let engine = Engine::open(&path).unwrap();
    assert!(engine.workspace().audit_verify().unwrap().ok);
    let copy = folder.path().join("copy.lexforge");
    engine.workspace().backup(&copy, false).unwrap();
    drop(engine);
    assert!(is_encrypted(&copy).unwrap(), "a backup is encrypted, too");

    let wrong = unlock_workspace(&path, "another passphrase", false).unwrap_err();
    assert_eq!(wrong.code, Code::WorkspaceLocked, "{wrong}");
    assert!(change_passphrase(&path, Some("another passphrase"), "the next one").is_err());
    change_passphrase(&path, Some("a long passphrase"), "the next one").unwrap();
    let gone = unlock_workspace(&path, "a long passphrase", false).unwrap_err();
    assert_eq!(gone.code, Code::WorkspaceLocked, "{gone}");
    unlock_workspace(&path, "the next one", false).unwrap();
    // The backup has the passphrase of its time.
    unlock_workspace(&copy, "a long passphrase", false).unwrap();

    decrypt_workspace(&path, Some("the next one")).unwrap();
    assert!(!is_encrypted(&path).unwrap());
    let engine = Engine::open(&path).unwrap();
    assert!(engine.workspace().audit_verify().unwrap().ok);
    let done: Vec<String> = engine
        .workspace()
        .store
        .read(|r| r.audit_rows(10, None))
        .unwrap()
        .into_iter()
        .map(|row| row.action)
        .collect();
    for action in [
        "workspace.encrypt",
        "workspace.passphrase",
        "workspace.decrypt",
    ] {
        assert!(done.iter().any(|known| known == action), "{done:?}");
    }
}

#[test]
fn a_key_that_is_not_known_is_not_asked_for_where_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let key = Key::fresh("a long passphrase").unwrap();
    drop(Workspace::create_with(&path, Some(&key)).unwrap());
    let look = || opened_unasked(&path, |key| Workspace::open_unchanged_with(&path, key));
    let failure = look().unwrap_err();
    assert_eq!(failure.code, Code::WorkspaceLocked, "{failure}");
    assert_eq!(
        failure.remedy.as_deref(),
        Some(&Remedy::GiveWorkspacePassphrase)
    );
    assert_eq!(failure.path.as_deref(), path.to_str());
    keep(&key);
    look().unwrap();
}

/// A log that is not the file's own is found before the key is tried; a wrong key is not kept for that.
#[test]
fn a_wrong_key_is_not_kept_where_something_else_is_wrong_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.lexforge");
    let key = Key::fresh("a long passphrase").unwrap();
    drop(Workspace::create_with(&path, Some(&key)).unwrap());
    std::fs::write(folder.path().join("w.lexforge-wal"), vec![1; 9_000]).unwrap();
    let wrong = unlock_workspace(&path, "another passphrase", false).unwrap_err();
    assert_eq!(wrong.code, Code::WorkspaceLocked, "{wrong}");
    assert!(known(key.salt()).is_none());
    unlock_workspace(&path, "a long passphrase", false).unwrap();
    assert_eq!(known(key.salt()).unwrap().to_line(), key.to_line());
}

#[test]
fn a_file_that_is_not_encrypted_is_not_taken_for_one_that_was() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plain) = (
        folder.path().join("w.lexforge"),
        folder.path().join("p.lexforge"),
    );
    let (aside, backup) = (
        folder.path().join("a.lexforge"),
        folder.path().join("b.lexforge"),
    );
    let engine = Engine::create(&plain).unwrap();
    engine.workspace().backup(&backup, false).unwrap();
    drop(engine);
    drop(Engine::create_encrypted(&path, "a long passphrase").unwrap());
    std::fs::rename(&path, &aside).unwrap();
    std::fs::copy(&plain, &path).unwrap();
    let failure = Engine::open(&path).map(drop).unwrap_err();
    assert_eq!(failure.code, Code::WorkspaceMoved, "{failure}");
    assert!(failure.message.contains("is not"), "{failure}");
    drop(Engine::open(&plain).unwrap());
    // What is put there by a restore is said to be plain, and opens.
    std::fs::remove_file(&path).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    drop(Engine::open(&path).unwrap());
    let report = crate::restore(&backup, &path, true, false).unwrap();
    assert!(report.no_longer_encrypted && !report.encrypted);
    drop(Engine::open(&path).unwrap());
    let again = crate::restore(&backup, &path, true, false).unwrap();
    assert!(!again.no_longer_encrypted);
}

#[test]
fn what_fails_at_the_key_ring_says_what_holds_now() {
    let failure = no_ring(&keyring::v1::Error::NoDefaultStore);
    for (told, words) in [
        (but_changed(failure.clone()), "has its new passphrase now"),
        (but_encrypted(failure.clone()), "is encrypted now"),
        (but_unlocked(failure.clone()), "is unlocked until"),
    ] {
        assert!(told.message.contains(words), "{told}");
        assert!(told.message.ends_with(&failure.message), "{told}");
        assert!(told.hint.starts_with("Do not repeat"), "{told}");
        assert_eq!(told.code, failure.code);
    }
}

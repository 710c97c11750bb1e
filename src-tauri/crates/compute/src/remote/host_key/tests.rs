//! Tests of `host_key`.

use super::*;

#[test]
fn keys_are_read_with_their_lines_and_marks() {
    let text = "# Host [10.0.0.1]:2222 found: line 3 \n[10.0.0.1]:2222 ED25519 SHA256:one me@desk\n\
            # Host [10.0.0.1]:2222 found: line 7 REVOKED\n[10.0.0.1]:2222 RSA SHA256:two\n";
    let found = |algorithm: &str, fingerprint: &str, line, mark: &str| Found {
        key: HostKey {
            algorithm: algorithm.into(),
            fingerprint: fingerprint.into(),
        },
        line,
        mark: mark.into(),
    };
    let expected = [
        found("ED25519", "SHA256:one", 3, ""),
        found("RSA", "SHA256:two", 7, REVOKED),
    ];
    assert_eq!(read(text), expected);
    assert_eq!(read("Cannot stat x: No such file\n"), []);
}

#[test]
fn the_user_s_own_list_comes_first() {
    let text = "hostname box\nglobalknownhostsfile /etc/a\nuserknownhostsfile /u/k1 /u/k2\n";
    let expected = ["/u/k1", "/u/k2", "/etc/a"].map(PathBuf::from);
    assert_eq!(lists(text), expected);
    assert_eq!(lists("globalknownhostsfile none\n"), Vec::<PathBuf>::new());
}

#[test]
fn a_key_takes_the_place_of_the_known_one_alone() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("known_hosts");
    let looked = |line| Looked {
        keys: HostKeys {
            host: "box".into(),
            state: HostKeyState::Changed,
            shown: HostKey::default(),
            known: vec![KnownKey {
                key: HostKey::default(),
                file: list.display().to_string(),
                line,
                trusted: None,
            }],
        },
        line: "box ssh-ed25519 NEW".into(),
    };
    let before = "other ssh-ed25519 A\nbox ssh-ed25519 OLD\n*.x ssh-ed25519 B\n";
    std::fs::write(&list, before).unwrap();
    let now = || std::fs::read_to_string(&list).unwrap();
    // What must come first fails: nothing is changed. A line for several hosts is nobody's to remove.
    let refused = looked(2).replace(|| Err(unread()));
    assert_eq!(refused.unwrap_err().code, Code::TargetUnready);
    let refused = looked(3).replace(|| Ok(()));
    assert_eq!(refused.unwrap_err().code, Code::InvalidRequest);
    assert_eq!(now(), before);
    looked(2).replace(|| Ok(())).unwrap();
    assert_eq!(
        now(),
        "other ssh-ed25519 A\n*.x ssh-ed25519 B\nbox ssh-ed25519 NEW\n"
    );
}

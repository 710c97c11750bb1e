//! Heads of audit chains that were noted or signed, looked for later.

use lexforge_domain::Code;
use lexforge_domain::api::{AuditReport, BreakKind, Progress, SignedHead, Stage};
use lexforge_engine::{AuditAgainst, Engine, Watcher};
use std::path::PathBuf;
use std::sync::Mutex;

struct Fixture {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
        engine.workspace().set_setting("theme", "dark").unwrap();
        Self { folder, engine }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Why the chain is not compared with this.
    fn refusal(&self, against: &AuditAgainst) -> Code {
        let refused = self.engine.workspace().audit_verify_against(against);
        refused.unwrap_err().code
    }

    /// A head of today, signed with the key of this file.
    fn signed(&self, key: &str, name: &str) -> SignedHead {
        let key = self.path(key);
        self.engine
            .workspace()
            .sign_head(Some(&key), !key.exists(), &self.path(name))
            .unwrap()
    }

    fn against(&self, signed: &str, public_key: &str) -> AuditReport {
        let public_key = Some(public_key.to_owned());
        let against = AuditAgainst {
            signed: Some(self.path(signed)),
            public_key,
            ..AuditAgainst::default()
        };
        self.engine
            .workspace()
            .audit_verify_against(&against)
            .unwrap()
    }

    fn head(&self, head: &str) -> AuditReport {
        let against = AuditAgainst {
            head: Some(head.to_owned()),
            ..AuditAgainst::default()
        };
        self.engine
            .workspace()
            .audit_verify_against(&against)
            .unwrap()
    }
}

#[test]
fn a_head_in_the_chain_is_found_with_what_came_since() {
    let fixture = Fixture::new();
    let head = fixture.engine.workspace().audit_verify().unwrap().head;
    let now = fixture.head(&head);
    assert_eq!((now.ok, now.known_head.unwrap().since), (true, 0));
    fixture
        .engine
        .workspace()
        .set_setting("theme", "light")
        .unwrap();
    let later = fixture.head(&head.to_uppercase());
    let known = later.known_head.unwrap();
    assert_eq!((later.ok, known.row, known.since), (true, Some(2), 1));
    let never = fixture.head(&"ab".repeat(32));
    assert_eq!(
        (never.ok, never.first_break.unwrap().kind),
        (false, BreakKind::Head)
    );
    for nonsense in ["", "abc", &"zz".repeat(32)] {
        let against = AuditAgainst {
            head: Some(nonsense.to_owned()),
            ..AuditAgainst::default()
        };
        assert_eq!(fixture.refusal(&against), Code::InvalidRequest);
    }
}

#[test]
fn a_signed_head_is_found_later_and_a_cut_chain_and_an_older_copy_are_not_it() {
    let mut fixture = Fixture::new();
    let (file, older) = (fixture.path("w.lexforge"), fixture.path("older.lexforge"));
    let meanwhile = Engine::create(&fixture.path("meanwhile.lexforge")).unwrap();
    drop(std::mem::replace(&mut fixture.engine, meanwhile));
    std::fs::copy(&file, &older).unwrap();
    fixture.engine = Engine::open(&file).unwrap();
    fixture
        .engine
        .workspace()
        .set_setting("theme", "light")
        .unwrap();
    let signed = fixture.signed("key", "head.json");
    assert_eq!(
        (signed.rows, signed.head.as_str()),
        (
            3,
            fixture
                .engine
                .workspace()
                .audit_verify()
                .unwrap()
                .head
                .as_str()
        )
    );
    fixture
        .engine
        .workspace()
        .set_setting("theme", "dim")
        .unwrap();
    let report = fixture.against("head.json", &signed.public_key);
    assert!(report.ok, "{report:?}");
    assert_eq!(report.known_head.unwrap().since, 1);
    let found = report.signed.unwrap();
    assert!(found.valid && found.expected_key);
    // With the key's own file instead of its public half.
    let by_file = AuditAgainst {
        signed: Some(fixture.path("head.json")),
        key_file: Some(fixture.path("key")),
        ..AuditAgainst::default()
    };
    assert!(
        fixture
            .engine
            .workspace()
            .audit_verify_against(&by_file)
            .unwrap()
            .ok
    );

    let older = Engine::open(&older).unwrap();
    assert!(
        older.workspace().audit_verify().unwrap().ok,
        "a chain alone cannot show that it is an older copy"
    );
    let report = older.workspace().audit_verify_against(&by_file).unwrap();
    assert_eq!(
        (report.ok, report.first_break.unwrap().kind),
        (false, BreakKind::Head)
    );

    let another = Fixture::new();
    let report = another
        .engine
        .workspace()
        .audit_verify_against(&by_file)
        .unwrap();
    assert!(
        report
            .first_break
            .unwrap()
            .message
            .contains("another workspace")
    );
}

#[test]
fn a_signature_counts_only_with_the_key_that_was_expected() {
    let fixture = Fixture::new();
    let mine = fixture.signed("mine", "mine.json");
    let forged = fixture.signed("theirs", "theirs.json");
    let report = fixture.against("theirs.json", &mine.public_key);
    let found = report.first_break.unwrap();
    assert_eq!((report.ok, found.kind), (false, BreakKind::Signature));
    assert!(
        found.message.contains(&forged.public_key),
        "{}",
        found.message
    );
    let signature = report.signed.unwrap();
    assert!(signature.valid && !signature.expected_key);
    // Whose key it is nothing says, or the key ring says that it is another one: either way the answer is no.
    let against = AuditAgainst {
        signed: Some(fixture.path("theirs.json")),
        ..AuditAgainst::default()
    };
    let report = fixture
        .engine
        .workspace()
        .audit_verify_against(&against)
        .unwrap();
    assert_eq!(
        (report.ok, report.first_break.unwrap().kind),
        (false, BreakKind::Signature)
    );
}

#[test]
fn each_field_of_a_signed_head_is_signed() {
    let fixture = Fixture::new();
    let signed = fixture.signed("key", "head.json");
    let other = "ab".repeat(32);
    let mut altered: Vec<SignedHead> = vec![signed.clone(); 5];
    altered[0].head.clone_from(&other);
    altered[1].workspace.clone_from(&other);
    altered[2].rows += 1;
    altered[3].time = "2020-01-01T00:00:00Z".to_owned();
    altered[4].signature = "00".repeat(64);
    for (i, altered) in altered.iter().enumerate() {
        std::fs::write(
            fixture.path("altered.json"),
            serde_json::to_vec(altered).unwrap(),
        )
        .unwrap();
        let report = fixture.against("altered.json", &signed.public_key);
        assert_eq!(
            (report.ok, report.first_break.unwrap().kind),
            (false, BreakKind::Signature),
            "{i}"
        );
    }
    for nonsense in ["", "{}", "[1]", "not json"] {
        std::fs::write(fixture.path("nonsense.json"), nonsense).unwrap();
        let against = AuditAgainst {
            signed: Some(fixture.path("nonsense.json")),
            ..AuditAgainst::default()
        };
        assert_eq!(fixture.refusal(&against), Code::InvalidRequest);
    }
}

#[test]
fn a_key_is_made_only_when_asked_and_never_replaced() {
    let fixture = Fixture::new();
    let (key, out) = (fixture.path("key"), fixture.path("head.json"));
    assert_eq!(
        fixture
            .engine
            .workspace()
            .sign_head(Some(&key), false, &out)
            .unwrap_err()
            .code,
        Code::KeyMissing
    );
    assert!(!key.exists() && !out.exists());
    let first = fixture
        .engine
        .workspace()
        .sign_head(Some(&key), true, &out)
        .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            std::fs::metadata(&key).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    // An earlier head is not written over, and a key that is there is used.
    assert_eq!(
        fixture
            .engine
            .workspace()
            .sign_head(Some(&key), true, &out)
            .unwrap_err()
            .code,
        Code::InvalidRequest
    );
    let second = fixture
        .engine
        .workspace()
        .sign_head(Some(&key), true, &fixture.path("second.json"))
        .unwrap();
    assert_eq!(first.public_key, second.public_key);
    std::fs::write(&key, "no key\n").unwrap();
    assert_eq!(
        fixture
            .engine
            .workspace()
            .sign_head(Some(&key), true, &fixture.path("third"))
            .unwrap_err()
            .code,
        Code::KeyMissing
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
        let failure = fixture
            .engine
            .workspace()
            .sign_head(Some(&key), false, &fixture.path("third"))
            .unwrap_err();
        assert!(failure.hint.contains("chmod 600"), "{failure:?}");
    }
}

/// RFC 8032, 7.1, test 1: the seed gives this public key.
#[test]
fn keys_are_those_of_the_standard() {
    let fixture = Fixture::new();
    let key = fixture.path("key");
    fixture
        .engine
        .workspace()
        .sign_head(Some(&key), true, &fixture.path("first.json"))
        .unwrap();
    std::fs::write(
        &key,
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n",
    )
    .unwrap();
    let signed = fixture
        .engine
        .workspace()
        .sign_head(Some(&key), false, &fixture.path("second.json"))
        .unwrap();
    assert_eq!(
        signed.public_key,
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    );
}

/// Somebody who watches a verification, and may have ended it.
#[derive(Default)]
struct Watching {
    told: Mutex<Vec<(u64, u64)>>,
    ended: bool,
}

impl Watcher for Watching {
    fn progress(&self, progress: Progress) {
        assert_eq!(progress.stage, Stage::Verify);
        self.told.lock().unwrap().push((progress.done, progress.of));
    }

    fn cancelled(&self) -> bool {
        self.ended
    }
}

#[test]
fn a_verification_says_how_far_it_is_and_ends_when_it_is_cancelled() {
    let fixture = Fixture::new();
    let watching = Watching::default();
    let workspace = fixture.engine.workspace();
    let report = workspace.audit_verify_watched(&watching).unwrap();
    assert_eq!(report, workspace.audit_verify().unwrap());
    assert!(report.ok && report.rows > 0, "{report:?}");
    let told = watching.told.lock().unwrap();
    let mut expected: Vec<(u64, u64)> = (1..=report.rows).map(|n| (n, report.rows)).collect();
    // How long the rest takes is not known.
    expected.push((0, 0));
    assert_eq!(*told, expected);

    let ended = Watching {
        ended: true,
        ..Watching::default()
    };
    let failure = workspace.audit_verify_watched(&ended).unwrap_err();
    assert_eq!(failure.code, Code::Cancelled);
    // The workspace answers as before.
    assert!(workspace.audit_verify().unwrap().ok);
}

//! Packets and answers that were changed on their way, or are of another workspace, are refused.

use super::fixture::{Fixture, open_as, plain};
use super::packet_tests::{handed_over, verdicts};
use crate::Engine;
use lexforge_domain::Code;
use lexforge_domain::api::MergeRequest;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::review::Choice;
use lexforge_domain::term::ReviewStatus;
use std::path::Path;

/// The text of a file with a change, and a hash that fits it again where `forged`.
pub(super) fn changed(path: &Path, from: &str, to: &str, forged: bool) {
    use sha2::{Digest, Sha256};
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    let mut text = text.replace(from, to);
    if forged {
        let start = text.find("\"body\":").unwrap() + "\"body\":".len();
        let body = text[start..]
            .trim_end()
            .strip_suffix('}')
            .unwrap()
            .to_owned();
        let at = text.find("\"sha256\":\"").unwrap() + "\"sha256\":\"".len();
        text.replace_range(at..at + 64, &hex::encode(Sha256::digest(body.as_bytes())));
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn what_was_changed_or_is_foreign_is_refused() {
    let fixture = Fixture::of(6);
    let (colleague, answer, written) = handed_over(&fixture, "Reviewer 2", 0);
    colleague
        .review()
        .decide(&plain(fixture.term(0), Choice::Reject))
        .unwrap();
    // What was changed is no answer any more, and would not be written over.
    let written_anew = || {
        let _ = std::fs::remove_file(&answer);
        colleague.review().write_answer(&answer).unwrap();
    };
    let refused = |from: &str, to: &str, forged: bool| {
        written_anew();
        changed(&answer, from, to, forged);
        fixture
            .engine
            .review()
            .merge_answer(&answer, &MergeRequest::default())
            .unwrap_err()
            .code
    };
    let deep = format!("\"reason\":{}", "[".repeat(100_000));
    let uid = fixture
        .engine
        .workspace()
        .store
        .read(|r| r.setting("workspace.uid"))
        .unwrap()
        .unwrap();
    for (what, from, to, forged, code) in [
        ("changed", "reject", "accept", false, Code::PacketInvalid),
        (
            "no JSON",
            "{\"workspace\"",
            "{workspace\"",
            true,
            Code::PacketInvalid,
        ),
        (
            "deeply nested",
            "\"reason\":\"\"",
            deep.as_str(),
            true,
            Code::PacketInvalid,
        ),
        ("a pair's word", "reject", "same", true, Code::PacketInvalid),
        (
            "another time",
            "Z\",\"undone\"",
            "+01:00\",\"undone\"",
            true,
            Code::PacketInvalid,
        ),
        (
            "another person",
            "Reviewer 2",
            "Reviewer 9",
            false,
            Code::PacketInvalid,
        ),
        (
            "an unknown packet",
            written.packet.as_str(),
            &"00".repeat(32),
            true,
            Code::PacketForeign,
        ),
        (
            "another workspace",
            uid.as_str(),
            &"00".repeat(16),
            true,
            Code::PacketForeign,
        ),
        (
            "a newer format",
            "\"version\":1",
            "\"version\":2",
            false,
            Code::PacketInvalid,
        ),
        (
            "another file",
            "lexforge-review-answer",
            "lexforge-review-packet",
            false,
            Code::PacketInvalid,
        ),
    ] {
        assert_eq!(refused(from, to, forged), code, "{what}");
    }
    assert!(verdicts(&fixture.engine).is_empty());
    // A forged hash changes the claim but not the person who may make it. A merged decision stays as it was.
    written_anew();
    fixture
        .engine
        .review()
        .merge_answer(&answer, &MergeRequest::default())
        .unwrap();
    assert_eq!(refused("reject", "accept", true), Code::PacketInvalid);
    assert_eq!(
        verdicts(&fixture.engine)[0].1.status,
        ReviewStatus::Rejected
    );

    // An item that no longer exists is named and left out. So is one that was never in the packet.
    colleague
        .review()
        .decide(&plain(fixture.term(1), Choice::Reject))
        .unwrap();
    let id = |i: usize| format!("\"id\":{}}}", fixture.terms[i].0);
    colleague.review().write_answer(&answer).unwrap();
    changed(&answer, &id(1), "\"id\":999}", true);
    let merged = fixture
        .engine
        .review()
        .merge_answer(&answer, &MergeRequest::default())
        .unwrap();
    assert_eq!(
        (
            merged.merged,
            merged.foreign.decisions,
            merged.foreign.items
        ),
        (0, 1, vec!["term 999".to_owned()])
    );
    let gone = fixture
        .engine
        .workspace()
        .path()
        .with_file_name("gone.lexforge");
    fixture.engine.workspace().store.copy_to(&gone).unwrap();
    let gone = open_as(&gone, "Reviewer 1");
    gone.workspace()
        .store
        .write("tester", |w| {
            w.replace_terms(&[], &[], ReviewPolicy::UnreviewedAutomatic)
        })
        .unwrap();
    colleague.review().write_answer(&answer).unwrap();
    let merged = gone
        .review()
        .merge_answer(&answer, &MergeRequest::default())
        .unwrap();
    assert_eq!(
        (merged.merged, merged.without_item),
        (0, vec![format!("term {}", fixture.terms[1].0)])
    );

    let packet = fixture
        .engine
        .workspace()
        .path()
        .with_file_name("Reviewer 2.packet.json");
    for (from, to) in [
        ("duty 3 holder", "no holder"),
        ("\"sentence\":1", "\"sentence\":77"),
    ] {
        let copy = packet.with_extension("copy");
        std::fs::copy(&packet, &copy).unwrap();
        changed(&copy, from, to, from.contains("sentence"));
        let made = packet.with_file_name("never.lexforge");
        assert_eq!(
            Engine::open_packet(&copy, &made).err().map(|f| f.code),
            Some(Code::PacketInvalid),
            "{from}"
        );
        assert!(!made.exists());
    }
    assert_eq!(
        fixture
            .engine
            .review()
            .write_answer(&answer)
            .unwrap_err()
            .code,
        Code::InvalidRequest
    );
    let other = Fixture::of(6);
    colleague.review().write_answer(&answer).unwrap();
    assert_eq!(
        other
            .engine
            .review()
            .merge_answer(&answer, &MergeRequest::default())
            .unwrap_err()
            .code,
        Code::PacketForeign
    );
}

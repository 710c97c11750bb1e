//! The key of a target's host: shown beside those that are known, and trusted in their place for a reason.

use super::kept::target;
use super::shells::{forget_shells_on, place_of};
use crate::workspace::{OpenWorkspace, Result};
use lexforge_compute::remote::host_key::{Looked, look};
use lexforge_domain::api::{AuditFilter, AuditRow, HostKey, HostKeyState, HostKeys, KeyTrusted};
use lexforge_domain::limits::SHORTEST_KEY_REASON;
use lexforge_domain::{Code, Failure};

/// The key that a target's host shows now, and the keys of this host that are trusted already. If a workspace is open,
/// its audit chain says who trusted a key, and when.
///
/// # Errors
/// When there is no such target, or its host shows no key.
pub fn show_host_key(name: &str, workspace: Option<&OpenWorkspace>) -> Result<HostKeys> {
    let looked = look(&place_of(&target(name)?))?;
    with_trust(looked.keys, workspace)
}

/// Trusts the key that a target's host shows now, instead of its earlier keys. The host is asked for the key again,
/// and the key must have the fingerprint that the user compared. The row of the audit chain is written first, so that
/// no key is replaced without a row.
///
/// # Errors
/// [`Code::InvalidRequest`] if no reason is given, the key has another fingerprint, or the key has not changed. Also
/// when the workspace or the list of known hosts cannot be written.
pub fn replace_host_key(
    workspace: &OpenWorkspace,
    name: &str,
    fingerprint: &str,
    reason: &str,
) -> Result<HostKeys> {
    let reason = reason.trim();
    if reason.chars().count() < SHORTEST_KEY_REASON {
        return Err(Failure::new(
            Code::InvalidRequest,
            format!(
                "A known key is replaced for a reason of at least {SHORTEST_KEY_REASON} characters."
            ),
            "Write why the key has changed and who confirmed the new fingerprint.",
        ));
    }
    let target = target(name)?;
    let looked = look(&place_of(&target))?;
    replaceable(&looked, fingerprint)?;
    let before = with_trust(looked.keys.clone(), Some(workspace))?;
    looked.replace(|| {
        workspace.store.write(&workspace.actor, |w| {
            w.note(
                "host_key.replace",
                &format!("host {}", before.host),
                Some(&told(&before, reason)),
            )
        })?;
        Ok(())
    })?;
    forget_shells_on(&target);
    Ok(before)
}

/// Whether this key may take the place of the others.
fn replaceable(looked: &Looked, fingerprint: &str) -> Result<()> {
    let invalid = |what: &str, hint: &str| Err(Failure::new(Code::InvalidRequest, what, hint));
    match looked.keys.state {
        HostKeyState::Same => invalid(
            "The host shows the key that is known. There is nothing to replace.",
            "Check the target again.",
        ),
        HostKeyState::Unknown => invalid(
            "No key of this host is known. There is nothing to replace.",
            "Check the target in the window, or log in once by hand, and compare the fingerprint there.",
        ),
        HostKeyState::Changed if looked.keys.shown.fingerprint != fingerprint => invalid(
            "The fingerprint that was compared is not the one that the host shows.",
            "Do not connect. Ask those who run the host for its fingerprint.",
        ),
        HostKeyState::Changed => Ok(()),
    }
}

/// What the row of the chain says: the new key, the old ones, and why.
fn told(keys: &HostKeys, reason: &str) -> String {
    let words = |key: &HostKey| format!("{} {}", key.algorithm, key.fingerprint);
    let new = words(&keys.shown);
    let old: Vec<String> = keys.known.iter().map(|known| words(&known.key)).collect();
    let old = old.join(", ");
    format!("{new} in place of {old}: {reason}")
}

/// Adds who trusted the known keys, by the newest row about each.
fn with_trust(mut keys: HostKeys, workspace: Option<&OpenWorkspace>) -> Result<HostKeys> {
    let Some(workspace) = workspace else {
        return Ok(keys);
    };
    let filter = AuditFilter {
        kind: Some("host_key".to_owned()),
        ..AuditFilter::default()
    };
    let rows = workspace.audit_rows_of(&filter, 0, None)?;
    for known in &mut keys.known {
        known.trusted = trusted(&rows, &known.key.fingerprint);
    }
    Ok(keys)
}

/// The newest row that trusts this key. The rows are sorted, newest first. The reason in a row names first the trusted
/// key, and then the keys that it replaced.
fn trusted(rows: &[AuditRow], fingerprint: &str) -> Option<KeyTrusted> {
    let row = rows
        .iter()
        .find(|row| row.reason.split(' ').nth(1) == Some(fingerprint))?;
    Some(KeyTrusted {
        time: row.time.clone(),
        actor: row.actor.clone(),
        sequence: row.sequence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_trusted_a_key_is_found_by_the_key_that_the_row_trusts() {
        let row = |sequence, reason: &str| AuditRow {
            sequence,
            time: format!("2026-11-0{sequence}T10:00:00Z"),
            actor: "Ann".into(),
            action: "host_key.trust".into(),
            subject: "host box".into(),
            reason: reason.into(),
            hash: String::new(),
        };
        let rows = [
            row(
                3,
                "ED25519 SHA256:new in place of ED25519 SHA256:old: set up anew",
            ),
            row(2, "RSA SHA256:old"),
            row(1, "RSA SHA256:old"),
        ];
        let by = |fingerprint| trusted(&rows, fingerprint).map(|t| t.sequence);
        assert_eq!(by("SHA256:new"), Some(3));
        assert_eq!(by("SHA256:old"), Some(2));
        assert_eq!(by("SHA256:other"), None);
    }
}

//! The row of the audit chain that says who trusted the key of a host.

use crate::workspace::{OpenWorkspace, Result};
use lexforge_compute::remote::askpass;
use lexforge_domain::api::{SshAsks, SshQuestion};

/// Records in the audit chain that the key of a host is trusted, if this answer to a question of `ssh` says so. The row
/// is written before `ssh` gets the answer, so no key is trusted without a row. Nothing is recorded if the workspace is
/// open only for reading.
///
/// # Errors
/// When the workspace cannot be written.
pub fn note_trust(workspace: &OpenWorkspace, id: u64, answer: Option<&str>) -> Result<()> {
    let questions = askpass::questions();
    let Some((host, key)) = trusted(&questions, id, answer) else {
        return Ok(());
    };
    if workspace.store.read_only().is_some() {
        return Ok(());
    }
    workspace.store.write(&workspace.actor, |w| {
        w.note("host_key.trust", &format!("host {host}"), Some(&key))
    })?;
    Ok(())
}

/// The host, and its key in words, if the answer trusts it.
fn trusted(questions: &[SshQuestion], id: u64, answer: Option<&str>) -> Option<(String, String)> {
    let question = questions.iter().find(|question| question.id == id)?;
    match &question.asks {
        SshAsks::HostKey {
            host,
            algorithm,
            fingerprint,
        } if !fingerprint.is_empty() && answer == Some(fingerprint.as_str()) => {
            Some((host.clone(), format!("{algorithm} {fingerprint}")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fingerprint_that_was_compared_is_a_trusted_key() {
        let of = |id, fingerprint: &str| SshQuestion {
            id,
            host: "box".into(),
            words: String::new(),
            asks: SshAsks::HostKey {
                // A host on the way there asks in its own name.
                host: "gate".into(),
                algorithm: "ED25519".into(),
                fingerprint: fingerprint.into(),
            },
        };
        let open = [of(1, "SHA256:a"), of(2, "")];
        for (id, answer, expected) in [
            (1, Some("SHA256:a"), Some("ED25519 SHA256:a")),
            (1, Some("SHA256:b"), None),
            (1, None, None),
            (2, Some(""), None),
            (3, Some("SHA256:a"), None),
        ] {
            let found = trusted(&open, id, answer);
            let expected = expected.map(|key| ("gate".to_owned(), key.to_owned()));
            assert_eq!(found, expected, "{id} {answer:?}");
        }
    }
}

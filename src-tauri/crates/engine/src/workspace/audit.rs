//! Verifies the audit chain, also against a head that was noted or signed earlier. The chain alone cannot show that it
//! was cut, replaced by an older copy, or completely rewritten.

use super::clock::now;
use super::files::{file_failure, file_size, io_failure};
use super::open::OpenWorkspace;
use super::result::Result;
use super::signing_key::{self, KeyPlace};
use super::watcher::{Watcher, cancelled, tell};
use lexforge_domain::api::{
    AuditBreak, AuditFacets, AuditFilter, AuditReport, AuditRow, BreakKind, SignatureFound,
    SignedHead, Stage,
};
use lexforge_domain::{Code, Failure, Remedy};
use lexforge_files::Aside;
use lexforge_ingest::sheet::{self, Cell};
use lexforge_store::verify::{first_hash, known_head, verify, verify_watched};
use std::path::{Path, PathBuf};

/// The name of the format of a signed head.
const FORMAT: &str = "lexforge-head-1";
/// The columns of the table of its rows.
const COLUMNS: [&str; 7] = [
    "number",
    "time (UTC)",
    "actor",
    "action",
    "subject",
    "reason",
    "hash",
];
/// Most bytes of a file with a signed head.
const LONGEST: u64 = 16 << 10;

/// What a chain is verified against in addition to itself.
#[derive(Clone, Debug, Default)]
pub struct AuditAgainst {
    /// A head that was noted earlier: 64 hexadecimal digits.
    pub head: Option<String>,
    /// A file that [`OpenWorkspace::sign_head`] wrote.
    pub signed: Option<PathBuf>,
    /// The public key that it must be signed with: 64 hexadecimal digits.
    pub public_key: Option<String>,
    /// The file with the key that must have signed the head. If neither this file nor `public_key` is given, the head
    /// must be signed with the key in this user's key ring.
    pub key_file: Option<PathBuf>,
}

impl OpenWorkspace {
    /// Checks the whole audit chain: each row's link to the row before, and the hashes of the present database rows.
    ///
    /// # Errors
    /// When the workspace cannot be read; a broken chain is a result, not an error.
    pub fn audit_verify(&self) -> Result<AuditReport> {
        Ok(self.store.read(verify)?)
    }

    /// Checks the chain with a watcher, who gets the progress and may cancel.
    ///
    /// # Errors
    /// [`Code::Cancelled`] where the watcher cancels; when the workspace cannot be read.
    pub fn audit_verify_watched(&self, watcher: &dyn Watcher) -> Result<AuditReport> {
        let far = |done, of| tell(watcher, Stage::Verify, "", done, of);
        let ended = || watcher.cancelled();
        let report = self.store.read(|r| verify_watched(r, &far, &ended));
        // A check that was cancelled in the middle may look like a fault of the file.
        if ended() {
            return Err(cancelled("Nothing was changed."));
        }
        Ok(report?)
    }

    /// Checks the chain as [`Self::audit_verify`] does, and looks in it for a head that was noted or signed earlier.
    ///
    /// # Errors
    /// When the workspace or the signed head cannot be read, or the given head is not a hash.
    pub fn audit_verify_against(&self, against: &AuditAgainst) -> Result<AuditReport> {
        let head = against
            .head
            .as_deref()
            .map(|head| digits(head, "--head"))
            .transpose()?;
        let public_key = against
            .public_key
            .as_deref()
            .map(|key| digits(key, "--public-key"))
            .transpose()?;
        let signed = against.signed.as_deref().map(read_signed).transpose()?;
        let (mut report, first, known, at_signed) = self.store.read(|r| {
            let known = head
                .as_deref()
                .map(|head| known_head(r, head))
                .transpose()?;
            let at_signed = signed
                .as_ref()
                .map(|signed| known_head(r, &signed.head))
                .transpose()?;
            Ok((verify(r)?, first_hash(r)?, known, at_signed))
        })?;
        if let Some(known) = &known
            && known.row.is_none()
        {
            let message = format!("no entry of the chain has the hash {}", known.head);
            found(&mut report, BreakKind::Head, message);
        }
        report.known_head = known;
        let Some((signed, place)) = signed.zip(at_signed) else {
            return Ok(report);
        };
        let expected = match public_key {
            Some(key) => Some(key),
            None => signing_key::public(&KeyPlace::of(against.key_file.as_deref()))?,
        };
        let signature = SignatureFound {
            valid: signing_key::verifies(&signed),
            expected_key: expected.as_ref() == Some(&signed.public_key),
            time: signed.time.clone(),
            public_key: signed.public_key.clone(),
        };
        if let Some(message) = fault_of(&signature, expected.is_some()) {
            found(&mut report, BreakKind::Signature, message);
        } else if signed.workspace != first {
            let message =
                "the signed head is that of another workspace, or this chain was written anew"
                    .to_owned();
            found(&mut report, BreakKind::Head, message);
        } else if place.row.and_then(|row| u64::try_from(row).ok()) != Some(signed.rows) {
            let message = format!(
                "entry {} of the chain is not the one that was signed",
                signed.rows
            );
            found(&mut report, BreakKind::Head, message);
        }
        report.signed = Some(signature);
        report.known_head = Some(report.known_head.take().unwrap_or(place));
        Ok(report)
    }

    /// Signs the head of the chain, if the chain is intact, and writes it to a new file. With `new_key` a key is
    /// created if there is none.
    ///
    /// # Errors
    /// When the chain is broken, the key is missing or cannot be read, or something exists at `out`.
    pub fn sign_head(
        &self,
        key_file: Option<&Path>,
        new_key: bool,
        out: &Path,
    ) -> Result<SignedHead> {
        let (report, workspace) = self.store.read(|r| Ok((verify(r)?, first_hash(r)?)))?;
        if let Some(broken) = report.first_break {
            return Err(Failure::new(
                Code::AuditBroken,
                format!(
                    "The chain does not hold, so its head is not signed: {}.",
                    broken.message
                ),
                Remedy::VerifyAndSignCopy,
            ));
        }
        if std::fs::symlink_metadata(out).is_ok() {
            return Err(Failure::invalid(
                format!("{} is there already.", out.display()),
                "Name a new file: an earlier head is worth keeping.",
            ));
        }
        let key = signing_key::find(&KeyPlace::of(key_file), new_key)?;
        let mut signed = SignedHead {
            format: FORMAT.to_owned(),
            workspace,
            rows: report.rows,
            head: report.head,
            time: now(),
            public_key: signing_key::public_of(&key),
            signature: String::new(),
        };
        signed.signature = signing_key::sign(&key, &signed);
        let text = serde_json::to_string_pretty(&signed).map_err(|e| {
            Failure::new(
                Code::Internal,
                format!("The head cannot be written: {e}."),
                "Report this message.",
            )
        })?;
        Aside::write_new(out, (text + "\n").as_bytes()).map_err(file_failure)?;
        Ok(signed)
    }

    /// The newest `limit` rows of the audit chain before row `before` (`None` = the end), newest first.
    pub fn audit_rows(&self, limit: u64, before: Option<i64>) -> Result<Vec<AuditRow>> {
        Ok(self.store.read(|r| r.audit_rows(limit, before))?)
    }

    /// The newest `limit` rows before row `before` that match a filter, newest first.
    pub fn audit_rows_of(
        &self,
        filter: &AuditFilter,
        limit: u64,
        before: Option<i64>,
    ) -> Result<Vec<AuditRow>> {
        Ok(self
            .store
            .read(|r| r.audit_rows_of(filter, limit, before))?)
    }

    /// The values by which the rows of the audit chain can be filtered.
    pub fn audit_facets(&self) -> Result<AuditFacets> {
        Ok(self.store.read(|r| r.audit_facets())?)
    }

    /// Writes the rows that match a filter to a new table (CSV), newest first, and returns their number. Times are UTC.
    ///
    /// # Errors
    /// When the workspace cannot be read, something exists at the path already, or the file cannot be written.
    pub fn write_audit(&self, filter: &AuditFilter, path: &Path) -> Result<u64> {
        let rows = self.audit_rows_of(filter, 0, None)?;
        let cells = rows.iter().map(|row| {
            vec![
                Cell::Figure(row.sequence.to_string()),
                Cell::Text(&row.time),
                Cell::Text(&row.actor),
                Cell::Text(&row.action),
                Cell::Text(&row.subject),
                Cell::Text(&row.reason),
                Cell::Text(&row.hash),
            ]
        });
        let table = sheet::table(&COLUMNS, cells).map_err(|error| {
            Failure::new(
                Code::Internal,
                format!("The table cannot be made: {error}."),
                "Try again; if it happens again, report it.",
            )
        })?;
        Aside::write_new(path, &table).map_err(file_failure)?;
        Ok(rows.len() as u64)
    }
}

fn found(report: &mut AuditReport, kind: BreakKind, message: String) {
    let sequence = i64::try_from(report.rows).unwrap_or(i64::MAX);
    report.breaks.push(AuditBreak {
        kind,
        sequence,
        action: String::new(),
        subject: "head".to_owned(),
        message,
    });
    report.first_break = report.breaks.first().cloned();
    report.ok = false;
}

/// Why a signature proves nothing.
fn fault_of(found: &SignatureFound, known: bool) -> Option<String> {
    match (found.valid, found.expected_key, known) {
        (false, ..) => Some(
            "the signature does not fit what the file says: it was altered after it was signed"
                .to_owned(),
        ),
        (true, true, _) => None,
        (true, false, true) => Some(format!(
            "it was signed with the key {}, which is not the one that was expected",
            found.public_key
        )),
        (true, false, false) => Some(format!(
            "it was signed with the key {}, and nothing here says whose that is: whoever alters a workspace can sign it with a \
             key of their own (say which public key, or which key file, you expect)",
            found.public_key
        )),
    }
}

fn digits(text: &str, option: &str) -> Result<String> {
    let text = text.trim().to_ascii_lowercase();
    if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Ok(text);
    }
    Err(Failure::invalid(
        format!("What {option} names is no hash or key: it needs 64 hexadecimal digits."),
        "Copy it whole, as audit verify or audit sign printed it.",
    ))
}

fn read_signed(path: &Path) -> Result<SignedHead> {
    let unreadable = |why: String| {
        Failure::invalid(
            format!(
                "{} is no signed head: {}.",
                path.display(),
                why.escape_debug()
            ),
            Remedy::NameSignedHead,
        )
    };
    let length = file_size(path)?;
    if length > LONGEST {
        return Err(unreadable(format!("it has {length} bytes")));
    }
    let bytes = std::fs::read(path).map_err(|e| io_failure(&e, path))?;
    let mut signed: SignedHead =
        serde_json::from_slice(&bytes).map_err(|e| unreadable(e.to_string()))?;
    if signed.format != FORMAT {
        return Err(unreadable(format!("its format is {}", signed.format)));
    }
    for (field, name) in [
        (&mut signed.head, "head"),
        (&mut signed.public_key, "public_key"),
        (&mut signed.workspace, "workspace"),
    ] {
        *field = digits(field, name)
            .map_err(|_| unreadable(format!("its {name} is not 64 hexadecimal digits")))?;
    }
    // The time is printed, so only characters that a time can contain are kept.
    signed.time.retain(|c| c.is_ascii_graphic());
    Ok(signed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_the_chain_replaces_nothing_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = OpenWorkspace::create(&folder.path().join("a.lexforge")).unwrap();
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("chain.csv");
        let filter = AuditFilter::default();
        for expected in [None, Some(Code::InvalidRequest)] {
            let written = workspace.write_audit(&filter, &path);
            assert_eq!(written.map_err(|failure| failure.code).err(), expected);
            let table = std::fs::read_to_string(&path).unwrap();
            assert!(table.contains("number"), "{table}");
            assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_signature_of_nobody_known_is_said_to_prove_nothing() {
        let found = |valid, expected_key| SignatureFound {
            valid,
            expected_key,
            time: String::new(),
            public_key: "ab".repeat(32),
        };
        assert_eq!(fault_of(&found(true, true), true), None);
        assert!(fault_of(&found(true, false), false).is_some_and(|m| m.contains("public key")));
        assert!(
            fault_of(&found(true, false), true)
                .is_some_and(|m| m.contains("not the one that was expected"))
        );
        assert!(
            fault_of(&found(false, true), true)
                .is_some_and(|m| m.contains("altered after it was signed"))
        );
    }
}

//! `audit`.

use crate::audit_args::{AuditAction, AuditArgs};
use crate::none_yet;
use crate::output::{Outcome, Output, done, in_full};
use lexforge_domain::api::{AuditBreak, AuditFilter, AuditReport, BreakKind};
use lexforge_engine::{AuditAgainst, Engine};
use std::fmt::Write as _;
use std::process::ExitCode;

pub fn audit(args: &AuditArgs, out: &Output) -> Outcome {
    match &args.action {
        AuditAction::Verify {
            workspace,
            head,
            signed,
            public_key,
            key_file,
        } => {
            let against = AuditAgainst {
                head: head.clone(),
                signed: signed.clone(),
                public_key: public_key.clone(),
                key_file: key_file.clone(),
            };
            let report = Engine::open(workspace)?
                .workspace()
                .audit_verify_against(&against)?;
            out.document(&report, || described(&report));
            Ok(if report.ok {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            })
        }
        AuditAction::Sign {
            workspace,
            out: file,
            key_file,
            new_key,
        } => {
            let signed = Engine::open(workspace)?.workspace().sign_head(
                key_file.as_deref(),
                *new_key,
                file,
            )?;
            out.document(&signed, || {
                format!(
                    "Signed head {} of {} entries: {}\nPublic key {}",
                    signed.head,
                    signed.rows,
                    in_full(file),
                    signed.public_key
                )
            });
            done()
        }
        AuditAction::List {
            workspace,
            limit,
            actor,
            kind,
            from,
            to,
            csv,
        } => {
            let filter = AuditFilter {
                actor: actor.clone(),
                kind: kind.clone(),
                from: from.clone(),
                to: to.clone(),
            };
            let engine = Engine::open(workspace)?;
            if let Some(path) = csv {
                let rows = engine.workspace().write_audit(&filter, path)?;
                out.document(&serde_json::json!({ "rows": rows }), || {
                    format!("{rows} entries: {}", in_full(path))
                });
                return done();
            }
            out.rows(
                &engine.workspace().audit_rows_of(&filter, *limit, None)?,
                none_yet::ENTRIES,
                |r| {
                    format!(
                        "{:>6}  {}  {}  {}  {}  {}",
                        r.sequence, r.time, r.actor, r.action, r.subject, r.reason
                    )
                },
            );
            done()
        }
    }
}

fn described(report: &AuditReport) -> String {
    let mut text = if report.ok {
        format!(
            "The chain of {} entries holds. Head {}",
            report.rows, report.head
        )
    } else {
        let lines: Vec<String> = report.breaks.iter().map(line).collect();
        lines.join("\n")
    };
    if let Some(known) = &report.known_head
        && let Some(row) = known.row
    {
        let _ = match known.since {
            0 => write!(text, "\nThe head asked for is the head of this chain."),
            1 => write!(
                text,
                "\nThe head asked for is entry {row} of this chain; 1 entry has come since."
            ),
            n => write!(
                text,
                "\nThe head asked for is entry {row} of this chain; {n} entries have come since."
            ),
        };
    }
    if let Some(signed) = &report.signed
        && signed.valid
        && signed.expected_key
    {
        let _ = write!(
            text,
            "\nIt was signed with the expected key; the signer's clock said {}.",
            signed.time
        );
    }
    text
}

fn line(b: &AuditBreak) -> String {
    match b.kind {
        BreakKind::Chain | BreakKind::Rows => {
            format!(
                "The chain is broken at entry {} ({}, {}): {}",
                b.sequence, b.action, b.subject, b.message
            )
        }
        BreakKind::Head => format!(
            "The head is not in this chain: {}. The chain was cut or written anew, or this is an older copy or another \
             workspace.",
            b.message
        ),
        BreakKind::Signature => format!("The signed head proves nothing: {}", b.message),
        BreakKind::Derived | BreakKind::Uncovered | BreakKind::Schema | BreakKind::File => {
            format!("The workspace was altered ({}): {}", b.subject, b.message)
        }
    }
}

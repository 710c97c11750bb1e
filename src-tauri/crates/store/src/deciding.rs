//! Acts of deciding: a decision, what a colleague decided elsewhere, and taking an act back. Each act writes its
//! decisions, the verdicts that follow from them, and its row of the audit chain.

use crate::act::{self, ActKind};
use crate::error::Result;
use crate::row::{all, from_tag};
use crate::scope::Scope;
use crate::writer::Writer;
use crate::{decision, undo, verdict};
use lexforge_domain::review::{Choice, Decision, Edit, Subject, SubjectKind};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{ActId, PersonId};
use std::collections::BTreeSet;

/// A decision about a batch of items to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAct<'a> {
    /// Who.
    pub person: PersonId,
    /// About what, each once.
    pub subjects: &'a [Subject],
    /// What.
    pub choice: Choice,
    /// The changes that come with it.
    pub edit: &'a Edit,
    /// Why.
    pub reason: &'a str,
    /// Whether it ends a conflict for everybody.
    pub adjudicates: bool,
}

/// The result of merging decisions that were made elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergedDecisions {
    /// Decisions that are new here.
    pub merged: u64,
    /// Decisions that were here already.
    pub known: u64,
    /// Decisions for which this workspace learns only now that they were taken back.
    pub undone: u64,
    /// Items on which reviewers differ now and did not before.
    pub conflicts: u64,
}

impl Writer<'_> {
    /// Stores an act of deciding. Every item must be in the workspace. The caller checks this in the same transaction.
    pub fn decide(&mut self, new: &NewAct) -> Result<ActId> {
        let (act, made) = act::insert(self, new.person, ActKind::Decide, None)?;
        for &subject in new.subjects {
            let new_decision = Decision {
                uid: self.new_uid()?,
                act,
                subject,
                person: new.person,
                choice: new.choice,
                edit: new.edit.clone(),
                reason: new.reason.to_owned(),
                made: made.clone(),
                adjudicates: new.adjudicates,
                packet: None,
                undone: false,
            };
            decision::insert(self, &new_decision)?;
            verdict::refresh(self, subject)?;
        }
        self.because(new.reason)
            .record(&format!("review.{}", new.choice.deed()), &Scope::Act(act))?;
        Ok(act)
    }

    /// Adds a person's decisions that were made elsewhere, and records which of them were taken back. Decisions that
    /// are stored already change nothing. This function sets `act` and `person` of each decision.
    pub fn merge_decisions(
        &mut self,
        person: PersonId,
        packet: &str,
        decisions: &[Decision],
    ) -> Result<MergedDecisions> {
        let mut counts = MergedDecisions::default();
        let mut fresh: Vec<&Decision> = Vec::new();
        let mut undone: Vec<&Decision> = Vec::new();
        for decision in decisions {
            let here = self.undone(&decision.uid)?;
            match here {
                None => fresh.push(decision),
                Some(_) => counts.known += 1,
            }
            if decision.undone && here != Some(true) {
                undone.push(decision);
                counts.undone += u64::from(here.is_some());
            }
        }
        counts.merged = fresh.len() as u64;
        if fresh.is_empty() && undone.is_empty() {
            return Ok(counts);
        }
        let (act, made) = act::insert(self, person, ActKind::Merge, Some(packet))?;
        for new in &fresh {
            decision::insert(
                self,
                &Decision {
                    act,
                    person,
                    ..(*new).clone()
                },
            )?;
        }
        for decision in &undone {
            undo::insert(self, &decision.uid, act, &made)?;
        }
        let touched: BTreeSet<Subject> = fresh.iter().chain(&undone).map(|d| d.subject).collect();
        for subject in touched {
            let before = self.verdict(subject)?.status;
            let after = verdict::refresh(self, subject)?.status;
            counts.conflicts +=
                u64::from(after == ReviewStatus::Conflict && before != ReviewStatus::Conflict);
        }
        self.record("review.merge", &Scope::Act(act))?;
        Ok(counts)
    }

    /// Takes back an act of deciding. Decisions of this act that were taken back before are not taken back again.
    pub fn undo_act(&mut self, person: PersonId, undone: ActId) -> Result<ActId> {
        let sql = "SELECT uid, kind, first, second FROM decision
                   WHERE act = ?1 AND uid NOT IN (SELECT decision FROM undo) ORDER BY id";
        let items: Vec<([u8; 16], String, i64, i64)> =
            all(self.connection, sql, [undone.0], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?;
        let (act, made) = act::insert(self, person, ActKind::Undo, None)?;
        for (uid, kind, first, second) in items {
            undo::insert(self, &hex::encode(uid), act, &made)?;
            let kind = from_tag("decision", &kind, SubjectKind::from_tag)?;
            verdict::refresh(self, Subject::from_keys(kind, first, second))?;
        }
        self.because(format!("takes back act {undone}"))
            .record("review.undo", &Scope::Act(act))?;
        Ok(act)
    }
}

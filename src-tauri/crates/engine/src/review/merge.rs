//! Reads the decisions of a colleague from an answer file. Anybody may have written this file, so it is checked. A
//! decision is left out if its packet did not contain the item, if its time is impossible, or if the item no longer
//! exists here. The whole file is refused if it has impossible values, or if it changes a decision that was merged
//! before.

use super::Review;
use super::checks;
use super::identity::counts_as;
use super::packet_file::{ANSWER, Answer, Answered, PACKET, Packet, damaged, is_uid, read};
use super::subject::name_of;
use crate::workspace::{Result, UID};
use lexforge_domain::api::{LeftOut, MergeReport, MergeRequest};
use lexforge_domain::review::{CLOCKS_DIFFER_SECONDS, Decision, Person, Subject};
use lexforge_domain::{ActId, Code, Failure, Remedy};
use lexforge_store::{PacketHeld, Reader, StoreError, Writer};
use std::collections::BTreeSet;
use std::path::Path;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

impl Review<'_> {
    /// Adds a colleague's decisions to this workspace. Decisions that are stored already change nothing, and the order
    /// in which answers arrive does not matter.
    ///
    /// # Errors
    /// `PacketInvalid` when the file was changed or holds impossible values. `PacketForeign` when this workspace never
    /// wrote its packet. `PacketUnrecorded` when nothing says what the packet held. `NameAlike` when the colleague's
    /// name looks like somebody else's and nobody said whether they are the same person.
    pub fn merge_answer(&self, path: &Path, request: &MergeRequest) -> Result<MergeReport> {
        let (hash, answer): (String, Answer) = read(path, ANSWER)?;
        OffsetDateTime::parse(&answer.made, &Rfc3339)
            .map_err(|_| damaged("it does not say when it was made"))?;
        let shown = request
            .packet
            .as_deref()
            .map(|file| held_by(file, &answer))
            .transpose()?;
        let me = self.me()?;
        Ok(self.workspace.store.write(&me.name, |w| {
            let known = w.packet_person(&answer.packet)?;
            let (Some(person), true) = (
                known,
                w.setting(UID)?.as_deref() == Some(answer.workspace.as_str()),
            ) else {
                return Err(StoreError::Refused(Failure::new(
                    Code::PacketForeign,
                    "The answer is to a packet that this workspace never wrote.",
                    "Open the workspace that wrote the packet, and merge it there.",
                )));
            };
            let person = w.person(person)?;
            if person.uid != answer.person.uid || person.name != answer.person.name {
                return Err(damaged(format!(
                    "its packet was written for {}, not for who answers",
                    person.name
                ))
                .into());
            }
            let held = held(w, &answer, shown.as_ref())?;
            let (who, packet) = (person.name.clone(), &answer.packet);
            let counted = counts_as(w, person.clone(), request.like)?;
            let times = Times::of(w, packet)?;
            let believable = Believable::of(w, &answer, [&counted, &person], &held, &times)?;
            w.because(format!(
                "claims to be by {who}, made {}, packet {packet}, answer {hash}",
                answer.made
            ));
            let merged = w.merge_decisions(counted.id, &answer.packet, &believable.decisions)?;
            Ok(MergeReport {
                packet: answer.packet.clone(),
                person: counted.name,
                merged: merged.merged,
                known: merged.known,
                without_item: believable.gone.into_iter().collect(),
                conflicts: merged.conflicts,
                untimely: believable.untimely,
                foreign: believable.foreign,
            })
        })?)
    }
}

/// The items of the packet that was answered, read from the packet's file. The file must have the hash that the
/// workspace recorded for the packet.
fn held_by(file: &Path, answer: &Answer) -> Result<PacketHeld> {
    let (hash, packet): (String, Packet) = read(file, PACKET)?;
    if hash != answer.packet {
        return Err(Failure::new(
            Code::PacketInvalid,
            "The packet is not the one that is answered.",
            format!(
                "Name the packet whose hash begins with {}.",
                answer.packet.get(..12).unwrap_or_default()
            ),
        )
        .in_file(file.display().to_string()));
    }
    packet.check()?;
    Ok(packet.held())
}

/// The items of the packet, as the workspace recorded them or as the packet's file shows them.
fn held(
    w: &mut Writer,
    answer: &Answer,
    shown: Option<&PacketHeld>,
) -> lexforge_store::Result<PacketHeld> {
    if let Some(held) = w.packet_held(&answer.packet)? {
        return Ok(held);
    }
    let Some(shown) = shown else {
        return Err(StoreError::Refused(Failure::new(
            Code::PacketUnrecorded,
            "An earlier version wrote the packet and did not keep what it held, so that nothing says what may be answered.",
            Remedy::NamePacketFile,
        )));
    };
    w.keep_packet_held(&answer.packet, shown)?;
    Ok(shown.clone())
}

/// Between which times the decisions of an answer can have been made, by this machine's clock.
struct Times {
    first: OffsetDateTime,
    last: OffsetDateTime,
}

impl Times {
    fn of(r: &Reader, packet: &str) -> lexforge_store::Result<Self> {
        let differ = Duration::seconds(CLOCKS_DIFFER_SECONDS);
        let written = r
            .packet_made(packet)?
            .and_then(|made| moment(&made))
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        Ok(Self {
            first: written.saturating_sub(differ),
            last: OffsetDateTime::now_utc().saturating_add(differ),
        })
    }

    fn hold(&self, made: OffsetDateTime) -> bool {
        (self.first..=self.last).contains(&made)
    }
}

/// The decisions of an answer that can be accepted.
#[derive(Default)]
struct Believable {
    decisions: Vec<Decision>,
    /// Names of the items that no longer exist here.
    gone: BTreeSet<String>,
    untimely: LeftOut,
    foreign: LeftOut,
}

impl Believable {
    /// `people`: the person in whose name the decisions count, and the person whom the packet was written for.
    fn of(
        r: &Reader,
        answer: &Answer,
        people: [&Person; 2],
        held: &PacketHeld,
        times: &Times,
    ) -> lexforge_store::Result<Self> {
        let mut taken = Self::default();
        let mut uids = BTreeSet::new();
        for d in &answer.decisions {
            let (true, Some(made)) = (
                is_uid(&d.uid) && uids.insert(d.uid.as_str()),
                moment(&d.made),
            ) else {
                return Err(damaged("a decision in it has no mark or time of its own").into());
            };
            sound(d)?;
            let mut decision = decision(d, people[0]);
            match r.decision(&d.uid)? {
                Some(here) => {
                    // A decision that was merged before keeps its person.
                    if people.iter().any(|person| person.id == here.person) {
                        decision.person = here.person;
                    }
                    let same = Decision {
                        act: here.act,
                        packet: here.packet.clone(),
                        undone: here.undone,
                        ..decision
                    };
                    if same != here {
                        return Err(damaged(
                            "it says something else about a decision that was merged before",
                        )
                        .into());
                    }
                    decision = Decision {
                        undone: d.undone,
                        ..same
                    };
                }
                // If a decision was taken back before anybody saw it, nothing is lost.
                None if !taken.takes(d, made, held, times) => continue,
                None => {}
            }
            let target = d.edit.into.map(Subject::term);
            if !(r.holds(d.subject)? && target.map_or(Ok(true), |target| r.holds(target))?) {
                taken.gone.insert(name_of(d.subject));
                continue;
            }
            if let (Some(choices), Subject::Question { id }) = (&d.edit.choices, d.subject) {
                let written = r.question(id)?.question.draft.choices.len();
                checks::fit(choices, written).map_err(|f| damaged(lower(&f.message)))?;
            }
            taken.decisions.push(decision);
        }
        Ok(taken)
    }

    /// Whether to accept a decision that is new in this workspace. It must be about an item of the packet, and its
    /// time must be possible. A decision that does not meet these conditions is counted and reported, unless the
    /// person took it back.
    fn takes(
        &mut self,
        d: &Answered,
        made: OffsetDateTime,
        held: &PacketHeld,
        times: &Times,
    ) -> bool {
        let asked = held.subjects.contains(&d.subject)
            && d.edit.into.is_none_or(|into| held.terms.contains(&into));
        let left_out = match (asked, times.hold(made)) {
            (true, true) => return true,
            (false, _) => &mut self.foreign,
            (true, false) => &mut self.untimely,
        };
        if !d.undone {
            left_out.decisions += 1;
            let name = name_of(d.subject);
            if !left_out.items.contains(&name) {
                left_out.items.push(name);
            }
        }
        false
    }
}

/// Refuses values that no program of the product writes.
fn sound(d: &Answered) -> lexforge_store::Result<()> {
    let ordered = matches!(d.subject, Subject::Term { .. } | Subject::Question { .. })
        || matches!(d.subject, Subject::Pair { a, b } if a < b);
    checks::suits(d.subject.kind(), d.choice, &d.edit, &d.reason)
        .map_err(|f| damaged(lower(&f.message)))?;
    checks::two_terms(d.subject, &d.edit).map_err(|f| damaged(lower(&f.message)))?;
    if ordered {
        Ok(())
    } else {
        Err(damaged("the terms of a pair in it are in the wrong order").into())
    }
}

fn decision(d: &Answered, person: &Person) -> Decision {
    Decision {
        uid: d.uid.clone(),
        act: ActId(0),
        subject: d.subject,
        person: person.id,
        choice: d.choice,
        edit: d.edit.clone(),
        reason: d.reason.clone(),
        made: d.made.clone(),
        adjudicates: false,
        packet: None,
        undone: d.undone,
    }
}

/// A message as the rest of a sentence.
fn lower(message: &str) -> String {
    let mut chars = message.trim_end_matches('.').chars();
    chars
        .next()
        .map(|c| c.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}

/// A time in the one form in which times sort as texts.
fn moment(text: &str) -> Option<OffsetDateTime> {
    let sorts = text.len() == "2026-01-01T00:00:00.000Z".len() && text.ends_with('Z');
    OffsetDateTime::parse(text, &Rfc3339).ok().filter(|_| sorts)
}

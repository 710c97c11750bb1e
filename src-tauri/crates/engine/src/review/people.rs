//! The people who review, the person in whose name decisions are made here, and the plan.

use super::Review;
use super::identity::{self, person_of};
use super::names::fitted;
use super::settings::{PLAN, chosen, origin, plan};
use crate::workspace::Result;
use lexforge_domain::api::{LookAlike, PeopleView, ReviewPlan};
use lexforge_domain::review::{Person, Role};
use lexforge_domain::{Failure, PersonId};
use lexforge_store::StoreError;
use std::sync::{Mutex, PoisonError};

/// The person in whose name this engine decides, if it was set.
#[derive(Default)]
struct Acting(Mutex<Option<PersonId>>);

impl Review<'_> {
    /// Everybody who reviews in this workspace, the person who decides here now, and the plan. A user who calls this
    /// for the first time becomes a person of the workspace.
    ///
    /// # Errors
    /// When the workspace cannot be read or written.
    pub fn people(&self) -> Result<PeopleView> {
        let me = self.me()?;
        Ok(self.workspace.store.read(|r| {
            Ok(PeopleView {
                people: r.people()?,
                me: me.clone(),
                plan: plan(r)?,
                packet: origin(r)?,
            })
        })?)
    }

    /// Stores the role and share of the person with this name; if nobody has the name, the person is added.
    ///
    /// # Errors
    /// When the name is empty, too long or contains invisible characters. When it looks like a known person's name and
    /// `like` does not say whether they are the same. When the workspace cannot be written.
    pub fn put_person(
        &self,
        name: &str,
        role: Role,
        share: u32,
        like: LookAlike,
    ) -> Result<Person> {
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            let person = person_of(w, name, role, share, like)?;
            w.put_person(None, &person.name, role, share)
        })?)
    }

    /// From now on the user of this account on this machine makes decisions in the name of this person.
    ///
    /// # Errors
    /// When there is no such person.
    pub fn be_person(&self, id: PersonId) -> Result<()> {
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.person(id)?;
            w.set_setting(&chosen(), &id.to_string())
        })?;
        self.set_acting(id);
        Ok(())
    }

    /// From now on this engine makes decisions in the name of the person with this name, until it is closed. If nobody
    /// has the name, the person is added.
    ///
    /// # Errors
    /// As [`Review::put_person`].
    pub fn act_as(&self, name: &str) -> Result<Person> {
        let person = self.workspace.store.write(&self.workspace.actor, |w| {
            person_of(w, name, Role::default(), 1, LookAlike::Ask)
        })?;
        self.set_acting(person.id);
        Ok(person)
    }

    fn set_acting(&self, id: PersonId) {
        *self
            .workspace
            .memo::<Acting>()
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(id);
    }

    /// Stores the plan of the review.
    ///
    /// # Errors
    /// When a figure of the plan makes no sense, or the workspace cannot be written.
    pub fn set_review_plan(&self, plan: ReviewPlan) -> Result<()> {
        if !(0.0..=1.0).contains(&plan.second_review) || !(0.0..=1.0).contains(&plan.gate) {
            return Err(Failure::invalid(
                "The share of second reviews and the gate are numbers from 0 to 1.",
                "Choose for example 0.2 and 0.8.",
            ));
        }
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            w.set_setting(PLAN, &serde_json::json!(plan).to_string())
        })?)
    }

    /// The person in whose name decisions are made here now. In a workspace made from a packet, this is the person for
    /// whom the packet was made. Otherwise it is the first of these that exists:
    /// - the person that was given to this engine;
    /// - the person that `LEXFORGE_ACTOR` names;
    /// - the person that this account chose;
    /// - a new person with the account's name.
    pub(crate) fn me(&self) -> Result<Person> {
        let acting = *self
            .workspace
            .memo::<Acting>()
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let named = std::env::var("LEXFORGE_ACTOR")
            .ok()
            .filter(|name| !name.trim().is_empty());
        let found = self.workspace.store.read(|r| {
            if let Some(origin) = origin(r)?
                && let Some(person) = r.person_named(&origin.person)?
            {
                return Ok(Some(person));
            }
            if let Some(id) = acting {
                return r.person(id).map(Some);
            }
            if let Some(name) = &named {
                return identity::named(r, name.trim());
            }
            let id = r.setting(&chosen())?.and_then(|id| id.parse().ok());
            match id.map(|id| r.person(id)) {
                None | Some(Err(StoreError::NotFound { .. })) => {
                    identity::named(r, &self.workspace.actor)
                }
                Some(person) => person.map(Some),
            }
        })?;
        if let Some(person) = found {
            return Ok(person);
        }
        if self.workspace.store.read_only().is_some() {
            // A user of a workspace opened for reading is no person of the workspace.
            let (uid, name) = ("0".repeat(32), fitted(&self.workspace.actor));
            return Ok(Person {
                id: PersonId(0),
                uid,
                name,
                role: Role::default(),
                share: 0,
            });
        }
        if let Some(name) = &named {
            return Ok(self.workspace.store.write(&self.workspace.actor, |w| {
                person_of(w, name, Role::default(), 1, LookAlike::Ask)
            })?);
        }
        // Nobody claims an account's own name, so it becomes a person. A similar name is reported where it matters.
        let name = fitted(&self.workspace.actor);
        Ok(self.workspace.store.write(&self.workspace.actor, |w| {
            match identity::named(w, &name)? {
                Some(person) => Ok(person),
                None => w.put_person(None, &name, Role::default(), 1),
            }
        })?)
    }
}

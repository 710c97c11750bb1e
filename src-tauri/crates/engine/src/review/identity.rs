//! The person that a name means: a known person, a new one, or one about whom the user must be asked.

use super::names::{Compared, checked_name};
use lexforge_domain::api::LookAlike;
use lexforge_domain::review::{Person, Role};
use lexforge_domain::{Code, Failure, PersonId, Remedy};
use lexforge_store::{Reader, Result, Writer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The setting with the statements about people whose names look alike.
const SAID: &str = "review.names";

/// Statements about people whose names look alike, by their random marks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    /// Two different people, the smaller mark first.
    #[serde(default)]
    apart: BTreeSet<(String, String)>,
    /// The first is the second under another name.
    #[serde(default)]
    same: BTreeMap<String, String>,
}

impl Said {
    fn of(reader: &Reader) -> Result<Self> {
        Ok(reader.json_setting(SAID)?.unwrap_or_default())
    }

    fn keep(&self, w: &mut Writer) -> Result<()> {
        w.set_setting(SAID, &serde_json::json!(self).to_string())
    }

    fn are_apart(&self, one: &Person, other: &Person) -> bool {
        self.apart.contains(&(
            one.uid.clone().min(other.uid.clone()),
            one.uid.clone().max(other.uid.clone()),
        ))
    }

    fn part(&mut self, one: &Person, other: &Person) {
        self.apart.insert((
            one.uid.clone().min(other.uid.clone()),
            one.uid.clone().max(other.uid.clone()),
        ));
    }

    /// Whether nothing was said yet of whether the two are one person.
    fn is_open(&self, one: &Person, other: &Person) -> bool {
        let same = |a: &Person, b: &Person| self.same.get(&a.uid).is_some_and(|uid| *uid == b.uid);
        one.id != other.id && !self.are_apart(one, other) && !same(one, other) && !same(other, one)
    }
}

/// The person of this name, however it is typed.
pub(super) fn named(reader: &Reader, name: &str) -> Result<Option<Person>> {
    if let Some(person) = reader.person_named(name)? {
        return Ok(Some(person));
    }
    let wanted = Compared::of(name);
    let mut found: Vec<Person> = reader
        .people()?
        .into_iter()
        .filter(|p| Compared::of(&p.name).is(&wanted))
        .collect();
    found.sort_by_key(|p| p.id);
    Ok(found.into_iter().next())
}

/// The person with this name; if nobody has it, a new person is created. If the name looks like the name of a known
/// person, the caller must say whether it is the same person.
pub(super) fn person_of(
    w: &mut Writer,
    name: &str,
    role: Role,
    share: u32,
    like: LookAlike,
) -> Result<Person> {
    let name = checked_name(name)?;
    let there = named(w, &name)?;
    let alike = open_alikes(w, &name, there.as_ref())?;
    let person = match (there, like, alike.first()) {
        // Somebody who is there already is asked about only where their decisions are merged.
        (Some(person), LookAlike::Ask | LookAlike::Same, _) => return Ok(person),
        (None, LookAlike::Ask, Some(other)) => return Err(looks_like(&name, other).into()),
        (None, LookAlike::Same, Some(other)) => return Ok(other.clone()),
        (Some(person), LookAlike::Another, _) => person,
        (None, ..) => w.put_person(None, &name, role, share)?,
    };
    if !alike.is_empty() {
        let mut said = Said::of(w)?;
        alike.iter().for_each(|other| said.part(&person, other));
        said.keep(w)?;
    }
    Ok(person)
}

/// The person under whom this person's decisions are counted. If the name looks like somebody else's, it must be known
/// whether both are the same person, either from an earlier answer or from `like`.
pub(super) fn counts_as(w: &mut Writer, person: Person, like: LookAlike) -> Result<Person> {
    let mut said = Said::of(w)?;
    if let Some(uid) = said.same.get(&person.uid)
        && let Some(other) = w.person_of_uid(uid)?
    {
        return Ok(other);
    }
    let alike = open_alikes(w, &person.name, Some(&person))?;
    let Some(other) = alike.first() else {
        return Ok(person);
    };
    match like {
        LookAlike::Ask => return Err(looks_like(&person.name, other).into()),
        LookAlike::Another => alike.iter().for_each(|other| said.part(&person, other)),
        LookAlike::Same => {
            said.same.insert(person.uid.clone(), other.uid.clone());
        }
    }
    said.keep(w)?;
    Ok(if like == LookAlike::Same {
        other.clone()
    } else {
        person
    })
}

/// Maps each person to the first of the people who count as the same person. Two people count as the same if somebody
/// said so, or if their names look alike and nobody said that they differ.
pub(crate) fn taken_as_one(reader: &Reader) -> Result<BTreeMap<PersonId, PersonId>> {
    let said = Said::of(reader)?;
    let mut people = reader.people()?;
    people.sort_by_key(|p| p.id);
    let compared: Vec<Compared> = people.iter().map(|p| Compared::of(&p.name)).collect();
    let mut one: BTreeMap<PersonId, PersonId> = BTreeMap::new();
    for (i, person) in people.iter().enumerate() {
        for (j, other) in people[..i].iter().enumerate() {
            let said_same = said.same.get(&person.uid) == Some(&other.uid)
                || said.same.get(&other.uid) == Some(&person.uid);
            if said_same || (compared[i].looks_like(&compared[j]) && said.is_open(person, other)) {
                let first = one.get(&other.id).copied().unwrap_or(other.id);
                one.insert(person.id, first);
                break;
            }
        }
    }
    Ok(one)
}

/// The other people whose names look like this one, and of whom nobody has said whether they are the same person.
fn open_alikes(reader: &Reader, name: &str, person: Option<&Person>) -> Result<Vec<Person>> {
    let said = Said::of(reader)?;
    let wanted = Compared::of(name);
    let open = |other: &Person| person.is_none_or(|person| said.is_open(person, other));
    let mut alike: Vec<Person> = reader
        .people()?
        .into_iter()
        .filter(|p| Compared::of(&p.name).looks_like(&wanted) && open(p))
        .collect();
    alike.sort_by_key(|p| p.id);
    Ok(alike)
}

fn looks_like(name: &str, other: &Person) -> Failure {
    Failure::new(
        Code::NameAlike,
        format!(
            "The name “{name}” looks like that of “{}”, who reviews here already.",
            other.name
        ),
        Remedy::SayWhoItIs,
    )
}

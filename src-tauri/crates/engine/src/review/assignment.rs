//! Decides to whom an item is assigned. The result depends only on the item and the people (weighted rendezvous
//! hashing), so it is the same on every machine. If one person's share changes, items move only to or from that person.

use lexforge_domain::PersonId;
use lexforge_domain::review::{Person, Subject};
use sha2::{Digest, Sha256};

/// The people to whom items are assigned, and how many of the items go to two of them.
pub(crate) struct Assignment {
    people: Vec<(PersonId, u64, f64)>,
    second: f64,
}

impl Assignment {
    /// By the shares of these people; `second` is the share of the items that a second person looks at.
    pub(crate) fn new(people: &[Person], second: f64) -> Self {
        let sharing = people.iter().filter(|p| p.share > 0);
        let people = sharing
            .map(|p| (p.id, seed(p.uid.as_bytes()), f64::from(p.share)))
            .collect();
        Self { people, second }
    }

    /// Whether an item is assigned to a person. Where nobody has a share, everything is everybody's.
    pub(crate) fn holds(&self, person: PersonId, subject: Subject) -> bool {
        if self.people.is_empty() {
            return true;
        }
        let item = key(subject);
        // Each person draws a waiting time with a rate of their share: the shortest is first, the next is second.
        let wait =
            |&(id, seed, share): &(PersonId, u64, f64)| (-uniform(item ^ seed).ln() / share, id);
        let mut first: Option<(f64, PersonId)> = None;
        let mut second: Option<(f64, PersonId)> = None;
        for drawn in self.people.iter().map(wait) {
            if first.is_none_or(|f| drawn < f) {
                second = first.replace(drawn);
            } else if second.is_none_or(|s| drawn < s) {
                second = Some(drawn);
            }
        }
        let twice = uniform(item.rotate_left(32)) < self.second;
        first.is_some_and(|f| f.1 == person) || twice && second.is_some_and(|s| s.1 == person)
    }
}

fn seed(bytes: &[u8]) -> u64 {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    u64::from_le_bytes(digest.first_chunk().copied().unwrap_or_default())
}

fn key(subject: Subject) -> u64 {
    let (first, second) = subject.keys();
    mixed(mixed(first as u64 ^ (subject.kind() as u64) << 62) ^ second as u64)
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mixed(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A number above 0 and up to 1.
fn uniform(key: u64) -> f64 {
    ((mixed(key) >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::TermId;
    use lexforge_domain::review::Role;

    fn people(shares: &[u32]) -> Vec<Person> {
        let person = |(i, &share): (usize, &u32)| Person {
            id: PersonId(i as i64 + 1),
            uid: format!("{i:032x}"),
            name: format!("Reviewer {}", i + 1),
            role: Role::default(),
            share,
        };
        shares.iter().enumerate().map(person).collect()
    }

    #[test]
    fn items_are_shared_out_by_weight_and_to_two_where_the_plan_says_so() {
        const ITEMS: i64 = 20_000;
        for (shares, second) in [
            (vec![1, 1], 0.0),
            (vec![3, 1, 0], 0.25),
            (vec![1, 1, 2], 1.0),
            (vec![5], 1.0),
        ] {
            let assignment = Assignment::new(&people(&shares), second);
            let once = Assignment::new(&people(&shares), 0.0);
            let total: u32 = shares.iter().sum();
            let (mut twice, mut first) = (0, vec![0; shares.len()]);
            for item in 0..ITEMS {
                let subject = Subject::term(TermId(item));
                let holds = |a: &Assignment, i: usize| a.holds(PersonId(i as i64 + 1), subject);
                let holders = (0..shares.len()).filter(|i| holds(&assignment, *i)).count();
                assert!(holders == 1 || holders == 2, "{shares:?}: {holders}");
                twice += usize::from(holders == 2);
                (0..shares.len())
                    .filter(|i| holds(&once, *i))
                    .for_each(|i| first[i] += 1);
            }
            let share = |n: usize| n as f64 / ITEMS as f64;
            let able = shares.iter().filter(|s| **s > 0).count() > 1;
            assert!(
                (share(twice) - if able { second } else { 0.0 }).abs() < 0.02,
                "{shares:?}: {twice}"
            );
            for (weight, n) in shares.iter().zip(first) {
                assert!(
                    (share(n) - f64::from(*weight) / f64::from(total)).abs() < 0.02,
                    "{shares:?}: {n}"
                );
            }
        }
    }

    #[test]
    fn a_new_person_takes_items_and_moves_no_other() {
        let before = Assignment::new(&people(&[2, 2]), 0.0);
        let after = Assignment::new(&people(&[2, 2, 1]), 0.0);
        for item in 0..2_000 {
            let subject = Subject::term(TermId(item));
            for person in [PersonId(1), PersonId(2)] {
                assert!(
                    before.holds(person, subject) || !after.holds(person, subject),
                    "{item}"
                );
            }
        }
    }

    #[test]
    fn without_shares_everything_is_everybodys() {
        let nobody = Assignment::new(&people(&[0, 0]), 0.5);
        assert!(nobody.holds(PersonId(1), Subject::term(TermId(7))));
    }
}

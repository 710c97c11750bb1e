//! Decides which part of a neighbourhood is drawn and which is shown as counts. The result depends only on the groups
//! and the number of places.

use lexforge_domain::api::GroupKey;

/// The neighbours of one node by one kind of edge. Sentences that mention a term are grouped by document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group<M> {
    /// The node behind which it stands, the kind of edge, and the document if there is one.
    pub key: GroupKey,
    /// Its strongest members, as many at least as could be drawn.
    pub first: Vec<M>,
    /// How many it has in all.
    pub count: u64,
}

/// A place that is filled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawn<M> {
    /// The group; for what has no place of its own, the groups' parent and kind with no document.
    pub key: GroupKey,
    /// The member; `None` = only a count.
    pub member: Option<M>,
    /// How many more of the group are folded into it.
    pub folded: u64,
}

/// How many places a group can use: one and a count where it is folded.
fn wanted<M>(group: &Group<M>, fold_over: Option<u32>, unfold: Option<GroupKey>) -> u64 {
    let folded =
        fold_over.is_some_and(|most| group.count > u64::from(most)) && unfold != Some(group.key);
    if folded {
        group.count.min(2)
    } else {
        group.count
    }
}

/// How many places these groups can use.
pub(super) fn appetite<M>(
    groups: &[Group<M>],
    fold_over: Option<u32>,
    unfold: Option<GroupKey>,
) -> usize {
    groups
        .iter()
        .map(|g| usize::try_from(wanted(g, fold_over, unfold)).unwrap_or(usize::MAX))
        .fold(0, usize::saturating_add)
}

/// Chooses which members of the groups are shown, in at most `places` places. The groups have one parent and one kind,
/// and are ordered by strength. A group with one place shows one example and its count. The groups without a place are
/// shown together as one count. So the members that are shown and those that are counted always add up to the total.
pub(super) fn draw<M: Clone>(
    groups: &[Group<M>],
    places: usize,
    fold_over: Option<u32>,
    unfold: Option<GroupKey>,
) -> Vec<Drawn<M>> {
    let groups: Vec<&Group<M>> = groups.iter().filter(|g| g.count > 0).collect();
    if groups.is_empty() || places == 0 {
        return Vec::new();
    }
    let wants: Vec<usize> = groups
        .iter()
        .map(|g| usize::try_from(wanted(g, fold_over, unfold)).unwrap_or(usize::MAX))
        .collect();
    let mut got = vec![0usize; groups.len()];
    let mut left = places;
    let order: Vec<usize> = {
        let first = (0..groups.len()).filter(|&i| unfold == Some(groups[i].key));
        first
            .chain((0..groups.len()).filter(|&i| unfold != Some(groups[i].key)))
            .collect()
    };
    for (turn, &at) in order.iter().enumerate() {
        // One place is reserved for the count of members without a place.
        let reserve = usize::from(turn + 1 < order.len());
        if left <= reserve {
            break;
        }
        got[at] = if unfold == Some(groups[at].key) {
            wants[at].min(left - reserve)
        } else {
            1
        };
        left -= got[at];
    }
    if got.iter().all(|n| *n > 0) {
        while left > 0 && got.iter().zip(&wants).any(|(has, wants)| has < wants) {
            for (has, wants) in got.iter_mut().zip(&wants) {
                if left > 0 && *has < *wants {
                    *has += 1;
                    left -= 1;
                }
            }
        }
    }
    let mut drawn = Vec::with_capacity(places);
    for (group, &has) in groups.iter().zip(&got) {
        let shown = match has {
            0 => continue,
            1 => 1,
            n if n as u64 >= group.count => n,
            n => n - 1,
        };
        let shown = shown.min(group.first.len());
        let rest = group.count.saturating_sub(shown as u64);
        for (at, member) in group.first.iter().take(shown).enumerate() {
            let folded = if has == 1 && at == 0 { rest } else { 0 };
            drawn.push(Drawn {
                key: group.key,
                member: Some(member.clone()),
                folded,
            });
        }
        if rest > 0 && (has > 1 || shown == 0) {
            drawn.push(Drawn {
                key: group.key,
                member: None,
                folded: rest,
            });
        }
    }
    let others: Vec<&&Group<M>> = groups
        .iter()
        .zip(&got)
        .filter(|(_, has)| **has == 0)
        .map(|(g, _)| g)
        .collect();
    if let Some(one) = others.first() {
        let folded = others.iter().map(|g| g.count).sum();
        drawn.push(Drawn {
            key: GroupKey {
                document: None,
                ..one.key
            },
            member: None,
            folded,
        });
    }
    drawn
}

/// Deals places out one at a time, in turns, until each has as many as it asks for or no place is left.
pub(super) fn deal(wants: &[usize], mut places: usize) -> Vec<usize> {
    let mut got = vec![0; wants.len()];
    while places > 0 && got.iter().zip(wants).any(|(has, wants)| has < wants) {
        for (has, wants) in got.iter_mut().zip(wants) {
            if places > 0 && *has < *wants {
                *has += 1;
                places -= 1;
            }
        }
    }
    got
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::NodeRef;
    use lexforge_domain::graph::EdgeKind;
    use lexforge_domain::{DocumentId, TermId};

    fn group(document: i64, count: u64) -> Group<(i64, u64)> {
        let key = GroupKey {
            parent: NodeRef::term(TermId(1)),
            kind: EdgeKind::SharedEntity,
            document: Some(DocumentId(document)),
        };
        Group {
            key,
            first: (0..count.min(24)).map(|i| (document, i)).collect(),
            count,
        }
    }

    fn said(drawn: &[Drawn<(i64, u64)>]) -> Vec<String> {
        let name = |d: &Drawn<(i64, u64)>| match (d.member, d.key.document) {
            (Some((document, i)), _) if d.folded > 0 => format!("{document}.{i} +{}", d.folded),
            (Some((document, i)), _) => format!("{document}.{i}"),
            (None, Some(document)) => format!("{document} +{}", d.folded),
            (None, None) => format!("+{}", d.folded),
        };
        drawn.iter().map(name).collect()
    }

    #[test]
    fn what_has_no_place_is_counted() {
        let check = |counts: &[u64], places, fold_over, expected: &[&str]| {
            let groups: Vec<_> = counts
                .iter()
                .zip(1..)
                .map(|(n, document)| group(document, *n))
                .collect();
            assert_eq!(
                said(&draw(&groups, places, fold_over, None)),
                expected,
                "{counts:?} in {places}"
            );
        };
        check(&[2, 1], 6, None, &["1.0", "1.1", "2.0"]);
        check(
            &[62, 3],
            6,
            Some(40),
            &["1.0", "1 +61", "2.0", "2.1", "2.2"],
        );
        check(
            &[62, 3],
            6,
            None,
            &["1.0", "1.1", "1 +60", "2.0", "2.1", "2.2"],
        );
        check(&[5, 4, 3, 2], 3, None, &["1.0 +4", "2.0 +3", "+5"]);
        check(&[5, 4], 2, None, &["1.0 +4", "2.0 +3"]);
        check(&[5], 1, None, &["1.0 +4"]);
        check(&[5, 4], 1, None, &["+9"]);
        check(&[], 4, None, &[]);
        check(&[3], 0, None, &[]);
    }

    #[test]
    fn an_unfolded_group_comes_first() {
        let groups = [group(1, 5), group(2, 62)];
        let drawn = draw(&groups, 6, Some(40), Some(groups[1].key));
        assert_eq!(
            said(&drawn),
            ["1.0 +4", "2.0", "2.1", "2.2", "2.3", "2 +58"]
        );
    }

    #[test]
    fn drawn_and_folded_add_up_whatever_the_places() {
        let mut state = 7_u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..2_000 {
            let many = below(9) as i64;
            let groups: Vec<_> = (0..many).map(|d| group(d, below(90))).collect();
            let places = below(14) as usize;
            let fold_over = (below(2) == 0).then(|| 1 + below(49) as u32);
            let unfold = groups.first().filter(|_| below(3) == 0).map(|g| g.key);
            let drawn = draw(&groups, places, fold_over, unfold);
            assert!(drawn.len() <= places, "{places} places, {drawn:?}");
            let all: u64 = groups.iter().map(|g| g.count).sum();
            let shown: u64 = drawn
                .iter()
                .map(|d| d.folded + u64::from(d.member.is_some()))
                .sum();
            assert_eq!(
                shown,
                if places == 0 { 0 } else { all },
                "{groups:?} in {places}: {drawn:?}"
            );
        }
    }

    #[test]
    fn places_are_dealt_in_turns() {
        assert_eq!(deal(&[9, 1, 3], 6), [3, 1, 2]);
        assert_eq!(deal(&[1, 1], 6), [1, 1]);
        assert_eq!(deal(&[], 6), Vec::<usize>::new());
    }
}

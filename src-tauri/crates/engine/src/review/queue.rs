//! The queue: the items to decide, most valuable first.
//!
//! The order is computed once and then kept during a review, so that items do not jump. Decisions that are made
//! meanwhile, here or in another program, are taken into account as they come.

use super::Review;
use super::assignment::Assignment;
use super::cards::{self, Held};
use super::decide::act_view;
use super::filled;
use super::order;
use super::settings::{ITEMS, origin, plan};
use super::subject::{language_of, text_of};
use crate::workspace::Result;
use lexforge_domain::api::{
    ComingItem, QueueFilter, QueueStanding, QueueView, ReviewPlan, TripletFilter,
};
use lexforge_domain::review::{Choice, Person, Subject, SubjectKind};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::{ActId, PersonId, TripletId};
use lexforge_store::{OwnChoice, Reader, Scope};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Items that are told as coming.
const COMING: usize = 8;
/// Acts over which the pace is taken.
const PACED_ACTS: u64 = 400;
/// Seconds of work over which the pace is taken.
const PACED_SECONDS: f64 = 3_600.0;
/// A longer time between two decisions was a break.
const BREAK_SECONDS: f64 = 300.0;

/// A queue in memory.
#[derive(Debug)]
struct Queue {
    stamp: Stamp,
    order: Vec<Subject>,
    place: HashMap<Subject, u32>,
    /// Triplets that are looked at as a check by sample; they come first.
    sample: Vec<TripletId>,
    said: Vec<Option<(Choice, ActId)>>,
    seen: ActId,
}

/// The state from which a queue was made. If it differs, the queue must be made again.
#[derive(Debug, PartialEq)]
struct Stamp {
    filter: QueueFilter,
    person: PersonId,
    people: Vec<Person>,
    plan: ReviewPlan,
    rows: Vec<i64>,
}

/// The queue that is looked at.
#[derive(Default)]
struct Kept(Mutex<Option<Queue>>);

impl Review<'_> {
    /// The item to decide now, with everything needed to decide. `at` names an item to show instead of the next one.
    ///
    /// # Errors
    /// When there is no item `at`, or the workspace cannot be read.
    pub fn review_queue(&self, filter: &QueueFilter, at: Option<Subject>) -> Result<QueueView> {
        let me = self.me()?;
        let memo = self.workspace.memo::<Kept>();
        let mut state = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = state.take();
        let (queue, view) = self.workspace.store.read(|r| {
            let stamp = Stamp::read(r, filter, &me)?;
            let queue = match kept {
                Some(queue) if queue.stamp == stamp => queue.read_on(r)?,
                _ => Queue::make(r, stamp)?,
            };
            let view = queue.view(r, &me, at)?;
            Ok((queue, view))
        })?;
        *state = Some(queue);
        Ok(view)
    }

    /// Candidates that are probably not terms, the most doubtful first, so that a reviewer can reject them as one list.
    /// These candidates were found only by counting or by a model, nobody has decided about them yet, and their scores
    /// are among the lowest. `most` = 0: all.
    pub fn doubtful_terms(&self, filter: &QueueFilter, most: usize) -> Result<Vec<ComingItem>> {
        let me = self.me()?;
        Ok(self.workspace.store.read(|r| {
            let queue = Queue::make(r, Stamp::read(r, filter, &me)?)?;
            let open: HashSet<Subject> = queue.to_do().collect();
            let most = if most == 0 { usize::MAX } else { most };
            order::doubtful(r, filter)?
                .into_iter()
                .filter(|subject| open.contains(subject))
                .take(most)
                .map(|subject| coming_item(r, subject))
                .collect()
        })?)
    }

    /// The items of a filter that a person has not decided, the most valuable first.
    pub(super) fn open_items(&self, filter: &QueueFilter, person: &Person) -> Result<Vec<Subject>> {
        Ok(self.workspace.store.read(|r| {
            let queue = Queue::make(r, Stamp::read(r, filter, person)?)?;
            let skipped = |said: &Option<(Choice, ActId)>| {
                said.is_none_or(|(choice, _)| choice == Choice::Skip)
            };
            let open = queue
                .order
                .iter()
                .zip(&queue.said)
                .filter(|(_, said)| skipped(said));
            Ok(open.map(|(subject, _)| *subject).collect())
        })?)
    }
}

impl Stamp {
    fn read(r: &Reader, filter: &QueueFilter, me: &Person) -> lexforge_store::Result<Self> {
        let scopes = match filter.kind {
            SubjectKind::Term => vec![Scope::Terms],
            SubjectKind::Pair => vec![Scope::Terms, Scope::Graph],
            SubjectKind::Question => vec![Scope::Questions],
            SubjectKind::Triplet => vec![Scope::Triplets],
            SubjectKind::Similarity => vec![Scope::Similarity],
        };
        let rows = scopes
            .iter()
            .map(|scope| r.newest_row_of(scope))
            .collect::<lexforge_store::Result<_>>()?;
        Ok(Self {
            filter: filter.clone(),
            person: me.id,
            people: r.people()?,
            plan: plan(r)?,
            rows,
        })
    }
}

impl Queue {
    fn make(r: &Reader, stamp: Stamp) -> lexforge_store::Result<Self> {
        let filter = &stamp.filter;
        let mut order = match filter.kind {
            SubjectKind::Term => order::terms(r, filter)?,
            SubjectKind::Pair => order::pairs(r, filter)?,
            SubjectKind::Question => order::questions(r, filter)?,
            SubjectKind::Triplet => order::triplets(r, filter)?,
            SubjectKind::Similarity => order::similarity(r, filter)?,
        };
        if origin(r)?.is_some() {
            let asked: HashSet<Subject> = r
                .json_setting::<Vec<Subject>>(ITEMS)?
                .unwrap_or_default()
                .into_iter()
                .collect();
            order.retain(|subject| asked.contains(subject));
        } else if filter.mine {
            let assignment = Assignment::new(&stamp.people, stamp.plan.second_review);
            order.retain(|&subject| assignment.holds(stamp.person, subject));
        }
        let place: HashMap<Subject, u32> = order
            .iter()
            .zip(0..)
            .map(|(subject, i)| (*subject, i))
            .collect();
        let sample = match stamp.filter.kind {
            SubjectKind::Triplet => filled::sample(&r.triplets(&TripletFilter::default())?.rows),
            _ => Vec::new(),
        };
        let mut queue = Self {
            sample,
            said: vec![None; order.len()],
            stamp,
            order,
            place,
            seen: r.newest_act()?,
        };
        for own in r.own_choices(queue.stamp.person, queue.stamp.filter.kind)? {
            queue.note(own.subject, Some(own));
        }
        Ok(queue)
    }

    /// Takes in what the person decided and took back since.
    fn read_on(mut self, r: &Reader) -> lexforge_store::Result<Self> {
        let newest = r.newest_act()?;
        if newest != self.seen {
            for subject in r.touched_since(self.stamp.person, self.stamp.filter.kind, self.seen)? {
                let own = r.own_choice(self.stamp.person, subject)?;
                self.note(subject, own);
            }
            self.seen = newest;
        }
        Ok(self)
    }

    fn note(&mut self, subject: Subject, own: Option<OwnChoice>) {
        if let Some(said) = self
            .place
            .get(&subject)
            .and_then(|i| self.said.get_mut(*i as usize))
        {
            *said = own.map(|own| (own.choice, own.act));
        }
    }

    /// The items to do: those never decided in their order, then the skipped ones, the longest skipped first.
    fn to_do(&self) -> impl Iterator<Item = Subject> {
        let open = self
            .order
            .iter()
            .zip(&self.said)
            .filter(|(_, said)| said.is_none())
            .map(|(subject, _)| *subject);
        let mut skipped: Vec<(ActId, Subject)> = Vec::new();
        for (subject, said) in self.order.iter().zip(&self.said) {
            if let Some((Choice::Skip, act)) = said {
                skipped.push((*act, *subject));
            }
        }
        skipped.sort_unstable();
        open.chain(skipped.into_iter().map(|(_, subject)| subject))
    }

    fn standing(&self) -> QueueStanding {
        let mut standing = QueueStanding {
            total: self.order.len() as u64,
            ..QueueStanding::default()
        };
        for said in &self.said {
            match said.map(|(choice, _)| choice) {
                None => standing.to_do += 1,
                Some(Choice::Skip) => {
                    standing.to_do += 1;
                    standing.skipped += 1;
                }
                Some(Choice::Accept | Choice::Confusable | Choice::Score(_)) => {
                    standing.accepted += 1;
                }
                Some(Choice::Reject | Choice::Unrelated) => standing.rejected += 1,
                Some(Choice::Merge | Choice::Same) => standing.merged += 1,
            }
        }
        standing
    }

    fn view(
        &self,
        r: &Reader,
        me: &Person,
        at: Option<Subject>,
    ) -> lexforge_store::Result<QueueView> {
        let shown = at.or_else(|| self.to_do().next());
        let mut coming = Vec::with_capacity(COMING);
        for subject in self.to_do().filter(|s| Some(*s) != shown).take(COMING) {
            coming.push(coming_item(r, subject)?);
        }
        // A person who opens an item by name, perhaps to settle a conflict, sees others' decisions on a conflict.
        let held = if at.is_some() {
            Held::UnlessInConflict
        } else {
            Held::Always
        };
        let item = shown
            .map(|subject| cards::card(r, subject, me, &self.stamp.plan, held))
            .transpose()?;
        let place = shown
            .and_then(|s| self.place.get(&s))
            .map_or(0, |i| u64::from(*i) + 1);
        let standing = QueueStanding {
            median_seconds: median_pace(&r.act_times(me.id, PACED_ACTS)?),
            ..self.standing()
        };
        let last = r
            .last_act_of(me.id)?
            .map(|act| act_view(r, act.id))
            .transpose()?;
        let conflicts = r.count_with_status(self.stamp.filter.kind, ReviewStatus::Conflict)?;
        Ok(QueueView {
            item,
            place,
            standing,
            coming,
            last,
            conflicts,
            sample: filled::standing(r, &self.sample)?,
        })
    }
}

fn coming_item(r: &Reader, subject: Subject) -> lexforge_store::Result<ComingItem> {
    let mentions = match subject {
        Subject::Term { id } => r.term(id)?.mentions,
        _ => 0,
    };
    Ok(ComingItem {
        subject,
        text: text_of(r, subject)?,
        language: language_of(r, subject)?,
        mentions,
    })
}

/// Median seconds between acts, the newest first, over the last hour of work.
fn median_pace(times: &[String]) -> Option<f64> {
    let at = |text: &String| OffsetDateTime::parse(text, &Rfc3339).ok();
    let times: Vec<OffsetDateTime> = times.iter().filter_map(at).collect();
    let mut gaps: Vec<f64> = Vec::new();
    let mut worked = 0.0;
    for pair in times.windows(2) {
        let gap = (pair[0] - pair[1]).as_seconds_f64();
        if worked + gap.min(BREAK_SECONDS) > PACED_SECONDS {
            break;
        }
        if gap <= BREAK_SECONDS {
            worked += gap;
            gaps.push(gap);
        }
    }
    gaps.sort_by(f64::total_cmp);
    let middle = gaps.len() / 2;
    match gaps.len() {
        0 => None,
        n if n % 2 == 1 => Some(gaps[middle]),
        _ => Some((gaps[middle - 1] + gaps[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_are_no_work() {
        let times = |list: &[&str]| {
            list.iter()
                .map(|t| format!("2026-01-01T{t}.000Z"))
                .collect::<Vec<_>>()
        };
        for (list, expected) in [
            (vec![], None),
            (vec!["10:00:00"], None),
            (vec!["10:00:09", "10:00:04", "10:00:01"], Some(4.0)),
            (
                vec!["12:00:05", "12:00:00", "10:00:04", "10:00:01"],
                Some(4.0),
            ),
        ] {
            assert_eq!(median_pace(&times(&list)), expected, "{list:?}");
        }
    }
}

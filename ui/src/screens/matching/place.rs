//! Where the reader is among matched rules; it outlives a change of screen or language.

use crate::fetched::Fetched;
use leptos::prelude::*;
use lexforge_domain::api::{
    MatchBrief, MatchDecision, MatchImported, MatchOverview, MatchRequest, MatchVerdict,
    MatchedRule, Severity,
};
use lexforge_domain::{DocumentId, Failure, SentenceId};
use std::collections::BTreeSet;

/// A person has not decided yet.
pub const UNREVIEWED: &str = "unreviewed";
/// A text has changed since it was decided.
pub const STALE: &str = "stale";
/// The states that people's decisions can give a rule, in the order in which they are shown.
pub const STATES: [&str; 4] = ["accepted", "corrected", STALE, UNREVIEWED];

/// The dialog over the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The verdicts to correct to.
    Correct,
    /// The statements to link; the verdict that is meant, where one was chosen.
    Link(Option<MatchVerdict>),
    /// Note, owner and date; which field comes first.
    Remark(Field),
    /// The result of importing a mapping collection.
    Brought,
}

/// A field of the remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Why, or what is to be done.
    Note,
    /// Who closes the gap.
    Owner,
}

/// A place on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub document: DocumentId,
    /// The page, from 1.
    pub page: u32,
    pub sentence: SentenceId,
}

/// Which rules are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// With one of these verdicts; empty = any.
    pub verdicts: BTreeSet<MatchVerdict>,
    pub state: Option<&'static str>,
    pub chapter: Option<usize>,
}

impl Filter {
    /// Whether a rule is listed.
    pub fn holds(&self, rule: &MatchBrief) -> bool {
        (self.verdicts.is_empty() || self.verdicts.contains(&rule.verdict))
            && self.state.is_none_or(|state| rule.status == state)
            && self.chapter.is_none_or(|chapter| rule.chapter == chapter)
    }

    /// Whether all rules are listed.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }
}

/// A decision of this session that can be taken back: the rule, what stood before, and what was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub rule: SentenceId,
    /// The earlier decision; `None` = there was none.
    pub before: Option<MatchDecision>,
    /// The action that was done, in words.
    pub said: String,
}

/// Where the reader is among matched rules.
#[derive(Clone, Copy, Default)]
pub struct MatchPlace {
    /// The newest matching; none inside = there is none yet.
    pub overview: Fetched<Option<MatchOverview>>,
    /// The rule that is shown, with everything that is known of it.
    pub detail: Fetched<MatchedRule>,
    /// The rule that is shown.
    pub shown: RwSignal<Option<SentenceId>>,
    /// Which rules are listed.
    pub filter: RwSignal<Filter>,
    /// Documents are being chosen although there is a matching.
    pub choosing: RwSignal<bool>,
    /// What is to be matched, as it is chosen so far.
    pub asked: RwSignal<MatchRequest>,
    /// The place whose page is open.
    pub open: RwSignal<Option<Spot>>,
    /// The dialog over the screen.
    pub over: RwSignal<Option<Over>>,
    /// What can be taken back, the newest last.
    pub done: RwSignal<Vec<Done>>,
    /// A decision is on its way.
    pub deciding: RwSignal<bool>,
    /// Why the decision of a form could not be saved.
    pub unkept: RwSignal<Option<Failure>>,
    /// What is read out after a decision.
    pub said: RwSignal<String>,
    /// The result of the last import of a mapping collection.
    pub brought: RwSignal<Option<MatchImported>>,
}

impl MatchPlace {
    /// Resets the place, for another workspace.
    pub fn forget(self) {
        self.overview.forget();
        self.detail.forget();
        self.shown.set(None);
        self.filter.set(Filter::default());
        self.choosing.set(false);
        self.asked.set(MatchRequest::default());
        self.open.set(None);
        self.over.set(None);
        self.done.set(Vec::new());
        self.deciding.set(false);
        self.unkept.set(None);
        self.said.set(String::new());
        self.brought.set(None);
    }

    /// The rules that are listed, the worst first.
    pub fn listed(self) -> Vec<MatchBrief> {
        let filter = self.filter.get();
        self.overview.value.with(|overview| {
            let rows = overview.iter().flatten().flat_map(|o| &o.rows);
            rows.filter(|rule| filter.holds(rule)).cloned().collect()
        })
    }

    /// The position of the shown rule in the list (from 0) and the length of the list. `None` if the rule is not in the
    /// list.
    pub fn at(self) -> Option<(usize, usize)> {
        let (shown, filter) = (self.shown.get(), self.filter.get());
        self.overview.value.with(|overview| {
            let rows = overview.iter().flatten().flat_map(|o| &o.rows);
            place_of(shown?, rows.filter(|rule| filter.holds(rule)))
        })
    }
}

/// The place of a rule in a list, from 0, and how long the list is; `None` where it is not in it.
fn place_of<'r>(
    rule: SentenceId,
    list: impl Iterator<Item = &'r MatchBrief>,
) -> Option<(usize, usize)> {
    let (mut at, mut count) = (None, 0);
    for (place, one) in list.enumerate() {
        if one.rule.id == rule {
            at = Some(place);
        }
        count = place + 1;
    }
    Some((at?, count))
}

/// The rule that is this many places further on in a list, but not beyond its ends.
pub fn next(rules: &[MatchBrief], now: Option<SentenceId>, by: i64) -> Option<SentenceId> {
    let last = rules.len().checked_sub(1)?;
    let at = now.and_then(|now| rules.iter().position(|r| r.rule.id == now));
    let at = match at {
        Some(at) => (at as i64 + by).clamp(0, last as i64) as usize,
        None => 0,
    };
    rules.get(at).map(|r| r.rule.id)
}

/// How many of three bars a severity fills.
pub fn bars(severity: Severity) -> u8 {
    match severity {
        Severity::None => 0,
        Severity::Low => 1,
        Severity::Medium => 2,
        Severity::High => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::MatchText;

    fn rule(id: i64, verdict: MatchVerdict, status: &str, chapter: usize) -> MatchBrief {
        MatchBrief {
            rule: MatchText {
                id: SentenceId(id),
                document: DocumentId(1),
                page: 1,
                text: String::new(),
                section: String::new(),
                external_id: None,
            },
            chapter,
            verdict,
            severity: Severity::High,
            probability: 0.2,
            status: status.to_owned(),
            owner: String::new(),
            due: None,
            proposed: 0,
        }
    }

    #[test]
    fn a_filter_lists_what_fits_all_of_it() {
        let rules = [
            rule(1, MatchVerdict::NotCovered, UNREVIEWED, 0),
            rule(2, MatchVerdict::NotCovered, "accepted", 1),
            rule(3, MatchVerdict::Covered, UNREVIEWED, 1),
        ];
        let listed = |filter: Filter| -> Vec<i64> {
            let held = rules.iter().filter(|r| filter.holds(r));
            held.map(|r| r.rule.id.0).collect()
        };
        let gaps: BTreeSet<MatchVerdict> = [MatchVerdict::NotCovered].into();
        assert_eq!(listed(Filter::default()), [1, 2, 3]);
        let all = Filter {
            verdicts: gaps.clone(),
            ..Filter::default()
        };
        assert_eq!(listed(all), [1, 2]);
        let open = Filter {
            verdicts: gaps,
            state: Some(UNREVIEWED),
            chapter: Some(0),
        };
        assert_eq!(listed(open), [1]);
    }

    #[test]
    fn a_rule_has_a_place_only_where_it_is_listed() {
        let rules = [3, 1, 2].map(|id| rule(id, MatchVerdict::Partly, UNREVIEWED, 0));
        let of = |id| place_of(SentenceId(id), rules.iter());
        assert_eq!(
            (of(3), of(1), of(2)),
            (Some((0, 3)), Some((1, 3)), Some((2, 3)))
        );
        assert_eq!(of(9), None);
    }

    #[test]
    fn the_keys_walk_from_end_to_end() {
        let rules = [1, 2].map(|id| rule(id, MatchVerdict::Partly, UNREVIEWED, 0));
        let to = |now: Option<i64>, by| next(&rules, now.map(SentenceId), by).map(|id| id.0);
        assert_eq!(to(Some(1), 1), Some(2));
        assert_eq!(to(Some(2), 1), Some(2));
        assert_eq!(to(Some(9), -1), Some(1));
        assert_eq!(next(&[], None, 1), None);
    }
}

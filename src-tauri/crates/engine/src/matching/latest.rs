//! The newest matching in its present state: what was found, and what people have said about its rules since.
//!
//! What was found never changes, and for 10,000 rules it is large. So it is read once and kept in memory until there is
//! a newer matching. What people say is read each time, so that a decision made in another program shows at once.

use super::Matching;
use super::decide::{STALE, decision, status_of};
use super::lessons::{unlearn, void};
use super::proposals::{by_rule, is_proposal, proposal, unreadable};
use crate::workspace::Result;
use lexforge_domain::api::{
    MatchDecision, MatchLearning, MatchPlain, MatchProposal, MatchReport, MatchRow,
};
use lexforge_domain::{Code, Failure, SentenceId};
use lexforge_store::Scope;
use lexforge_text::fold::letters;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The matching that was read last; at most one is kept here. The text beside it is the hash that the audit chain had
/// for all matchings at that time. It shows whether there is a newer matching.
#[derive(Default)]
struct Kept(Mutex<Option<(String, Arc<Found>)>>);

/// What a matching found, with the decisions that it carried over.
struct Found {
    /// Everything but the rows.
    head: MatchReport,
    rows: Vec<MatchRow>,
    /// What counts of a rule if what was learned is void.
    plain: HashMap<SentenceId, MatchPlain>,
}

impl Found {
    fn read(made: String, body: &str) -> Result<Self> {
        let mut head: MatchReport = serde_json::from_str(body).map_err(|e| unreadable(&e))?;
        head.made = made;
        let mut rows = std::mem::take(&mut head.rows);
        let plain = rows
            .iter_mut()
            .filter_map(|row| Some((row.rule.id, *row.plain.take()?)))
            .collect();
        Ok(Self { head, rows, plain })
    }
}

/// The newest matching as it stands now.
pub(super) struct Latest {
    found: Arc<Found>,
    /// All decisions, oldest first.
    decisions: Vec<MatchDecision>,
    /// The place of the newest decision about a rule, where one was made since.
    since: HashMap<SentenceId, usize>,
    /// What others say of rules, by the rule's letters.
    proposed: HashMap<String, Vec<MatchProposal>>,
    /// How many of the decisions that it learned from no longer stand.
    void: usize,
}

impl Latest {
    fn of(found: Arc<Found>, decisions: Vec<MatchDecision>, proposals: Vec<MatchProposal>) -> Self {
        let policies = &found.head.request.policies;
        let since = decisions
            .iter()
            .enumerate()
            .filter(|(_, d)| d.id > found.head.decided_until)
            // Another matching may have been decided about while this one was made.
            .filter(|(_, d)| d.against.is_empty() || d.against == *policies)
            .map(|(place, d)| (d.rule.id, place))
            .collect();
        let learning = found.head.learning.as_ref();
        let void = learning.map_or(0, |learning| void(learning, &decisions));
        let proposed = by_rule(proposals, policies);
        Self {
            since,
            proposed,
            void,
            decisions,
            found,
        }
    }

    /// Everything but the rows, as it was kept.
    pub fn head(&self) -> &MatchReport {
        &self.found.head
    }

    /// The rows as they were kept; [`Latest::row`] says what they are now.
    pub fn rows(&self) -> &[MatchRow] {
        &self.found.rows
    }

    /// All decisions, oldest first.
    pub fn decisions(&self) -> &[MatchDecision] {
        &self.decisions
    }

    /// What it learned from decisions, and how many of these no longer stand.
    pub fn learning(&self) -> Option<MatchLearning> {
        let learning = self.found.head.learning.clone()?;
        Some(MatchLearning {
            void: self.void,
            ..learning
        })
    }

    /// A row as it is now: with the later decisions and proposals. The matching may have learned from decisions, and
    /// some of these may have been changed or taken back since. Then the row is shown as it was before the learning.
    pub fn row<'n>(&self, kept: &'n MatchRow) -> Cow<'n, MatchRow> {
        let newest = self.since.get(&kept.rule.id);
        let decision = newest.map(|place| &self.decisions[*place]);
        let plain = match self.void {
            0 => None,
            _ => self.found.plain.get(&kept.rule.id),
        };
        let proposed = match self.proposed.is_empty() {
            true => None,
            false => self.proposed.get(&letters(&kept.rule.text)),
        };
        if decision.is_none() && plain.is_none() && proposed.is_none() {
            return Cow::Borrowed(kept);
        }
        let mut row = kept.clone();
        if let Some(plain) = plain {
            unlearn(&mut row, plain.clone());
        }
        if let Some(decision) = decision {
            // A remark alone does not close what a changed text has opened again.
            let still_open = decision.undecided && kept.status == STALE;
            if !still_open {
                row.status = status_of(decision).to_owned();
            }
            row.decision = Some(decision.clone());
        }
        if let Some(proposed) = proposed {
            row.proposed = proposed.clone();
        }
        Cow::Owned(row)
    }

    /// All of it.
    pub fn report(&self) -> MatchReport {
        let rows = self.rows().iter();
        MatchReport {
            rows: rows.map(|row| self.row(row).into_owned()).collect(),
            learning: self.learning(),
            ..self.found.head.clone()
        }
    }
}

impl Matching<'_> {
    /// The newest matching with the decisions made since; `None` before the first matching.
    pub fn newest(&self) -> Result<Option<MatchReport>> {
        Ok(self.latest()?.map(|latest| latest.report()))
    }

    /// As [`Matching::newest`], and no row is copied.
    pub(super) fn latest(&self) -> Result<Option<Latest>> {
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mark, body, said) = self.workspace.store.read(|reader| {
            let mark = reader.recorded(&Scope::Matchings)?;
            if kept.as_ref().map(|(of, _)| of) != mark.as_ref() {
                // Its memory is given back before another one is read.
                *kept = None;
            }
            let body = match kept.is_some() {
                true => None,
                false => reader.newest_matching()?,
            };
            Ok((mark, body, reader.match_decisions()?))
        })?;
        let known = kept.as_ref().map(|(_, found)| Arc::clone(found));
        let found = match (known, body) {
            (Some(found), _) => found,
            (None, Some((_, made, body))) => {
                let found = Arc::new(Found::read(made, &body)?);
                *kept = mark.map(|mark| (mark, Arc::clone(&found)));
                found
            }
            (None, None) => return Ok(None),
        };
        drop(kept);
        let (mut decisions, mut proposals) = (Vec::new(), Vec::new());
        for one in said {
            match is_proposal(&one.body) {
                true => proposals.push(proposal(one)?),
                false => decisions.push(decision(one)?),
            }
        }
        Ok(Some(Latest::of(found, decisions, proposals)))
    }

    /// The newest matching; there has to be one.
    ///
    /// # Errors
    /// When nothing was matched yet, or the workspace cannot be read.
    pub(super) fn made(&self) -> Result<Latest> {
        self.latest()?.ok_or_else(|| {
            Failure::new(
                Code::StepMissing,
                "Nothing was matched yet.",
                "Match rules with policies first.",
            )
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::about::About;
    use super::super::decide::UNREVIEWED;
    use super::*;
    use crate::Engine;
    use lexforge_domain::DocumentId;
    use lexforge_domain::api::{
        MatchDecide, MatchFinding, MatchLearned, MatchVerdict, ReviewPlan, Severity,
    };
    use tempfile::TempDir;

    /// A workspace that two programs have open.
    fn two() -> (TempDir, Engine, Engine) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared.lexforge");
        let (here, there) = (Engine::create(&path).unwrap(), Engine::open(&path).unwrap());
        here.review().act_as("Ada").unwrap();
        there.review().act_as("Ben").unwrap();
        (folder, here, there)
    }

    /// Keeps a matching of these rules with one policy, that takes account of the decisions up to a number.
    fn keep(engine: &Engine, rules: &[(&str, MatchVerdict)], policy: i64, until: i64) {
        let mut report = About::of_rules(rules).report;
        report.request.policies = vec![DocumentId(policy)];
        report.decided_until = until;
        engine.matching().keep(&report).unwrap();
    }

    fn decide(engine: &Engine, rule: i64, verdict: Option<MatchVerdict>) {
        let said = MatchDecide {
            rules: vec![SentenceId(rule)],
            verdict,
            undecided: verdict.is_none(),
            // The rules of these tests have no statements.
            note: "It stands in the manual.".to_owned(),
            ..MatchDecide::default()
        };
        engine.matching().decide(&said).unwrap();
    }

    /// Status and verdict of each rule: the list, the rule by itself and the whole report say the same.
    fn standing(engine: &Engine) -> Vec<(String, MatchVerdict)> {
        let matching = engine.matching();
        let report = matching.newest().unwrap().unwrap();
        let overview = matching.overview().unwrap().unwrap();
        let row = |kept: &MatchRow| {
            let id = kept.rule.id;
            let listed = overview.rows.iter().find(|row| row.rule.id == id).unwrap();
            let alone = matching.rule(id).unwrap();
            assert_eq!(listed.status, alone.row.status, "{id}");
            assert_eq!(listed.verdict, alone.verdict, "{id}");
            assert_eq!(kept.verdict, alone.row.verdict, "{id}");
            assert!(alone.row.plain.is_none() && kept.plain.is_none(), "{id}");
            (listed.status.clone(), listed.verdict)
        };
        report.rows.iter().map(row).collect()
    }

    fn said(expected: &[(&str, MatchVerdict)]) -> Vec<(String, MatchVerdict)> {
        let all = expected.iter();
        all.map(|(status, verdict)| ((*status).to_owned(), *verdict))
            .collect()
    }

    #[test]
    fn what_was_found_is_read_once_and_what_people_say_each_time() {
        use MatchVerdict::{Covered, NotCovered, Partly};
        let (_folder, here, there) = two();
        let latest = || here.matching().latest().unwrap();
        assert!(latest().is_none());
        let open = [(UNREVIEWED, NotCovered), (UNREVIEWED, NotCovered)];
        keep(&there, &open, 2, 0);
        assert_eq!(standing(&here), said(&open));
        let first = latest().unwrap().found;
        for (rule, verdict, expected) in [
            (1, Some(Partly), ["corrected", UNREVIEWED]),
            (2, Some(NotCovered), ["corrected", "accepted"]),
            (1, Some(Covered), ["corrected", "accepted"]),
            // It is taken back.
            (2, None, ["corrected", UNREVIEWED]),
        ] {
            // Another program decides, then this one.
            let by = if rule == 1 { &there } else { &here };
            decide(by, rule, verdict);
            let found = standing(&here);
            let statuses: Vec<&str> = found.iter().map(|(status, _)| status.as_str()).collect();
            assert_eq!(statuses, expected, "{rule} {verdict:?}");
            assert_eq!(found, standing(&there));
            if let Some(verdict) = verdict {
                assert_eq!(found[usize::try_from(rule).unwrap() - 1].1, verdict);
            }
        }
        assert!(Arc::ptr_eq(&first, &latest().unwrap().found), "read again");
        // Another matching, with one rule more, replaces it. What was decided until then is in it already.
        let more = [
            ("accepted", Covered),
            ("stale", Partly),
            (UNREVIEWED, Partly),
        ];
        keep(&there, &more, 2, 4);
        assert_eq!(standing(&here), said(&more));
        assert!(!Arc::ptr_eq(&first, &latest().unwrap().found));
        // A remark alone leaves open what a changed text has opened.
        decide(&there, 2, None);
        assert_eq!(standing(&here), said(&more));
        // All of the decisions are about another policy than this matching.
        keep(&here, &open, 3, 0);
        assert_eq!(standing(&there), said(&open));
    }

    #[test]
    fn others_decisions_are_held_back_as_long_as_the_plan_says() {
        use MatchVerdict::{Covered, NotCovered, Partly};
        let (_folder, here, there) = two();
        keep(&here, &[(UNREVIEWED, NotCovered)], 2, 0);
        decide(&there, 1, Some(Covered));
        let plan = |blind| {
            let plan = ReviewPlan {
                blind,
                ..ReviewPlan::default()
            };
            there.review().set_review_plan(plan).unwrap();
        };
        let seen = || {
            let overview = here.matching().overview().unwrap().unwrap();
            let rule = here.matching().rule(SentenceId(1)).unwrap();
            let brief = &overview.rows[0];
            assert_eq!(
                (brief.verdict, &brief.status),
                (rule.verdict, &rule.row.status)
            );
            (brief.verdict, rule.history.len(), rule.held_back)
        };
        assert_eq!(seen(), (Covered, 1, 0));
        plan(true);
        assert_eq!(seen(), (NotCovered, 0, 1));
        plan(false);
        assert_eq!(seen(), (Covered, 1, 0));
        plan(true);
        decide(&here, 1, Some(Partly));
        assert_eq!(seen(), (Partly, 2, 0));
    }

    #[test]
    fn what_was_learned_counts_until_one_of_its_decisions_is_taken_back() {
        use MatchVerdict::{Covered, NotCovered};
        let (_folder, here, there) = two();
        keep(&there, &[(UNREVIEWED, NotCovered)], 2, 0);
        decide(&there, 1, Some(Covered));
        let taught = here.matching().decisions().unwrap();
        let mut report = About::of_rules(&[(UNREVIEWED, Covered); 3]).report;
        report.request.policies = vec![DocumentId(3)];
        report.decided_until = taught[0].id;
        report.learning = Some(MatchLearning {
            decisions: vec![taught[0].id],
            ..MatchLearning::default()
        });
        // The first has its own verdict, the second its own probability, and the third nothing that was learned.
        let finding = MatchFinding {
            verdict: NotCovered,
            relation: None,
            policies: Vec::new(),
            differences: Vec::new(),
            nearest: Vec::new(),
            severity: Severity::High,
        };
        for (row, finding) in report.rows.iter_mut().zip([Some(finding), None]) {
            row.probability = 0.9;
            row.learned = Some(MatchLearned::default());
            row.plain = Some(Box::new(MatchPlain {
                probability: 0.2,
                finding,
            }));
        }
        here.matching().keep(&report).unwrap();
        let told = || {
            standing(&here);
            let report = here.matching().newest().unwrap().unwrap();
            let rows = report.rows.iter();
            let rows: Vec<_> = rows
                .map(|row| (row.verdict, row.probability, row.learned.is_some()))
                .collect();
            (report.learning.map(|learning| learning.void), rows)
        };
        let plain = (Covered, 0.1, false);
        let learned = (Covered, 0.9, true);
        assert_eq!(told(), (Some(0), vec![learned, learned, plain]));
        let back = MatchDecision {
            undecided: true,
            ..taught[0].clone()
        };
        let back = [(1, serde_json::to_string(&back).unwrap())];
        let store = &there.workspace().store;
        store
            .write("Ben", |w| w.put_match_decisions(&back))
            .unwrap();
        let without = [(NotCovered, 0.2, false), (Covered, 0.2, false), plain];
        assert_eq!(told(), (Some(1), without.to_vec()));
    }

    #[test]
    fn a_whole_row_that_was_kept_as_the_plain_one_is_read() {
        let about = About::of_rules(&[(UNREVIEWED, MatchVerdict::Partly)]);
        let row = &about.report.rows[0];
        let read = |json: serde_json::Value| serde_json::from_value::<MatchPlain>(json).unwrap();
        let whole = read(serde_json::to_value(row).unwrap());
        assert_eq!(whole.probability, row.probability);
        assert_eq!(whole.finding.map(|f| f.verdict), Some(row.verdict));
        let alone = MatchPlain {
            probability: 0.3,
            finding: None,
        };
        let kept = serde_json::to_value(&alone).unwrap();
        assert_eq!(kept, serde_json::json!({ "probability": 0.3 }));
        assert_eq!(read(kept), alone);
    }
}

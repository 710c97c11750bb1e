//! Matched rules as a list with their chapters, and one rule with everything that is known of it.

use super::Matching;
use super::about::{counting, severity_of};
use super::carried::Versions;
use super::decide::{STALE, UNREVIEWED};
use super::latest::Latest;
use super::rows::encoder_of;
use crate::review::{Review, plan};
use crate::workspace::{DEFAULT_SEED, Result, today};
use lexforge_domain::api::{
    DocumentRow, MatchAgreement, MatchBrief, MatchChapter, MatchDecision, MatchFound,
    MatchOverview, MatchRow, MatchText, MatchVerdict, MatchedRule,
};
use lexforge_domain::{Code, DocumentId, Failure, SentenceId};
use lexforge_evaluate::agreement::{Ratings, Resampling, Weights, agreement};
use lexforge_text::fold::letters;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Between the parts of a section's path.
const BETWEEN: &str = " › ";
/// Resamples behind the interval of agreement.
const RESAMPLES: u32 = 1_000;

/// The names of sections, by their document and path.
type Names = HashMap<(DocumentId, String), String>;

/// The newest matching as the present user may see it.
struct Seen {
    latest: Latest,
    /// What the user decided, where the plan of the review hides others' decisions; `None` = all are shown.
    own: Option<Own>,
}

/// What a person decided.
struct Own {
    name: String,
    /// What the user decided about: pairs of a rule (the letters of its text) and the policies. A decision about a rule
    /// and one policy does not count for the same rule and another policy.
    decided: HashSet<(String, Vec<DocumentId>)>,
}

impl Seen {
    /// Whether a decision is shown.
    fn shows(&self, decision: &MatchDecision) -> bool {
        self.own.as_ref().is_none_or(|own| {
            decision.actor == own.name || own.decided.contains(&subject(decision))
        })
    }

    /// A row as it is now. A rule of which only others have decided is not decided.
    fn row<'n>(&self, kept: &'n MatchRow) -> Cow<'n, MatchRow> {
        let mut row = self.latest.row(kept);
        if row.decision.as_ref().is_some_and(|d| !self.shows(d)) {
            let hidden = row.to_mut();
            hidden.decision = None;
            hidden.status = UNREVIEWED.to_owned();
        }
        row
    }
}

/// What a decision is about.
fn subject(decision: &MatchDecision) -> (String, Vec<DocumentId>) {
    (letters(&decision.rule.text), decision.against.clone())
}

impl Matching<'_> {
    /// The newest matching as a list, the worst verdicts first; `None` before the first matching.
    pub fn overview(&self) -> Result<Option<MatchOverview>> {
        let Some(seen) = self.as_seen()? else {
            return Ok(None);
        };
        let latest = &seen.latest;
        let documents = self.workspace.store.read(|r| r.documents())?;
        let names = self.names_of_sections(&latest.head().request.rules)?;
        let (chapters, chapter_of) = chapters(latest.rows(), &names);
        let mut rows: Vec<MatchBrief> = latest
            .rows()
            .iter()
            .zip(chapter_of)
            .map(|(row, chapter)| brief(&seen.row(row), chapter))
            .collect();
        let place = |verdict: MatchVerdict| MatchVerdict::ALL.iter().position(|v| *v == verdict);
        rows.sort_by_key(|row| (place(row.verdict), Reverse(row.severity)));
        let report = latest.head();
        let matched = report.request.rules.iter().chain(&report.request.policies);
        let newer = matched
            .filter_map(|id| Some((*id, newest_after(&documents, *id)?)))
            .collect();
        let today = today();
        let matched = report.request.rules.iter().chain(&report.request.policies);
        let out_of_force = matched
            .filter_map(|id| documents.iter().find(|d| d.id == *id))
            .filter_map(|d| Some((d.id, d.out_of_force(&today)?)))
            .collect();
        Ok(Some(MatchOverview {
            rows,
            chapters,
            statements: report.statements,
            passed_over: report.passed_over,
            set_aside: report.set_aside,
            to_a_model: report.to_a_model,
            encoder: encoder_of(&report.method).map(str::to_owned),
            learning: latest.learning(),
            changes: report.changes.clone(),
            warnings: report.warnings.clone(),
            request: report.request.clone(),
            made: report.made.clone(),
            newer,
            out_of_force,
            agreement: agreed(latest.decisions().iter().filter(|d| seen.shows(d))),
        }))
    }

    /// The names of the documents' sections.
    fn names_of_sections(&self, documents: &[DocumentId]) -> Result<Names> {
        let mut names = Names::new();
        for document in documents {
            let sections = self.workspace.store.read(|r| r.sections(*document))?;
            let named = sections.into_iter().map(|s| ((*document, s.path), s.title));
            names.extend(named);
        }
        Ok(names)
    }

    /// One rule of the newest matching, with everything known about it.
    ///
    /// # Errors
    /// When nothing was matched yet, the sentence is not one of its rules, or the workspace cannot be read.
    pub fn rule(&self, rule: SentenceId) -> Result<MatchedRule> {
        let gone = || {
            Failure::new(
                Code::NotFound,
                format!("Sentence {rule} is no rule of the newest matching."),
                "Choose another rule.",
            )
        };
        let seen = self.as_seen()?.ok_or_else(gone)?;
        let latest = &seen.latest;
        let documents = self.workspace.store.read(|r| r.documents())?;
        let matched = latest.rows().iter().map(|row| row.rule.document);
        let versions = Versions::of(&documents, matched);
        let policies = latest.head().request.policies.iter();
        let here: HashSet<DocumentId> = policies.map(|id| versions.first(*id)).collect();
        let kept = latest.rows().iter().find(|row| row.rule.id == rule);
        let row = seen.row(kept.ok_or_else(gone)?).into_owned();
        let text = letters(&row.rule.text);
        // A decision about an earlier version of the rule is stored under that version's sentence.
        let earlier = row.decision.as_ref().map(|d| d.rule.id);
        let about = |d: &&MatchDecision| {
            let against = &d.against;
            let of_these =
                against.is_empty() || against.iter().any(|id| here.contains(&versions.first(*id)));
            of_these && (Some(d.rule.id) == earlier || versions.is_about(&d.rule, &row.rule))
        };
        let (shown, hidden): (Vec<&MatchDecision>, Vec<&MatchDecision>) = latest
            .decisions()
            .iter()
            .filter(about)
            .partition(|d| seen.shows(d));
        let counts = counting(&row);
        Ok(MatchedRule {
            verdict: counts.verdict,
            relation: counts.relation,
            policies: counts.policies.into_iter().cloned().collect(),
            severity: severity_of(&row, counts.verdict),
            rule_changed: row
                .decision
                .as_ref()
                .is_some_and(|d| row.status == STALE && letters(&d.rule.text) != text),
            held_back: hidden.len(),
            history: shown.into_iter().cloned().collect(),
            by_method: self.worded(&row.by_method)?,
            row,
        })
    }

    /// The results of each method, with the words of the statements.
    fn worded(&self, found: &[MatchFound]) -> Result<Vec<MatchFound<MatchText>>> {
        let ids: BTreeSet<SentenceId> = found.iter().flat_map(|f| f.statements.clone()).collect();
        let ids: Vec<SentenceId> = ids.into_iter().collect();
        let texts: HashMap<SentenceId, MatchText> = self
            .texts_of(&ids)?
            .into_iter()
            .map(|text| (text.id, text))
            .collect();
        let worded = |one: &MatchFound| MatchFound {
            method: one.method.clone(),
            statements: one
                .statements
                .iter()
                .filter_map(|id| texts.get(id).cloned())
                .collect(),
        };
        Ok(found.iter().map(worded).collect())
    }

    /// The newest matching as the present user may see it. If the plan of the review hides others' decisions, those
    /// about rules that the user has not decided are left out.
    fn as_seen(&self) -> Result<Option<Seen>> {
        let Some(latest) = self.latest()? else {
            return Ok(None);
        };
        let own = if self.workspace.store.read(plan)?.blind {
            let name = Review::of(self.workspace).me()?.name;
            let decisions = latest.decisions().iter();
            let decided = decisions
                .filter(|d| d.actor == name && !d.undecided)
                .map(subject)
                .collect();
            Some(Own { name, decided })
        } else {
            None
        };
        Ok(Some(Seen { latest, own }))
    }
}

fn brief(row: &MatchRow, chapter: usize) -> MatchBrief {
    let verdict = counting(row).verdict;
    let decision = row.decision.as_ref();
    MatchBrief {
        rule: row.rule.clone(),
        chapter,
        verdict,
        severity: severity_of(row, verdict),
        probability: row.probability,
        status: row.status.clone(),
        owner: decision.map(|d| d.owner.clone()).unwrap_or_default(),
        due: decision.and_then(|d| d.due.clone()),
        proposed: row.proposed.len(),
    }
}

/// The chapters of the rules in reading order, and for each rule the index of its chapter. A chapter is the first part
/// of the section's path. If all rules of the document share this part, the chapter is the second part. If a chapter
/// has a name of its own, the name is added to its title.
fn chapters(rows: &[MatchRow], names: &Names) -> (Vec<MatchChapter>, Vec<usize>) {
    let part = |section: &str, at: usize| section.split(BETWEEN).nth(at).map(str::to_owned);
    let mut first: HashMap<DocumentId, BTreeSet<Option<String>>> = HashMap::new();
    for row in rows {
        let names = first.entry(row.rule.document).or_default();
        names.insert(part(&row.rule.section, 0));
    }
    let mut chapters: Vec<MatchChapter> = Vec::new();
    let mut places: HashMap<(DocumentId, String), usize> = HashMap::new();
    let of_rows = rows.iter().map(|row| {
        let document = row.rule.document;
        let deeper = first.get(&document).is_some_and(|n| n.len() == 1);
        let parts = row.rule.section.split(BETWEEN);
        let parts: Vec<&str> = parts.take(if deeper { 2 } else { 1 }).collect();
        let path = (document, parts.join(BETWEEN));
        let next = chapters.len();
        *places.entry(path.clone()).or_insert_with(|| {
            let label = parts.last().copied().unwrap_or_default();
            let title = match names.get(&path) {
                Some(name) if !name.is_empty() && name != label => format!("{label} {name}"),
                _ => label.to_owned(),
            };
            chapters.push(MatchChapter { document, title });
            next
        })
    });
    let of_rows = of_rows.collect();
    (chapters, of_rows)
}

/// The newest version of a document, where there is a newer one.
fn newest_after(documents: &[DocumentRow], id: DocumentId) -> Option<DocumentId> {
    let next = |id: &DocumentId| {
        let after = documents.iter().filter(|d| d.predecessor == Some(*id));
        after.map(|d| d.id).max()
    };
    // No chain of versions is longer than there are documents.
    std::iter::successors(next(&id), next)
        .take(documents.len())
        .last()
}

/// How far people agree, by each one's first verdict on each rule.
fn agreed<'d>(decisions: impl IntoIterator<Item = &'d MatchDecision>) -> Option<MatchAgreement> {
    let mut people: BTreeMap<&str, u32> = BTreeMap::new();
    let mut by_rule: BTreeMap<(String, &[DocumentId]), BTreeMap<u32, u32>> = BTreeMap::new();
    for decision in decisions.into_iter().filter(|d| !d.undecided) {
        let next = u32::try_from(people.len()).unwrap_or(u32::MAX);
        let person = *people.entry(&decision.actor).or_insert(next);
        let verdict = MatchVerdict::ALL
            .iter()
            .position(|v| *v == decision.verdict)?;
        let rule = (letters(&decision.rule.text), decision.against.as_slice());
        let said = by_rule.entry(rule).or_default();
        said.entry(person)
            .or_insert(u32::try_from(verdict).unwrap_or_default());
    }
    let mut ratings = Ratings::new(MatchVerdict::ALL.len());
    for said in by_rule.values() {
        let said: Vec<(u32, u32)> = said.iter().map(|(p, v)| (*p, *v)).collect();
        ratings.push(&said).ok()?;
    }
    let resampling = Resampling {
        count: RESAMPLES,
        seed: DEFAULT_SEED,
    };
    let found = agreement(&ratings, &Weights::Identity, resampling);
    (found.items > 0).then_some(MatchAgreement {
        rules: found.items,
        people: found.raters,
        alpha: found.alpha,
    })
}

#[cfg(test)]
mod tests;

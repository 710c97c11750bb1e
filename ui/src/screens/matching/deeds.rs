//! The actions of the Match screen.

use super::place::{Done, Over, STALE, Spot, next};
use super::taken::{take_in, take_into_list};
use super::words;
use crate::backend::{call, commands};
use crate::i18n::{t, tf};
use crate::place::Place;
use crate::state::App;
use crate::toast::Toast;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{
    MatchDecide, MatchDecision, MatchExport, MatchOverview, MatchProposal, MatchRelation,
    MatchRequest, MatchText, MatchVerdict, MatchedRule,
};
use lexforge_domain::{DocumentId, SentenceId};

/// The kind of the job that matches.
pub const MATCHING: &str = "match";

/// Reads the list again, and the rule that is shown.
pub fn refresh(app: App) {
    let place = app.matching;
    place.overview.refresh(call(commands::MatchOverview {}));
    if let Some(rule) = place.shown.get_untracked() {
        place.detail.refresh(call(commands::MatchedRule { rule }));
    }
}

/// Leads to the documents, as they were matched last; of each its newest version.
pub fn choose(app: App) {
    let place = app.matching;
    let last = place
        .overview
        .value
        .with_untracked(|o| o.as_ref().and_then(|o| o.as_ref().map(newest)));
    if let Some(last) = last {
        place.asked.set(last);
    }
    place.choosing.set(true);
}

/// The request of the newest matching, with each document's newest version.
pub fn newest(overview: &MatchOverview) -> MatchRequest {
    let newer = |id: &DocumentId| {
        let found = overview.newer.iter().find(|(old, _)| old == id);
        found.map_or(*id, |(_, new)| *new)
    };
    let request = &overview.request;
    MatchRequest {
        rules: request.rules.iter().map(newer).collect(),
        policies: request.policies.iter().map(newer).collect(),
        ..request.clone()
    }
}

/// Begins to match.
pub fn begin(app: App, request: MatchRequest) {
    app.attempt(call(commands::MatchRules { request }), |_| ());
}

/// Shows a rule.
pub fn show(app: App, rule: SentenceId) {
    let place = app.matching;
    if place.shown.get_untracked() != Some(rule) {
        place.shown.set(Some(rule));
        place.open.set(None);
    }
}

/// Shows the rule so many places on.
pub fn walk(app: App, by: i64) {
    let place = app.matching;
    let listed = untrack(|| place.listed());
    if let Some(rule) = next(&listed, place.shown.get_untracked(), by) {
        show(app, rule);
        keep_in_view();
    }
}

/// Scrolls the list until the rule that is shown is in view, and takes the focus there.
fn keep_in_view() {
    request_animation_frame(|| {
        let first = |selector: &str| document().query_selector(selector).ok().flatten();
        let (Some(list), Some(row)) = (first("#match-rules"), first("#match-rules [aria-current]"))
        else {
            return;
        };
        let (frame, place) = (
            list.get_bounding_client_rect(),
            row.get_bounding_client_rect(),
        );
        crate::keys::focus("#match-rules [aria-current]");
        if place.top() < frame.top() + 28.0 || place.bottom() > frame.bottom() {
            let above = place.top() - frame.top() - frame.height() / 3.0;
            list.set_scroll_top(list.scroll_top() + above as i32);
        }
    });
}

/// Opens the page of a text, with it marked.
pub fn open(app: App, text: &MatchText) {
    app.matching.open.set(Some(Spot {
        document: text.document,
        page: text.page,
        sentence: text.id,
    }));
    app.place.set(Place {
        document: Some(text.document),
        page: text.page,
        sentence: Some(text.id),
    });
}

/// Opens the page of the rule; where that is open, of its first statement.
pub fn open_next(app: App) {
    let place = app.matching;
    let text = place.detail.value.with_untracked(|rule| {
        let rule = rule.as_ref()?;
        let here = place.open.get_untracked().map(|spot| spot.sentence);
        let nearest = rule.row.nearest.first().map(|near| near.policy.clone());
        let first = rule.policies.first().cloned().or(nearest);
        first
            .filter(|_| here == Some(rule.row.rule.id))
            .or_else(|| Some(rule.row.rule.clone()))
    });
    if let Some(text) = text {
        open(app, &text);
    }
}

/// The rule that is shown, as it was read last.
fn shown(app: App) -> Option<MatchedRule> {
    let rule = app.matching.shown.get_untracked()?;
    let detail = app.matching.detail.value.get_untracked()?;
    (detail.row.rule.id == rule).then_some(detail)
}

/// Accepts what was found, and goes on to the next rule.
pub fn accept(app: App) {
    let Some(rule) = shown(app) else { return };
    let said = as_found(&rule);
    let told = tf(
        "match.told_accepted",
        &[("verdict", &words::verdict(rule.row.verdict))],
    );
    decide(app, &rule, said, told, true);
}

/// Decides on another verdict. One that needs a statement where none is named asks for it first.
pub fn correct(app: App, verdict: MatchVerdict) {
    let Some(rule) = shown(app) else { return };
    if verdict != MatchVerdict::NotCovered && rule.policies.is_empty() {
        app.matching.over.set(Some(Over::Link(Some(verdict))));
        return;
    }
    app.matching.over.set(None);
    let said = MatchDecide {
        verdict: Some(verdict),
        relation: related(&rule, verdict),
        policies: ids(&rule.policies),
        ..as_remarked(&rule)
    };
    let told = tf(
        "match.told_corrected",
        &[("verdict", &words::verdict(verdict))],
    );
    decide(app, &rule, said, told, true);
}

/// Decides on another relation.
pub fn relate(app: App, relation: MatchRelation) {
    let Some(rule) = shown(app) else { return };
    let said = MatchDecide {
        verdict: Some(rule.verdict),
        relation: Some(relation),
        policies: ids(&rule.policies),
        ..as_remarked(&rule)
    };
    let told = tf(
        "match.told_related",
        &[("relation", &words::relation(relation))],
    );
    decide(app, &rule, said, told, false);
}

/// Links a rule with these statements.
pub fn link(app: App, verdict: MatchVerdict, policies: Vec<SentenceId>) {
    let Some(rule) = shown(app) else { return };
    let told = tf(
        "match.told_linked",
        &[("verdict", &words::verdict(verdict))],
    );
    // The relation is one of the statements that were linked before.
    let relation = related(&rule, verdict).filter(|_| policies == ids(&rule.policies));
    let said = MatchDecide {
        verdict: Some(verdict),
        relation: relation.or(Some(MatchRelation::Intersects)),
        policies,
        ..as_remarked(&rule)
    };
    decide(app, &rule, said, told, false);
}

/// Decides as somebody else proposes.
pub fn take_over(app: App, proposal: &MatchProposal) {
    let Some(rule) = shown(app) else { return };
    let verdict = match proposal.relation {
        Some(MatchRelation::Equal | MatchRelation::Subset) => MatchVerdict::Covered,
        Some(MatchRelation::Superset | MatchRelation::Intersects) => MatchVerdict::Partly,
        None => MatchVerdict::NotCovered,
    };
    let told = tf(
        "match.told_taken",
        &[
            ("verdict", &words::verdict(verdict)),
            ("file", &proposal.from.file),
        ],
    );
    let said = MatchDecide {
        verdict: Some(verdict),
        relation: proposal.relation,
        policies: ids(&proposal.policies),
        ..as_remarked(&rule)
    };
    decide(app, &rule, said, told, false);
}

/// Keeps a note, an owner and a date. What was decided stays decided, and what was left open stays open.
pub fn note(app: App, note: String, owner: String, due: Option<String>) {
    let Some(rule) = shown(app) else { return };
    let stands = standing(&rule);
    let said = MatchDecide {
        rules: vec![rule.row.rule.id],
        undecided: !stands,
        verdict: stands.then_some(rule.verdict),
        relation: rule.relation.filter(|_| stands),
        policies: if stands {
            ids(&rule.policies)
        } else {
            Vec::new()
        },
        note,
        owner,
        due,
    };
    decide(app, &rule, said, t("match.told_remark"), false);
}

/// Takes the last decision of this session back: what stood before is decided again, so that both stay in the history.
pub fn undo(app: App) {
    let place = app.matching;
    let Some(last) = place.done.with_untracked(|done| done.last().cloned()) else {
        return;
    };
    let said = match &last.before {
        Some(before) => MatchDecide {
            rules: vec![last.rule],
            undecided: before.undecided,
            verdict: Some(before.verdict),
            relation: before.relation,
            policies: ids(&before.policies),
            note: before.note.clone(),
            owner: before.owner.clone(),
            due: before.due.clone(),
        },
        None => MatchDecide {
            rules: vec![last.rule],
            undecided: true,
            ..MatchDecide::default()
        },
    };
    send(app, said, move || {
        place.done.update(|done| _ = done.pop());
        place
            .said
            .set(tf("match.told_undone", &[("deed", &last.said)]));
        show(app, last.rule);
    });
}

/// Keeps a decision; one at a time, so that a key that is pressed twice decides once.
fn send(app: App, said: MatchDecide, then: impl FnOnce() + 'static) {
    let place = app.matching;
    if place.deciding.get_untracked() {
        return;
    }
    place.deciding.set(true);
    spawn_local(async move {
        let kept = call(commands::DecideMatch { said }).await;
        place.deciding.set(false);
        match kept {
            Ok(kept) => {
                place.unkept.set(None);
                // The decision is shown at once. If the next key is pressed before the rule is read again, it then
                // works on the new state and not on the old one.
                place.detail.value.update(|detail| {
                    if let Some(detail) = detail {
                        take_in(detail, &kept);
                    }
                });
                place.overview.value.update(|overview| {
                    for row in overview.iter_mut().flatten().flat_map(|o| &mut o.rows) {
                        take_into_list(row, &kept);
                    }
                });
                then();
                // The screen reads the list again after it, once: how bad a gap is, and which comes first.
                app.reload();
            }
            // An open form says its own failure.
            Err(failure) if place.over.get_untracked().is_some() => {
                place.unkept.set(Some(failure));
            }
            Err(failure) => app.failure.set(Some(failure)),
        }
    });
}

fn decide(app: App, rule: &MatchedRule, said: MatchDecide, told: String, go_on: bool) {
    let place = app.matching;
    let id = rule.row.rule.id;
    let done = Done {
        rule: id,
        // What was open again is open again.
        before: rule.row.decision.clone().map(|before| MatchDecision {
            undecided: before.undecided || rule.row.status == STALE,
            ..before
        }),
        said: told.clone(),
    };
    // Decided, the rule may no longer be listed.
    let after = go_on
        .then(|| next(&untrack(|| place.listed()), Some(id), 1))
        .flatten();
    send(app, said, move || {
        place.done.update(|all| all.push(done));
        place.said.set(told);
        place.over.set(None);
        if let Some(after) = after {
            show(app, after);
            keep_in_view();
        }
    });
}

/// The decision that accepts what was found, exactly as it is shown. Another program may have matched again meanwhile,
/// and nobody should accept a result that they have not seen.
fn as_found(rule: &MatchedRule) -> MatchDecide {
    let found = rule.row.policies.iter().filter(|policy| policy.covers);
    MatchDecide {
        verdict: Some(rule.row.verdict),
        relation: rule.row.relation,
        policies: found.map(|policy| policy.statement.id).collect(),
        ..as_remarked(rule)
    }
}

/// A decision on this rule alone, which keeps its note, owner and date.
fn as_remarked(rule: &MatchedRule) -> MatchDecide {
    let (note, owner, due) = rule
        .row
        .decision
        .as_ref()
        .map(|d| (d.note.clone(), d.owner.clone(), d.due.clone()))
        .unwrap_or_default();
    MatchDecide {
        rules: vec![rule.row.rule.id],
        note,
        owner,
        due,
        ..MatchDecide::default()
    }
}

/// The relation of the statements that are linked, where a person gives this verdict.
fn related(rule: &MatchedRule, verdict: MatchVerdict) -> Option<MatchRelation> {
    rule.relation.map(|found| match verdict == rule.verdict {
        true => found,
        false => found.under(verdict),
    })
}

/// Whether a person's verdict stands.
fn standing(rule: &MatchedRule) -> bool {
    matches!(rule.row.status.as_str(), "accepted" | "corrected")
}

fn ids(texts: &[MatchText]) -> Vec<SentenceId> {
    texts.iter().map(|text| text.id).collect()
}

/// Writes what was matched into a file that the user names.
pub fn export(app: App, form: MatchExport) {
    let written = async move {
        let picked = call(commands::PickSave {
            name: file_name(form),
            extension: form.extension().to_owned(),
        });
        let Some(path) = picked.await? else {
            return Ok(None);
        };
        call(commands::ExportMatching { form, path })
            .await
            .map(Some)
    };
    app.attempt_once(t("wait.export"), written, move |file| {
        if let Some(file) = file {
            app.toast.set(Some(Toast {
                text: tf("match.written", &[("path", &file.path)]),
                undo: None,
            }));
            app.reload();
        }
    });
}

/// The suggested name of the file.
fn file_name(form: MatchExport) -> String {
    let stem = match form {
        MatchExport::Docx => "gap-report",
        MatchExport::Oscal => "oscal-mapping",
        MatchExport::Csv | MatchExport::Xlsx | MatchExport::Html => "rules-and-policies",
    };
    format!("{stem}.{}", form.extension())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{MatchAddressee, MatchCandidate, MatchRow, Severity};

    #[test]
    fn who_accepts_accepts_what_is_shown() {
        let text = |id: i64| MatchText {
            id: SentenceId(id),
            document: DocumentId(1),
            page: 1,
            text: format!("Text {id}."),
            section: String::new(),
            external_id: None,
        };
        let candidate = |id: i64, covers: bool| MatchCandidate {
            statement: text(id),
            score: 1.0,
            votes: 1,
            covers,
            found_by: Vec::new(),
            edges: None,
            terms: Vec::new(),
        };
        let row = MatchRow {
            rule: text(1),
            policies: vec![candidate(5, false), candidate(6, true)],
            status: "unreviewed".to_owned(),
            verdict: MatchVerdict::Covered,
            relation: Some(MatchRelation::Subset),
            probability: 0.9,
            differences: Vec::new(),
            nearest: Vec::new(),
            by_method: Vec::new(),
            severity: Severity::None,
            binds: MatchAddressee::Nobody,
            method: "words alone".to_owned(),
            decision: None,
            proposed: Vec::new(),
            learned: None,
            plain: None,
        };
        let rule = MatchedRule {
            verdict: row.verdict,
            relation: row.relation,
            policies: Vec::new(),
            by_method: Vec::new(),
            severity: row.severity,
            rule_changed: false,
            history: Vec::new(),
            held_back: 0,
            row,
        };
        let said = as_found(&rule);
        // With a verdict that is left to the engine, what another program found meanwhile would be accepted.
        let expected = MatchDecide {
            rules: vec![SentenceId(1)],
            verdict: Some(MatchVerdict::Covered),
            relation: Some(MatchRelation::Subset),
            policies: vec![SentenceId(6)],
            ..MatchDecide::default()
        };
        assert_eq!(said, expected);
        // Who corrects it does not say that a statement which contradicts the rule demands all that it does.
        for (verdict, expected) in [
            (MatchVerdict::Covered, MatchRelation::Subset),
            (MatchVerdict::Contradicted, MatchRelation::Intersects),
        ] {
            assert_eq!(related(&rule, verdict), Some(expected), "{verdict:?}");
        }
    }
}

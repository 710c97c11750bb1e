//! The term that another one is joined to: the nearest candidates first, the rest by typing.

use super::desk::Desk;
use super::form::Mode;
use crate::backend::{call, commands};
use crate::components::chooser::{Chooser, Line};
use crate::components::law::lang_tag;
use crate::fetched::Fetched;
use crate::i18n::{t, tf, tn};
use crate::state::{App, use_app};
use crate::toast::Toast;
use leptos::prelude::*;
use lexforge_domain::TermId;
use lexforge_domain::api::{QueueItem, Rows, TermFilter};
use lexforge_domain::term::{ReviewStatus, Term};

/// The search for that term.
#[component]
pub fn MergeChooser(
    /// The desk on which the term lies.
    desk: Desk,
) -> impl IntoView {
    let app = use_app();
    let query = RwSignal::new(desk.ahead_typed.text());
    let found = Fetched::<Rows<Term>>::default();
    let (own, text, nearest) = desk.item.with_untracked(|item| match item {
        Some(QueueItem::Term(card)) => (
            card.term.id,
            card.term.text.clone(),
            card.confusables
                .iter()
                .map(|c| c.term.clone())
                .collect::<Vec<_>>(),
        ),
        _ => (TermId(0), String::new(), Vec::new()),
    });
    let name = text.clone();
    Effect::new(move |_| {
        let query = query.get();
        if query.trim().is_empty() {
            found.forget();
        } else {
            let filter = TermFilter {
                query: Some(query),
                limit: 12,
                ..TermFilter::default()
            };
            found.ask(call(commands::Terms { filter }));
        }
    });
    let lines = Signal::derive(move || {
        let found = found.value.get().map(|rows| rows.rows).unwrap_or_default();
        let mut terms = query.with(|wanted| called(wanted, &nearest, found));
        terms.retain(|term| term.id != own && !matches!(term.status, ReviewStatus::Merged));
        terms.into_iter().map(line).collect::<Vec<_>>()
    });
    let pick = move |(into, other): (TermId, String)| {
        desk.mode.set(Mode::Reading);
        desk.merge(into);
        told(app, desk, &name, &other);
    };
    view! {
        <Chooser
            label=tf("review.merge_of", &[("term", &text)])
            placeholder=tf("review.merge_of", &[("term", &text)])
            id="merge-field"
            query
            lines
            none=t("review.merge_none")
            failure=found.failure
            pick
            close=move |()| desk.mode.set(Mode::Reading)
        />
    }
}

fn line(term: Term) -> Line<(TermId, String)> {
    Line {
        icon: None,
        law: Some(lang_tag(term.language)),
        hint: tn("count.mentions", u64::from(term.mentions)),
        key: (term.id, term.text.clone()),
        name: term.text,
    }
}

/// Terms with this name, each once: first the nearest ones, then those that a search found. The search also looks into
/// definitions, but here only the name counts.
fn called(wanted: &str, nearest: &[Term], found: Vec<Term>) -> Vec<Term> {
    let wanted = wanted.trim().to_lowercase();
    let fits = |term: &Term| term.text.to_lowercase().contains(&wanted);
    let mut terms: Vec<Term> = nearest.iter().filter(|term| fits(term)).cloned().collect();
    for term in found {
        if fits(&term) && terms.iter().all(|other| other.id != term.id) {
            terms.push(term);
        }
    }
    terms
}

fn told(app: App, desk: Desk, term: &str, into: &str) {
    app.toast.set(Some(Toast {
        text: tf("review.merged_into", &[("term", term), ("into", into)]),
        undo: Some(Callback::new(move |()| desk.undo())),
    }));
}

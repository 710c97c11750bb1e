//! The place of the reader, stored so that it is restored when the page is loaded again.
//!
//! The document and its page are kept in the local storage, also after the application ends. Everything else is kept
//! only in the session's storage. So the next day begins with the whole queue and not with yesterday's filter.

use crate::prefs;
use crate::screens::ask::place::AskPlace;
use leptos::prelude::*;
use lexforge_domain::api::QueueFilter;
use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_domain::{AnswerId, DocumentId, RunId, SentenceId, TermId};
use serde::{Deserialize, Serialize};

/// The key of the session's storage under which the open things stand.
const OPEN: &str = "open";

/// Where the reader is in a review; it outlives a change of screen or language.
#[derive(Clone, Copy)]
pub struct ReviewPlace {
    /// The part of the screen that is shown.
    pub tab: RwSignal<ReviewTab>,
    /// Which items are in the queue.
    pub filter: RwSignal<QueueFilter>,
    /// The item on the desk.
    pub shown: RwSignal<Option<Subject>>,
    /// The conflict that is looked at.
    pub conflict: RwSignal<Option<Subject>>,
}

impl ReviewPlace {
    pub(crate) fn of(kind: SubjectKind) -> Self {
        Self {
            tab: RwSignal::new(ReviewTab::Queue),
            filter: RwSignal::new(QueueFilter::of(kind)),
            shown: RwSignal::new(None),
            conflict: RwSignal::new(None),
        }
    }

    /// Resets the place, for another workspace.
    pub(crate) fn forget(self) {
        self.tab.set(ReviewTab::Queue);
        self.filter
            .update(|filter| *filter = QueueFilter::of(filter.kind));
        self.shown.set(None);
        self.conflict.set(None);
    }
}

/// The parts of a screen on which items are reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewTab {
    /// One item at a time.
    Queue,
    /// Items on which reviewers differ.
    Conflicts,
    /// The table.
    All,
    /// The drafts that were rejected (questions only).
    Rejected,
    Triplets,
    /// The pairs of sentences that experts score.
    Similarity,
}

/// The parts of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsTab {
    /// How the window looks, speaks and is operated.
    Window,
    /// Who reviews, by which rules, and the classes of terms.
    Review,
    /// Language models elsewhere, and what they are asked.
    Models,
    /// Where training runs, and what this machine lacks.
    Machines,
    /// Which program this is, and the licences of what others wrote of it.
    About,
}

/// Where the reader is in the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub document: Option<DocumentId>,
    /// The page, from 1.
    pub page: u32,
    /// The pinned sentence.
    pub sentence: Option<SentenceId>,
}

/// The stored place of the reader, as a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct Places {
    /// The document, page and sentence in the library.
    pub place: RwSignal<Place>,
    pub terms_review: ReviewPlace,
    pub questions_review: ReviewPlace,
    /// The term that Terms and Graph show.
    pub term: RwSignal<Option<TermId>>,
    /// The run that Training and Evaluation show.
    pub run: RwSignal<Option<RunId>>,
    /// The two versions whose difference the library shows.
    pub compared: RwSignal<Option<(DocumentId, DocumentId)>>,
    /// Questions and answers.
    pub ask: AskPlace,
    /// The matched rule that is shown.
    pub matched: RwSignal<Option<SentenceId>>,
}

/// What is open on the screens of a workspace.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Open {
    workspace: String,
    terms: Review,
    questions: Review,
    term: Option<TermId>,
    run: Option<RunId>,
    compared: Option<(DocumentId, DocumentId)>,
    #[serde(default)]
    answer: Option<AnswerId>,
    #[serde(default)]
    typed: String,
    #[serde(default)]
    matched: Option<SentenceId>,
}

/// The place in a review.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Review {
    tab: ReviewTab,
    filter: QueueFilter,
    shown: Option<Subject>,
    conflict: Option<Subject>,
}

impl Review {
    fn of(place: ReviewPlace) -> Self {
        Self {
            tab: place.tab.get(),
            filter: place.filter.get(),
            shown: place.shown.get(),
            conflict: place.conflict.get(),
        }
    }

    fn lead(self, place: ReviewPlace) {
        place.tab.set(self.tab);
        place.filter.set(self.filter);
        place.shown.set(self.shown);
        place.conflict.set(self.conflict);
    }
}

/// Keeps where the reader is in a workspace; what it reads is tracked.
pub fn keep(places: Places, workspace: String) {
    let place = places.place.get();
    if let Some(document) = place.document {
        let sentence = place.sentence.map(|s| s.to_string()).unwrap_or_default();
        prefs::keep(
            &format!("place:{workspace}"),
            &format!("{document} {} {sentence}", place.page),
        );
    }
    let open = Open {
        terms: Review::of(places.terms_review),
        questions: Review::of(places.questions_review),
        term: places.term.get(),
        run: places.run.get(),
        compared: places.compared.get(),
        answer: places.ask.open_answer(),
        typed: places.ask.typed.get(),
        matched: places.matched.get(),
        workspace,
    };
    prefs::keep_for_session(OPEN, &serde_json::to_string(&open).unwrap_or_default());
}

/// Restores the place of the reader in a workspace. Parts that no longer exist are left out when they are requested.
pub fn lead_back(places: Places, workspace: &str) {
    places.place.set(document_place(workspace));
    let open = prefs::read_of_session(OPEN).and_then(|kept| read(&kept, workspace));
    let Some(open) = open else { return };
    open.terms.lead(places.terms_review);
    open.questions.lead(places.questions_review);
    places.term.set(open.term);
    places.run.set(open.run);
    places.compared.set(open.compared);
    places.ask.left.set(open.answer);
    places.ask.typed.set(open.typed);
    places.matched.set(open.matched);
}

/// The place that was stored for this workspace. `None` if it is for another workspace or has the form of an older
/// version.
fn read(kept: &str, workspace: &str) -> Option<Open> {
    serde_json::from_str::<Open>(kept)
        .ok()
        .filter(|open| open.workspace == workspace)
}

fn document_place(workspace: &str) -> Place {
    let kept = prefs::read(&format!("place:{workspace}")).unwrap_or_default();
    let mut words = kept.split(' ');
    Place {
        document: words.next().and_then(|w| w.parse().ok()),
        page: words.next().and_then(|w| w.parse().ok()).unwrap_or(1),
        sentence: words.next().and_then(|w| w.parse().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_open_is_led_back_to_in_its_own_workspace_only() {
        let review = |tab, kind, shown| Review {
            tab,
            filter: QueueFilter::of(kind),
            shown,
            conflict: None,
        };
        let term = Subject::Term { id: TermId(7) };
        let open = || Open {
            workspace: "/a.lexforge".to_owned(),
            terms: review(ReviewTab::Queue, SubjectKind::Term, Some(term)),
            questions: review(ReviewTab::Conflicts, SubjectKind::Question, None),
            term: Some(TermId(7)),
            run: Some(RunId(2)),
            compared: Some((DocumentId(1), DocumentId(2))),
            answer: Some(AnswerId(4)),
            typed: "Who must".to_owned(),
            matched: Some(SentenceId(3)),
        };
        let kept = serde_json::to_string(&open()).unwrap_or_default();
        assert_eq!(read(&kept, "/a.lexforge"), Some(open()));
        assert_eq!(read(&kept, "/b.lexforge"), None);
        assert_eq!(read("{\"workspace\":\"/a.lexforge\"}", "/a.lexforge"), None);
    }
}

//! Where the reader is, kept for a page that is loaded again.
//!
//! The document and its page outlive the application, in the local storage. What else is open outlives the page alone, in the
//! session's storage: the next day begins with the whole queue and not with the filter of the day before.

use crate::prefs;
use crate::state::{App, Place, ReviewPlace, ReviewTab};
use leptos::prelude::*;
use lexforge_domain::api::QueueFilter;
use lexforge_domain::review::Subject;
use lexforge_domain::{DocumentId, RunId, TermId};
use serde::{Deserialize, Serialize};

/// Under which key of the session's storage the open things stand.
const OPEN: &str = "open";

/// What is open on the screens of a workspace.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Open {
    workspace: String,
    terms: Review,
    questions: Review,
    term: Option<TermId>,
    run: Option<RunId>,
    compared: Option<(DocumentId, DocumentId)>,
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

/// Keeps where the reader is; what it reads is tracked.
pub fn keep(app: App) {
    let Some(workspace) = app.workspace.with(|ws| ws.as_ref().map(|ws| ws.path.clone())) else { return };
    let place = app.place.get();
    if let Some(document) = place.document {
        let sentence = place.sentence.map(|s| s.to_string()).unwrap_or_default();
        prefs::keep(&format!("place:{workspace}"), &format!("{document} {} {sentence}", place.page));
    }
    let open = Open {
        terms: Review::of(app.terms_review),
        questions: Review::of(app.questions_review),
        term: app.term.get(),
        run: app.run.get(),
        compared: app.compared.get(),
        workspace,
    };
    prefs::keep_for_session(OPEN, &serde_json::to_string(&open).unwrap_or_default());
}

/// Leads back to where the reader was in a workspace; what is no longer there is left out when it is asked for.
pub fn lead_back(app: App, workspace: &str) {
    app.place.set(document_place(workspace));
    let open = prefs::read_of_session(OPEN).and_then(|kept| read(&kept, workspace));
    let Some(open) = open else { return };
    open.terms.lead(app.terms_review);
    open.questions.lead(app.questions_review);
    app.term.set(open.term);
    app.run.set(open.run);
    app.compared.set(open.compared);
}

/// What was open in this workspace; none where another one was, or an older page kept it otherwise.
fn read(kept: &str, workspace: &str) -> Option<Open> {
    serde_json::from_str::<Open>(kept).ok().filter(|open| open.workspace == workspace)
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
    use lexforge_domain::review::SubjectKind;

    #[test]
    fn what_was_open_is_led_back_to_in_its_own_workspace_only() {
        let review = |tab, kind, shown| Review { tab, filter: QueueFilter::of(kind), shown, conflict: None };
        let term = Subject::Term { id: TermId(7) };
        let open = || Open {
            workspace: "/a.lexforge".to_owned(),
            terms: review(ReviewTab::Queue, SubjectKind::Term, Some(term)),
            questions: review(ReviewTab::Conflicts, SubjectKind::Question, None),
            term: Some(TermId(7)),
            run: Some(RunId(2)),
            compared: Some((DocumentId(1), DocumentId(2))),
        };
        let kept = serde_json::to_string(&open()).unwrap_or_default();
        assert_eq!(read(&kept, "/a.lexforge"), Some(open()));
        assert_eq!(read(&kept, "/b.lexforge"), None);
        assert_eq!(read("{\"workspace\":\"/a.lexforge\"}", "/a.lexforge"), None);
    }
}

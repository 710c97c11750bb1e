//! What is read now: the documents, the open one's sections, its page, and the lit sentence.

use crate::backend::{call, commands};
use crate::fetched::Fetched;
use crate::place::Place;
use crate::state::App;
use leptos::prelude::*;
use lexforge_domain::api::{DiffCounts, DocumentOutline, DocumentRow, PageMark, PageView};
use lexforge_domain::document::RemovedLine;
use lexforge_domain::text::Region;
use lexforge_domain::{DocumentId, SentenceId};
use std::collections::BTreeMap;

/// Zoom steps in per cent of the pane's width.
const ZOOMS: [u32; 7] = [50, 75, 100, 125, 150, 200, 300];

/// What is read now.
#[derive(Clone, Copy)]
pub struct Reading {
    /// The page's state.
    pub app: App,
    /// All documents.
    pub documents: Fetched<Vec<DocumentRow>>,
    /// The open document's sections.
    pub outline: Fetched<DocumentOutline>,
    /// The open page.
    pub page: Fetched<PageView>,
    /// The sentence under the pointer or the focus.
    pub hovered: RwSignal<Option<SentenceId>>,
    /// It is a region of the page that the pointer is on, so the list should follow.
    pub from_page: RwSignal<bool>,
    /// Zoom in per cent of the pane's width.
    pub zoom: RwSignal<u32>,
    /// What is shown about the document under the bar of the page.
    pub detail: RwSignal<Option<Detail>>,
    /// How much changed between versions, as far as it was asked.
    pub counts: StoredValue<BTreeMap<(DocumentId, DocumentId), DiffCounts>>,
    /// Grows when a page's image must be fetched again, because its document was unlocked.
    pub drawn: RwSignal<u32>,
    /// The place of a difference of the readers, or of a line that was taken out, under the pointer or the focus.
    pub differing: RwSignal<Vec<Region>>,
    /// Sentences that are lit beside the pinned one, on a page without an image.
    pub quoted: RwSignal<Vec<SentenceId>>,
}

/// What is shown about the document under the bar of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The facts that the document states about itself, and its versions.
    About,
    /// Its warnings.
    Remarks,
    /// Where the two readers differ on this page.
    Differences,
    /// The lines that were taken out of its text.
    Removed,
}

impl Reading {
    /// The document and the number of the open page, once it is there.
    pub fn page_shown(self) -> Memo<Option<(DocumentId, u32)>> {
        let of = |page: &PageView| (page.document, page.number);
        Memo::new(move |_| self.page.value.with(|page| page.as_ref().map(of)))
    }

    /// Loads what the place of the reader asks for, now and whenever it changes.
    pub fn begin(app: App) -> Self {
        let reading = Self {
            app,
            documents: Fetched::default(),
            outline: Fetched::default(),
            page: Fetched::default(),
            hovered: RwSignal::new(None),
            from_page: RwSignal::new(false),
            zoom: RwSignal::new(100),
            detail: RwSignal::new(None),
            counts: StoredValue::default(),
            drawn: RwSignal::new(0),
            differing: RwSignal::new(Vec::new()),
            quoted: RwSignal::new(Vec::new()),
        };
        Effect::new(move |_| {
            app.changes.track();
            reading.documents.refresh(call(commands::Documents {}));
        });
        let document = Memo::new(move |_| app.place.get().document);
        Effect::new(move |_| match document.get() {
            Some(document) => reading.outline.ask(call(commands::Outline { document })),
            None => reading.outline.forget(),
        });
        let page = Memo::new(move |_| (app.place.get().document, app.place.get().page.max(1)));
        Effect::new(move |_| {
            reading.differing.set(Vec::new());
            reading.quoted.set(Vec::new());
            // When the page goes, no event says that the pointer has left the region, so clear it here.
            reading.hovered.set(None);
            match page.get() {
                (Some(document), number) => {
                    reading.page.ask(call(commands::Page { document, number }))
                }
                (None, _) => reading.page.forget(),
            }
        });
        // Terms and references of the page may have come since; the page is drawn again only where they have.
        Effect::new(move |before: Option<()>| {
            app.changes.track();
            if before.is_some()
                && let (Some(document), number) = page.get_untracked()
            {
                reading
                    .page
                    .refresh(call(commands::Page { document, number }));
            }
        });
        reading
    }

    /// Opens the first document where none is open, or the open one is not in this workspace.
    pub fn choose_document(self) {
        let Some(documents) = self.documents.value.get() else {
            return;
        };
        let open = self.app.place.get().document;
        if documents.iter().any(|d| Some(d.id) == open) {
            return;
        }
        let first = documents.first().map(|d| d.id);
        if first != open {
            self.app.place.set(Place {
                document: first,
                page: 1,
                sentence: None,
            });
        }
    }

    /// The open document.
    pub fn document(self) -> Option<DocumentRow> {
        let open = self.app.place.get().document;
        self.documents
            .value
            .with(|all| all.as_ref()?.iter().find(|d| Some(d.id) == open).cloned())
    }

    /// The sentence that is lit: the one under the pointer, else the pinned one.
    pub fn lit(self) -> Option<SentenceId> {
        self.hovered.get().or(self.app.place.get().sentence)
    }

    /// Pins a sentence, or lets go of the pinned one.
    pub fn pin(self, id: SentenceId) {
        self.app.place.update(|place| {
            place.sentence = if place.sentence == Some(id) {
                None
            } else {
                Some(id)
            }
        });
    }

    /// Shows or hides what is known about the document.
    pub fn toggle(self, detail: Detail) {
        self.detail.update(|shown| {
            *shown = if *shown == Some(detail) {
                None
            } else {
                Some(detail)
            }
        });
        self.differing.set(Vec::new());
    }

    /// The document that is the new version of this one.
    pub fn successor(self, document: DocumentId) -> Option<DocumentRow> {
        self.documents.value.with(|all| {
            all.as_ref()?
                .iter()
                .find(|d| d.predecessor == Some(document))
                .cloned()
        })
    }

    /// A document by its id.
    pub fn row(self, id: DocumentId) -> Option<DocumentRow> {
        self.documents
            .value
            .with(|all| all.as_ref()?.iter().find(|d| d.id == id).cloned())
    }

    /// The pages of the open document that want a look.
    pub fn doubtful(self) -> Vec<PageMark> {
        self.outline
            .value
            .with(|outline| {
                outline
                    .as_ref()
                    .map(|o| o.pages.iter().filter(|p| p.look).cloned().collect())
            })
            .unwrap_or_default()
    }

    /// The lines that were taken out of the open document's text.
    pub fn removed(self) -> Vec<RemovedLine> {
        self.outline
            .value
            .with(|outline| outline.as_ref().map(|o| o.removed.clone()))
            .unwrap_or_default()
    }

    /// Turns to a page of the open document.
    pub fn turn(self, number: u32) {
        let last = untrack(|| self.document()).map_or(1, |d| d.pages.max(1));
        self.app.place.update(|place| {
            place.page = number.clamp(1, last);
            place.sentence = None;
        });
    }

    /// Turns so many pages on.
    pub fn turn_by(self, pages: i64) {
        let now = i64::from(self.app.place.get_untracked().page.max(1));
        self.turn((now + pages).max(1) as u32);
    }

    /// The next larger or smaller zoom.
    pub fn zoom_by(self, larger: bool) {
        self.zoom.update(|zoom| {
            let next = if larger {
                ZOOMS.into_iter().find(|z| *z > *zoom)
            } else {
                ZOOMS.into_iter().rev().find(|z| *z < *zoom)
            };
            *zoom = next.unwrap_or(*zoom);
        });
    }

    /// [ ] page, + − zoom; false for another key.
    pub fn press(self, code: &str) -> bool {
        match code {
            "BracketLeft" => self.turn_by(-1),
            "BracketRight" => self.turn_by(1),
            "Equal" | "NumpadAdd" => self.zoom_by(true),
            "Minus" | "NumpadSubtract" => self.zoom_by(false),
            _ => return false,
        }
        true
    }
}

/// What is read now.
pub fn use_reading() -> Reading {
    expect_context()
}

/// The pointer has left a sentence; another one may have been entered before.
pub fn unhover(reading: Reading, id: SentenceId) {
    reading.hovered.update(|hovered| {
        if *hovered == Some(id) {
            *hovered = None;
        }
    });
}

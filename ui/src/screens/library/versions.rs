//! What changed from one version of a document to the next, sentence beside sentence.

use crate::backend::{call, commands};
use crate::components::blocks::Blocks;
use crate::components::empty::Empty;
use crate::components::error_panel::ErrorPanel;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::components::waiting::Coming;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::reading::{Reading, use_reading};
use leptos::html::Div;
use leptos::prelude::*;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{DiffCounts, DocumentDiff, DocumentRow};
use lexforge_domain::document::Sentence;
use lexforge_domain::text::Language;
use lexforge_text::diff::{Stretch, word_diff};

/// About how high a row is, in pixels.
const ROW: f64 = 130.0;

/// Which changes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    All,
    Changed,
    Added,
    Removed,
}

/// A change: the older wording, the newer one, or both.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    before: Option<Sentence>,
    after: Option<Sentence>,
}

impl Change {
    fn kind(&self) -> Kind {
        match (&self.before, &self.after) {
            (Some(_), Some(_)) => Kind::Changed,
            (None, _) => Kind::Added,
            (Some(_), None) => Kind::Removed,
        }
    }
}

/// The difference of two versions.
#[component]
pub fn Versions(
    /// The older version.
    from: DocumentId,
    /// The newer version.
    to: DocumentId,
) -> impl IntoView {
    let reading = use_reading();
    let diff = Fetched::<DocumentDiff>::default();
    let ask = move || diff.ask(call(commands::DocumentDiff { from, to }));
    ask();
    let kind = RwSignal::new(Kind::All);
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == "Escape" && !event.is_composing() {
            reading.app.compared.set(None);
        }
    });
    on_cleanup(move || handle.remove());
    let counts = move || diff.value.with(|diff| diff.as_ref().map(DiffCounts::from));
    let filter = move |which: Kind, id: &'static str, words: String| {
        view! {
            <button id=id aria-pressed=move || (kind.get() == which).to_string() on:click=move |_| kind.set(which)>{words}</button>
        }
    };
    view! {
        <div class="pane-head versions-head">
            <button class="btn sm" id="versions-close" on:click=move |_| reading.app.compared.set(None)>
                <Sign icon=Icon::Left small=true/>
                {t("versions.back")}
            </button>
            <h2 class="clip">{t("versions.title")}</h2>
            {move || counts().map(|counts| view! {
                <div class="seg push" role="group" aria-label=t("versions.filter")>
                    {filter(Kind::All, "versions-all", tf("versions.all", &[("n", &format::count(counts.added + counts.removed + counts.changed))]))}
                    {filter(Kind::Changed, "versions-changed", tf("versions.changed", &[("n", &format::count(counts.changed))]))}
                    {filter(Kind::Added, "versions-added", tf("versions.added", &[("n", &format::count(counts.added))]))}
                    {filter(Kind::Removed, "versions-removed", tf("versions.removed", &[("n", &format::count(counts.removed))]))}
                </div>
            })}
        </div>
        <div class="versions-row versions-titles">
            <Version reading id=from name=t("versions.older")/>
            <Version reading id=to name=t("versions.newer")/>
        </div>
        {move || diff.failure.get().map(|failure| view! {
            <div class="pad">
                <ErrorPanel failure><button class="btn sm" on:click=move |_| ask()>{t("action.again")}</button></ErrorPanel>
            </div>
        })}
        {move || match diff.value.get() {
            None if diff.failure.with(Option::is_some) => ().into_any(),
            None => view! { <Coming words=t("wait.versions")/> }.into_any(),
            Some(diff) => view! { <Changes reading diff kind/> }.into_any(),
        }}
    }
}

/// A version's title with its date and length; a press opens it.
#[component]
fn Version(reading: Reading, id: DocumentId, name: String) -> impl IntoView {
    move || {
        reading.row(id).map(|row: DocumentRow| {
            let about = &row.metadata;
            let parts = [about.version.clone(), about.date.clone(), Some(row.file.clone()), Some(tn("count.sentences", u64::from(row.sentences)))];
            let line = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            view! {
                <div class="version">
                    <span class="t-small t-mute">{name.clone()}</span>
                    <button class="link strong" lang=lang_tag(row.language) on:click=move |_| reading.app.open_sentence(id, 1, None)>{row.title.clone()}</button>
                    <span class="t-small clip" title=line.clone()>{line.clone()}</span>
                </div>
            }
        })
    }
}

#[component]
fn Changes(reading: Reading, diff: DocumentDiff, kind: RwSignal<Kind>) -> impl IntoView {
    let language = reading
        .row(diff.to)
        .map_or(Language::En, |row| row.language);
    let unchanged = tn("versions.unchanged", diff.unchanged);
    let all = StoredValue::new(in_order(diff));
    let scroller = NodeRef::<Div>::new();
    let moved = RwSignal::new(0);
    let rows = move || {
        let wanted = kind.get();
        let items: Vec<Change> = all.with_value(|all| {
            all.iter()
                .filter(|c| wanted == Kind::All || c.kind() == wanted)
                .cloned()
                .collect()
        });
        if items.is_empty() {
            return view! { <Empty icon=Icon::Check title=t("versions.none") text=unchanged.clone()/> }.into_any();
        }
        let each = move |change: Change| view! { <Row reading change language/> };
        moved.update(|n| *n += 1);
        view! {
            <p class="pad-row t-small t-mute">{unchanged.clone()}</p>
            <Blocks items each estimate=ROW scroller moved target=Signal::stored(None)/>
        }
        .into_any()
    };
    view! {
        <div class="scroll versions" id="versions" node_ref=scroller on:scroll:target=move |event| moved.set(event.target().scroll_top())>
            {rows}
        </div>
    }
}

#[component]
fn Row(reading: Reading, change: Change, language: Language) -> impl IntoView {
    let (old, new) = match (&change.before, &change.after) {
        (Some(before), Some(after)) => word_diff(&before.text, &after.text),
        (before, after) => {
            let whole = |s: &Option<Sentence>| {
                s.iter()
                    .map(|s| Stretch {
                        text: s.text.clone(),
                        differs: false,
                    })
                    .collect::<Vec<_>>()
            };
            (whole(before), whole(after))
        }
    };
    let badge = badge(change.kind());
    view! {
        <div class="versions-item">
            {badge}
            <div class="versions-row">
                <Side reading sentence=change.before words=old class="was" missing=t("versions.not_before") language/>
                <Side reading sentence=change.after words=new class="is" missing=t("versions.not_after") language/>
            </div>
        </div>
    }
}

/// What became of a sentence.
fn badge(kind: Kind) -> AnyView {
    match kind {
        Kind::Added => {
            view! { <span class="badge ok"><Sign icon=Icon::Plus small=true/>{t("versions.is_added")}</span> }
                .into_any()
        }
        Kind::Removed => {
            view! { <span class="badge bad"><Sign icon=Icon::Minus small=true/>{t("versions.is_removed")}</span> }
                .into_any()
        }
        Kind::Changed | Kind::All => view! { <span class="badge info">{t("versions.is_changed")}</span> }.into_any(),
    }
}

/// The wording in one version, with the way to its page.
#[component]
fn Side(
    reading: Reading,
    sentence: Option<Sentence>,
    words: Vec<Stretch>,
    /// The class of the words that the other version does not have.
    class: &'static str,
    /// What is said where this version does not have the sentence.
    missing: String,
    language: Language,
) -> impl IntoView {
    let Some(sentence) = sentence else {
        return view! { <div class="version-side t-mute t-small">{missing}</div> }.into_any();
    };
    let (document, page, id) = (sentence.document, sentence.page, sentence.id);
    let words = words.into_iter().map(|stretch| {
        if stretch.differs {
            view! { <span class=class>{stretch.text}</span> }.into_any()
        } else {
            view! { {stretch.text} }.into_any()
        }
    });
    view! {
        <div class="version-side">
            <p class="law sm" lang=lang_tag(language)>{words.collect_view()}</p>
            <div class="meta">
                <button class="link version-page" on:click=move |_| reading.app.open_sentence(document, page, Some(id))>
                    {tf("count.page_n", &[("n", &page.to_string())])}
                </button>
                {(!sentence.section.is_empty()).then(|| view! { <span>{sentence.section.clone()}</span> })}
            </div>
        </div>
    }
    .into_any()
}

/// All changes in the order of the newer version. A removed sentence comes after the sentence that was before it in the
/// older version.
fn in_order(diff: DocumentDiff) -> Vec<Change> {
    let mut anchors: Vec<(u32, u32)> = diff
        .changed
        .iter()
        .map(|c| (c.before.position, c.after.position))
        .collect();
    anchors.sort_unstable();
    let place = |old: u32| {
        let before = anchors
            .partition_point(|(position, _)| *position <= old)
            .checked_sub(1);
        match before.map(|at| anchors[at]) {
            Some((from, to)) => to + (old - from),
            None => old,
        }
    };
    let mut all: Vec<(u32, u8, Change)> = Vec::new();
    for change in diff.changed {
        all.push((
            change.after.position,
            1,
            Change {
                before: Some(change.before),
                after: Some(change.after),
            },
        ));
    }
    for sentence in diff.removed {
        all.push((
            place(sentence.position),
            0,
            Change {
                before: Some(sentence),
                after: None,
            },
        ));
    }
    for sentence in diff.added {
        all.push((
            sentence.position,
            2,
            Change {
                before: None,
                after: Some(sentence),
            },
        ));
    }
    all.sort_by_key(|(position, rank, _)| (*position, *rank));
    all.into_iter().map(|(_, _, change)| change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::api::ChangedSentence;
    use lexforge_domain::text::SentenceKind;

    fn sentence(document: i64, position: u32) -> Sentence {
        Sentence {
            id: SentenceId(i64::from(position)),
            document: DocumentId(document),
            position,
            page: 1,
            section_id: None,
            section: String::new(),
            kind: SentenceKind::Rule,
            text: String::new(),
            complete: None,
            boxes: Vec::new(),
            start: 0,
            end: 0,
            external_id: None,
        }
    }

    #[test]
    fn what_was_removed_comes_where_it_stood() {
        let diff = DocumentDiff {
            from: DocumentId(1),
            to: DocumentId(2),
            added: vec![sentence(2, 3)],
            removed: vec![sentence(1, 12), sentence(1, 0)],
            changed: vec![ChangedSentence {
                before: sentence(1, 10),
                after: sentence(2, 20),
            }],
            unchanged: 40,
        };
        let places: Vec<(Option<u32>, Option<u32>)> = in_order(diff)
            .into_iter()
            .map(|c| (c.before.map(|s| s.position), c.after.map(|s| s.position)))
            .collect();
        assert_eq!(
            places,
            [
                (Some(0), None),
                (None, Some(3)),
                (Some(10), Some(20)),
                (Some(12), None)
            ]
        );
    }
}

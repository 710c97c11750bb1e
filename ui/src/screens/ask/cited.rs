//! The page that something in the answer stands on, with its region marked.

use super::deeds::walk;
use super::place::{Spot, Target, target, walked};
use crate::components::empty::Empty;
use crate::components::icon::{Icon, Sign};
use crate::i18n::{t, tf};
use crate::reading::{Page, PageBar, use_reading};
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::SentenceId;
use lexforge_domain::api::Answer;
use lexforge_domain::text::Region;

/// The page, or how to come to one.
#[component]
pub fn Cited() -> impl IntoView {
    let app = use_app();
    let shown = Memo::new(move |_| {
        let spot = app.ask.spot.get()?;
        app.ask.answer.with(|answer| target(answer.as_ref()?, spot))
    });
    let any = Memo::new(move |_| shown.with(Option::is_some));
    mark_beyond(shown);
    move || {
        if any.get() {
            view! {
                <Head shown/>
                <PageBar/>
                <Page/>
            }
            .into_any()
        } else {
            let text = move || {
                let found = app.ask.answer.with(|a| a.as_ref().is_none_or(|a| a.found));
                if found {
                    t("answering.no_page_cited")
                } else {
                    t("answering.no_page_near")
                }
            };
            view! { {move || view! { <Empty icon=Icon::File title=t("answering.no_page") text=text()/> }} }
                .into_any()
        }
    }
}

/// Marks all that is cited: the page itself lights one sentence, and only where that begins on it.
fn mark_beyond(shown: Memo<Option<Target>>) {
    let reading = use_reading();
    Effect::new(move |_| {
        let boxes: Option<Vec<Region>> = shown.with(|shown| {
            let target = shown.as_ref()?;
            reading.page.value.with(|page| {
                let page = page.as_ref().filter(|p| p.document == target.document)?;
                let own = page
                    .sentences
                    .iter()
                    .find(|s| s.sentence.id == target.sentence)
                    .map(|s| s.sentence.boxes.as_slice())
                    .unwrap_or_default();
                let others = target.boxes.iter().filter(|region| !own.contains(region));
                Some(others.copied().collect())
            })
        });
        reading.differing.set(boxes.unwrap_or_default());
        let quoted: Option<Vec<SentenceId>> = shown.with(|shown| {
            let target = shown.as_ref()?;
            reading.page.value.with(|page| {
                let page = page.as_ref().filter(|p| p.document == target.document)?;
                let of = page
                    .sentences
                    .iter()
                    .map(|s| (s.sentence.id, s.sentence.text.as_str()));
                Some(quoted(&target.quote, target.sentence, of))
            })
        });
        reading.quoted.set(quoted.unwrap_or_default());
    });
}

/// The sentences of a page that a quote holds whole, from its first one on.
fn quoted<'s>(
    quote: &str,
    first: SentenceId,
    sentences: impl Iterator<Item = (SentenceId, &'s str)>,
) -> Vec<SentenceId> {
    sentences
        .skip_while(|(id, _)| *id != first)
        .take_while(|(_, text)| quote.contains(text.trim()))
        .map(|(id, _)| id)
        .collect()
}

/// Which document, which of the citations, and the ways to the others.
#[component]
fn Head(shown: Memo<Option<Target>>) -> impl IntoView {
    let app = use_app();
    let title =
        move || shown.with(|target| target.as_ref().map(|t| t.title.clone()).unwrap_or_default());
    let among = Memo::new(move |_| Among::now(app));
    let number = move || {
        let Among { at, of, near } = among.get();
        at.map(|at| {
            let (n, of) = ((at + 1).to_string(), of.to_string());
            let figures = [("n", n.as_str()), ("of", of.as_str())];
            if near {
                tf("answering.clause_of", &figures)
            } else {
                tf("answering.citation_of", &figures)
            }
        })
    };
    let open = move |_| {
        if let Some(target) = shown.get_untracked() {
            app.open_sentence(target.document, target.page, Some(target.sentence));
        }
    };
    view! {
        <div class="pane-head" id="cited-head">
            <b class="clip" title=title>{title}</b>
            <div class="push row g-1">
                <span class="t-small t-mute nowrap" id="citation-of">{number}</span>
                <Step id="citation-back" name=t("answering.citation_back") icon=Icon::Left by=-1 among/>
                <Step id="citation-next" name=t("answering.citation_next") icon=Icon::Right by=1 among/>
                <button
                    class="btn ghost icon sm"
                    id="open-in-library"
                    aria-label=t("answering.open_in_library")
                    title=t("answering.open_in_library")
                    on:click=open
                >
                    <Sign icon=Icon::Out/>
                </button>
            </div>
        </div>
    }
}

/// Where the shown citation stands among those that one can walk through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Among {
    at: Option<usize>,
    of: usize,
    /// Nothing was found, and these are the nearest passages.
    near: bool,
}

impl Among {
    fn now(app: App) -> Self {
        let spots = app
            .ask
            .answer
            .with(|answer: &Option<Answer>| answer.as_ref().map(walked).unwrap_or_default());
        let spot = app.ask.spot.get();
        Self {
            at: spots.iter().position(|s| Some(*s) == spot),
            of: spots.len(),
            near: matches!(spots.first(), Some(Spot::Passage(_))),
        }
    }
}

/// A step to another citation; at either end it leads no further.
#[component]
fn Step(
    id: &'static str,
    name: String,
    icon: Icon,
    /// How many citations it leads on; negative ones back.
    by: i64,
    among: Memo<Among>,
) -> impl IntoView {
    let app = use_app();
    let end = move || {
        let Among { at, of, .. } = among.get();
        at.map_or(of == 0, |at| {
            (by < 0 && at == 0) || (by > 0 && at + 1 >= of)
        })
    };
    view! {
        <button class="btn ghost icon sm" id=id aria-label=name.clone() title=name.clone() disabled=end on:click=move |_| walk(app, by)>
            <Sign icon/>
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sentences_of_a_quote_are_lit() {
        let page = [
            (1, "A bank shall:"),
            (2, "(a) pay;"),
            (3, "(b) tell."),
            (4, "It ends."),
        ];
        let lit = |quote, first| {
            let sentences = page.iter().map(|(id, text)| (SentenceId(*id), *text));
            quoted(quote, SentenceId(first), sentences)
                .into_iter()
                .map(|id| id.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(lit("A bank shall: (a) pay; (b) tell.", 1), [1, 2, 3]);
        assert_eq!(lit("(b) tell.", 3), [3]);
        assert_eq!(lit("", 3), [] as [i64; 0]);
        assert_eq!(lit("It ends.", 9), [] as [i64; 0]);
    }
}

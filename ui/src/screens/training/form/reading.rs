//! Saying how the chosen base model reads texts, where its folder says nothing or something else.

use super::next::Next;
use super::vectors;
use crate::backend::{call, commands};
use crate::components::field::Field;
use crate::components::waiting::Waiting;
use crate::draft::Figure;
use crate::i18n::{t, tag};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::SaidReading;
use lexforge_domain::protocol::{InspectResult, Pooling, TextReading};

/// The fields, which open on demand. A model that comes with the product has none: it cannot be changed.
#[component]
pub fn Reading(
    /// The chosen base as its folder was found, and what prevents a run with it.
    inspected: Memo<Option<(InspectResult, Vec<Failure>)>>,
) -> impl IntoView {
    let next = expect_context::<Next>();
    // The plan comes anew with each figure that is typed. What is open here stays unless the reading itself is another.
    let known = Memo::new(move |_| {
        let folder = match next.row() {
            Some(row) if row.shipped => None,
            Some(row) => row.path,
            None => next.draft.with(|draft| draft.base.clone()),
        };
        let reading = inspected.with(|seen| seen.as_ref().and_then(|(base, _)| read_now(base)));
        folder.zip(reading)
    });
    view! { {move || known.get().map(|(folder, reading)| view! { <Fold folder reading/> })} }
}

/// How a base reads texts now. Of a decoder whose folder says nothing, the graph takes the last token.
fn read_now(base: &InspectResult) -> Option<TextReading> {
    let mut reading = base.reading.clone()?;
    if base.decoder && base.reading_assumed {
        reading.pooling = Pooling::Last;
    }
    Some(reading)
}

#[component]
fn Fold(folder: String, reading: TextReading) -> impl IntoView {
    let open = RwSignal::new(false);
    let (folder, reading) = (StoredValue::new(folder), StoredValue::new(reading));
    view! {
        <button
            class="btn ghost sm fold"
            id="set-reading"
            aria-expanded=move || open.get().to_string()
            on:click=move |_| open.update(|on| *on = !*on)
        >
            {t("base.reading")}
        </button>
        {move || open.get().then(|| view! { <Fields folder reading open/> })}
    }
}

#[component]
fn Fields(
    folder: StoredValue<String>,
    reading: StoredValue<TextReading>,
    open: RwSignal<bool>,
) -> impl IntoView {
    let app = use_app();
    let next = expect_context::<Next>();
    let typed = RwSignal::new(reading.with_value(Typed::of));
    let said = Memo::new(move |_| reading.with_value(|now| typed.with(|typed| typed.said(now))));
    let keep = move |_| {
        let Some(said) = said.get_untracked() else {
            return;
        };
        let folder = folder.get_value();
        let set = call(commands::SetReading { folder, said });
        app.attempt_once(t("wait.reading"), set, move |_| {
            open.try_set(false);
            next.plan_again();
        });
    };
    let ways = WAYS.map(|way| {
        let chosen = move || typed.with(|typed| typed.pooling == way);
        view! { <option value=way.tag() prop:selected=chosen>{vectors::pooled(way)}</option> }
    });
    let choose = move |value: String| {
        if let Some(way) = WAYS.into_iter().find(|way| way.tag() == value) {
            typed.update(|typed| typed.pooling = way);
        }
    };
    let text = move |id: &'static str, label: String, of: fn(&mut Typed) -> &mut String| {
        view! {
            <Field id label>
                <input
                    class="input"
                    id=id
                    autocomplete="off"
                    prop:value=move || of(&mut typed.get()).clone()
                    on:input:target=move |event| typed.update(|typed| *of(typed) = event.target().value())
                />
            </Field>
        }
    };
    view! {
        <div class="stack g-2" id="reading-fields">
            <Field id="reading-pooling" label=t("base.vectors")>
                <span class="picker">
                    <select class="select" id="reading-pooling" on:change:target=move |event| choose(event.target().value())>{ways}</select>
                </span>
            </Field>
            {text("reading-question", t("base.before_questions"), |typed| &mut typed.question)}
            {text("reading-passage", t("base.before_passages"), |typed| &mut typed.passage)}
            {text("reading-longest", tag("figure", "max_length"), |typed| &mut typed.longest)}
            {move || said.with(Option::is_none).then(|| view! { <span class="err" role="alert">{tag("figure_takes", "max_length")}</span> })}
            <p class="t-small t-mute">{t("base.reading_text")}</p>
            <div class="row">
                <button class="btn sm" id="reading-keep" disabled=move || said.with(Option::is_none) on:click=keep>{t("base.reading_keep")}</button>
                <Waiting words=t("wait.reading")/>
            </div>
        </div>
    }
}

const WAYS: [Pooling; 6] = [
    Pooling::Mean,
    Pooling::Cls,
    Pooling::Last,
    Pooling::Max,
    Pooling::MeanSqrt,
    Pooling::WeightedMean,
];

/// What stands in the fields.
#[derive(Clone, Debug, PartialEq)]
struct Typed {
    pooling: Pooling,
    question: String,
    passage: String,
    longest: String,
}

impl Typed {
    fn of(reading: &TextReading) -> Self {
        Self {
            pooling: reading.pooling,
            question: reading.question.clone(),
            passage: reading.passage.clone(),
            longest: reading.max_length.to_string(),
        }
    }

    /// What is to be written: the pooling, which no file may say yet, and of the rest what is other than now. `None` if
    /// the longest input is no length.
    fn said(&self, now: &TextReading) -> Option<SaidReading> {
        let longest = self.longest.trim();
        if longest.is_empty() || !Figure::MaxLength.takes(longest) {
            return None;
        }
        let other = |typed: &String, now: &String| (typed != now).then(|| typed.clone());
        Some(SaidReading {
            pooling: Some(self.pooling),
            question: other(&self.question, &now.question),
            passage: other(&self.passage, &now.passage),
            max_length: longest.parse().ok().filter(|&n| n != now.max_length),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pooling_is_said_and_of_the_rest_what_was_changed() {
        let now = TextReading {
            question: "query: ".to_owned(),
            ..TextReading::default()
        };
        let mut typed = Typed::of(&now);
        let only = |pooling| SaidReading {
            pooling: Some(pooling),
            ..SaidReading::default()
        };
        assert_eq!(typed.said(&now), Some(only(Pooling::Mean)));
        typed.pooling = Pooling::Cls;
        typed.question.clear();
        typed.passage = "passage: ".to_owned();
        typed.longest = " 512 ".to_owned();
        let said = SaidReading {
            question: Some(String::new()),
            passage: Some("passage: ".to_owned()),
            max_length: Some(512),
            ..only(Pooling::Cls)
        };
        assert_eq!(typed.said(&now), Some(said));
    }

    #[test]
    fn a_longest_input_that_is_no_length_is_not_written() {
        let now = TextReading::default();
        for text in ["", " ", "0", "15", "-1", "many", "256.5"] {
            let longest = text.to_owned();
            let typed = Typed {
                longest,
                ..Typed::of(&now)
            };
            assert_eq!(typed.said(&now), None, "{text:?}");
        }
    }

    #[test]
    fn every_way_of_pooling_has_a_tag_and_words_of_its_own() {
        for (n, way) in WAYS.into_iter().enumerate() {
            for other in &WAYS[..n] {
                assert_ne!(way.tag(), other.tag());
                assert_ne!(vectors::pooled(way), vectors::pooled(*other));
            }
        }
    }
}

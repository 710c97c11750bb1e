//! The base model: which, and what is known of it.

use super::next::{Next, file_name, needs_decoder};
use super::reading::Reading;
use super::vectors;
use crate::backend::{call, commands};
use crate::components::error_panel::{ErrorPanel, remedy_of};
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::waiting::Coming;
use crate::draft::Draft;
use crate::format;
use crate::i18n::{lang, t, tf, tn};
use crate::said::Told;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::Failure;
use lexforge_domain::api::{BaseRow, Preset};
use lexforge_domain::protocol::InspectResult;

/// The chosen base with its inspection; the list to choose from opens on demand.
#[component]
pub fn Base() -> impl IntoView {
    let next = expect_context::<Next>();
    let open = RwSignal::new(false);
    let name = move || {
        next.draft
            .with(|draft| draft.base.as_deref().map(file_name))
    };
    let inspected = Memo::new(move |_| {
        let name = name();
        let seen = next
            .plan
            .value
            .with(|plan| plan.as_ref().map(|p| (p.base.clone(), p.problems.clone())));
        seen.filter(|(base, _)| Some(&base.name) == name.as_ref())
    });
    let state = move || {
        let stopped = inspected.with(|seen| {
            seen.as_ref()
                .map(|(base, stops)| base.problems.iter().any(|p| stops.contains(p)))
        });
        stopped.map(|stopped| {
            if !stopped {
                view! { <span class="badge ok push"><Sign icon=Icon::Check small=true/>{t("base.complete")}</span> }.into_any()
            } else {
                view! { <span class="badge bad push"><Sign icon=Icon::Warning small=true/>{t("base.incomplete")}</span> }.into_any()
            }
        })
    };
    view! {
        <div class="row between">
            <h2>{t("training.base")}</h2>
            <button class="btn sm" id="change-base" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|on| *on = !*on)>
                {move || if open.get() { t("action.close") } else { t("base.change") }}
            </button>
        </div>
        {move || open.get().then(|| view! { <List open/> })}
        {move || next.bases.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        {move || match name() {
            Some(name) => view! {
                <div class="row" id="base-chosen"><Sign icon=Icon::Chip/><b class="clip" title=name.clone()>{name.clone()}</b>{state}</div>
            }.into_any(),
            None if next.bases.failure.with(Option::is_some) => ().into_any(),
            None if next.bases.value.with(Option::is_none) => view! { <Coming words=t("wait.bases")/> }.into_any(),
            None => view! { <p class="t-small">{t("base.none")}</p> }.into_any(),
        }}
        {move || (next.asking.get() && name().is_some() && inspected.with(Option::is_none)).then(|| view! {
            <span class="t-small waiting" role="status">{t("wait.base")}</span>
        })}
        {move || inspected.get().map(|(base, stops)| view! { <Inspection base stops/> })}
        <Reading inspected/>
    }
}

/// What a look at the folder has found.
#[component]
fn Inspection(base: InspectResult, stops: Vec<Failure>) -> impl IntoView {
    // A problem that does not prevent a run is shown as a remark.
    let problem = |failure: Failure| {
        if stops.contains(&failure) {
            return view! { <ErrorPanel failure/> }.into_any();
        }
        let remedy = remedy_of(&failure, lang());
        view! { <Note tone=Tone::Warn><Told text=failure.message/> " " {remedy}</Note> }.into_any()
    };
    let kind = if base.decoder {
        t("base.decoder")
    } else {
        t("base.encoder")
    };
    let chat = base.decoder.then(|| {
        let text = if base.chat_template {
            t("base.chat_yes")
        } else {
            t("base.chat_no")
        };
        view! { <dt>{t("base.chat")}</dt><dd>{text}</dd> }
    });
    let size = tf(
        "base.size_of",
        &[
            ("parameters", &format::amount(base.parameters)),
            ("layers", &tn("count.layers", base.layers)),
            ("dtype", &base.dtype),
        ],
    );
    // Where a decoder's folder says nothing, the recipe decides, and the graph takes the last token.
    let said = base
        .reading
        .as_ref()
        .filter(|_| !(base.decoder && base.reading_assumed));
    let vectors = said.map(|reading| {
        let text = vectors::of_texts(reading);
        view! { <dt>{t("base.vectors")}</dt><dd id="base-vectors">{text}</dd> }
    });
    let assumed = (base.reading_assumed && !base.decoder).then(|| {
        view! { <Note tone=Tone::Warn>{t("base.vectors_assumed")}</Note> }
    });
    let context = tf("base.tokens", &[("n", &format::count(base.max_positions))]);
    view! {
        <dl class="kv t-small">
            <dt>{t("base.architecture")}</dt>
            <dd>{base.architecture.clone()} " · " {kind}</dd>
            <dt>{t("base.parameters")}</dt>
            <dd>{size}</dd>
            <dt>{t("base.context")}</dt>
            <dd>{context}</dd>
            {vectors}
            {chat}
        </dl>
        {assumed}
        {base.problems.into_iter().map(problem).collect_view()}
    }
}

/// The base models of the list and of the folders that were chosen here.
#[component]
fn List(open: RwSignal<bool>) -> impl IntoView {
    let app = use_app();
    let next = expect_context::<Next>();
    let take = move |name: String, decoder: Option<bool>| {
        next.draft.update(|draft| take_base(draft, name, decoder));
        open.set(false);
    };
    let pick = move |_| {
        let picked = call(commands::PickFolder {});
        app.attempt_once(t("wait.choose"), picked, move |folder| {
            if let Some(folder) = folder {
                next.draft.update(|draft| {
                    if !draft.folders.contains(&folder) {
                        draft.folders.push(folder.clone());
                    }
                });
                take(folder, None);
            }
        });
    };
    let rows = move || {
        let rows = next.bases.value.get().unwrap_or_default();
        let known = rows
            .into_iter()
            .map(|row| view! { <Choice row take/> })
            .collect_view();
        let folders = next.draft.with(|draft| draft.folders.clone());
        let folders = folders
            .into_iter()
            .map(|folder| view! { <FolderChoice folder take/> })
            .collect_view();
        view! { {known} {folders} }
    };
    view! {
        <div class="presets" role="radiogroup" aria-label=t("training.base") id="base-list">
            {rows}
            <button class="btn" id="pick-base" on:click=pick><Sign icon=Icon::Folder/>{t("base.pick")}</button>
            <p class="t-small t-mute">{t("base.pick_text")}</p>
        </div>
    }
}

/// Chooses another base, and a recipe that suits its kind. The kind of a folder is unknown until it was examined; until
/// then there is no recipe.
pub(super) fn take_base(draft: &mut Draft, name: String, decoder: Option<bool>) {
    // What a run has made belongs to its own base model.
    if draft.base.as_ref() != Some(&name) {
        draft.start_from = None;
    }
    match (decoder, draft.preset) {
        (Some(decoder), Some(preset)) if needs_decoder(preset) != decoder => {
            draft.choose(usual(decoder))
        }
        (Some(decoder), None) => draft.choose(usual(decoder)),
        (None, Some(preset)) => {
            draft.wanted = Some(preset);
            draft.preset = None;
        }
        _ => {}
    }
    draft.base = Some(name);
}

/// The recipe that one begins with on a base of a kind.
fn usual(decoder: bool) -> Preset {
    if decoder {
        Preset::QuickLook
    } else {
        Preset::Encoder
    }
}

/// Chooses a recipe once it is known whether a folder holds a decoder: the wanted recipe if it suits the model, or else
/// the usual one.
pub(super) fn settle(draft: &mut Draft, decoder: bool) {
    if draft.preset.is_none() {
        match draft.wanted.take() {
            Some(wanted) if needs_decoder(wanted) == decoder => draft.preset = Some(wanted),
            _ => draft.choose(usual(decoder)),
        }
    }
}

#[component]
fn Choice(
    row: BaseRow,
    take: impl Fn(String, Option<bool>) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let next = expect_context::<Next>();
    let name = row.name.clone();
    let on = {
        let name = name.clone();
        Memo::new(move |_| next.draft.with(|draft| draft.base.as_ref() == Some(&name)))
    };
    let unfit = row.problem.is_some();
    let decoder = row.decoder;
    let kind = if decoder {
        t("base.decoder")
    } else {
        t("base.encoder")
    };
    let about = format!(
        "{} · {kind} · {}",
        row.architecture,
        format::amount(row.parameters)
    );
    let id = format!("base-{name}");
    let shown = name.clone();
    view! {
        <label class="preset" class:on=move || on.get() class:off=unfit title=row.path>
            <input type="radio" name="base" id=id prop:checked=move || on.get() disabled=unfit on:change=move |_| take(name.clone(), Some(decoder))/>
            <span class="stack g-1">
                <b>{shown}</b>
                {match row.problem {
                    None => view! { <small>{about}</small> }.into_any(),
                    Some(failure) => {
                        let remedy = remedy_of(&failure, lang());
                        view! { <small class="c-bad"><Told text=failure.message/></small><small>{remedy}</small> }.into_any()
                    }
                }}
                {row.shipped.then(|| view! { <small class="t-mute">{t("base.shipped")}</small> })}
            </span>
        </label>
    }
}

#[component]
fn FolderChoice(
    folder: String,
    take: impl Fn(String, Option<bool>) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let next = expect_context::<Next>();
    let on = {
        let folder = folder.clone();
        Memo::new(move |_| {
            next.draft
                .with(|draft| draft.base.as_ref() == Some(&folder))
        })
    };
    let name = file_name(&folder);
    let shown = folder.clone();
    view! {
        <label class="preset" class:on=move || on.get()>
            <input type="radio" name="base" prop:checked=move || on.get() on:change=move |_| take(folder.clone(), None)/>
            <span class="stack g-1"><b>{name}</b><small class="wrap-anywhere">{shown}</small></span>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_by_its_last_part() {
        for (path, name) in [
            ("/models/Qwen3-8B/", "Qwen3-8B"),
            ("C:\\models\\own", "own"),
            ("all-MiniLM", "all-MiniLM"),
        ] {
            assert_eq!(file_name(path), name);
        }
    }

    #[test]
    fn a_base_of_another_kind_brings_its_recipe() {
        let mut draft = Draft::default();
        draft.choose(Preset::Thorough);
        take_base(&mut draft, "decoder".to_owned(), Some(true));
        assert_eq!(draft.preset, Some(Preset::Thorough));
        take_base(&mut draft, "encoder".to_owned(), Some(false));
        assert_eq!(
            (draft.preset, draft.base.as_deref()),
            (Some(Preset::Encoder), Some("encoder"))
        );
    }

    #[test]
    fn what_a_run_has_made_goes_with_its_base_model() {
        let mut draft = Draft {
            base: Some("own".to_owned()),
            start_from: Some(lexforge_domain::RunId(3)),
            ..Draft::default()
        };
        draft.choose(Preset::Encoder);
        take_base(&mut draft, "own".to_owned(), Some(false));
        assert_eq!(draft.start_from, Some(lexforge_domain::RunId(3)));
        take_base(&mut draft, "other".to_owned(), Some(false));
        assert_eq!(draft.start_from, None);
    }

    #[test]
    fn a_folder_keeps_the_recipe_where_it_suits() {
        for (decoder, settled) in [(true, Preset::Thorough), (false, Preset::Encoder)] {
            let mut draft = Draft::default();
            draft.choose(Preset::Thorough);
            take_base(&mut draft, "/a/folder".to_owned(), None);
            assert_eq!(draft.preset, None);
            settle(&mut draft, decoder);
            assert_eq!(
                (draft.preset, draft.base.as_deref()),
                (Some(settled), Some("/a/folder"))
            );
        }
    }
}

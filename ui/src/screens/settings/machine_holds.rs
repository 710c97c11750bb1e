//! What is kept on a machine, by kind and size, before finished runs are removed there.

use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use leptos::prelude::*;
use lexforge_domain::api::{KeptKind, KeptThere, KeptThing};

/// The list, and below it the button that removes what finished runs left. Nothing is removed before.
#[component]
pub fn Holds(
    holds: Fetched<KeptThere>,
    /// The machine is being asked.
    asking: RwSignal<bool>,
    /// Removes what finished runs left.
    clean: Callback<()>,
    /// Puts the list away.
    close: Callback<()>,
) -> impl IntoView {
    let listed = move || holds.value.get().filter(|_| !asking.get());
    view! {
        <div class="stack machine-holds">
            <b>{t("machines.holds")}</b>
            {move || asking.get().then(|| view! { <span class="t-small" role="status">{t("machines.holds_asking")}</span> })}
            {move || holds.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || listed().map(|kept| view! { <Kinds kept/> })}
            <span class="t-small t-mute">{t("machines.clean_what")}</span>
            <div class="row">
                <button class="btn ghost sm machine-holds-close" on:click=move |_| close.run(())>{t("action.cancel")}</button>
                <button class="btn sm machine-clean-do" disabled=move || asking.get() on:click=move |_| clean.run(())>{t("machines.clean_do")}</button>
            </div>
        </div>
    }
}

/// A row for each kind that is there, and how much it is in all.
#[component]
fn Kinds(kept: KeptThere) -> impl IntoView {
    let KeptThere { folder, things, .. } = kept;
    let rows = KeptKind::ALL.into_iter().filter_map(|kind| {
        let (count, bytes, what) = of_kind(&things, kind)?;
        Some(view! {
            <tr data-kind=kind.tag()>
                <td>{tag("kept_kind", kind.tag())}</td>
                <td class="num">{format::count(count)}</td>
                <td class="num">{bytes}</td>
                <td class="t-small">{what}</td>
            </tr>
        })
    });
    let rows = rows.collect_view();
    let all = size(&things).unwrap_or_else(|| t("machines.holds_unknown"));
    view! {
        <table class="table">
            <thead><tr><th>{t("machines.holds_kind")}</th><th class="num">{t("machines.holds_count")}</th><th class="num">{t("machines.holds_size")}</th><th>{t("machines.holds_what")}</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
        <span class="t-small">{tf("machines.holds_all", &[("size", &all), ("folder", &folder)])}</span>
    }
}

/// How much they take together, in words: at least so much if some were not measured. `None` = none was measured.
fn size<'a>(things: impl IntoIterator<Item = &'a KeptThing> + Clone) -> Option<String> {
    let some = things
        .clone()
        .into_iter()
        .any(|thing| thing.bytes.is_some());
    match KeptThing::in_all(things) {
        (all, true) => Some(format::bytes(all)),
        (all, false) if some => Some(tf("machines.holds_least", &[("size", &format::bytes(all))])),
        (_, false) => None,
    }
}

/// How many things of a kind are on the machine, how much space they take, and a remark about them. `None` if there are
/// none.
fn of_kind(things: &[KeptThing], kind: KeptKind) -> Option<(u64, String, String)> {
    let of: Vec<&KeptThing> = things.iter().filter(|thing| thing.kind == kind).collect();
    if of.is_empty() {
        return None;
    }
    let bytes = size(of.iter().copied()).unwrap_or_else(|| t("machines.holds_unknown"));
    let what = match kind {
        KeptKind::Bundle | KeptKind::Checkpoints => {
            let open = of.iter().filter(|thing| thing.fetched == Some(false));
            match open.count() as u64 {
                0 => t("machines.holds_fetched"),
                open => tn("machines.holds_open", open),
            }
        }
        KeptKind::Worker | KeptKind::Model => {
            let names: Vec<&str> = of.iter().map(|thing| thing.name.as_str()).collect();
            names.join(", ")
        }
        KeptKind::Coming => t("machines.holds_coming"),
    };
    Some((of.len() as u64, bytes, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_told_with_its_number_its_size_and_what_was_not_fetched() {
        let thing = |kind, name: &str, bytes: u64, fetched| KeptThing {
            kind,
            name: name.to_owned(),
            // Nothing stands for what was not measured.
            bytes: (bytes > 0).then_some(bytes),
            fetched,
        };
        let things = [
            thing(KeptKind::Model, "small", 5, None),
            thing(KeptKind::Model, "large", 7, None),
            thing(KeptKind::Bundle, "1", 1, Some(true)),
            thing(KeptKind::Bundle, "2", 2, Some(false)),
            thing(KeptKind::Checkpoints, "1", 9, Some(true)),
            thing(KeptKind::Checkpoints, "2", 0, Some(true)),
            thing(KeptKind::Coming, "", 0, None),
        ];
        let told = |kind| of_kind(&things, kind);
        let models = Some((2, format::bytes(12), "small, large".to_owned()));
        assert_eq!(told(KeptKind::Model), models);
        let bundles = Some((2, format::bytes(3), tn("machines.holds_open", 1)));
        assert_eq!(told(KeptKind::Bundle), bundles);
        let least = tf("machines.holds_least", &[("size", &format::bytes(9))]);
        let checkpoints = Some((2, least, t("machines.holds_fetched")));
        assert_eq!(told(KeptKind::Checkpoints), checkpoints);
        let unknown = t("machines.holds_unknown");
        let coming = Some((1, unknown, t("machines.holds_coming")));
        assert_eq!(told(KeptKind::Coming), coming);
        assert_eq!(told(KeptKind::Worker), None);
    }
}

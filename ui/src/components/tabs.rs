//! The parts of a screen, each with its count.

use crate::format;
use leptos::prelude::*;

/// A part.
#[derive(Clone)]
pub struct Tab<K> {
    /// The key by which it is chosen.
    pub key: K,
    /// Id of its button.
    pub id: &'static str,
    pub name: String,
    /// How many are in it, where known.
    pub count: Signal<Option<u64>>,
}

/// The tabs; ← → move between them.
#[component]
pub fn Tabs<K>(
    /// What they are parts of, for a screen reader.
    label: String,
    /// The parts.
    tabs: Vec<Tab<K>>,
    /// The part that is shown.
    now: RwSignal<K>,
) -> impl IntoView
where
    K: Copy + PartialEq + Send + Sync + 'static,
{
    let keys: Vec<(K, &'static str)> = tabs.iter().map(|tab| (tab.key, tab.id)).collect();
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        let at = keys
            .iter()
            .position(|(key, _)| *key == now.get_untracked())
            .unwrap_or(0);
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % keys.len(),
            "ArrowLeft" => (at + keys.len() - 1) % keys.len(),
            _ => return,
        };
        event.prevent_default();
        now.set(keys[to].0);
        crate::keys::focus(&format!("#{}", keys[to].1));
    };
    view! {
        <div class="tabs" role="tablist" aria-label=label on:keydown=keydown>
            {tabs.into_iter().map(|tab| view! {
                <button
                    id=tab.id
                    role="tab"
                    aria-selected=move || (now.get() == tab.key).to_string()
                    tabindex=move || if now.get() == tab.key { "0" } else { "-1" }
                    on:click=move |_| now.set(tab.key)
                >
                    <span>{tab.name}</span>
                    {move || tab.count.get().map(|n| view! { <span class="n">{format::count(n)}</span> })}
                </button>
            }).collect_view()}
        </div>
    }
}

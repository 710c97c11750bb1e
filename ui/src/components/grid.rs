//! A long list as a table: rows of one height, fetched in chunks and drawn only where one looks.

use crate::backend::Answer;
use crate::components::error_panel::ErrorPanel;
use crate::i18n::t;
use crate::in_view::nearest;
use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;
use lexforge_domain::api::Rows;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;

/// Height of a row in pixels; the token `--h-row` says the same (a test compares them).
pub const ROW: f64 = 32.0;
/// Rows fetched at once.
pub const CHUNK: u64 = 100;

type Loaded<T> = Pin<Box<dyn Future<Output = Answer<Rows<T>>>>>;
type Loader<T> = Arc<dyn Fn(u64, u64) -> Loaded<T> + Send + Sync>;

/// A row of a grid.
pub trait Row: Clone + Send + Sync + 'static {
    /// What distinguishes it from the others.
    fn key(&self) -> i64;
}

/// The rows of a long list, as far as they were looked at.
pub struct Store<T: Row> {
    /// How many there are; `None` before the first answer.
    pub total: RwSignal<Option<u64>>,
    /// Why the latest chunk could not be fetched.
    pub failure: RwSignal<Option<Failure>>,
    /// The question whose rows are shown.
    shown: RwSignal<u64>,
    chunks: RwSignal<BTreeMap<u64, Vec<T>>>,
    asked: StoredValue<BTreeSet<u64>>,
    turn: StoredValue<u64>,
    loader: StoredValue<Loader<T>>,
}

impl<T: Row> Clone for Store<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Row> Copy for Store<T> {}

impl<T: Row> Store<T> {
    /// A store that asks `load` for rows by offset and limit.
    pub fn new<F>(load: impl Fn(u64, u64) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Answer<Rows<T>>> + 'static,
    {
        Self {
            total: RwSignal::new(None),
            failure: RwSignal::new(None),
            shown: RwSignal::new(0),
            chunks: RwSignal::new(BTreeMap::new()),
            asked: StoredValue::new(BTreeSet::new()),
            turn: StoredValue::new(0),
            loader: StoredValue::new(Arc::new(move |offset, limit| Box::pin(load(offset, limit)))),
        }
    }

    /// Begins again, for another filter or after a change; the old rows stay until the first new ones come.
    pub fn reload(self) {
        self.turn.update_value(|turn| *turn += 1);
        self.asked.set_value(BTreeSet::new());
        self.fetch(0);
    }

    /// The row at a position, if it was fetched.
    pub fn get(self, index: u64) -> Option<T> {
        self.chunks.with(|chunks| {
            chunks
                .get(&(index / CHUNK))?
                .get((index % CHUNK) as usize)
                .cloned()
        })
    }

    /// The position of a row among those fetched.
    fn position(self, key: i64) -> Option<u64> {
        self.chunks.with_untracked(|chunks| {
            chunks.iter().find_map(|(chunk, rows)| {
                rows.iter()
                    .position(|row| row.key() == key)
                    .map(|at| chunk * CHUNK + at as u64)
            })
        })
    }

    /// The row of the list that is `by` rows below the row `at`, or above it if `by` is negative. The result is never
    /// before the first or after the last row. If no row is selected (`at` is `None`), a step down leads to the first
    /// row.
    fn led_to(self, at: Option<u64>, by: i64) -> u64 {
        let total = self.total.get_untracked().unwrap_or(0) as i64;
        let at = at.map_or(-1, |at| at as i64);
        (at + by).clamp(0, (total - 1).max(0)) as u64
    }

    /// Sees to it that the rows from `first` to `last` are there or on their way.
    fn need(self, first: u64, last: u64) {
        for chunk in first / CHUNK..=last / CHUNK {
            self.fetch(chunk);
        }
    }

    fn fetch(self, chunk: u64) {
        let fresh = self.asked.try_update_value(|asked| asked.insert(chunk));
        let (Some(true), Some(turn)) = (fresh, self.turn.try_get_value()) else {
            return;
        };
        let rows = self.loader.with_value(|load| load(chunk * CHUNK, CHUNK));
        spawn_local(async move {
            let answer = rows.await;
            if self.turn.try_get_value() != Some(turn) {
                return;
            }
            match answer {
                Ok(rows) => {
                    let first_of_turn = chunk == 0;
                    self.chunks.try_update(|chunks| {
                        if first_of_turn {
                            chunks.clear();
                        }
                        chunks.insert(chunk, rows.rows);
                    });
                    self.shown.try_set(turn);
                    self.total.try_set(Some(rows.total));
                    self.failure.try_set(None);
                }
                Err(failure) => {
                    self.asked.try_update_value(|asked| asked.remove(&chunk));
                    self.failure.try_set(Some(failure));
                }
            }
        });
    }
}

/// The list. `class` must set `--columns`. The list is one component because its head and rows are one table for a
/// screen reader.
#[component]
pub fn Grid<T, V>(
    /// Its rows.
    store: Store<T>,
    /// Name for a screen reader.
    label: String,
    /// Class that sets the columns.
    class: &'static str,
    /// The cells of the head.
    head: ViewFn,
    /// The cells of a row.
    cells: fn(T) -> V,
    /// The key of the selected row.
    #[prop(into)]
    selected: Signal<Option<i64>>,
    /// A row was chosen.
    #[prop(into)]
    pick: Callback<T>,
    /// The chosen row is taken into a batch, or out of it.
    #[prop(optional, into)]
    mark: Option<Callback<T>>,
) -> impl IntoView
where
    T: Row,
    V: IntoView + 'static,
{
    let port = Port::new();
    let range = fetched_range(store, port);
    let of_rows = label.clone();
    let keydown = move |event: KeyboardEvent| pressed(&event, store, port, selected, pick, mark);
    let rows = move || {
        let (first, end) = range.get();
        let turn = store.shown.get();
        (first..end)
            .map(|index| (turn, index, store.get(index)))
            .collect::<Vec<_>>()
    };
    let draw =
        move |(_, index, row): (u64, u64, Option<T>)| drawn(index, row, cells, selected, pick);
    view! {
        <Unfetched store/>
        <div
            class="grid-whole"
            role="grid"
            aria-label=label
            aria-rowcount=move || (store.total.get().unwrap_or(0) + 1).to_string()
        >
            <div role="rowgroup">
                <div class=format!("grid-head {class}") role="row" aria-rowindex="1">{head.run()}</div>
            </div>
            <div
                class=format!("scroll grid-body {class}")
                role="rowgroup"
                tabindex="0"
                aria-label=of_rows
                node_ref=port.body
                on:scroll=move |_| port.measure()
                on:keydown=keydown
            >
                <div class="grid-space" role="presentation" style=("--total", move || format!("{}px", store.total.get().unwrap_or(0) as f64 * ROW))>
                    <For each=rows key=|(turn, index, row)| (*turn, *index, row.as_ref().map(Row::key)) children=draw/>
                </div>
            </div>
        </div>
    }
}

/// A key in the list: the space bar marks the selected row; arrows and pages select another.
fn pressed<T: Row>(
    event: &KeyboardEvent,
    store: Store<T>,
    port: Port,
    selected: Signal<Option<i64>>,
    pick: Callback<T>,
    mark: Option<Callback<T>>,
) {
    let here = selected.get_untracked().and_then(|key| store.position(key));
    if let (" ", Some(mark)) = (event.key().as_str(), mark) {
        if let Some(row) = here.and_then(|at| untrack(|| store.get(at))) {
            event.prevent_default();
            mark.run(row);
        }
        return;
    }
    if let Some(by) = rows_of(&event.key(), port.height.get_untracked()) {
        event.prevent_default();
        let to = store.led_to(here, by);
        if let Some(row) = untrack(|| store.get(to)) {
            pick.run(row);
        }
        port.bring(to);
    }
}

/// The first row and one past the last row to draw. These rows are fetched.
fn fetched_range<T: Row>(store: Store<T>, port: Port) -> Memo<(u64, u64)> {
    let range = Memo::new(move |_| port.range(store.total.get().unwrap_or(0)));
    Effect::new(move |_| {
        // After a reload the same rows are needed again: only the first ones came with it.
        store.shown.track();
        let (first, end) = range.get();
        if end > first {
            store.need(first, end - 1);
        }
    });
    range
}

/// A row at its place; one that was not fetched yet is a grey line.
fn drawn<T, V>(
    index: u64,
    row: Option<T>,
    cells: fn(T) -> V,
    selected: Signal<Option<i64>>,
    pick: Callback<T>,
) -> AnyView
where
    T: Row,
    V: IntoView + 'static,
{
    let top = format!("{}px", index as f64 * ROW);
    let Some(row) = row else {
        return view! { <div class="grid-row" style=("--top", top) aria-busy="true"><div class="skel half"></div></div> }
            .into_any();
    };
    let (key, chosen) = (row.key(), row.clone());
    view! {
        <div
            class="grid-row"
            role="row"
            aria-rowindex=(index + 2).to_string()
            aria-selected=move || (selected.get() == Some(key)).to_string()
            style=("--top", top)
            on:click=move |_| pick.run(chosen.clone())
        >
            {cells(row)}
        </div>
    }
    .into_any()
}

/// The part of a list that is in view.
#[derive(Clone, Copy)]
struct Port {
    body: NodeRef<Div>,
    /// How far the list is scrolled, in pixels.
    scroll: RwSignal<f64>,
    height: RwSignal<f64>,
}

impl Port {
    /// Measures itself as soon as it is on the page.
    fn new() -> Self {
        let port = Self {
            body: NodeRef::new(),
            scroll: RwSignal::new(0.0),
            height: RwSignal::new(800.0),
        };
        Effect::new(move |_| {
            if port.body.get().is_some() {
                port.measure();
            }
        });
        port
    }

    fn measure(self) {
        if let Some(body) = self.body.get_untracked() {
            self.scroll.set(f64::from(body.scroll_top()));
            self.height.set(f64::from(body.client_height()));
        }
    }

    /// First row and one past the last row to draw, of so many.
    fn range(self, total: u64) -> (u64, u64) {
        visible(self.scroll.get(), self.height.get(), total)
    }

    /// Scrolls as little as brings a row into view.
    fn bring(self, row: u64) {
        if let Some(body) = self.body.get_untracked() {
            let (from, room) = (body.scroll_top().into(), body.client_height().into());
            let top = nearest(from, room, row as f64 * ROW, (row + 1) as f64 * ROW);
            body.set_scroll_top(top as i32);
        }
    }
}

/// Why rows could not be fetched.
#[component]
fn Unfetched<T>(store: Store<T>) -> impl IntoView
where
    T: Row,
{
    move || {
        store.failure.get().map(|failure| {
            view! {
                <div class="pad">
                    <ErrorPanel failure>
                        <button class="btn sm" on:click=move |_| store.reload()>{t("action.again")}</button>
                    </ErrorPanel>
                </div>
            }
        })
    }
}

/// How many rows a key leads down, negative upwards, in a view of this height.
fn rows_of(key: &str, height: f64) -> Option<i64> {
    let page = (height / ROW) as i64 - 1;
    match key {
        "ArrowDown" => Some(1),
        "ArrowUp" => Some(-1),
        "PageDown" => Some(page),
        "PageUp" => Some(-page),
        _ => None,
    }
}

/// First row and one past the last row to draw: what is in view, and a few more on both sides.
fn visible(scroll: f64, height: f64, total: u64) -> (u64, u64) {
    let first = (scroll / ROW).floor().max(0.0) as u64;
    let end = ((scroll + height) / ROW).ceil().max(0.0) as u64;
    (first.saturating_sub(8).min(total), (end + 8).min(total))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_view_is_drawn() {
        assert_eq!(visible(0.0, 320.0, 10_000), (0, 18));
        assert_eq!(visible(3_200.0, 320.0, 10_000), (92, 118));
        assert_eq!(visible(3_200.0, 320.0, 5), (5, 5));
        assert_eq!(visible(0.0, 320.0, 3), (0, 3));
    }

    #[test]
    fn keys_lead_by_rows_and_by_pages() {
        let rows = |key| rows_of(key, 10.0 * ROW);
        assert_eq!((rows("ArrowDown"), rows("ArrowUp")), (Some(1), Some(-1)));
        assert_eq!((rows("PageDown"), rows("PageUp")), (Some(9), Some(-9)));
        assert_eq!(rows("Enter"), None);
    }

    #[test]
    fn the_style_sheet_knows_the_same_height() {
        let tokens = include_str!("../../style/tokens.css");
        assert!(tokens.contains(&format!("--h-row: {ROW}px;")));
    }
}

//! The screens, one folder each.

pub mod activity;
pub mod ask;
pub mod evaluation;
pub mod graph;
pub mod library;
pub mod matching;
pub mod questions;
pub mod settings;
pub mod terms;
pub mod training;
pub mod welcome;

use crate::route::Route;
use leptos::prelude::*;

/// The screen of a place in the rail. Without an open workspace, Welcome stands in for those that need one.
pub fn shown(route: Route, open: bool) -> AnyView {
    match (route, open) {
        (Route::Settings, _) => view! { <settings::Settings/> }.into_any(),
        (_, false) => view! { <welcome::Welcome/> }.into_any(),
        (Route::Library, true) => view! { <library::Library/> }.into_any(),
        (Route::Terms, true) => view! { <terms::Terms/> }.into_any(),
        (Route::Graph, true) => view! { <graph::Graph/> }.into_any(),
        (Route::Questions, true) => view! { <questions::Questions/> }.into_any(),
        (Route::Training, true) => view! { <training::Training/> }.into_any(),
        (Route::Evaluation, true) => view! { <evaluation::Evaluation/> }.into_any(),
        (Route::Ask, true) => view! { <ask::Ask/> }.into_any(),
        (Route::Match, true) => view! { <matching::Matching/> }.into_any(),
        (Route::Activity, true) => view! { <activity::Activity/> }.into_any(),
    }
}

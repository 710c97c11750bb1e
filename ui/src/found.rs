//! Sentences that hold what is typed.

use crate::backend::{call, commands};
use crate::fetched::Fetched;
use leptos::prelude::*;
use lexforge_domain::api::{SearchHit, SearchMode, SearchRequest};

/// The best of all documents; none while nothing is typed.
pub fn found(query: RwSignal<String>, top: usize) -> Fetched<Vec<SearchHit>> {
    let hits = Fetched::<Vec<SearchHit>>::default();
    Effect::new(move |_| {
        let words = query.get().trim().to_owned();
        if words.is_empty() {
            hits.forget();
            return;
        }
        hits.ask(call(commands::Search {
            request: SearchRequest {
                query: words,
                mode: SearchMode::Lexical,
                document: None,
                top,
                encoder: None,
            },
        }));
    });
    hits
}

//! Doing something that may fail, and saying so where it was begun.

use crate::backend::Answer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;

/// Does something. What failed stands in `failure` afterwards, as long as the place where it is shown is there; where
/// nothing failed, none stands there, and `then` gets the result.
pub fn attempt<T: 'static>(
    failure: RwSignal<Option<Failure>>,
    deed: impl Future<Output = Answer<T>> + 'static,
    then: impl FnOnce(T) + 'static,
) {
    spawn_local(async move {
        match deed.await {
            Ok(value) => {
                failure.try_set(None);
                then(value);
            }
            Err(problem) => {
                failure.try_set(Some(problem));
            }
        }
    });
}

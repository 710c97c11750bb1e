//! Doing something that may fail, and saying so where it was begun.

use crate::backend::Answer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;

/// Runs `deed`. If it fails, the failure is put into `failure`, if the place that shows it still exists. If it
/// succeeds, `failure` is cleared and `then` gets the result. The part of the page that started this may no longer
/// exist at that time. So `then` must use `try_run` for callbacks of that part.
pub fn attempt<T: 'static>(
    failure: RwSignal<Option<Failure>>,
    deed: impl Future<Output = Answer<T>> + 'static,
    then: impl FnOnce(T) + 'static,
) {
    spawn_local(async move {
        ended(failure, deed.await, then);
    });
}

/// The end of an attempt.
pub fn ended<T>(failure: RwSignal<Option<Failure>>, answer: Answer<T>, then: impl FnOnce(T)) {
    match answer {
        Ok(value) => {
            failure.try_set(None);
            then(value);
        }
        Err(problem) => {
            failure.try_set(Some(problem));
        }
    }
}

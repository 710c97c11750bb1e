//! Doing something that may fail, and saying so where it was begun.

use crate::backend::Answer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;

/// Runs `deed`. If it succeeds, `failure` is cleared and `then` gets the result. If it fails, the failure is put into
/// `failure`, unless the part of the page that shows it no longer exists. The part that started `deed` may no longer
/// exist either. So `then` must use `try_run` for callbacks of that part.
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

//! Something that the shell was asked for: the last good answer stays while a new one comes.

use crate::backend::Answer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::Failure;

/// The latest answer to a question that may be asked again.
pub struct Fetched<T: Send + Sync + 'static> {
    /// The last good answer.
    pub value: RwSignal<Option<T>>,
    /// Why the latest question got none.
    pub failure: RwSignal<Option<Failure>>,
    turn: StoredValue<u64>,
    answered: StoredValue<u64>,
}

impl<T: Send + Sync + 'static> Clone for Fetched<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Fetched<T> {}

impl<T: Send + Sync + 'static> Default for Fetched<T> {
    fn default() -> Self {
        Self {
            value: RwSignal::new(None),
            failure: RwSignal::new(None),
            turn: StoredValue::new(0),
            answered: StoredValue::new(0),
        }
    }
}

impl<T: Send + Sync + 'static> Fetched<T> {
    /// Asks; an answer that comes after a later question is dropped.
    pub fn ask(self, question: impl Future<Output = Answer<T>> + 'static) {
        self.asked(question, |_, _| false);
    }

    fn asked(self, question: impl Future<Output = Answer<T>> + 'static, same: fn(&T, &T) -> bool) {
        let Some(turn) = self.turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        }) else {
            return;
        };
        spawn_local(async move {
            let answer = question.await;
            if self.turn.try_get_value() != Some(turn) {
                return;
            }
            match answer {
                Ok(value) => {
                    self.answered.try_set_value(turn);
                    if self
                        .failure
                        .try_get_untracked()
                        .is_some_and(|failure| failure.is_some())
                    {
                        self.failure.try_set(None);
                    }
                    let shown = self.value.try_with_untracked(|shown| {
                        shown.as_ref().is_some_and(|s| same(s, &value))
                    });
                    if shown != Some(true) {
                        self.value.try_set(Some(value));
                    }
                }
                Err(failure) => {
                    self.failure.try_set(Some(failure));
                }
            }
        });
    }

    /// Asks again; an answer like the one that is shown changes nothing.
    pub fn refresh(self, question: impl Future<Output = Answer<T>> + 'static)
    where
        T: PartialEq,
    {
        self.asked(question, |shown, answer| shown == answer);
    }

    /// Whether the answer belongs to the latest question. An effect runs a little after its answer came. If something
    /// was asked again in between, the answer that the effect sees is old, and a new one is coming.
    pub fn is_latest(self) -> bool {
        self.turn.get_value() == self.answered.get_value()
    }

    /// Forgets the answer, for a question about something else.
    pub fn forget(self) {
        self.turn.update_value(|turn| *turn += 1);
        self.value.set(None);
        self.failure.set(None);
    }
}

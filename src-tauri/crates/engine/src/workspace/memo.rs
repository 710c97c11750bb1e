//! Data that is kept in memory for an open workspace and is written nowhere.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What modules remember while a workspace is open, one value of a type. The workspace need not know the types.
#[derive(Default)]
pub(super) struct Memo(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Memo {
    /// The value of a type: the same one each time.
    pub(super) fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = known
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(T::default()));
        // A value that is stored under a type has this type.
        Arc::clone(kept).downcast().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_value() {
        let memo = Memo::default();
        *memo
            .of::<Mutex<u32>>()
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = 7;
        assert_eq!(
            *memo
                .of::<Mutex<u32>>()
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
            7
        );
        assert_eq!(
            *memo
                .of::<Mutex<u64>>()
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
            0
        );
    }
}

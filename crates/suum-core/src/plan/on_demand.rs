//! What follows from the rest of a value, and is worked out when it is asked for.

use std::sync::OnceLock;

/// What follows from the rest of a value: it is made once, and says nothing of its own, so that
/// values are equal whether it is made or not. A clone makes its own.
#[derive(Debug)]
pub(crate) struct OnDemand<T>(OnceLock<Box<T>>);

impl<T> OnDemand<T> {
    /// What `make` makes, which must be the same each time.
    pub(crate) fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(|| Box::new(make()))
    }
}

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for OnDemand<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for OnDemand<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

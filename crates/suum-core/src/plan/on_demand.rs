//! Lazily computed fields.

use std::sync::OnceLock;

/// Lazily computed field, ignored by equality. A clone computes its own.
///
/// It must follow from the other fields of the value that contains it.
#[derive(Debug)]
pub(crate) struct OnDemand<T>(OnceLock<Box<T>>);

impl<T> OnDemand<T> {
    /// Returns the value, computed by `make` at the first call. `make` must give the same result
    /// each time.
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

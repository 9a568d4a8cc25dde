//! Who does the work.

/// Who does work that falls into parts.
///
/// This crate starts no threads; who has some lends them (`suum_data::Threads`).
pub trait Workers {
    /// What `work` makes of each part, in the order of the parts.
    fn map<T: Send, R: Send>(&self, parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R>;
}

/// The thread that asks, which does one part after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Workers for Alone {
    fn map<T: Send, R: Send>(&self, parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        parts.into_iter().map(work).collect()
    }
}

//! Workers, which process independent parts of a computation.

/// Executor of work that is divided into independent parts.
///
/// This crate starts no threads; a caller with threads can lend them (`suum_data::Threads`).
pub trait Workers {
    /// Applies `work` to each part, and returns the results in the order of the parts.
    fn map<T: Send, R: Send>(&self, parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R>;
}

/// Calling thread, which processes one part after the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Workers for Alone {
    fn map<T: Send, R: Send>(&self, parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        parts.into_iter().map(work).collect()
    }
}

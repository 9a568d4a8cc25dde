//! Connections.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod connect;

//! Current date.

use std::time::{SystemTime, UNIX_EPOCH};

use suum_core::TimeScale;

/// Current date in UTC, such as `2026-11-25`.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    TimeScale::Days.text((seconds / 86_400) as f64)
}

//! Numbers as JSON sees them.

use serde::{Serialize, Serializer};

/// A JSON number; infinity is the string `"inf"`, and what is undefined is `null`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Number(pub(crate) f64);

/// Writes a number as [`Number`] does.
pub(crate) fn written<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*number).serialize(serializer)
}

/// By hand: the kind of JSON depends on the number.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else if self.0.is_nan() {
            serializer.serialize_none()
        } else {
            serializer.serialize_str(if self.0 > 0.0 { "inf" } else { "-inf" })
        }
    }
}

//! Digest of a release, which identifies its JSON.

use std::fmt::Write;

use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

use super::StoredAnswer;

/// Keys of the JSON of a release besides the release itself: request, payment and warnings come
/// from the front end, and can differ between prints.
const BESIDE: [&str; 8] = [
    "ledger",
    "query",
    "warnings",
    "label_types",
    "function",
    StoredAnswer::TEXT,
    StoredAnswer::PAGE,
    StoredAnswer::DIGEST,
];

/// Keys that identify the JSON of one release, of one for each group, or of several answers.
const OF_RELEASES: [&str; 3] = ["privacy", "groups", "answers"];

/// SHA-256 of the JSON of a release in canonical form, in hexadecimal digits.
///
/// The form is that of RFC 8785, except for integers, which keep all digits: names in order, no
/// spaces, and each number in the fewest digits that read back as it. So the digest does not depend
/// on the formatting of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReleaseDigest(String);

impl ReleaseDigest {
    /// Digest of a release, without the fields that stand beside it.
    pub(crate) fn compute(release: &Map<String, Value>) -> Self {
        let mut text = String::new();
        write_table(release.iter().filter(|(name, _)| !BESIDE.contains(&name.as_str())), &mut text);
        Self(Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
            // Strings can always be written to.
            let _ = write!(hex, "{byte:02x}");
            hex
        }))
    }

    /// Digest of what a ledger has stored of a release: the one that was stored with it, or for an
    /// older entry that of its document; `None` if it has neither.
    pub(crate) fn from_stored(stored: &Value) -> Option<Self> {
        let fields = stored.as_object()?;
        match fields.get(StoredAnswer::DIGEST) {
            Some(Value::String(digest)) => Some(Self(digest.clone())),
            _ => OF_RELEASES
                .iter()
                .any(|name| fields.contains_key(*name))
                .then(|| Self::compute(fields)),
        }
    }

    /// Hexadecimal digits.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
        Value::String(text) => write_text(text, out),
        Value::Number(number) => write_number(number, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(pairs) => write_table(pairs.iter(), out),
    }
}

fn write_table<'a>(pairs: impl Iterator<Item = (&'a String, &'a Value)>, out: &mut String) {
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by_cached_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
    out.push('{');
    for (at, (name, value)) in pairs.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_text(name, out);
        out.push(':');
        write(value, out);
    }
    out.push('}');
}

/// Writes text in quotes, with the minimum of escapes.
fn write_text(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

fn write_number(number: &Number, out: &mut String) {
    match number.as_f64().filter(|_| number.is_f64()) {
        // Strings can always be written to.
        Some(double) => drop(write_double(double, out)),
        None => out.push_str(&number.to_string()),
    }
}

/// Writes a double as ECMAScript does: 1 for 1.0, and powers of ten below 1e-6 and from 1e21 on.
fn write_double(double: f64, out: &mut String) -> std::fmt::Result {
    let size = double.abs();
    if size == 0.0 {
        // Zero has no sign.
        out.push('0');
        return Ok(());
    }
    if (1e-6..1e21).contains(&size) {
        return write!(out, "{double}");
    }
    let scientific = format!("{double:e}");
    match scientific.split_once('e') {
        Some((digits, power)) if !power.starts_with('-') => write!(out, "{digits}e+{power}"),
        _ => write!(out, "{scientific}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(json: &str) -> String {
        let mut text = String::new();
        write(&serde_json::from_str(json).unwrap(), &mut text);
        text
    }

    #[test]
    fn the_form_is_that_of_the_standard() {
        // The example of RFC 8785, section 3.2.2, and of numbers its appendix B.
        let json = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        let expected = concat!(
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
            r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        assert_eq!(canonical(json), expected);
        for (number, expected) in [
            ("-0.0", "0"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9.999999999999997e22", "9.999999999999997e+22"),
            ("999999999999999900000.0", "999999999999999900000"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("77.0", "77"),
            ("18446744073709551615", "18446744073709551615"),
        ] {
            assert_eq!(canonical(number), expected, "{number}");
        }
        // Names in order of their UTF-16 code units.
        let names = r#"{"\u20ac": 1, "\r": 2, "1": 3, "\ud83d\ude00": 4, "\ufb33": 5, "a": 6}"#;
        let order: Vec<char> = canonical(names).chars().filter(char::is_ascii_digit).collect();
        assert_eq!(order, ['2', '1', '3', '6', '1', '4', '5']);
    }

    #[test]
    fn what_stands_beside_a_release_does_not_count() {
        let digest = |json: &str| {
            ReleaseDigest::compute(
                serde_json::from_str::<Value>(json).unwrap().as_object().unwrap(),
            )
        };
        let release = digest(r#"{"estimate": 2.0, "n": 7}"#);
        assert_eq!(release, digest(r#"{"n":7,"estimate":2,"ledger":{"entry":3},"text":"2"}"#));
        assert_ne!(release, digest(r#"{"n":7,"estimate":2.0000000000000004}"#));
        assert_ne!(release, digest(r#"{"n":7,"estimate":2,"note":1}"#));
        assert_eq!(
            digest("{}").into_text(),
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
    }
}

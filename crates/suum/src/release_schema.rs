//! JSON Schema of releases.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use suum_core::Releases;

use crate::answer::Document;

/// JSON Schema of the releases that `--format json` prints.
///
/// # Example
///
/// ```
/// let schema = suum::release_schema();
/// assert!(schema.pointer("/$defs/Release/properties/measurements").is_some());
/// ```
pub fn release_schema() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(PlainWords);
    let mut schema = settings.into_generator().into_root_schema_for::<Document<'_, Releases>>();
    schema.insert("title".to_owned(), "Releases".into());
    let description = "What suum says of releases with --format json.";
    schema.insert("description".to_owned(), description.into());
    schema
}

/// Transform that removes the links of Rust's documentation from descriptions.
#[derive(Debug, Clone)]
struct PlainWords;

impl Transform for PlainWords {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(serde_json::Value::String(text)) = schema.get_mut("description") {
            *text = without_links(text);
        }
        transform_subschemas(self, schema);
    }
}

/// Text with the words alone of `[words](where)` and ``[`Name`]``; `[0, 1]` stays as it is.
fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(begin) = plain.rfind('[') {
            plain.remove(begin);
        }
        plain += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    plain.replace("[`", "`").replace("`]", "`")
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn links_are_words() {
        let text = "See [`Name`] and [a page](crate::Page), in [0, 1].";
        assert_eq!(without_links(text), "See `Name` and a page, in [0, 1].");
    }
}

//! Several columns of one statistic: `--value wage,hours --bounds wage=0,50 --bounds hours=0,80`.

use serde_json::{Map, Value};
use suum::{Error, OptionName, Result, list, option, say};

/// Labels of an option for one of several columns: a list, or a file of them.
fn labels(text: &str) -> Value {
    match text.starts_with('@') {
        true => text.into(),
        false => list::items(text).into(),
    }
}

/// Options that can differ between columns.
const OF_COLUMNS: [&str; 3] = ["bounds", "categories", "bins"];

/// Splits the values of a command: the columns become a list if there are several, with the options
/// of each column by its name.
pub(super) fn split_columns(mut said: Map<String, Value>) -> Result<Map<String, Value>> {
    let value = said.get("value").and_then(Value::as_str).unwrap_or_default();
    let columns = match value.contains([',', '\\']) {
        true => list::items(value),
        false => vec![value.to_owned()],
    };
    match &columns[..] {
        [one] if !one.is_empty() => drop(said.insert("value".to_owned(), one.clone().into())),
        [_] => {}
        several => drop(said.insert("value".to_owned(), several.into())),
    }
    if let Some(Value::Array(times)) = said.remove("groups") {
        let texts = times.iter().filter_map(Value::as_str);
        let groups = match times.as_slice() {
            [one] => one.clone(),
            _ => texts.map(labels).collect(),
        };
        said.insert("groups".to_owned(), groups);
    }
    let is_crosstab = said.get("crosstab").is_some_and(Value::is_string);
    for option in OF_COLUMNS {
        let Some(Value::Array(times)) = said.remove(option) else { continue };
        if is_crosstab && option == "categories" && !times.is_empty() {
            // A list of labels, or a file of them, for each column.
            said.insert(option.to_owned(), times.into());
            continue;
        }
        let texts = times.iter().filter_map(Value::as_str).collect::<Vec<_>>();
        if !texts.is_empty() {
            said.insert(option.to_owned(), value_for_columns(option, &columns, &texts)?);
        }
    }
    Ok(said)
}

/// Value of an option, given once for all columns, or once for each.
fn value_for_columns(option: &'static str, columns: &[String], texts: &[&str]) -> Result<Value> {
    let of_column = |text: &&str| {
        let mut named = columns.iter().filter(|_| columns.len() > 1);
        named.find_map(|column| {
            let own = text.strip_prefix(&format!("{}=", list::escaped(column)))?;
            Some((column.clone(), Value::from(own)))
        })
    };
    let own: Vec<(String, Value)> = texts.iter().filter_map(of_column).collect();
    let count = own.len();
    let by_column: Map<String, Value> = own.into_iter().collect();
    match texts {
        [text] if count == 0 => Ok(Value::from(*text)),
        _ if count == texts.len() && by_column.len() == count => Ok(by_column.into()),
        _ => Err(Error::parameter(OptionName::new(option), "it is not clear of which column")
            .with_fix(
                say("say it once for all columns, or once for each:")
                    .set(option::VALUE, "wage,hours")
                    .say(format!("--{option} wage=… --{option} hours=…")),
            )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(json: Value) -> Result<Value> {
        split_columns(json.as_object().unwrap().clone()).map(Value::from)
    }

    #[test]
    fn columns_are_taken_apart_and_what_is_said_of_each() {
        use serde_json::json;
        for (words, expected) in [
            (json!({"value": " a ", "bounds": ["0,9"]}), json!({"value": " a ", "bounds": "0,9"})),
            (json!({"value": "a\\,b", "bins": []}), json!({"value": "a,b"})),
            (json!({"bounds": ["auto"], "x": 1}), json!({"bounds": "auto", "x": 1})),
            (
                json!({"crosstab": "a,b", "categories": ["x,y", "@f"]}),
                json!({"crosstab": "a,b", "categories": ["x,y", "@f"]}),
            ),
            (
                json!({"value": "a,b", "bounds": ["0,9"]}),
                json!({"value": ["a", "b"], "bounds": "0,9"}),
            ),
            (
                json!({"value": "a,b\\,c", "bounds": ["b\\,c=-1,1", "a=0,9"]}),
                json!({"value": ["a", "b,c"], "bounds": {"a": "0,9", "b,c": "-1,1"}}),
            ),
            // A label of a single column.
            (
                json!({"value": "a", "categories": ["a=1,b"]}),
                json!({"value": "a", "categories": "a=1,b"}),
            ),
        ] {
            assert_eq!(split(words), Ok(expected));
        }
        for wrong in [
            json!({"value": "a,b", "bounds": ["a=0,9", "0,7"]}),
            json!({"value": "a,b", "bounds": ["a=0,9", "a=0,7"]}),
            json!({"value": "a", "bounds": ["0,9", "0,7"]}),
        ] {
            let refused = split(wrong).unwrap_err();
            assert!(refused.to_string().starts_with("bounds: ") && refused.fix().is_some());
        }
    }
}

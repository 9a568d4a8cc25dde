//! The canonical text of a condition, which reads back as the same one.

use suum_core::TimeScale;

use super::condition::{CellTest, Comparison, Condition, Constant};
use super::parse::parse_here;

/// The text of a condition on these columns.
pub(super) fn text(condition: &Condition, columns: &[String]) -> String {
    match condition {
        Condition::All(parts) => joined(parts, columns, " AND "),
        Condition::Any(parts) => joined(parts, columns, " OR "),
        Condition::Not(inner) => match &**inner {
            Condition::Test(test) => test_text(test, columns, true),
            inner => format!("NOT ({})", text(inner, columns)),
        },
        Condition::Test(test) => test_text(test, columns, false),
    }
}

fn joined(parts: &[Condition], columns: &[String], operator: &str) -> String {
    let part = |part: &Condition| match part {
        // AND binds more tightly.
        Condition::Any(_) => format!("({})", text(part, columns)),
        _ => text(part, columns),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(operator)
}

fn test_text(test: &CellTest, columns: &[String], is_negated: bool) -> String {
    let name = columns.get(test.column).map(|name| name_text(name)).unwrap_or_default();
    let not = if is_negated { "NOT " } else { "" };
    match &test.comparison {
        Comparison::IsMissing => format!("{name} IS {not}NULL"),
        Comparison::In(constants) => match constants.as_slice() {
            [constant] => {
                let operator = if is_negated { "<>" } else { "=" };
                format!("{name} {operator} {}", constant_text(constant))
            }
            constants => {
                let constants: Vec<_> = constants.iter().map(constant_text).collect();
                format!("{name} {not}IN ({})", constants.join(", "))
            }
        },
        Comparison::Order(side, constant) => {
            format!("{not}{name} {} {}", side.operator(), constant_text(constant))
        }
        Comparison::Between(least, most) => {
            let [least, most] = [least, most].map(constant_text);
            format!("{name} {not}BETWEEN {least} AND {most}")
        }
    }
}

fn constant_text(constant: &Constant) -> String {
    match constant {
        Constant::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Constant::Truth(truth) => truth.to_string(),
        Constant::Number(number) => {
            let text = format!("{number:?}");
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        }
        Constant::Moment(seconds) => {
            let label = TimeScale::Seconds.label(*seconds);
            let kind = if label.contains(' ') { "TIMESTAMP" } else { "DATE" };
            format!("{kind} '{label}'")
        }
    }
}

/// Column name, in double quotes unless it is read as a name without them.
fn name_text(name: &str) -> String {
    let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match is_word && is_read_as_name(name) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

/// Returns true if a word is read as the name of a column wherever a column can stand.
fn is_read_as_name(word: &str) -> bool {
    let text = format!(
        "{word} = 0 AND {word} BETWEEN 0 AND 0 AND {word} IN (0, 1) OR {word} IS NULL OR NOT \
         {word} < 0 OR {word} >= DATE '2020-01-31' OR NOT ({word} = 0 AND {word} = 1)"
    );
    parse_here(&text).is_ok_and(|(columns, _)| columns == [word])
}

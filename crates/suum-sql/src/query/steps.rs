//! The text of a query: named steps, one after the other.

/// The steps of a query so far.
#[derive(Default)]
pub(super) struct Steps(String);

impl Steps {
    /// Adds a step: what it does, its name, and its query.
    pub(super) fn push(&mut self, comment: &str, name: &str, query: &str) {
        self.push_as_it_is(comment, name, &indented(query));
    }

    /// As [`push`](Self::push), of a query that somebody else wrote: its texts can have line
    /// breaks, which mean something.
    pub(super) fn push_as_it_is(&mut self, comment: &str, name: &str, query: &str) {
        self.0 += if self.0.is_empty() { "WITH\n" } else { ",\n" };
        for line in comment.lines() {
            self.0 += &format!("-- {line}\n");
        }
        self.0 += &format!("{name} AS (\n{query}\n)");
    }

    /// The whole query, which ends with this one.
    pub(super) fn finish(self, query: &str) -> String {
        format!("{}\n{query}\n", self.0)
    }
}

/// A query of these columns: each an expression and its name.
pub(super) fn select(columns: &[(String, &str)], rest: &str) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|(expression, name)| match expression == name {
            true => format!("  {name}"),
            false => format!("  {} AS {name}", indented(expression).trim_start()),
        })
        .collect();
    format!("SELECT\n{}\n{rest}", columns.join(",\n"))
}

/// A case of conditions and results, each on a line; without any what there is otherwise.
pub(super) fn case(branches: &[(String, String)], otherwise: Option<&str>) -> String {
    if let (true, Some(otherwise)) = (branches.is_empty(), otherwise) {
        return otherwise.to_owned();
    }
    let mut text = String::from("CASE\n");
    for (condition, result) in branches {
        text += &format!("  WHEN {condition} THEN {result}\n");
    }
    if let Some(otherwise) = otherwise {
        text += &format!("  ELSE {otherwise}\n");
    }
    text + "END"
}

/// The position of each of these literals in the list, as they are compared with an expression.
pub(super) fn position(
    expression: &str,
    literals: &[(String, usize)],
    otherwise: Option<&str>,
) -> String {
    let mut text = format!("CASE {expression}\n");
    for (literal, position) in literals {
        text += &format!("  WHEN {literal} THEN {position}\n");
    }
    if let Some(otherwise) = otherwise {
        text += &format!("  ELSE {otherwise}\n");
    }
    text + "END"
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

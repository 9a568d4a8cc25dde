//! Text of a query: named steps, one after the other.

/// Steps of a query so far.
#[derive(Default)]
pub(super) struct Steps(String);

impl Steps {
    /// Adds a step: its comment, its name, and its query.
    pub(super) fn push(&mut self, comment: &str, name: &str, query: &str) {
        self.push_as_it_is(comment, name, &indented(query));
    }

    /// Adds a step like [`push`](Self::push), with a query of the user: line breaks in its texts
    /// are significant and kept.
    pub(super) fn push_as_it_is(&mut self, comment: &str, name: &str, query: &str) {
        self.0 += if self.0.is_empty() { "WITH\n" } else { ",\n" };
        for line in comment.lines() {
            self.0 += &format!("-- {line}\n");
        }
        self.0 += &format!("{name} AS (\n{query}\n)");
    }

    /// Whole query, which ends with `query`.
    pub(super) fn finish(self, query: &str) -> String {
        format!("{}\n{query}\n", self.0)
    }
}

/// Query of these columns: each an expression and its name.
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

/// CASE of conditions and results, each on a line; `otherwise` alone if there are no branches.
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

/// CASE that finds an expression among literals, and returns the position of the equal one.
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

//! Sentences as lines that fit a terminal.

/// How many characters a line of prose has at most, unless a single word is longer.
const WIDTH: usize = 80;

/// Text as lines; each begins with `indent`, the first one with `first`.
pub(crate) fn lines(text: &str, first: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        let space = usize::from(!empty);
        if !empty && line.chars().count() + space + word.chars().count() > WIDTH {
            out += &(line + "\n");
            line = indent.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out + &line + "\n"
}

/// A paragraph that begins at the margin.
pub(crate) fn paragraph(out: &mut String, text: &str) {
    out.push_str(&lines(text, "", ""));
}

/// A paragraph that is indented like a table.
pub(crate) fn indented(out: &mut String, text: &str) {
    out.push_str(&lines(text, "  ", "  "));
}

/// One of several points.
pub(crate) fn point(out: &mut String, text: &str) {
    out.push_str(&lines(text, "  - ", "    "));
}

/// Where the first paragraph of a text ends: a line goes on with the next one where that begins
/// with a word for which there was no room.
pub(crate) fn end_of_paragraph(text: &str) -> usize {
    let mut end = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        end += line.len();
        let next = lines.peek().and_then(|next| next.split_whitespace().next());
        let room = |word: &str| line.trim_end().chars().count() + 1 + word.chars().count() <= WIDTH;
        if next.is_none_or(room) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_paragraph_ends_where_its_last_line_has_room() {
        let text = "one two three ".repeat(40);
        let mut out = String::new();
        paragraph(&mut out, &text);
        let end = out.len();
        paragraph(&mut out, "four");
        assert_eq!(end_of_paragraph(&out), end);
        assert_eq!(end_of_paragraph("one\n\ntwo\n"), 4);
        assert_eq!((end_of_paragraph(""), end_of_paragraph("one")), (0, 3));
    }

    #[test]
    fn lines_fit_and_lose_no_word() {
        let text = "one two three ".repeat(40);
        let lines = lines(&text, "  - ", "    ");
        assert!(lines.lines().all(|line| line.chars().count() <= WIDTH), "{lines}");
        assert!(lines.lines().skip(1).all(|line| line.starts_with("    ")), "{lines}");
        let words: Vec<&str> = lines.split_whitespace().skip(1).collect();
        assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
    }
}

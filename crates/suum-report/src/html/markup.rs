//! Building blocks of all pages. A template escapes everything in it that is not a literal.

use maud::{Markup, Render, html};
use serde::{Deserialize, Serialize};

/// HTML that grows piece by piece.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Pieces(String);

impl Pieces {
    /// Creates HTML from this piece.
    pub(crate) fn from_piece(piece: impl Render) -> Self {
        Self(piece.render().into_string())
    }

    /// Adds a piece.
    pub(crate) fn add(&mut self, piece: impl Render) {
        piece.render_to(&mut self.0);
    }

    /// Adds a section with its heading.
    pub(crate) fn section(&mut self, id: &str, heading: &str, inside: impl Render) {
        self.add(section(id, heading, inside));
    }

    /// Returns true if there is no piece yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts `prefix` before every id, so that the HTML can stand beside others of its kind.
    pub(crate) fn with_ids(&self, prefix: &str) -> Self {
        // Quotes in text are escaped, so these are attributes.
        let (id, labelled) = (" id=\"", " aria-labelledby=\"");
        let mut pieces = self.0.split(labelled);
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (ids, rest) = piece.split_once('"').unwrap_or((piece, ""));
            let ids: Vec<String> = ids.split(' ').map(|id| format!("{prefix}{id}")).collect();
            out += &format!("{labelled}{}\"{rest}", ids.join(" "));
        }
        Self(out.replace(id, &format!("{id}{prefix}")))
    }

    /// Makes the HTML distinguishable from others of its kind: the names of its sections begin with
    /// the element of this id, and those of its tables with these words.
    pub(crate) fn named_within(&self, id: &str, words: &'static str, number: usize) -> Self {
        const NAMED: &str = " aria-labelledby=\"";
        // Quotes in text are escaped, so these are attributes.
        const TABLE: &str = " role=\"region\" aria-label=\"";
        let mut pieces = self.0.split("<section ");
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            out += &format!("<section {}", piece.replacen(NAMED, &format!("{NAMED}{id} "), 1));
        }
        Self(out.replace(TABLE, &format!("{TABLE}{words} {number}: ")))
    }
}

impl Render for Pieces {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&self.0);
    }
}

/// Section with its heading, which can be linked to.
pub(crate) fn section(id: &str, heading: &str, inside: impl Render) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-heading" } {
            h2 id={ (id) "-heading" } { (heading) }
            (inside)
        }
    }
}

/// A list.
pub(crate) fn list(items: impl IntoIterator<Item = impl Render>) -> Markup {
    html! { ul { @for item in items { li { (item) } } } }
}

/// Label of the data or of a user, isolated so that its writing direction does not affect the text
/// around it.
pub(crate) fn label(label: &str) -> Markup {
    html! { bdi { (label) } }
}

/// Number as it is shown, with all its digits in an attribute.
pub(crate) fn data(value: f64, shown: &str) -> Markup {
    html! { data value=(value) { (shown) } }
}

/// HTML with the replacement character in place of characters that HTML does not allow.
pub(crate) fn allowed(html: &str) -> String {
    let allowed = |character: char| match character {
        '\n' | '\t' => character,
        _ if character.is_control() || is_noncharacter(character) => '\u{fffd}',
        _ => character,
    };
    html.chars().map(allowed).collect()
}

fn is_noncharacter(character: char) -> bool {
    let code = u32::from(character);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(markup: Markup) -> Pieces {
        Pieces(markup.into_string())
    }

    #[test]
    fn ids_have_a_prefix_and_words_have_none() {
        let piece = pieces(html! {
            (section("a", "id=\"b\" of", html! { p { "an id" } }))
            svg aria-labelledby="c d" {}
        });
        assert_eq!(
            piece.with_ids("x-").0,
            "<section id=\"x-a\" aria-labelledby=\"x-a-heading\"><h2 id=\"x-a-heading\">\
             id=&quot;b&quot; of</h2><p>an id</p></section>\
             <svg aria-labelledby=\"x-c x-d\"></svg>"
        );
    }

    #[test]
    fn sections_and_tables_are_named_by_what_they_are_in() {
        let piece = pieces(section(
            "a",
            "A",
            html! { svg aria-labelledby="c" {} div role="region" aria-label="B" {} },
        ));
        assert_eq!(
            piece.named_within("x", "Answer", 2).0,
            "<section id=\"a\" aria-labelledby=\"x a-heading\"><h2 id=\"a-heading\">A</h2>\
             <svg aria-labelledby=\"c\"></svg><div role=\"region\" aria-label=\"Answer 2: B\">\
             </div></section>"
        );
    }

    #[test]
    fn nothing_of_a_label_is_markup() {
        let page = html! {
            p title=("\"><script>") { (label("</bdi><script>alert('x') & \"y\"\0")) }
        };
        assert_eq!(
            allowed(&page.into_string()),
            "<p title=\"&quot;&gt;&lt;script&gt;\"><bdi>&lt;/bdi&gt;&lt;script&gt;\
             alert('x') &amp; &quot;y&quot;\u{fffd}</bdi></p>"
        );
    }
}

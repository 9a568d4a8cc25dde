//! HTML that is escaped by construction: what is not a literal of this crate goes through
//! [`Markup::text`].

use serde::{Deserialize, Serialize};

use crate::prose::Text;
use crate::view::View;

/// A piece of HTML.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Markup(String);

impl Markup {
    /// A piece that `write` writes.
    pub(crate) fn of(write: impl FnOnce(&mut Markup)) -> Self {
        let mut markup = Self::default();
        write(&mut markup);
        markup
    }

    /// HTML of our own.
    pub(crate) fn raw(&mut self, html: &'static str) {
        self.0.push_str(html);
    }

    /// Text, escaped. Control characters, which HTML does not allow, become the sign for that.
    pub(crate) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(character),
                _ if character.is_control() || is_noncharacter(character) => {
                    self.0.push('\u{fffd}')
                }
                _ => self.0.push(character),
            }
        }
    }

    /// A label of the data or of a user: its direction of writing does not reach into the text
    /// around it.
    pub(crate) fn label(&mut self, label: &str) {
        self.element("bdi", &[], |inside| inside.text(label));
    }

    /// The piece with `prefix` before every id, to stand beside others of its kind.
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

    /// The piece beside others of its kind: the names of its sections begin with the element of
    /// this id, and those of its tables with these words.
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

    /// Another piece.
    pub(crate) fn push(&mut self, other: &Markup) {
        self.0.push_str(&other.0);
    }

    /// An element and what `write` writes into it.
    pub(crate) fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        write: impl FnOnce(&mut Markup),
    ) {
        self.open(name, attributes);
        self.0.push('>');
        write(self);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
        if matches!(
            name,
            "p" | "li" | "tr" | "h1" | "h2" | "h3" | "caption" | "thead" | "tbody" | "section"
        ) {
            self.0.push('\n');
        }
    }

    /// An element of a drawing that has no content.
    pub(crate) fn shape(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.open(name, attributes);
        self.0.push_str("/>");
    }

    /// An element of HTML that has no content and no end.
    pub(crate) fn open_only(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.open(name, attributes);
        self.0.push('>');
    }

    fn open(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (attribute, value) in attributes {
            self.0.push(' ');
            self.0.push_str(attribute);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
    }

    /// A paragraph of text.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.element("p", &[], |p| p.text(text.trim()));
    }

    /// The paragraph that `write` writes as text, if it writes anything.
    pub(crate) fn said(&mut self, write: impl FnOnce(&mut Text) -> std::fmt::Result) {
        let mut text = Text::new(&View::default());
        // Writing to a text cannot fail.
        let _ = write(&mut text);
        let text = text.finish();
        if !text.trim().is_empty() {
            self.paragraph(&text);
        }
    }

    /// A section with its heading, which can be linked to.
    pub(crate) fn section(
        &mut self,
        id: &'static str,
        heading: &str,
        write: impl FnOnce(&mut Markup),
    ) {
        let named = format!("{id}-heading");
        self.element("section", &[("id", id), ("aria-labelledby", &named)], |section| {
            section.element("h2", &[("id", &named)], |h2| h2.text(heading));
            write(section);
        });
    }

    /// The HTML.
    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

fn is_noncharacter(character: char) -> bool {
    let code = u32::from(character);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_a_prefix_and_words_have_none() {
        let piece = Markup::of(|m| {
            m.section("a", "id=\"b\" of", |out| out.paragraph("an id"));
            m.element("svg", &[("aria-labelledby", "c d")], |_| {});
        });
        assert_eq!(
            piece.with_ids("x-").into_string(),
            "<section id=\"x-a\" aria-labelledby=\"x-a-heading\"><h2 id=\"x-a-heading\">\
             id=&quot;b&quot; of</h2>\n<p>an id</p>\n</section>\n\
             <svg aria-labelledby=\"x-c x-d\"></svg>"
        );
    }

    #[test]
    fn sections_and_tables_are_named_by_what_they_are_in() {
        let piece = Markup::of(|m| {
            m.section("a", "A", |out| {
                out.element("svg", &[("aria-labelledby", "c")], |_| {});
                out.element("div", &[("role", "region"), ("aria-label", "B")], |_| {});
            });
        });
        assert_eq!(
            piece.named_within("x", "Answer", 2).into_string(),
            "<section id=\"a\" aria-labelledby=\"x a-heading\"><h2 id=\"a-heading\">A</h2>\n\
             <svg aria-labelledby=\"c\"></svg><div role=\"region\" aria-label=\"Answer 2: B\">\
             </div></section>\n"
        );
    }

    #[test]
    fn nothing_of_a_label_is_markup() {
        let page = Markup::of(|m| {
            m.element("p", &[("title", "\"><script>")], |p| {
                p.label("</bdi><script>alert('x') & \"y\"\0")
            });
        });
        assert_eq!(
            page.into_string(),
            "<p title=\"&quot;&gt;&lt;script&gt;\"><bdi>&lt;/bdi&gt;&lt;script&gt;\
            alert(&#39;x&#39;) &amp; &quot;y&quot;\u{fffd}\
             </bdi></p>\n"
        );
    }
}

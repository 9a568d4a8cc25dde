//! Pages as parts of another page, such as a notebook.

use maud::{Markup, PreEscaped, Render, html};
use sha2::{Digest, Sha256};

use super::markup::{self, Pieces};
use super::page::Page;

impl Page {
    /// Part of another page: the answer, and folded what else the page says of it, in the colours
    /// of a light or a dark notebook. It loads and runs nothing.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::{LevelTable, Measure, Options, Release};
    /// # let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
    /// # let release = Release::count(&nobody, &Options::default())?;
    /// let page = suum_report::release_page(&release, &suum_report::Beside::default());
    /// assert!(page.fragment().contains("<section class=\"suum\""));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn fragment(&self) -> String {
        let (first, assumed, more) = self.for_fragment();
        let first = Pieces::from_piece(first);
        // Other fragments on the same page have sections of the same names.
        let digest = Sha256::digest(first.render().into_string());
        let prefix: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let of_this = |pieces: &Pieces| pieces.with_ids(&format!("suum-{prefix}-"));
        fragment_of(
            self.title(),
            html! {
                (of_this(&first))
                @if let Some(assumed) = assumed { (of_this(&Pieces::from_piece(assumed))) }
                @if !more.is_empty() {
                    details { summary { "The whole report" } (of_this(&more)) }
                }
            },
        )
    }
}

/// Part of another page with a drawing and a text.
///
/// # Example
///
/// ```
/// let fragment = suum_report::drawn_fragment("Audit", Some("<svg></svg>"), "a < b");
/// assert!(fragment.contains("<svg></svg>") && fragment.contains("a &lt; b"));
/// ```
pub fn drawn_fragment(title: &str, drawing: Option<&str>, text: &str) -> String {
    let report = html! { pre { (text) } };
    fragment_of(
        title,
        html! {
            @match drawing {
                Some(drawing) => {
                    (PreEscaped(drawing))
                    details { summary { "The whole report" } (report) }
                }
                None => (report),
            }
        },
    )
}

/// Fragment with its style, below its title.
fn fragment_of(title: &str, inside: Markup) -> String {
    let label = Some(title).filter(|title| !title.is_empty());
    let fragment = html! {
        style { (PreEscaped(style())) }
        section class="suum" aria-label=[label] {
            @if let Some(title) = label { h3 { (title) } }
            (inside)
        }
    };
    markup::allowed(&fragment.into_string())
}

/// Style of pages, limited to the inside of a fragment. A notebook of Jupyter says itself whether
/// it is light or dark.
fn style() -> String {
    let css = include_str!("style.css");
    let mut schemes = css.split(":root {").skip(1).filter_map(|rest| rest.split('}').next());
    let [light, dark] = [schemes.next(), schemes.next()].map(Option::unwrap_or_default);
    let nested = css.replace(":root {", "& {").replace("body {", "& {");
    let style = format!(
        ".suum {{ {nested} padding: 0; background: none; font-size: 0.9375rem; max-width: 46rem; }}
        .suum .scroll {{ background: none; }} .suum table {{ color: inherit; }}
        [data-jp-theme-light=\"true\"] .suum {{ {light} }}
        [data-jp-theme-light=\"false\"] .suum {{ {dark} }}"
    );
    let mut style = style.as_str();
    let mut short = String::new();
    while let Some((before, rest)) = style.split_once("/*") {
        short += before;
        style = rest.split_once("*/").map_or("", |(_, behind)| behind);
    }
    short += style;
    short.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_those_of_a_fragment_alone() {
        let style = style();
        assert!(style.starts_with(".suum {") && !style.contains("/*") && !style.contains(":root"));
        assert_eq!(style.matches('{').count(), style.matches('}').count());
        assert_eq!(
            style.matches("--ink: #e7eaec").count(),
            2,
            "in the dark, and in a dark notebook"
        );
    }
}

//! Releases and plans as pages of HTML that stand alone.
//!
//! `page` is what is around them all, `content` what texts say, too: sentences and tables.
//! `drawing`, `distribution` and `sensitivity` draw; `method` with `formula` and `sources` says how
//! it was done, and `check` how to check it. `fragment` is the part of a page that a notebook
//! shows. `ledger` with `accounts` is the page of a ledger.
//! `markup` is what all are made of.

mod accounts;
mod check;
mod content;
pub(crate) mod distribution;
pub(crate) mod drawing;
mod formula;
mod fragment;
mod ledger;
mod markup;
mod method;
mod page;
pub(crate) mod sensitivity;
mod sources;

pub(crate) use check::Check;
pub use fragment::drawn_fragment;
pub use ledger::ledger_page;
pub(crate) use method::Method;
pub(crate) use page::ASSUMED;
pub use page::{Page, survey_plan_page};
pub(crate) use sources::Source;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    /// Colours of each scheme: on light and dark screens, and on paper.
    fn schemes() -> Vec<BTreeMap<&'static str, [f64; 3]>> {
        let css = include_str!("style.css");
        let blocks = css.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap());
        let colour = |line: &'static str| {
            let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
            let part =
                |at: usize| f64::from(u8::from_str_radix(&value[at..at + 2], 16).unwrap()) / 255.0;
            Some((name, [part(0), part(2), part(4)]))
        };
        blocks.map(|block| block.lines().filter_map(colour).collect()).collect()
    }

    /// Relative luminance of WCAG 2.
    fn luminance(colour: [f64; 3]) -> f64 {
        let linear = |part: f64| {
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
    }

    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_can_be_read_in_every_scheme() {
        assert_eq!((contrast([0.0; 3], [1.0; 3]) * 100.0).round(), 2100.0);
        let schemes = schemes();
        assert_eq!(schemes.len(), 3);
        for scheme in &schemes {
            for ground in ["paper", "soft"] {
                let contrast = contrast(scheme["axis"], scheme[ground]);
                assert!(contrast >= 3.0, "axis on {ground}: {contrast:.2}");
            }
            // On the strongest shade of a heat map, too.
            let shaded = [0, 1, 2].map(|at| 0.4 * scheme["accent"][at] + 0.6 * scheme["paper"][at]);
            let contrast_on_shade = contrast(scheme["ink"], shaded);
            assert!(contrast_on_shade >= 4.5, "ink on a shade: {contrast_on_shade:.2}");
            for text in ["ink", "faint", "accent", "warn", "good"] {
                for ground in ["paper", "soft"] {
                    let contrast = contrast(scheme[text], scheme[ground]);
                    assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
                }
            }
        }
    }
}

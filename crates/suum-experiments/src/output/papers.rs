//! Papers that experiments reproduce.

use maud::{Markup, html};

/// Paper: its citation, its reference, and its address.
pub(super) struct Paper {
    cited: &'static str,
    reference: &'static str,
    address: &'static str,
}

const PAPERS: [Paper; 6] = [
    Paper {
        cited: "CC23",
        reference: "S. Chaudhuri and T. A. Courtade (2023): Mean estimation under heterogeneous \
            privacy: some privacy can be free. ISIT 2023.",
        address: "https://arxiv.org/abs/2305.09668",
    },
    Paper {
        cited: "CC24",
        reference: "S. Chaudhuri and T. A. Courtade (2024): Empirical mean and frequency \
            estimation under heterogeneous privacy: a worst-case analysis.",
        address: "https://arxiv.org/abs/2407.11274",
    },
    Paper {
        cited: "CZ26",
        reference: "E. Cyffers and J. Ziani (2026): Limits of personalizing differential privacy \
            budgets.",
        address: "https://arxiv.org/abs/2605.13503",
    },
    Paper {
        cited: "DG26",
        reference: "W. Dong and L. Ge (2026): Tight bounds for Gaussian mean estimation under \
            personalized differential privacy.",
        address: "https://arxiv.org/abs/2601.15682",
    },
    Paper {
        cited: "FGK21",
        reference: "C. Ferrando, J. Gillenwater and A. Kulesza (2021): Combining public and \
            private data.",
        address: "https://arxiv.org/abs/2111.00115",
    },
    Paper {
        cited: "Kaplan, Schnapp and Stemmer 2022",
        reference: "H. Kaplan, S. Schnapp and U. Stemmer (2022): Differentially private \
            approximate quantiles. ICML 2022.",
        address: "https://arxiv.org/abs/2110.05429",
    },
];

impl Paper {
    fn link(&self, words: &str) -> Markup {
        html! { a href=(self.address) rel="noreferrer" { (words) } }
    }
}

/// Papers that any of these texts cites, in alphabetical order.
pub(super) fn cited<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Vec<&'static Paper> {
    PAPERS.iter().filter(|paper| texts.clone().any(|text| text.contains(paper.cited))).collect()
}

/// Text in which papers are links.
pub(super) fn linked(text: &str) -> Markup {
    let around = |paper: &'static Paper| Some((paper, text.split_once(paper.cited)?));
    match PAPERS.iter().find_map(around) {
        Some((paper, (before, after))) => html! {
            (linked(before)) (paper.link(paper.cited)) (linked(after))
        },
        None => html! { (text) },
    }
}

/// References of the papers, as a list.
pub(super) fn list(papers: &[&Paper]) -> Markup {
    html! {
        ul {
            @for paper in papers {
                @let shown = paper.address.trim_start_matches("https://");
                li { (paper.reference) " " (paper.link(shown)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_are_those_of_the_bibliography() {
        let bibliography = include_str!("../../../../docs/reference/bibliography.md");
        for paper in &PAPERS {
            let line = bibliography.lines().find(|line| line.contains(paper.address)).unwrap();
            assert!(line.contains(paper.reference), "{line}");
            let is_key = !paper.cited.contains(' ');
            assert!(!is_key || line.starts_with(&format!("| {} |", paper.cited)), "{line}");
        }
    }

    #[test]
    fn a_paper_that_is_named_is_a_link() {
        let text = "CZ26, Figure 1 & Theorem 1";
        assert_eq!(
            linked(text).into_string(),
            "<a href=\"https://arxiv.org/abs/2605.13503\" rel=\"noreferrer\">CZ26</a>, Figure 1 \
             &amp; Theorem 1"
        );
        let papers = cited([text, "of nobody", "CC23 and CZ26"].into_iter());
        assert_eq!(papers.iter().map(|paper| paper.cited).collect::<Vec<_>>(), ["CC23", "CZ26"]);
        assert!(list(&papers).into_string().contains(">arxiv.org/abs/2305.09668</a></li>"));
    }
}

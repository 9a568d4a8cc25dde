//! Papers that describe the methods.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::markup::list;

/// Paper, by the short name under which it is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Source {
    Canonne,
    Cc23,
    Cc24,
    Cz26,
    Dg26,
    Dwork,
    Fgk21,
    Jorgensen,
    Kaplan,
    McKenna,
}

impl Source {
    /// Short name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Source::Canonne => "Canonne et al. 2020",
            Source::Cc23 => "Chaudhuri and Courtade 2023",
            Source::Cc24 => "Chaudhuri and Courtade 2024",
            Source::Cz26 => "Cyffers and Ziani 2026",
            Source::Dg26 => "Dong and Ge 2026",
            Source::Dwork => "Dwork et al. 2006",
            Source::Fgk21 => "Ferrando et al. 2021",
            Source::Jorgensen => "Jorgensen et al. 2015",
            Source::Kaplan => "Kaplan et al. 2022",
            Source::McKenna => "McKenna and Sheldon 2020",
        }
    }

    fn reference(self) -> &'static str {
        match self {
            Source::Canonne => {
                "C. L. Canonne, G. Kamath and T. Steinke (2020): The discrete Gaussian for \
                differential privacy. NeurIPS 2020. "
            }
            Source::Cc23 => {
                "S. Chaudhuri and T. A. Courtade (2023): Mean estimation under heterogeneous \
                privacy: some privacy can be free. ISIT 2023. "
            }
            Source::Cc24 => {
                "S. Chaudhuri and T. A. Courtade (2024): Empirical mean and frequency estimation \
                under heterogeneous privacy: a worst-case analysis. "
            }
            Source::Cz26 => {
                "E. Cyffers and J. Ziani (2026): Limits of personalizing differential privacy \
                budgets. "
            }
            Source::Dg26 => {
                "W. Dong and L. Ge (2026): Tight bounds for Gaussian mean estimation under \
                personalized differential privacy. "
            }
            Source::Dwork => {
                "C. Dwork, F. McSherry, K. Nissim and A. Smith (2006): Calibrating noise to \
                sensitivity in private data analysis. TCC 2006. "
            }
            Source::Fgk21 => {
                "C. Ferrando, J. Gillenwater and A. Kulesza (2021): Combining public and private \
                data. "
            }
            Source::Jorgensen => {
                "Z. Jorgensen, T. Yu and G. Cormode (2015): Conservative or liberal? Personalized \
                differential privacy. ICDE 2015, 1023–1034. "
            }
            Source::Kaplan => {
                "H. Kaplan, S. Schnapp and U. Stemmer (2022): Differentially private approximate \
                quantiles. ICML 2022. "
            }
            Source::McKenna => {
                "R. McKenna and D. Sheldon (2020): Permute-and-flip: a new mechanism for \
                differentially private selection. NeurIPS 2020. "
            }
        }
    }

    /// Address where it can be read.
    fn address(self) -> &'static str {
        match self {
            Source::Canonne => "arxiv.org/abs/2004.00010",
            Source::Cc23 => "arxiv.org/abs/2305.09668",
            Source::Cc24 => "arxiv.org/abs/2407.11274",
            Source::Cz26 => "arxiv.org/abs/2605.13503",
            Source::Dg26 => "arxiv.org/abs/2601.15682",
            Source::Dwork => "doi.org/10.1007/11681878_14",
            Source::Fgk21 => "arxiv.org/abs/2111.00115",
            Source::Jorgensen => "doi.org/10.1109/ICDE.2015.7113353",
            Source::Kaplan => "arxiv.org/abs/2110.05429",
            Source::McKenna => "arxiv.org/abs/2010.12603",
        }
    }
}

/// References, in alphabetical order, each once.
pub(crate) fn references(mut sources: Vec<Source>) -> Markup {
    sources.sort_unstable();
    sources.dedup();
    list(sources.into_iter().map(|source| {
        let address = source.address();
        html! {
            (source.reference())
            a href={ "https://" (address) } rel="noreferrer" { (address) }
        }
    }))
}

//! The experiments, one file each.

mod cc23_fig1a;
mod cc23_fig1b;
mod cc23_table2;
mod cc24_fig2;
mod cc24_table4;
mod cc24_table5;
mod cc24_tables;
mod coverage;
mod cz26_fig1;
mod cz26_fig2;
mod cz26_thm3;
mod dg26;
mod fgk21_fig1;
mod fgk21_fig2;
mod joint_quantiles;
mod people;
mod quantile;
mod quantile_intervals;
mod ratio_map;
mod real_data;

use serde::Deserialize;
use suum::{Error, Result, SampleThreshold};

use crate::effort::{Effort, Progress};
use crate::outcome::Outcome;
use crate::sweep::Line;

/// Table or figure of a paper.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// Name, such as `cc23-fig1b`.
    pub id: &'static str,
    /// One-line description of the measured quantity.
    pub about: &'static str,
    run: fn(&Effort, &Progress) -> Result<Outcome>,
}

impl Experiment {
    /// Every experiment, in the order of the papers.
    pub const ALL: [Experiment; 15] = [
        Experiment {
            id: "cc23-fig1a",
            about: "mean of two groups that grow",
            run: cc23_fig1a::run,
        },
        Experiment {
            id: "cc23-fig1b",
            about: "mean of two groups, one of which relaxes: saturation",
            run: cc23_fig1b::run,
        },
        Experiment {
            id: "cc23-table2",
            about: "mean where everybody has a budget of their own",
            run: cc23_table2::run,
        },
        Experiment {
            id: "cc24-table4",
            about: "frequencies of salaries, cancers and synthetic data",
            run: cc24_table4::run,
        },
        Experiment {
            id: "cc24-table5",
            about: "means of salaries and synthetic data",
            run: cc24_table5::run,
        },
        Experiment {
            id: "cc24-fig2",
            about: "frequencies: quadratic programs against their fast variants",
            run: cc24_fig2::run,
        },
        Experiment {
            id: "cz26-fig1",
            about: "gain of personalisation with public and private data: heatmap and cuts",
            run: cz26_fig1::run,
        },
        Experiment {
            id: "cz26-fig2",
            about: "gain of personalisation with two private levels: heatmap and cuts",
            run: cz26_fig2::run,
        },
        Experiment {
            id: "cz26-thm3",
            about: "gain of personalisation on the equal-revenue family",
            run: cz26_thm3::run,
        },
        Experiment {
            id: "fgk21-fig1",
            about: "mean of six levels: mixed against the sampling mechanism",
            run: fgk21_fig1::run,
        },
        Experiment {
            id: "fgk21-fig2",
            about: "median of two levels: PE against mixed",
            run: fgk21_fig2::run,
        },
        Experiment {
            id: "dg26",
            about: "Gaussian mean without known bounds, against its lower bound",
            run: dg26::run,
        },
        Experiment {
            id: "real-data",
            about: "means of real columns, with bounds that are tight and generous",
            run: real_data::run,
        },
        Experiment {
            id: "joint-quantiles",
            about: "several quantiles: asked for together, against an even split of the budget",
            run: joint_quantiles::run,
        },
        Experiment {
            id: "quantile-intervals",
            about: "intervals of a quantile: how often they hold, and how long they are",
            run: quantile_intervals::run,
        },
    ];

    /// Finds the experiment of this name.
    ///
    /// # Errors
    ///
    /// Refuses unknown names.
    pub fn named(id: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|experiment| experiment.id == id).ok_or_else(|| {
            Error::parameter("experiment", "there is none of that name")
                .with_fix("suum-experiments list shows their names")
        })
    }

    /// Runs the experiment. Its findings depend on the parameters and seed in its file, on the
    /// number of trials and on the given files, not on the number of threads.
    ///
    /// # Errors
    ///
    /// Refuses files of data that cannot be read.
    pub fn run(&self, effort: &Effort, progress: &Progress) -> Result<Outcome> {
        (self.run)(effort, progress)
    }
}

/// Estimator with its name in a paper.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedEstimator {
    name: String,
    is: String,
}

impl NamedEstimator {
    /// Lines of these estimators, with `sample` at the largest ε, as in the papers on the others.
    fn lines(named: &[Self]) -> Result<Vec<Line>> {
        let line = |named: &Self| Line::theirs(&named.name, &named.is, SampleThreshold::Max);
        named.iter().map(line).collect()
    }
}

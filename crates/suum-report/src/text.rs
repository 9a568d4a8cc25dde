//! Texts and pages of releases.

use suum_core::{GroupReleases, Release, Releases, Survey};

use crate::brief::{self, Beside};
use crate::html::Page;
use crate::prose::Text;
use crate::view::View;
use crate::{groups, release, survey};

/// Text of a release: the answer first, its assumptions, and the spending of each tier. If the view
/// explains, also the sources of the error, the alternatives, and the guarantee.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sums = vec![ExactSum::from_raw(500 * i128::from(grid.points()) / 2)];
/// let people = LevelSums {
///     label: Some("standard".into()),
///     epsilon: Epsilon::new(0.5)?,
///     count: 500,
///     sums,
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(grid.into()), vec![people])?;
/// let request = WeightedRequest::new(Statistic::Mean, grid.bounds(), Options::default())?;
/// let plan = WeightedPlan::new(&request, table.profile()?, grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// let (view, beside) = (suum_report::View::default(), suum_report::Beside::default());
/// let text = suum_report::release_text(&release, &view, &beside);
/// assert!(text.contains("score  mean"));
/// let all = suum_report::release_text(&release, &view.explained(), &beside);
/// assert!(all.contains("mean of score") && all.contains("What is guaranteed"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn release_text(release: &Release, view: &View, beside: &Beside) -> String {
    let mut out = Text::new(view);
    match view.explain {
        true => release::document(release, beside.sort).write(&mut out),
        false => brief::write(&mut out, release, beside),
    }
    out.finish()
}

/// Text of one release per group: one table of answers, one of spending.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let numbers = Numbers {
///     grid: Grid::new(Bounds::new(0.0, 10.0)?),
///     squares: true,
///     cells: Some(Cells::new(10)?),
/// };
/// let points = i128::from(numbers.grid.points());
/// let people = LevelSums {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 1000,
///     // All of them at 5, the middle.
///     sums: [500 * points, 0].map(ExactSum::from_raw).to_vec(),
///     cells: CellCounts::from_raw(vec![(5, 1000)]),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(numbers), vec![people])?;
/// let request = WeightedRequest::new(Statistic::Mean, numbers.grid.bounds(), Options::default())?;
/// let plan = WeightedPlan::new(&request, table.profile()?, numbers.grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// let groups = vec![("north".to_owned(), Some(release)), ("south".to_owned(), None)];
/// let releases = GroupReleases::new("region", groups)?;
/// let (view, beside) = (suum_report::View::default(), suum_report::Beside::default());
/// assert!(suum_report::groups_text(&releases, &view, &beside).contains("no records"));
/// assert!(suum_report::json(&releases)?.contains("\"group_by\": \"region\""));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn groups_text(groups: &GroupReleases, view: &View, beside: &Beside) -> String {
    let mut out = Text::new(view);
    match view.explain {
        true => groups::document(groups, beside.sort).write(&mut out),
        false => brief::write_groups(&mut out, groups, beside),
    }
    out.finish()
}

/// Text of several answers: each under its heading, and one table of the total spending.
///
/// # Example
///
/// ```
/// use suum_core::{LevelTable, Measure, Options, Release, Survey, SurveyAnswer};
///
/// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let count = Release::count(&nobody, &Options::default())?;
/// let survey = Survey::new(vec![SurveyAnswer::new(None, count.into())])?;
/// let (view, beside) = (suum_report::View::default(), suum_report::Beside::default());
/// let text = suum_report::survey_text(&survey, &view, &beside);
/// assert!(text.contains("Answer 1: "));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn survey_text(survey: &Survey, view: &View, beside: &Beside) -> String {
    let mut out = Text::new(view);
    match view.explain {
        true => survey::document(survey, &beside.sorts).write(&mut out),
        false => brief::write_survey(&mut out, survey, beside),
    }
    out.finish()
}

/// Releases as Markdown, for notebooks and pull requests: the answer and the spending of tiers, and
/// if the view explains, also the sources of the error, the alternatives, and the guarantee.
///
/// # Example
///
/// ```
/// # use suum_core::{LevelTable, Measure, Options, Release};
/// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let count = Release::count(&nobody, &Options::default())?;
/// let (view, beside) = (suum_report::View::default(), suum_report::Beside::default());
/// let text = suum_report::releases_markdown(&count.into(), &view, &beside);
/// assert!(text.starts_with("### Number of records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn releases_markdown(releases: &Releases, view: &View, beside: &Beside) -> String {
    let document = match releases {
        Releases::One(release) => release::document(release, beside.sort),
        Releases::Groups(groups) => groups::document(groups, beside.sort),
        Releases::Survey(survey) => survey::document(survey, &beside.sorts),
    };
    document.markdown(view.explain)
}

/// The page of a release.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let table = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let release = Release::count(&table, &Options::default())?;
/// let json = suum_report::json(&release)?;
/// let page = suum_report::release_page(&release, &suum_report::Beside::default());
/// assert!(page.html(&json).contains("Number of records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn release_page(release: &Release, beside: &Beside) -> Page {
    Page::from_document(release::document(release, beside.sort))
}

/// Page of one release per group: the answers on one axis, the spending in each, and the guarantee;
/// see [`groups_text`].
pub fn groups_page(groups: &GroupReleases, beside: &Beside) -> Page {
    Page::from_document(groups::document(groups, beside.sort))
}

/// Page of several answers: each in its order, then the total spending of every tier; see
/// [`survey_text`].
pub fn survey_page(survey: &Survey, beside: &Beside) -> Page {
    Page::from_document(survey::document(survey, &beside.sorts))
}

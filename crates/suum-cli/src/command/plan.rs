//! `suum plan`.

use serde::Serialize;
use suum::{
    AddRemovePlan, AddRemoveRequest, Bounds, Costed, DeclaredSpending, Error, Grid, LevelTable,
    Plan, Profile, QuantileRequest, Result, Statistic, Statistics, SummaryPlan, UnboundedMean,
    VarianceRequest,
};
use suum_report::{Page, Tier};

use crate::answer::Answer;
use crate::arguments::{NeighborsArgument, PlanArguments};
use crate::{hidden, input, metering};

/// What is planned, by the name given as `--statistic`.
enum Planned {
    Number(Statistic),
    Frequency,
    Quantile,
    Variance,
    Several(Statistics),
}

impl Planned {
    fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "mean" => Planned::Number(Statistic::Mean),
            "sum" => Planned::Number(Statistic::Sum),
            "frequency" => Planned::Frequency,
            "quantile" => Planned::Quantile,
            "variance" => Planned::Variance,
            list => Planned::Several(list.parse().map_err(|_| {
                Error::parameter("statistic: there is none of that name").with_hint(
                    "choose mean, sum, frequency, quantile or variance, or several such as \
                    mean,variance,q50",
                )
            })?),
        })
    }
}

pub(crate) fn run(arguments: &PlanArguments) -> Result<Answer> {
    let planned = Planned::named(&arguments.statistic)?;
    check(arguments, &planned)?;
    let common = &arguments.options.common;
    if hidden::is_wanted(common.neighbors, &common.hidden)? {
        return run_hidden(arguments, &planned);
    }
    if arguments.what_if.is_some() && arguments.input.ledger.ledger.is_some() {
        return Err(Error::request("what-if: a ledger has accounts of the people there are")
            .with_hint("leave --what-if or --ledger out"));
    }
    if arguments.profile.is_some() && arguments.input.ledger.ledger.is_some() {
        return Err(Error::request(
            "profile: numbers of people do not say which tiers of the ledger they are in",
        )
        .with_hint("name the data, or a level table, in place of --profile"));
    }
    // Before the data are read: options that make no sense should not have to wait for them.
    if arguments.bounds.as_deref() == Some(input::AUTO) {
        input::range_options(&arguments.options)?.check()?;
    } else if let Planned::Number(_) | Planned::Frequency = planned {
        input::mean_options(&arguments.options, &arguments.mean)?;
    }
    let table = match &arguments.profile {
        Some(_) => None,
        None => {
            let table = input::level_table(&arguments.input, None, arguments.output.quiet)?;
            Some(metering::aim_table(&arguments.input, table, |table| {
                expected(arguments, &planned, table)
            })?)
        }
    };
    let (profile, tiers) = match (&table, &arguments.profile) {
        (Some(table), _) => (table.profile()?, Tier::of_table(table)),
        (None, text) => {
            let profile: Profile = text.as_deref().unwrap_or_default().parse()?;
            arguments.input.noted.profile(&profile);
            let tiers = Tier::of_profile(&profile);
            (profile, tiers)
        }
    };
    if arguments.bounds.as_deref() == Some(input::AUTO) {
        let plan = UnboundedMean::new(profile, input::range_options(&arguments.options)?)?;
        return Ok(said(
            arguments,
            plan,
            tiers,
            suum_report::unbounded_plan_text,
            suum_report::unbounded_plan_page,
        ));
    }
    match planned {
        Planned::Number(statistic) => {
            number(arguments, Some(statistic), table.as_ref(), profile, tiers)
        }
        Planned::Frequency => number(arguments, None, table.as_ref(), profile, tiers),
        Planned::Quantile => {
            let request = quantile(arguments, table.as_ref())?;
            Ok(said(
                arguments,
                request.plan(profile)?,
                tiers,
                suum_report::quantile_plan_text,
                suum_report::quantile_plan_page,
            ))
        }
        Planned::Variance => {
            let request = variance(arguments, table.as_ref())?;
            Ok(said(
                arguments,
                request.plan(profile)?,
                tiers,
                suum_report::variance_plan_text,
                suum_report::variance_plan_page,
            ))
        }
        Planned::Several(statistics) => {
            let bounds = bounds(arguments, table.as_ref())?;
            let options = input::summary_options(common, &arguments.intervals, &arguments.cells);
            let numbers =
                statistics.numbers(Grid::new(bounds), input::cells(&arguments.cells, bounds)?);
            let split = input::split(&statistics, &arguments.split)?;
            let plan = SummaryPlan::new(statistics, numbers, profile, split, &options)?;
            Ok(said(
                arguments,
                plan,
                tiers,
                suum_report::summary_plan_text,
                suum_report::summary_plan_page,
            ))
        }
    }
}

/// The error that is expected of the statistic, for people like those of the table.
fn expected(arguments: &PlanArguments, planned: &Planned, table: &LevelTable) -> Result<f64> {
    let profile = table.profile()?;
    match planned {
        Planned::Number(statistic) => {
            let options = input::mean_options(&arguments.options, &arguments.mean)?;
            let plan = suum::plan(*statistic, profile, bounds(arguments, Some(table))?, &options)?;
            Ok(plan.chosen().risk.rmse() * plan.unit())
        }
        Planned::Frequency => {
            let options = input::mean_options(&arguments.options, &arguments.mean)?;
            let categories = input::planned_categories(&arguments.categories, Some(table))?;
            Ok(suum::plan_frequency(profile, categories, &options)?.chosen().risk.rmse())
        }
        Planned::Quantile => {
            Ok(quantile(arguments, Some(table))?.plan(profile)?.chosen().rank_error.rmse())
        }
        Planned::Variance => Ok(variance(arguments, Some(table))?.plan(profile)?.error().rmse),
        Planned::Several(_) => {
            Err(Error::request("target-rmse: several statistics have different errors")
                .with_hint("use --spend SHARE in place of --target-rmse"))
        }
    }
}

fn quantile(arguments: &PlanArguments, table: Option<&LevelTable>) -> Result<QuantileRequest> {
    let bounds = bounds(arguments, table)?;
    let (estimator, common) = (&arguments.options.estimator, &arguments.options.common);
    let options =
        input::quantile_options(estimator, common, &arguments.intervals, &arguments.cells)?;
    let cells = input::cells(&arguments.cells, bounds)?;
    QuantileRequest::new(bounds, cells, input::ranks(&arguments.q)?, options)
}

fn variance(arguments: &PlanArguments, table: Option<&LevelTable>) -> Result<VarianceRequest> {
    VarianceRequest::new(
        bounds(arguments, table)?,
        input::variance_options(&arguments.options.common),
    )
}

/// What a plan says, and what its release would do to the accounts.
fn said<P: Serialize + Costed + Send + Sync + 'static>(
    arguments: &PlanArguments,
    plan: P,
    tiers: Vec<Tier>,
    text: impl Fn(&P, &[Tier]) -> String + Send + Sync + 'static,
    page: impl Fn(&P, &[Tier]) -> Page + Send + Sync + 'static,
) -> Answer {
    let statement = metering::quote(&arguments.input, &plan, &tiers);
    let same = tiers.clone();
    Answer::shown(
        plan,
        move |plan| text(plan, &tiers),
        suum_report::json,
        move |plan| page(plan, &same),
    )
    .with_statement(statement)
}

/// The declared bounds, those of the level table, or the unit interval.
fn bounds(arguments: &PlanArguments, table: Option<&LevelTable>) -> Result<Bounds> {
    Ok(declared(arguments, table)?.unwrap_or(Bounds::UNIT))
}

fn declared(arguments: &PlanArguments, table: Option<&LevelTable>) -> Result<Option<Bounds>> {
    let declared = arguments.bounds.as_deref().map(str::parse::<Bounds>).transpose()?;
    Ok(declared.or(table.and_then(|table| table.grid().map(Grid::bounds))))
}

/// The plan of a mean, a sum or frequencies for a profile.
pub(crate) fn of_profile(arguments: &PlanArguments) -> Result<Plan> {
    let planned = Planned::named(&arguments.statistic)?;
    check(arguments, &planned)?;
    let statistic = match planned {
        Planned::Number(statistic) => Some(statistic),
        Planned::Frequency => None,
        Planned::Quantile | Planned::Variance | Planned::Several(_) => {
            return Err(Error::request(
                "statistic: simulations are of a mean, a sum or a frequency",
            )
            .with_hint("choose one of the three with --statistic"));
        }
    };
    let profile = arguments.profile.as_deref().unwrap_or_default().parse()?;
    plan_number(arguments, statistic, None, profile)
}

fn plan_number(
    arguments: &PlanArguments,
    statistic: Option<Statistic>,
    table: Option<&LevelTable>,
    profile: Profile,
) -> Result<Plan> {
    let options = input::mean_options(&arguments.options, &arguments.mean)?;
    let Some(statistic) = statistic else {
        let categories = input::planned_categories(&arguments.categories, table)?;
        return suum::plan_frequency(profile, categories, &options);
    };
    suum::plan(statistic, profile, bounds(arguments, table)?, &options)
}

/// What the plan of a mean or a sum says, or of frequencies, which have no name among the numbers.
fn number(
    arguments: &PlanArguments,
    statistic: Option<Statistic>,
    table: Option<&LevelTable>,
    profile: Profile,
    tiers: Vec<Tier>,
) -> Result<Answer> {
    let in_range = declared(arguments, table)?.is_none();
    let text = move |plan: &Plan, tiers: &[Tier]| suum_report::plan_text(plan, tiers, in_range);
    let page = move |plan: &Plan, tiers: &[Tier]| suum_report::plan_page(plan, tiers, in_range);
    let asked = plan_number(arguments, statistic, table, profile)?;
    let Some(change) = &arguments.what_if else {
        return Ok(said(arguments, asked, tiers, text, page));
    };
    let changed =
        plan_number(arguments, statistic, table, asked.setting().profile.what_if(change)?)?;
    arguments.input.noted.profile(&changed.setting().profile);
    let tiers = Tier::of_changed_profile(&changed.setting().profile, &tiers);
    let same = tiers.clone();
    Ok(Answer::shown(
        (asked, changed),
        move |(asked, changed)| suum_report::what_if_text(asked, changed) + &text(changed, &tiers),
        |(asked, changed)| suum_report::what_if_json(asked, changed),
        move |(asked, changed)| suum_report::what_if_page(asked, changed, &same, in_range),
    ))
}

/// Refuses what would otherwise be ignored.
fn check(arguments: &PlanArguments, planned: &Planned) -> Result<()> {
    if arguments.profile.is_none()
        && !arguments.input.has_data()
        && arguments.input.from_levels.is_none()
    {
        return Err(Error::parameter("plan: it is not said for whom").with_hint(
            "give --profile \"0.1:3400,inf:23\", or data and their privacy column, or \
            --from-levels FILE",
        ));
    }
    let categories = &arguments.categories;
    let counted =
        categories.categories.is_some() || categories.bins.is_some() || categories.other.is_some();
    if counted && !matches!(planned, Planned::Frequency) {
        return Err(Error::request("plan: categories are for frequencies")
            .with_hint("add --statistic frequency"));
    }
    if arguments.bounds.is_some() && matches!(planned, Planned::Frequency) {
        return Err(
            Error::request("plan: a frequency has no bounds").with_hint("leave --bounds out")
        );
    }
    if arguments.mean.variance.as_deref() == Some("private") {
        return Err(Error::request("variance: a private one is not known before the release")
            .with_hint("plan with the variance that you expect, or --statistic variance"));
    }
    if arguments.bounds.as_deref() == Some(input::AUTO) {
        if !matches!(planned, Planned::Number(Statistic::Mean)) {
            return Err(Error::request("bounds: auto is for means").with_hint(
                "declare the range that values can take, from public knowledge: --bounds LO,HI",
            ));
        }
        if arguments.what_if.is_some() {
            return Err(Error::request("what-if: needs declared bounds")
                .with_hint("plan twice, with --profile"));
        }
        input::check_range_options(&arguments.mean, &arguments.split)?;
    }
    let quantiles = match planned {
        Planned::Quantile => true,
        Planned::Several(statistics) => !statistics.quantiles.is_empty(),
        Planned::Number(_) | Planned::Frequency | Planned::Variance => false,
    };
    input::check_quantile_arguments(&arguments.cells, &arguments.intervals, quantiles)?;
    if arguments.profile.is_some()
        && arguments.input.levels.is_some()
        && matches!(arguments.options.common.neighbors, NeighborsArgument::Replace)
    {
        return Err(Error::request("levels: a profile has budgets in place of tiers").with_hint(
            "leave --levels out, or name the data or a level table in place of --profile",
        ));
    }
    let number = matches!(planned, Planned::Number(_) | Planned::Frequency);
    let quantile = matches!(planned, Planned::Quantile);
    let several = matches!(planned, Planned::Several(_));
    for (given, is_used, option, by) in [
        (arguments.what_if.is_some(), number, "what-if", "a mean, a sum or a frequency"),
        (arguments.mean.variance.is_some(), number, "variance", "a mean, a sum or a frequency"),
        (arguments.mean.shrink, number, "shrink", "a mean, a sum or a frequency"),
        // What they are by default is no request.
        (
            arguments.options.estimator != "auto",
            number || quantile,
            "estimator",
            "a mean, a sum, a frequency or a quantile",
        ),
        (arguments.q != "0.5", quantile, "q", "a quantile"),
        (arguments.split.split.is_some(), several, "split", "several statistics"),
    ] {
        if given && !is_used {
            return Err(Error::request(format!("{option}: is for the plan of {by}"))
                .with_hint(format!("leave --{option} out")));
        }
    }
    Ok(())
}

/// The plan of a release that hides who takes part, for people as one assumes them to be.
fn run_hidden(arguments: &PlanArguments, planned: &Planned) -> Result<Answer> {
    let Some(assumed) = &arguments.profile else {
        return Err(Error::request(
            "plan: with add-remove neighbours the profile of the data is private",
        )
        .with_hint("assume one: --profile \"0.1:3400,inf:23\""));
    };
    let auto = arguments.bounds.as_deref() == Some(input::AUTO);
    if auto || arguments.what_if.is_some() {
        let option = if auto { "bounds: auto" } else { "what-if" };
        return Err(Error::request(format!(
            "{option} is planned for --neighbors replace \
            only"
        ))
        .with_hint(
            "plan with --neighbors replace; hiding who takes part makes the error a little larger",
        ));
    }
    let assumed: Profile = assumed.parse()?;
    let common = &arguments.options.common;
    let budgets = hidden::budgets(&arguments.input, &common.hidden)?;
    let options = match planned {
        Planned::Quantile => (&input::quantile_options(
            &arguments.options.estimator,
            common,
            &arguments.intervals,
            &arguments.cells,
        )?)
            .try_into()?,
        _ => (&input::mean_options(&arguments.options, &arguments.mean)?).try_into()?,
    };
    let options = hidden::with_clip(options, &common.hidden)?;
    let bounds = bounds(arguments, None)?;
    let request = match planned {
        Planned::Number(Statistic::Sum) => AddRemoveRequest::sum(bounds, budgets, options)?,
        Planned::Number(_) => AddRemoveRequest::mean(bounds, budgets, options)?,
        Planned::Frequency => {
            let categories = input::planned_categories(&arguments.categories, None)?;
            AddRemoveRequest::frequency(categories, budgets, options)?
        }
        Planned::Quantile => {
            let cells = input::cells(&arguments.cells, bounds)?;
            AddRemoveRequest::quantiles(
                bounds,
                cells,
                input::ranks(&arguments.q)?,
                budgets,
                options,
            )?
        }
        Planned::Variance | Planned::Several(_) => {
            return Err(Error::request(
                "neighbors: add-remove is not available for this statistic",
            )
            .with_hint(
                "plan a mean, a sum, a frequency or quantiles, or use --neighbors replace",
            ));
        }
    };
    let plan = request.expected(assumed)?;
    let tier =
        |row: &DeclaredSpending| Tier { level: row.level.clone(), epsilon: row.epsilon, count: 0 };
    let tiers: Vec<Tier> = plan.chosen().privacy.iter().map(tier).collect();
    let text = |plan: &AddRemovePlan, _: &[Tier]| suum_report::add_remove_plan_text(plan);
    Ok(said(arguments, plan, tiers, text, |plan, _| suum_report::add_remove_plan_page(plan)))
}

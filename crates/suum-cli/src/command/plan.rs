//! `suum plan`.

use suum::{Bounds, Error, Grid, Plan, Profile, Result, Statistic};
use suum_report::Tier;

use crate::arguments::{Format, PlanArguments, StatisticArgument};
use crate::{input, output};

pub(crate) fn run(arguments: &PlanArguments) -> Result<()> {
    let options = input::mean_options(&arguments.options, &arguments.mean)?;
    check(arguments)?;
    let table = match &arguments.profile {
        Some(_) => None,
        None => Some(input::level_table(&arguments.input, None, arguments.output.quiet)?),
    };
    let (profile, tiers) = match (&table, &arguments.profile) {
        (Some(table), _) => (table.profile()?, Tier::of_table(table)),
        (None, text) => {
            let profile: Profile = text.as_deref().unwrap_or_default().parse()?;
            let tiers = Tier::of_profile(&profile);
            (profile, tiers)
        }
    };
    let declared = arguments.bounds.as_deref().map(str::parse::<Bounds>).transpose()?;
    let bounds = declared.or(table.as_ref().and_then(|table| table.grid().map(Grid::bounds)));
    let plan = |profile| -> Result<Plan> {
        let statistic = match arguments.statistic {
            StatisticArgument::Mean => Statistic::Mean,
            StatisticArgument::Sum => Statistic::Sum,
            StatisticArgument::Frequency => {
                let categories = input::planned_categories(&arguments.categories, table.as_ref())?;
                return suum::plan_frequency(profile, categories, &options);
            }
        };
        suum::plan(statistic, profile, bounds.unwrap_or(Bounds::UNIT), &options)
    };

    let text = |plan: &Plan, tiers: &[Tier]| suum_report::plan_text(plan, tiers, bounds.is_none());
    let asked = plan(profile)?;
    let Some(change) = &arguments.what_if else {
        return match arguments.output.format {
            Format::Text => output::print(&text(&asked, &tiers)),
            Format::Json => output::print(&suum_report::json(&asked)?),
        };
    };
    let changed = plan(asked.setting().profile.what_if(change)?)?;
    match arguments.output.format {
        Format::Text => {
            let tiers = Tier::of_changed_profile(&changed.setting().profile, &tiers);
            output::print(&(suum_report::what_if_text(&asked, &changed) + &text(&changed, &tiers)))
        }
        Format::Json => output::print(&suum_report::what_if_json(&asked, &changed)?),
    }
}

/// Refuses what would otherwise be ignored.
fn check(arguments: &PlanArguments) -> Result<()> {
    if arguments.profile.is_none() && arguments.input.data.is_none() && arguments.input.from_levels.is_none()
    {
        return Err(Error::parameter("plan: it is not said for whom").with_hint(
            "give --profile \"0.1:3400,inf:23\", or data and their privacy column, or --from-levels FILE",
        ));
    }
    let categories = &arguments.categories;
    let counted = categories.categories.is_some() || categories.bins.is_some() || categories.other.is_some();
    if counted && arguments.statistic != StatisticArgument::Frequency {
        return Err(
            Error::request("plan: categories are for frequencies").with_hint("add --statistic frequency")
        );
    }
    if arguments.bounds.is_some() && arguments.statistic == StatisticArgument::Frequency {
        return Err(Error::request("plan: a frequency has no bounds").with_hint("leave --bounds out"));
    }
    Ok(())
}

//! `suum plan`.

use suum::{Bounds, Grid, Plan, Profile, Result, Statistic};
use suum_report::Tier;

use crate::arguments::{Format, PlanArguments, StatisticArgument};
use crate::{input, output};

pub(crate) fn run(arguments: &PlanArguments) -> Result<()> {
    let options = input::mean_options(&arguments.options, &arguments.mean)?;
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

    let asked = plan(profile)?;
    let (plan, tiers, change) = match &arguments.what_if {
        Some(change) => {
            let changed = plan(asked.setting().profile.what_if(change)?)?;
            let text = suum_report::what_if_text(&asked, &changed);
            let tiers = Tier::of_profile(&changed.setting().profile);
            (changed, tiers, text)
        }
        None => (asked, tiers, String::new()),
    };
    match arguments.output.format {
        Format::Text => output::print(&(change + &suum_report::plan_text(&plan, &tiers, bounds.is_none()))),
        Format::Json => output::print(&suum_report::json(&plan)?),
    }
}

//! `suum plan`.

use suum::{Bounds, Result, Statistic};
use suum_report::Tier;

use crate::arguments::{Format, PlanArguments, StatisticArgument};
use crate::{input, output};

pub(crate) fn run(arguments: &PlanArguments) -> Result<()> {
    let options = input::options(&arguments.options)?;
    let statistic = match arguments.statistic {
        StatisticArgument::Mean => Statistic::Mean,
        StatisticArgument::Sum => Statistic::Sum,
    };
    let declared = arguments.bounds.as_deref().map(str::parse::<Bounds>).transpose()?;
    let (profile, tiers, found) = match &arguments.profile {
        Some(text) => {
            let profile = text.parse()?;
            let tiers = Tier::of_profile(&profile);
            (profile, tiers, None)
        }
        None => {
            let table = input::level_table(&arguments.input, None, arguments.output.quiet)?;
            (table.profile()?, Tier::of_table(&table), table.grid().map(|grid| grid.bounds()))
        }
    };
    let bounds = declared.or(found);
    let plan = |profile| suum::plan(statistic, profile, bounds.unwrap_or(Bounds::UNIT), &options);

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
        Format::Text => {
            output::print(&(change + &suum_report::plan_text(&plan, &tiers, bounds.is_none())))
        }
        Format::Json => output::print(&suum_report::json(&plan)?),
    }
}

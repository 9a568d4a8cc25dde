//! Request for the number of records, which under replace-one is exact and has no plan.

use super::RecordCount;
use crate::plan::any_statistic::AnyStatistic;
use crate::{Bounds, Error, Numbers, Options, Plan, Profile, Result, Unit};

impl AnyStatistic for RecordCount {
    fn plan(&self, _: Profile, _: Numbers, _: Options) -> Result<Plan> {
        Err(Error::request(
            "count",
            "it is exact with replace-one neighbours, so there is nothing to plan",
        )
        .with_fix("choose another statistic, or other neighbours"))
    }

    fn check_options(&self, _: Option<Bounds>, _: Options) -> Result<()> {
        Ok(())
    }

    fn unit(&self) -> Unit {
        Unit::Records
    }

    fn is_of_numbers(&self) -> bool {
        false
    }
}

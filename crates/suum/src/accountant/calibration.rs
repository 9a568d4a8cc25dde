//! Least part of the available budgets with which a target error is reached.

use suum_core::{Error, LevelTable, OptionName, Result, for_example, option};
use suum_ledger::Amount;

use super::spend::Fraction;
use super::{Accountant, requested_amount};

/// The whole, in millionths.
pub(super) const WHOLE: u32 = 1_000_000;

impl Accountant {
    /// Scales the table to the part of all budgets that
    /// [`calibrate_to_rmse`](Self::calibrate_to_rmse) found.
    ///
    /// # Errors
    ///
    /// None is expected.
    pub fn scale(&self, table: LevelTable) -> Result<LevelTable> {
        match self.part {
            WHOLE => Ok(table),
            part => self.name_tiers(at_part(table, part)?),
        }
    }

    /// Finds the least part of the available budgets, the same for everybody, with which the error
    /// is at most `most`.
    ///
    /// `error` is the expected error of a release at these budgets; it must not grow with the part.
    ///
    /// # Errors
    ///
    /// Refuses an error that cannot be reached with all of it.
    pub fn calibrate_to_rmse(
        &mut self,
        most: f64,
        table: &LevelTable,
        error: impl Fn(&LevelTable) -> Result<f64>,
    ) -> Result<()> {
        self.calibrate((option::TARGET_RMSE, "expected error"), most, &[table], error)
    }

    /// Finds the least part like [`calibrate_to_rmse`](Self::calibrate_to_rmse), for the target of
    /// an option, and for the worst of several tables.
    pub(crate) fn calibrate(
        &mut self,
        (option, what): (OptionName, &str),
        most: f64,
        tables: &[&LevelTable],
        error: impl Fn(&LevelTable) -> Result<f64>,
    ) -> Result<()> {
        if !(most.is_finite() && most > 0.0) {
            return Err(Error::parameter(option, "must be a positive number")
                .with_fix(for_example(option, "0.5")));
        }
        let worst = |of: &dyn Fn(&LevelTable) -> Result<f64>| -> Result<f64> {
            let errors = tables.iter().map(|table| of(table)).collect::<Result<Vec<f64>>>()?;
            let nan = errors.iter().any(|error| error.is_nan());
            Ok(if nan { f64::NAN } else { errors.into_iter().fold(0.0, f64::max) })
        };
        let of = |part: u32| worst(&|table| error(&at_part(table.clone(), part)?));
        let least = worst(&error)?;
        if least.is_nan() || least > most {
            return Err(Error::budget(
                option,
                format!("with all that may be spent the {what} is {least:.4}, which is more"),
            )
            .with_fix("ask for a larger error, or for more people or budget"));
        }
        // `enough` reaches it, `short` does not, or is nothing at all. A plan without anybody has
        // no error.
        let (mut short, mut enough) = (0, WHOLE);
        while enough - short > 1 {
            let part = short + (enough - short) / 2;
            if of(part).is_ok_and(|error| error <= most) { enough = part } else { short = part }
        }
        self.part = enough;
        Ok(())
    }

    /// Part of the available budgets that is used, at most 1.
    pub fn part(&self) -> f64 {
        f64::from(self.part) / f64::from(WHOLE)
    }
}

/// Table of budgets of which only this part may be spent.
fn at_part(table: LevelTable, part: u32) -> Result<LevelTable> {
    table.with_budgets(|_, epsilon| scaled(requested_amount(epsilon), part).epsilon())
}

/// Returns `part` millionths of an amount, rounded down.
pub(super) fn scaled(amount: Amount, part: u32) -> Amount {
    match Fraction::new(part.into(), WHOLE.into()) {
        Some(part) => part.apply_to(amount),
        None => Amount::ZERO,
    }
}

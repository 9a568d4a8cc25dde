//! Records of an add-remove release: a level table whose contents only noisy measurements may read.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::private::session::Session;
use crate::{
    Categories, Cells, Error, Grid, LevelSums, LevelTable, PrivacyUnits, Result, Totals,
    TotalsQuestion,
};

/// Level table that fits the request.
///
/// Refusals depend on how a table was made, never on who is in it.
pub(crate) struct People<'a> {
    table: &'a LevelTable,
}

impl<'a> People<'a> {
    /// Returns the records of any table; nothing but their budgets is read.
    pub(crate) fn present(table: &'a LevelTable) -> Self {
        Self { table }
    }

    /// Returns records with numbers inside `bounds`, of which `cells` were counted if there are
    /// any.
    pub(crate) fn with_numbers(
        table: &'a LevelTable,
        bounds: crate::Bounds,
        cells: Option<Cells>,
    ) -> Result<(Self, Grid)> {
        let fits = |numbers: &&crate::Numbers| {
            numbers.grid.bounds() == bounds && (cells.is_none() || numbers.cells == cells)
        };
        let numbers = table.numbers().filter(fits).ok_or_else(|| Cells::mismatch("request"))?;
        Ok((Self { table }, numbers.grid))
    }

    /// Returns the cells in which sums of the numbers were added up, if any.
    pub(crate) fn cells_of_sums(&self) -> Option<Cells> {
        self.table.numbers().and_then(|numbers| numbers.cells).filter(|cells| cells.has_sums())
    }

    /// Returns the level table.
    pub(crate) fn table(&self) -> &'a LevelTable {
        self.table
    }

    /// Returns true if squares of the numbers were added up.
    pub(crate) fn have_squares(&self) -> bool {
        self.table.numbers().is_some_and(|numbers| numbers.squares)
    }

    /// Refuses a table without squares of its numbers.
    pub(crate) fn check_squares(&self) -> Result<()> {
        match self.have_squares() {
            true => Ok(()),
            false => Err(Error::table("level table", "it has no squares")
                .with_fix("make the table with the same bounds, for a variance")),
        }
    }

    /// Returns records counted in these categories, one each or in several.
    pub(crate) fn in_categories(table: &'a LevelTable, categories: &Categories) -> Result<Self> {
        if !table.categories().is_some_and(|counted| counted.have_names_of(categories)) {
            return Err(Error::table("level table", "its categories are not those of the request")
                .with_fix("make the table with the same categories"));
        }
        Ok(Self { table })
    }

    /// Measures sums, and charges the session. Returns the question, and the sums in units of their
    /// noise.
    pub(crate) fn sums(
        &self,
        units: PrivacyUnits,
        question: TotalsQuestion,
        session: &mut Session<'_>,
    ) -> Result<(Totals<PrivacyUnits>, Vec<f64>)> {
        let account = session.account();
        let sums = Totals::in_units(units, question, account.neighbors());
        let answers = self.by_level().iter().map(|LevelSums { epsilon, count, sums, .. }| {
            question.answers(account.left(*epsilon), (*count, sums), 0)
        });
        let answers = answers.collect();
        let noisy = in_units(session.measure(&sums, answers)?, &sums);
        Ok((sums, noisy))
    }

    /// Returns the number of steps of a record in counts of categories.
    pub(crate) fn steps(&self) -> u64 {
        self.table.categories().map_or(1, Categories::steps)
    }

    pub(crate) fn by_level(&self) -> &'a [LevelSums] {
        self.table.by_level()
    }
}

/// Converts noisy sums to privacy units, in which their noise has scale 1.
pub(crate) fn in_units(noisy: Vec<IBig>, sums: &Totals<PrivacyUnits>) -> Vec<f64> {
    let scale = sums.scale();
    noisy.into_iter().map(|sum| RBig::from_parts(sum, scale.clone()).to_f64().value()).collect()
}

//! `gaussian-reduction`: the mean of values without declared bounds, under hidden participation.

use suum::{DeclaredBudgets, Epsilon, Loss, Randomness, Result};

use super::answer::{Answer, LevelSpending, Person, checked, profile_of};
use super::gaussian::{DiffusionMean, too_few};
use super::reduction::Reduction;

/// Part of every budget that counting the people costs.
const COUNTED: f64 = 0.5;

/// Mean under hidden participation: reduction from an unknown number of people to a known one, as
/// published, corrected.
///
/// Half of every budget buys noisy numbers of the people in buckets of budgets that double; as many
/// records are drawn from each bucket (or from placeholders that fill it up), and [`DiffusionMean`]
/// gets the rest.
///
/// # When
///
/// To compare with: `suum mean --bounds auto --neighbors add-remove` needs a twentieth of every
/// budget where this needs a half.
///
/// # Example
///
/// ```
/// use suum::{Epsilon, Randomness};
/// use suum_experiments::published::ReductionMean;
///
/// let one = Epsilon::new(1.0)?;
/// let people: Vec<_> =
///     (0..20_000u32).map(|i| (one, 990.0 + f64::from(i * 7919 % 20_000) / 1000.0)).collect();
/// let plan = ReductionMean::new("0.1,1".parse()?)?;
/// let answer = plan.release(&people, &mut Randomness::insecure(1))?;
/// assert!((answer.estimate - 1000.0).abs() < 10.0);
/// for row in &answer.privacy {
///     assert!(row.spent.within(row.epsilon) && row.count.is_none());
/// }
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: DG26 Algorithm 8.
#[derive(Debug, Clone, PartialEq)]
pub struct ReductionMean {
    reduction: Reduction,
}

impl ReductionMean {
    /// Creates a plan for people with such budgets, declared in advance.
    ///
    /// # Errors
    ///
    /// Refuses budgets too small to count people.
    pub fn new(budgets: DeclaredBudgets) -> Result<Self> {
        Ok(Self { reduction: Reduction::new(budgets)? })
    }

    /// Draws records from the buckets, finds a range for them, and releases the mean of the values
    /// clamped to it.
    ///
    /// # Errors
    ///
    /// Refuses, by a private decision, data in which there is no range to be found: what was spent
    /// by then is spent, and the refusal says how much that is. Nothing else that is refused
    /// depends on who is in the data.
    pub fn release(&self, people: &[Person], randomness: &mut Randomness) -> Result<Answer> {
        let drawn = self.reduction.reduce(people, randomness);
        let counted = |refused: suum::Error| refused.after_spending(COUNTED);
        if drawn.is_empty() {
            return Err(counted(too_few()));
        }
        let mean = DiffusionMean::new(profile_of(&drawn)?).map_err(counted)?;
        let answer = mean.release_after(COUNTED, &drawn, randomness)?;
        // The numbers of people stay private; rows are those of the declaration.
        let row = |(_, epsilon): (String, Epsilon)| LevelSpending {
            epsilon,
            count: None,
            spent: self.spent(epsilon, &mean, &answer),
        };
        let rows = self.reduction.declared().rows().into_iter().map(row);
        Ok(Answer { privacy: checked(rows.collect())?, ..answer })
    }

    /// Loss of a record of this budget, or its bound if none was drawn.
    fn spent(&self, epsilon: Epsilon, mean: &DiffusionMean, drawn: &Answer) -> Loss {
        let Some(half) = self.reduction.remaining_budget(epsilon) else { return Loss::ZERO };
        let row = drawn.privacy.iter().find(|row| row.epsilon == half);
        let of_mean = row.map_or_else(|| mean.loss(half), |row| row.spent.clone());
        self.reduction.loss(epsilon).plus(&of_mean)
    }
}

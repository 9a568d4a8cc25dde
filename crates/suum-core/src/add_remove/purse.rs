//! What a budget has left after each question, in exact arithmetic.

use dashu_ratio::RBig;

use super::DeclaredBudgets;
use crate::share::rounded_down;
use crate::{Epsilon, Loss, PrivacyUnits, Share};

/// The budgets of a release and the questions they have paid for: a public function of a record's
/// budget.
///
/// Questions are asked one after the other, each with weights of what is left. A question costs at
/// most that, and what is left afterwards is rounded down: so all of them together cost at most the
/// budget.
#[derive(Debug, Clone)]
pub(super) struct Purse<'a> {
    budgets: &'a DeclaredBudgets,
    share: Share,
    paid: Vec<PrivacyUnits>,
}

impl<'a> Purse<'a> {
    pub(super) fn new(budgets: &'a DeclaredBudgets, share: Share) -> Self {
        Self { budgets, share, paid: Vec::new() }
    }

    /// Pays for a question in these units; what it weighs records by is what they had left before,
    /// in the purse that is returned.
    pub(super) fn ask(&mut self, units: PrivacyUnits) -> Self {
        let before = self.clone();
        self.paid.push(units);
        before
    }

    /// What a record that allows ε has left.
    pub(super) fn left(&self, epsilon: Epsilon) -> Epsilon {
        self.after(epsilon).0
    }

    /// What a record that allows ε has lost, exactly.
    pub(super) fn spent(&self, epsilon: Epsilon) -> Loss {
        self.after(epsilon).1
    }

    fn after(&self, epsilon: Epsilon) -> (Epsilon, Loss) {
        let mut left = self.share.of(self.budgets.of(epsilon));
        let mut spent = Loss::ZERO;
        for units in &self.paid {
            let loss = units.loss(left);
            left = rest(left, &loss);
            spent = spent.plus(&loss);
        }
        (left, spent)
    }

    /// The least budget and what it has left.
    pub(super) fn least(&self) -> Epsilon {
        self.left(self.budgets.least())
    }

    /// What the largest budget has left.
    pub(super) fn most(&self) -> Epsilon {
        self.left(self.budgets.most())
    }
}

/// The largest double of at most budget − loss, as a budget; ∞ stays ∞, and too little is nothing.
fn rest(budget: Epsilon, loss: &Loss) -> Epsilon {
    let (Some(budget), Loss::Finite(loss)) = (budget.exact(), loss) else {
        return if budget.is_public() { budget } else { Epsilon::UNUSED };
    };
    if *loss >= budget {
        return Epsilon::UNUSED;
    }
    let rest: RBig = budget - loss;
    Epsilon::new(rounded_down(&rest)).unwrap_or(Epsilon::UNUSED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn questions_never_cost_more_than_the_budget(
            epsilon in -60.0..60.0_f64,
            questions in prop::collection::vec((1e-3..1.0_f64, -70.0..20.0_f64), 0..6),
        ) {
            let budgets: DeclaredBudgets = "1e-60,inf".parse().unwrap();
            let mut purse = Purse::new(&budgets, Share::new(0.7).unwrap());
            let allowed = Epsilon::new(epsilon.exp()).unwrap();
            for (share, clip) in questions {
                let clip = Epsilon::new(clip.exp()).unwrap();
                purse.ask(PrivacyUnits::new(Share::new(share).unwrap(), clip).unwrap());
                prop_assert!(purse.spent(allowed).within(Share::new(0.7).unwrap().of(allowed)));
                let Loss::Finite(spent) = purse.spent(allowed) else { panic!("unlimited") };
                let all = spent + purse.left(allowed).exact().unwrap();
                prop_assert!(all <= allowed.exact().unwrap() * RBig::try_from(0.7).unwrap());
            }
            prop_assert!(purse.left(Epsilon::PUBLIC).is_public());
            prop_assert_eq!(purse.spent(Epsilon::UNUSED), Loss::ZERO);
        }
    }
}

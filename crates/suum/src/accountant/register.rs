//! Registers of decisions that releases look at, and the ledger's evidence of them.

use std::sync::Arc;

use suum_core::Epsilon;
use suum_data::{Consent, DecidedChoice, NotUsedCounts, PersonDecision};
use suum_ledger::{
    Amendment, Amount, Dataset, Decision, Direction, Holder, Ledger, Lifetime, NotUsed, PersonHash,
    RegisterUse,
};

/// Register of decisions that was read for a release or an amendment.
#[derive(Debug, Clone)]
pub(crate) struct ReadRegister {
    /// Decisions in force.
    pub(crate) consent: Arc<Consent>,
    /// Tiers that people choose among, in their order; empty for budgets.
    pub(crate) tiers: Vec<(String, Epsilon)>,
    /// Time for which the register was read, as text.
    pub(crate) as_of: String,
    /// Numbers of people in the data who are not used; none where participation is hidden.
    pub(crate) not_used: Option<NotUsedCounts>,
}

impl ReadRegister {
    /// Returns the evidence that the ledger keeps of the register.
    pub(crate) fn evidence(&self, ledger: &Ledger) -> RegisterUse {
        let mut hasher = ledger.register_hasher();
        self.consent.hash_decisions(&mut |bytes| hasher.add(bytes));
        let counts = |NotUsedCounts { none, withdrawn, expired }: NotUsedCounts| NotUsed {
            none,
            withdrawn,
            expired,
        };
        RegisterUse {
            as_of: self.as_of.clone(),
            digest: hasher.digest(),
            not_used: self.not_used.map(counts),
        }
    }

    /// Returns the amendment of the accounts of persons that follows from its decisions.
    pub(crate) fn amendment(
        &self,
        dataset: &Dataset,
        direction: Direction,
        evidence: &RegisterUse,
    ) -> Amendment {
        let decisions = self.consent.decisions().filter_map(|one| self.decision(dataset, &one));
        Amendment {
            tiers: Vec::new(),
            decisions: decisions.collect(),
            direction,
            because: None,
            register: Some(evidence.clone()),
        }
    }

    /// Converts a decision into the form of the dataset's accounts; `None` if they cannot have it.
    fn decision(&self, dataset: &Dataset, decision: &PersonDecision) -> Option<Decision> {
        let lifetime = match &dataset.accounts {
            suum_ledger::Accounts::Persons(lifetime) => lifetime,
            suum_ledger::Accounts::Tiers(_) => return None,
        };
        let holder = match (decision.choice, lifetime) {
            (DecidedChoice::Withdrawn | DecidedChoice::Expired, _) => Holder::NoConsent,
            (DecidedChoice::Tier(position), lifetime) => {
                let (label, epsilon) = self.tiers.get(position as usize)?;
                match lifetime {
                    Lifetime::Tiers(tiers) if tiers.iter().any(|(known, _)| known == label) => {
                        Holder::Tier(label.clone())
                    }
                    Lifetime::Same(_) if !epsilon.is_unused() => Holder::Everybody,
                    Lifetime::Own => return None,
                    Lifetime::Tiers(_) | Lifetime::Same(_) => Holder::NoConsent,
                }
            }
            (DecidedChoice::Budget(epsilon), _) if epsilon.is_unused() => Holder::NoConsent,
            (DecidedChoice::Budget(epsilon), Lifetime::Own) => {
                Holder::Own(Amount::allowed(epsilon))
            }
            (DecidedChoice::Budget(_), Lifetime::Same(_)) => Holder::Everybody,
            (DecidedChoice::Budget(_), Lifetime::Tiers(_)) => return None,
        };
        Some(Decision {
            person: PersonHash::from_number(decision.person),
            holder,
            from: decision.from.map(|seconds| (seconds * 1e6).floor() as i64),
            has_reference: decision.has_reference,
        })
    }
}

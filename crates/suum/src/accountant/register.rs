//! Register of decisions that a release looks at: what the ledger learns from it.

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
    /// The decisions in force.
    pub(crate) consent: Arc<Consent>,
    /// The tiers that they choose among, in their order; none of budgets.
    pub(crate) tiers: Vec<(String, Epsilon)>,
    /// The time looked at, as text.
    pub(crate) as_of: String,
    /// People of the data who are not used; none where who takes part is hidden.
    pub(crate) not_used: Option<NotUsedCounts>,
}

impl ReadRegister {
    /// Returns what the ledger keeps of it.
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

    /// Returns the change of the accounts of persons that follows from its decisions.
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

    /// Returns a decision as accounts of persons know it; none of a choice that they cannot have.
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
            person: PersonHash::from_bytes(decision.person.to_be_bytes()),
            holder,
            from: decision.from.map(|seconds| (seconds * 1e6).floor() as i64),
            has_reference: decision.has_reference,
        })
    }
}

//! The last check before anything is drawn.

use crate::{Epsilon, Error, Level, Loss, Profile, Result, Share};

/// Refuses to release what would cost somebody more than this share of their budget, decided in
/// exact arithmetic.
///
/// Mechanisms are calibrated so that this cannot be. It is checked all the same, at the moment of
/// release: a mistake of ours must not become a loss of theirs. `loss` is that of one record which
/// allows the budget it is given.
pub(crate) fn check_losses(
    allowed: &Profile,
    share: Share,
    loss: impl Fn(Epsilon) -> Loss,
) -> Result<()> {
    let holds = |level: &Level| loss(level.epsilon).within(share.of(level.epsilon));
    if allowed.levels().iter().all(holds) {
        return Ok(());
    }
    Err(Error::internal(
        "internal error: a loss would exceed its budget; this is a bug in suum, nothing was \
        released",
    )
    .with_hint(
        "please report it, with the options and what `suum plan` says about the same \
        people",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use dashu_int::UBig;
    use dashu_ratio::RBig;

    #[test]
    fn not_a_hair_more_than_the_share_of_each_budget() {
        let profile: Profile = "0:2,0.1:5,0.7:3,inf:2".parse().unwrap();
        let hair = RBig::from_parts(1.into(), UBig::from(10u8).pow(60));
        for share in [Share::ALL, Share::new(0.3).unwrap()] {
            let exactly =
                |epsilon: Epsilon| share.of(epsilon).exact().map_or(Loss::Unlimited, Loss::Finite);
            assert!(check_losses(&profile, share, exactly).is_ok());
            assert!(check_losses(&profile, share, |_| Loss::ZERO).is_ok());
            for level in profile.levels() {
                let more = |epsilon: Epsilon| match exactly(epsilon) {
                    Loss::Finite(loss) if epsilon == level.epsilon => Loss::Finite(loss + &hair),
                    loss => loss,
                };
                let checked = check_losses(&profile, share, more);
                assert_eq!(checked.is_ok(), level.epsilon.is_public(), "{}", level.epsilon);
                let Err(refused) = checked else { continue };
                assert_eq!(refused.kind(), ErrorKind::Internal);
                assert!(refused.hint().is_some());
            }
            assert!(check_losses(&profile, share, |_| Loss::Unlimited).is_err());
        }
    }
}

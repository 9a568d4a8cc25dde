//! DG26 Algorithm 2 clamps a rank with the number of records that stayed, which is private. That is
//! no specimen: here all small datasets are gone through, and no record loses more than the
//! mechanism claims.

/// Possible positions of a record: a candidate from 1 to 4, or none, as a placeholder.
const POSITIONS: [Option<u32>; 5] = [None, Some(1), Some(2), Some(3), Some(4)];

/// ln of the probability of every candidate: exp(−d·ε/2), d the number of records to be changed
/// before it is the record of the clamped rank.
fn find_quantile(
    people: &[Option<u32>],
    rank: f64,
    margin: f64,
    epsilon: f64,
    cap: bool,
) -> Vec<f64> {
    let present: Vec<u32> = people.iter().copied().flatten().collect();
    let most = present.len() as f64 - margin;
    let clamped = if rank < margin {
        margin
    } else if rank > most && cap {
        most
    } else {
        rank
    };
    let scores: Vec<f64> = (1..=4)
        .map(|candidate| {
            let below = present.iter().filter(|position| **position < candidate).count() as f64;
            let up_to = present.iter().filter(|position| **position <= candidate).count() as f64;
            -epsilon / 2.0 * (below - (clamped - 1.0)).max(clamped - up_to).max(0.0)
        })
        .collect();
    let total = scores.iter().map(|score| score.exp()).sum::<f64>().ln();
    scores.into_iter().map(|score| score - total).collect()
}

/// The largest loss of any record in any dataset of up to four, for being replaced, also by a
/// placeholder and from one.
fn largest_loss(epsilon: f64, clamp: bool) -> f64 {
    let mut largest = 0.0f64;
    for size in 1..=4u32 {
        for number in 0..5u32.pow(size) {
            let people: Vec<Option<u32>> =
                (0..size).map(|at| POSITIONS[(number / 5u32.pow(at) % 5) as usize]).collect();
            for (rank, margin) in
                [(1.0, 0.5), (1.5, 1.0), (2.0, 1.0), (2.0, 2.0), (3.0, 1.0), (4.0, 2.0)]
            {
                let before = find_quantile(&people, rank, margin, epsilon, clamp);
                for at in 0..people.len() {
                    for position in POSITIONS {
                        let mut changed = people.clone();
                        changed[at] = position;
                        let after = find_quantile(&changed, rank, margin, epsilon, clamp);
                        let loss =
                            before.iter().zip(&after).map(|(one, other)| (one - other).abs());
                        largest = largest.max(loss.fold(0.0, f64::max));
                    }
                }
            }
        }
    }
    largest
}

#[test]
fn the_clamp_costs_nobody_more_than_is_claimed() {
    for epsilon in [0.1, 1.0, 3.0] {
        for clamp in [true, false] {
            let loss = largest_loss(epsilon, clamp);
            assert!(loss <= epsilon * (1.0 + 1e-12), "{epsilon}: {loss}");
            assert!(loss > 0.5 * epsilon, "{epsilon}: nothing was tried");
        }
    }
}

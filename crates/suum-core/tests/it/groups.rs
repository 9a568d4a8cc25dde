//! Releases of groups: a record that changes its group counts in two of them.

use suum_core::*;

fn budgets() -> DeclaredBudgets {
    "0.1,2".parse().unwrap()
}

fn people(count: u64) -> LevelTable {
    let grid = Grid::new(Bounds::UNIT);
    let half = i128::from(grid.points()) / 2 * i128::from(count);
    let levels = [0.1, 0.5, 2.0].map(|epsilon| LevelSums {
        label: None,
        epsilon: budgets().round_down(Epsilon::new(epsilon).unwrap()),
        count,
        sums: [half, 0].map(ExactSum::from_raw).to_vec(),
        cells: CellCounts::default(),
    });
    let numbers = Numbers { grid, squares: true, cells: None };
    LevelTable::possibly_empty(None, Measure::Numbers(numbers), levels.to_vec()).unwrap()
}

/// A release of each of three groups, which spend this share.
fn released(share: f64, neighbors: Neighbors) -> Result<GroupReleases> {
    let options = Options { neighbors, share: Share::new(share)?, ..Options::add_remove() };
    let request = Request::mean(options).add_remove(Bounds::UNIT, budgets())?;
    let one = |(at, count): (u64, u64)| {
        let release = request.release(people(count), &mut Randomness::insecure(at))?;
        Ok((format!("g{at}"), Some(release)))
    };
    let groups = [(1, 900), (2, 0), (3, 40)].into_iter().map(one).collect::<Result<_>>()?;
    GroupReleases::new("g", groups)
}

/// What is lost in the two groups that cost a level most, from each certificate.
fn in_two(groups: &GroupReleases, at: usize) -> Loss {
    let mut losses: Vec<Loss> =
        groups.iter().map(|release| release.privacy[at].spent.clone()).collect();
    losses.sort_by(|one, other| other.rounded_up().total_cmp(&one.rounded_up()));
    losses[0].plus(&losses[1])
}

#[test]
fn a_record_that_changes_group_keeps_its_budget() {
    let groups = released(0.5, Neighbors::Both).unwrap();
    let certificate = groups.certificate();
    assert!(certificate.len() > 3);
    for (at, row) in certificate.iter().enumerate() {
        assert_eq!(row.spent, in_two(&groups, at), "{}", row.level);
        assert!(row.spent.within(row.epsilon), "{}", row.level);
        for release in groups.iter() {
            let half = Share::HALF.apply_to(row.epsilon);
            assert!(release.privacy[at].spent.within(half), "{}", row.level);
        }
    }
    // The strictest spend all of it, so a little more is too much.
    let strict = &certificate[0];
    assert!(strict.spent.rounded_up() > 0.999 * strict.epsilon.get());
    let refused = released(0.501, Neighbors::Both).unwrap_err();
    assert!(refused.to_string().starts_with("groups: ") && refused.fix().is_some());
}

#[test]
fn who_joins_or_leaves_is_in_one_group() {
    let groups = released(1.0, Neighbors::AddRemove).unwrap();
    for (at, row) in groups.certificate().iter().enumerate() {
        let each = groups.iter().map(|release| release.privacy[at].spent.rounded_up());
        assert_eq!(row.spent.rounded_up(), each.fold(0.0, f64::max), "{}", row.level);
        assert!(row.spent.within(row.epsilon));
    }
}

/// What is lost under one kind of neighbours says nothing of another one.
#[test]
fn all_groups_are_released_for_the_same_neighbours() {
    let of = |neighbors| -> Vec<(GroupName, Option<Release>)> {
        released(0.5, neighbors).unwrap().groups().to_vec()
    };
    for (one, other) in
        [(Neighbors::AddRemove, Neighbors::Both), (Neighbors::Both, Neighbors::AddRemove)]
    {
        let mixed = [&of(one)[..1], &of(other)[1..]].concat();
        let refused = GroupReleases::new("g", mixed).unwrap_err();
        assert!(refused.to_string().contains("different neighbours"), "{refused}");
        assert!(GroupReleases::new("g", of(one)).is_ok());
    }
}

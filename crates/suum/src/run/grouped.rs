//! One release, or one for each declared group.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::{
    Error, GroupName, GroupReleases, LevelTable, Memberships, Randomness, Release, Releases,
    Result, SmallGroups, option, say,
};
use suum_data::{Groups, Reading, RecordBuffer};

use crate::query::Query;

/// Level tables, records or releases: one of all, or one of each group.
pub(crate) enum PerGroup<T> {
    One(T),
    Groups(Groups<T>),
}

/// Level table of all records, or one for each group.
pub(crate) type Tables = PerGroup<LevelTable>;

impl Tables {
    /// Tables that a scan has read.
    pub(crate) fn from_reading(reading: Reading) -> Result<Self> {
        match reading {
            Reading::Table(table) => Ok(Self::One(table)),
            Reading::Groups(groups) => Ok(Self::Groups(groups)),
            Reading::Records(_) | Reading::GroupRecords(_) => Err(other("counted")),
        }
    }
}

impl Tables {
    /// Returns the groups that have records which are used, like [`keep_used`](Self::keep_used).
    pub(crate) fn keep_used_records(self, query: &Query) -> Self {
        self.keep_used(query, |table| table.by_level().iter().any(|one| !one.epsilon.is_unused()))
    }

    /// Table of all records, or of a group of median size among those with records.
    pub(crate) fn middle(&self) -> Option<&LevelTable> {
        let mut all: Vec<&LevelTable> = self.iter().collect();
        all.sort_by_key(|table| table.records());
        all.get(all.len() / 2).copied()
    }
}

impl PerGroup<RecordBuffer> {
    /// Records that a scan has kept.
    pub(crate) fn from_reading(reading: Reading) -> Result<Self> {
        match reading {
            Reading::Records(records) => Ok(Self::One(records)),
            Reading::GroupRecords(groups) => Ok(Self::Groups(groups)),
            Reading::Table(_) | Reading::Groups(_) => Err(other("kept")),
        }
    }
}

fn other(wanted: &str) -> Error {
    Error::internal(format!("records were not {wanted}"))
        .with_fix("please report it, with the options")
}

impl<T> PerGroup<T> {
    /// All items: that of all records, or of each group with records.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let (one, groups) = match self {
            Self::One(one) => (Some(one), &[][..]),
            Self::Groups(groups) => (None, groups.each.as_slice()),
        };
        one.into_iter().chain(groups.iter().filter_map(|(_, one)| one.as_ref()))
    }

    /// Applies `of` to each item.
    ///
    /// # Errors
    ///
    /// Fails if `of` does; the refusal names the group.
    pub(crate) fn try_map<U>(self, mut of: impl FnMut(T) -> Result<U>) -> Result<PerGroup<U>> {
        let groups = match self {
            Self::One(one) => return of(one).map(PerGroup::One),
            Self::Groups(groups) => groups,
        };
        let each = |(group, one): (GroupName, Option<T>)| {
            let one = one.map(&mut of).transpose();
            let one = one.map_err(|refused| refused.within(format!("group {group}")))?;
            Ok((group, one))
        };
        let each = groups.each.into_iter().map(each).collect::<Result<_>>()?;
        Ok(PerGroup::Groups(Groups { column: groups.column, each }))
    }

    /// Returns what `of` returns of each item.
    ///
    /// # Errors
    ///
    /// Fails like [`try_map`](Self::try_map).
    pub(crate) fn try_map_ref<U>(&self, of: impl Fn(&T) -> Result<U>) -> Result<PerGroup<U>> {
        let items = match self {
            Self::One(one) => PerGroup::One(one),
            Self::Groups(Groups { column, each }) => PerGroup::Groups(Groups {
                column: column.clone(),
                each: each.iter().map(|(name, one)| (name.clone(), one.as_ref())).collect(),
            }),
        };
        items.try_map(of)
    }

    /// Applies `of` to each item, on all threads.
    pub(crate) fn map_all<U: Send>(self, of: impl Fn(T) -> U + Sync) -> PerGroup<U>
    where
        T: Send,
    {
        match self {
            Self::One(one) => PerGroup::One(of(one)),
            Self::Groups(groups) => {
                let each = groups.each.into_par_iter();
                let each = each.map(|(group, one)| (group, one.map(&of))).collect();
                PerGroup::Groups(Groups { column: groups.column, each })
            }
        }
    }

    /// Keeps only the two groups that are compared, if there are two.
    ///
    /// # Errors
    ///
    /// Refuses compared groups of which one has no records.
    pub(crate) fn keep_compared(self, query: &Query) -> Result<Self> {
        let (mut groups, between) = match (self, query.compared()?) {
            (Self::Groups(groups), Some(between)) => (groups, between),
            (all, _) => return Ok(all),
        };
        groups.each.retain(|(name, _)| between.contains(name));
        match groups.each.iter().all(|(_, one)| one.is_some()) {
            true => Ok(Self::Groups(groups)),
            false => Err(Error::data(option::BETWEEN, "one of the two groups has no records")
                .with_fix(
                    say("check the spelling of")
                        .option(option::BETWEEN)
                        .say(", or compare other groups"),
                )),
        }
    }

    /// Returns the groups without those whose records are not used at all, where the groups were
    /// read off the data: nobody who allows nothing lets it be known that there is their group.
    pub(crate) fn keep_used(self, query: &Query, is_used: impl Fn(&T) -> bool) -> Self {
        match self {
            Self::Groups(mut groups) if query.groups_of.is_some() => {
                groups.each.retain(|(_, one)| one.as_ref().is_some_and(&is_used));
                Self::Groups(groups)
            }
            all => all,
        }
    }

    /// Returns the groups without those that have fewer records than is asked for, and these.
    ///
    /// # Errors
    ///
    /// Refuses to leave all groups out, or one of two that are compared.
    pub(crate) fn without_small(
        self,
        query: &Query,
        records: impl Fn(&T) -> u64,
    ) -> Result<(Self, Option<SmallGroups>)> {
        let (mut groups, below) = match (self, query.suppress_below) {
            (Self::Groups(groups), Some(below)) => (groups, below),
            (all, _) => return Ok((all, None)),
        };
        let is_small = |one: &Option<T>| one.as_ref().map_or(0, &records) < below;
        let small = groups.each.iter().filter(|(_, one)| is_small(one));
        let small: Vec<GroupName> = small.map(|(name, _)| name.clone()).collect();
        groups.each.retain(|(_, one)| !is_small(one));
        let problem = match query.between.is_some() && !small.is_empty() {
            true => "one of the two groups that are compared has fewer records",
            false if groups.each.is_empty() => "all groups have fewer records",
            false => return Ok((Self::Groups(groups), Some(SmallGroups { below, groups: small }))),
        };
        Err(Error::data(option::SUPPRESS_BELOW, problem).with_fix(
            say("lower it, or declare fewer groups that are larger with")
                .option(option::GROUPS)
                .say("and")
                .option(option::OTHER_GROUP),
        ))
    }

    /// Returns the groups without these small ones.
    pub(crate) fn without(self, small: Option<&SmallGroups>) -> Self {
        match (self, small) {
            (Self::Groups(mut groups), Some(small)) => {
                groups.each.retain(|(name, _)| !small.groups.contains(name));
                Self::Groups(groups)
            }
            (all, _) => all,
        }
    }

    /// Refuses groups none of which has records.
    pub(crate) fn check(&self) -> Result<()> {
        match self.iter().next() {
            Some(_) => Ok(()),
            None => Err(Error::data(option::GROUPS, "none of the declared groups has records")
                .with_fix(
                    say("check the spelling of")
                        .option(option::GROUPS)
                        .say(", and the column of")
                        .option(option::GROUP_BY),
                )),
        }
    }

    /// Makes the releases one after the other, and their difference if it is requested.
    pub(crate) fn release_in_turn(
        self,
        query: &Query,
        memberships: Memberships,
        mut release: impl FnMut(T) -> Result<Release>,
    ) -> Result<Releases> {
        let mut made = 0;
        let one = |one| {
            let released = release(one).map_err(|refused| match made {
                0 => refused,
                _ => refused.adding("the groups before it have spent what their releases cost"),
            });
            made += 1;
            released
        };
        self.try_map(one)?.together(query, memberships)
    }

    /// Makes the releases like [`release_in_turn`](Self::release_in_turn), on all threads, each
    /// group with randomness of its own; but one after the other if it comes from a seed, so that
    /// answers are reproducible.
    pub(crate) fn release_at_once(
        self,
        query: &Query,
        memberships: Memberships,
        randomness: &mut Randomness,
        release: impl Fn(T, &mut Randomness) -> Result<Release> + Sync,
    ) -> Result<Releases>
    where
        T: Send,
    {
        if !randomness.is_private() || matches!(self, Self::One(_)) {
            return self.release_in_turn(query, memberships, |one| release(one, randomness));
        }
        let own = self.try_map(|one| Ok((one, randomness.spawn())))?;
        let made = own.map_all(|(one, mut own)| release(one, &mut own));
        let several = made.iter().any(Result::is_ok);
        let refused = |refused: Error| match several {
            true => refused.adding("the other groups have spent what their releases cost"),
            false => refused,
        };
        made.try_map(|made| made.map_err(refused))?.together(query, memberships)
    }
}

impl PerGroup<Release> {
    /// Published releases, with their difference if two groups are compared.
    fn together(self, query: &Query, memberships: Memberships) -> Result<Releases> {
        match self {
            PerGroup::One(release) => Ok(Releases::from(release)),
            PerGroup::Groups(groups) => {
                let releases =
                    GroupReleases::with_memberships(groups.column, memberships, groups.each)?;
                Ok(Releases::Groups(match query.compared()? {
                    Some(between) => releases.with_difference(between, query.confidence.0)?,
                    None => releases,
                }))
            }
        }
    }
}

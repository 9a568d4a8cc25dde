# %% [markdown]
# # A mean in which everybody chose their own privacy
#
# The RAND Health Insurance Experiment: 20 190 person-years, and consent tiers that were drawn at
# random for this example. Each row is a record with a budget of its own. The data do not say which
# rows are of one person; what these spend adds up.

# %%
import math
from pathlib import Path

import polars
import suum

survey = polars.read_csv(Path(__file__).parents[2] / "examples" / "randhie.csv")
consent = {
    "privacy": "privacy",
    "levels": {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": math.inf},
}
survey.group_by("privacy").len()

# %% [markdown]
# ## How good would it be?
# A plan needs to know only how many records are in each tier, which is public.

# %%
plan = suum.plan(survey, **consent, bounds=(0, 77))
print(
    f"{plan.chosen}: expected error {plan.rmse:.2f}, "
    f"in the worst case at most {plan.gap:.2f} times the least possible squared error"
)
plan.plot()

# %% [markdown]
# ## The mean
# The bounds are what visits *can* be, from public knowledge. In a notebook the release shows itself
# with its interval, and what that interval assumes.

# %%
release = suum.mean(survey, value="visits", **consent, bounds=(0, 77))
print(f"{release.estimate:.2f}, with the interval {release.interval}")
release

# %% [markdown]
# What every tier allowed, and what was really spent:

# %%
polars.DataFrame(release.privacy)

# %% [markdown]
# ## Groups, shares and quantiles

# %%
# Who is in which group is public, as the tiers are; health is not.
tiers = ["strict", "standard", "relaxed", "public"]
by_tier = suum.mean(
    survey, value="visits", **consent, bounds=(0, 77), group_by="privacy", groups=tiers
)
for group in by_tier:
    print(f"{group:>9}: {by_tier[group].estimate:.2f}")

# %%
health = ["excellent", "good", "fair", "poor"]
suum.frequency(survey, value="health", categories=health, **consent)

# %%
suum.quantile(survey, value="visits", **consent, bounds=(0, 77), q=[0.25, 0.5, 0.75], step=1)

# %% [markdown]
# ## Budgets that last
# A ledger keeps account of what releases cost, and lowers every budget to what is left.

# %%
import tempfile

ledger = suum.Ledger.create(
    Path(tempfile.mkdtemp()) / "visits.ledger", dataset="visits", levels=consent["levels"]
)
suum.mean(survey, value="visits", privacy="privacy", bounds=(0, 77), ledger=ledger, spend="10%")
print(ledger)

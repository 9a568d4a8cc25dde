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
tiers = {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": math.inf}
study = suum.Study(
    survey,
    consent=suum.tiers("privacy", tiers),
    columns={
        "visits": suum.number(0, 77, step=1),
        "health": suum.labels("excellent", "good", "fair", "poor"),
    },
)
survey.group_by("privacy").len()

# %% [markdown]
# ## How good would it be?
# A plan needs to know only how many records are in each tier, which is public.

# %%
plan = study.plan.mean("visits")
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
release = plan.run()
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
by_tier = study.by(privacy=list(tiers)).mean("visits")
for group in by_tier:
    print(f"{group:>9}: {by_tier[group].estimate:.2f}")

# %%
study.frequency("health")

# %%
study.quantile("visits", [0.25, 0.5, 0.75])

# %% [markdown]
# ## Budgets that last
# A ledger keeps account of what releases cost, and lowers every budget to what is left.

# %%
import tempfile

ledger = suum.Ledger.create(
    Path(tempfile.mkdtemp()) / "visits.ledger", dataset="visits", levels=tiers
)
study.options(ledger=ledger).mean("visits", spend="10%")
print(ledger)

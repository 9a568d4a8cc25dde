"""Minimax risks of private means for few records, by linear programming (SciPy 1.17, HiGHS).

Writes minimax.json, which tests/it/lower_bound.rs reads: `python3 minimax.py > minimax.json`.

A release is any channel from the records to an estimate in {0, 1/G, …, 1}. Records are 0, 1 or,
where a variance is declared, 0, 1/2, 1. Records of one level are exchangeable, so that a channel
depends on how many of them have each value (averaging over permutations keeps risk and budgets).
The program minimises the largest of the risks over a grid of distributions (target population) or
over all datasets, subject to Q(m|x) ≤ exp(ε)·Q(m|x') for all x, x' that differ in one record of
that level. Estimates off the grid could lower the risk by at most 1/(4G²), distributions off theirs
could raise it: the test allows for both.
"""

import itertools
import json
import math
import sys

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

GRID = 40
INFINITY = float("inf")


def states(levels, values):
    """For each level, how many of its records have each value."""
    def of_level(n):
        if len(values) == 2:
            return [(n - k, k) for k in range(n + 1)]
        return [(n - j - k, j, k) for j in range(n + 1) for k in range(n + 1 - j)]
    return list(itertools.product(*[of_level(n) for _, n in levels]))


def multinomial(counts, shares):
    left, total = sum(counts), 1.0
    for count, share in zip(counts, shares):
        total *= math.comb(left, count) * share**count
        left -= count
    return total


def minimax(levels, target, variance=0.25):
    values = [0.0, 1.0] if variance >= 0.25 else [0.0, 0.5, 1.0]
    all_states = states(levels, values)
    index = {state: i for i, state in enumerate(all_states)}
    outputs = np.arange(GRID + 1) / GRID
    width, n = GRID + 1, sum(count for _, count in levels)
    variables = len(all_states) * width + 1
    rows, columns, entries, limits = [], [], [], []
    row = 0

    def add(terms, limit):
        nonlocal row
        for column, entry in terms:
            rows.append(row), columns.append(column), entries.append(entry)
        limits.append(limit)
        row += 1

    for state in all_states:
        for j, (epsilon, _) in enumerate(levels):
            if epsilon == INFINITY:
                continue
            for a, b in itertools.permutations(range(len(values)), 2):
                if state[j][a] == 0:
                    continue
                moved = list(state[j])
                moved[a] -= 1
                moved[b] += 1
                other = state[:j] + (tuple(moved),) + state[j + 1:]
                for m in range(width):
                    one, two = index[state] * width + m, index[other] * width + m
                    add([(one, 1.0), (two, -math.exp(epsilon))], 0.0)

    def risk(weights, truth):
        """The risk where these states have these probabilities, less the largest risk."""
        terms = [(variables - 1, -1.0)]
        for state, weight in weights:
            if weight > 0:
                error = weight * (outputs - truth(state)) ** 2
                base = index[state] * width
                terms.extend((base + m, error[m]) for m in range(width))
        add(terms, 0.0)

    def mean_of(state):
        return sum(c * v for level in state for c, v in zip(level, values)) / n

    if target == "population":
        steps = 60
        if len(values) == 2:
            shares = [(1 - p, p) for p in np.arange(steps + 1) / steps]
        else:
            cells = [(a / 40, b / 40) for a in range(41) for b in range(41 - a)]
            shares = [(a, 1 - a - b, b) for a, b in cells]
            # The edge of what the variance allows, symmetric and not.
            shares += [(2 * variance - t, 1 - 4 * variance, 2 * variance + t)
                       for t in np.linspace(-2 * variance, 2 * variance, 41)]
        for share in shares:
            mean = sum(s * v for s, v in zip(share, values))
            if sum(s * (v - mean) ** 2 for s, v in zip(share, values)) > variance + 1e-12:
                continue
            weights = [(state, math.prod(multinomial(level, share) for level in state))
                       for state in all_states]
            risk(weights, lambda state, mean=mean: mean)
    elif target == "dataset":
        # A random permutation of each dataset of two values.
        for ones in range(n + 1):
            weights = [(state, math.prod(math.comb(sum(level), level[1]) for level in state)
                        / math.comb(n, ones))
                       for state in all_states if sum(level[1] for level in state) == ones]
            risk(weights, mean_of)
    else:
        for state in all_states:
            risk([(state, 1.0)], mean_of)

    matrix = coo_matrix((entries, (rows, columns)), shape=(row, variables)).tocsr()
    ones_rows = np.repeat(np.arange(len(all_states)), width)
    sums = coo_matrix((np.ones(variables - 1), (ones_rows, np.arange(variables - 1))),
                      shape=(len(all_states), variables)).tocsr()
    goal = np.zeros(variables)
    goal[-1] = 1.0
    found = linprog(goal, A_ub=matrix, b_ub=limits, A_eq=sums, b_eq=np.ones(len(all_states)),
                    bounds=(0, None), method="highs")
    assert found.status == 0, found.message
    return found.fun


PROFILES = [
    [(0.1, 1)], [(1.0, 1)], [(4.0, 1)], [(INFINITY, 1)],
    [(0.5, 2)], [(2.0, 2)], [(0.1, 1), (3.0, 1)], [(0.0, 1), (1.0, 1)], [(1.0, 1), (INFINITY, 1)],
    [(0.3, 3)], [(1.0, 3)], [(3.0, 3)], [(0.2, 2), (INFINITY, 1)], [(0.5, 1), (1.0, 1), (2.0, 1)],
    [(0.5, 1), (2.0, 2)], [(0.5, 10)], [(1.0, 10)], [(2.0, 10)], [(0.2, 30)], [(0.5, 30)],
    [(1.0, 30)], [(0.3, 60)], [(1.0, 60)], [(0.1, 6), (INFINITY, 5)], [(0.3, 8), (3.0, 3)],
]
DECLARED = [
    ([(1.0, 1)], 0.1), ([(2.0, 3)], 0.1), ([(1.0, 8)], 0.05), ([(2.0, 4)], 0.15),
    ([(INFINITY, 4)], 0.05),
]


def main():
    found = []

    def add(levels, target, variance=0.25):
        profile = ",".join(f"{epsilon}:{count}" for epsilon, count in levels)
        value = minimax(levels, target, variance)
        print(profile, target, variance, value, file=sys.stderr, flush=True)
        found.append({"profile": profile, "target": target, "variance": variance,
                      "minimax": float(f"{value:.6g}")})

    for levels in PROFILES:
        for target in ["population", "dataset", "dataset-correlated"]:
            add(levels, target)
    for levels, variance in DECLARED:
        add(levels, "population", variance)
    print("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]")


if __name__ == "__main__":
    main()

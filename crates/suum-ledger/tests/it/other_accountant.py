"""What Google's dp-accounting says of histories of Laplace noise, for `dp_accounting.rs`.

Each line of input is a history: the sum of all rho, and then pairs of an epsilon and how often it
was spent. Each line of output has two numbers at delta = 1e-6: the epsilon of the privacy loss
distribution, the least that is known for these very mechanisms, and that of the sum of all rho.
"""

import sys

import dp_accounting
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

DELTA = 1e-6
ORDERS = [1 + 1.02**step / 1e3 for step in range(1000)]

for line in sys.stdin:
    rho, *pairs = (float(word) for word in line.split())
    exact = PLDAccountant(value_discretization_interval=1e-4)
    for epsilon, times in zip(pairs[::2], pairs[1::2]):
        exact.compose(dp_accounting.LaplaceDpEvent(1 / epsilon), int(times))
    concentrated = RdpAccountant(orders=ORDERS)
    concentrated.compose(dp_accounting.ZCDpEvent(rho))
    print(exact.get_epsilon(DELTA), concentrated.get_epsilon(DELTA))

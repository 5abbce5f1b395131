"""Offline primal-dual reinforcement learning for linear MDPs: runs, exact certificates, and a check of your own implementation.

The Python door of the Rust reference implementation: the same code as the program `opd`, the same bits for the same seed.

>>> import offline_primal_dual as opd
>>> chain = opd.Problem.instance("chain")
>>> rows = opd.sample(chain, 1000, seed=1)
>>> done = opd.run(chain, rows, inner=20, outer=50)
>>> done.policy(0).round(1).tolist()
[0.4, 0.6]
>>> opd.certify(chain, rows, inner=20, outer=50).method
'exact'

What a call refuses is a ValueError with the program's one line: what is wrong, where, what was expected.
"""

from . import conformance, data, features
from ._gymnasium import gymnasium_model
from ._problem import Problem
from ._rows import Rows
from ._run import Certificate, Enclosure, Policy, Run, Trace, certify, run, sample
from ._theory import Audit, Finding, Report, audit, coverage, report, tune
from .oracle import Value, gap, occupancy, optimal_policy, policy_coverage, regrets, theta, value

__all__ = [
    "Audit",
    "Certificate",
    "Enclosure",
    "Finding",
    "Policy",
    "Problem",
    "Report",
    "Rows",
    "Run",
    "Trace",
    "Value",
    "audit",
    "certify",
    "conformance",
    "coverage",
    "data",
    "features",
    "gap",
    "gymnasium_model",
    "occupancy",
    "optimal_policy",
    "policy_coverage",
    "regrets",
    "report",
    "run",
    "sample",
    "theta",
    "tune",
    "value",
]

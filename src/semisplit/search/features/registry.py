"""All features that need memory, in the order in which they are prepared."""

from semisplit.search.features.feature import Feature
from semisplit.search.features.groups.feature import GroupsFeature
from semisplit.search.features.line.feature import LineFeature
from semisplit.search.features.mast.feature import MastFeature
from semisplit.search.features.narrowing.feature import NarrowingFeature
from semisplit.search.features.policies.feature import PoliciesFeature
from semisplit.search.features.rave.feature import RaveFeature
from semisplit.search.features.rollup.feature import RollupFeature
from semisplit.search.features.solver.feature import SolverFeature
from semisplit.search.features.submoves.feature import SubmovesFeature
from semisplit.search.parallel.feature import ParallelFeature

FEATURES: tuple[type[Feature], ...] = (
    PoliciesFeature,
    ParallelFeature,
    MastFeature,
    RaveFeature,
    SubmovesFeature,
    SolverFeature,
    GroupsFeature,
    RollupFeature,
    NarrowingFeature,
    LineFeature,
)

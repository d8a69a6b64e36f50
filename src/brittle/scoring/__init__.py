"""Scoring: from ranks to numbers with intervals.

`bootstrap` draws the replicates, `rates` asks a run's outcomes for error rates, `normalise` divides
by a baseline, `titles` says what is off the published number, `scores` sums up a suite,
`breakdown` parts it by class or severity. `sameness` says whether two runs are of the same
pictures; `pairing` and `gates` serve their comparison.
"""

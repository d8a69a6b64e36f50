"""Measuring: from a suite and data to predictions on disk, in the order of the files.

`feeding` opens the data, `asked` binds a suite to them, `plan` finds what is missing, `checks` and
`batch` look at the model, `predict` is the loop, `tally` makes columns of outputs.
"""

"""The reference's recorded draws in the form that each part's `apply` takes."""

import numpy as np

from brittle.corruptions.elastic_transform import Warp
from brittle.corruptions.frost import Window


def recorded(name, arrays):
    """Return the draws of a golden cell, its arrays given in the order of the draws."""
    if name == "glass_blur":
        return arrays[0].astype(np.int8)
    if name == "motion_blur":
        return float(arrays[0])
    if name == "fog":
        return np.concatenate([array.reshape(-1) for array in arrays])
    if name == "frost":
        return Window(*(int(value) for value in arrays))
    if name == "snow":
        return arrays[0], float(arrays[1])
    if name == "elastic_transform":
        return Warp(*arrays)
    if name == "spatter":
        return arrays[0]
    assert not arrays
    return None

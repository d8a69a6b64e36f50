"""Digests of synthetic anomalies; run as a program, prints them as JSON."""

import hashlib
import json

from brittle.anomalies import ANOMALIES
from brittle.sources import open_source

SPECS = ("gaussian", "rademacher", "uniform", "blobs", "blobs(cells=64, sigma=2)")
SIDES = (32, 61, 224)


def prints():
    """Return the digest of the pixels of three pictures of each, by name and side."""
    assert {spec.partition("(")[0] for spec in SPECS} == set(ANOMALIES.names())
    found = {}
    for spec in SPECS:
        for side in SIDES:
            name, _, rest = spec.rstrip(")").partition("(")
            params = ", ".join(filter(None, ["count=3", "seed=7", rest]))
            source = open_source(f"anomaly:{name}({params})", side=side)
            digest = hashlib.blake2b(digest_size=12)
            for item in source.items:
                digest.update(source.load(item).data)
            found[f"{spec}/{side}"] = digest.hexdigest()
    return found


if __name__ == "__main__":
    print(json.dumps(prints(), indent=1))

"""Print the digests of the doctor's self-test, for src/brittle/checkup/golden.json."""

import json

from brittle.checkup.checks import SPECS, digest

if __name__ == "__main__":
    print(json.dumps({name: digest(name) for name in SPECS}, indent=1))

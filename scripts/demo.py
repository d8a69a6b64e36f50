"""Make a contact sheet of all corruptions from a photograph that comes with scikit-image."""

import argparse
import warnings
from pathlib import Path

from brittle.cli import main, plain_warning


def photograph() -> Path:
    """Return the path of the cat Chelsea (CC0, by Stefan van der Walt)."""
    import skimage

    return Path(skimage.__file__).parent / "data" / "chelsea.png"


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path, help="where to put sheet.png")
    folder = reader.parse_args().folder
    warnings.showwarning = plain_warning
    folder.mkdir(parents=True, exist_ok=True)
    raise SystemExit(
        main(["corrupt", str(photograph()), "--sheet", "--force", "-o", str(folder / "sheet.png")])
    )

"""Write docs/corruptions.md, the reference of every corruption, from the parts themselves.

With --pictures also the strips, the contact sheet and the film strip in docs/img, made from the
photograph of a cat that comes with scikit-image (Chelsea, CC0), and the synthetic anomalies.
"""

import argparse
import sys
from pathlib import Path

from brittle import rows, suites
from brittle.anomalies import ANOMALIES
from brittle.corruptions import CORRUPTIONS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "corruptions.md"
IMAGES = ROOT / "docs" / "img"
ORDER = suites.get("imagenet-c").corruptions
HEAD = """# The corruptions

Fifteen for testing, in the paper's order, and four kept apart for validation ("extra"). Every one
takes pictures of any size from 1x1, grey, RGB or RGBA. The tables are those of the authors'
generators; `tiny-imagenet-64` uses the table of `imagenet-64`, and `any` that of `imagenet-224`. x
stands for the picture on the scale 0..1.

<!-- Written by scripts/reference_page.py; change the parts, not this page. -->
"""


def shown(value):
    """Return a parameter as text; a long list by its ends."""
    if isinstance(value, tuple):
        return f"{value[0]:g}, {value[1]:g} .. {value[-1]:g} ({len(value)})"
    return value if isinstance(value, str) else f"{value:g}"


def section(name):
    """Return the section of one corruption."""
    part = CORRUPTIONS.load(name)
    about = part.about.strip()
    kind = f"{part.group}{', extra' if part.extra else ''}, version {part.version}"
    fields = rows.fields(part.row)
    document = " ".join((part.row.__doc__ or "").split())
    lines = [f"## {name}", "", f"*{kind}*", "", about, ""]
    lines += [f"![{name} at five severities](img/{name}.jpg)", "", document, ""]
    lines += ["| parameter | is |", "|---|---|"]
    lines += [
        f"| `{key}` | {'a list, each ' * (f.kind is tuple)}{f.limit} |" for key, f in fields.items()
    ]
    lines += ["", f"| table | severity | {' | '.join(fields)} |"]
    lines += ["|---|--:|" + "--:|" * len(fields)]
    for table, listed in part.tables.items():
        for severity, row in enumerate(listed, 1):
            values = " | ".join(shown(value) for value in row)
            lines.append(f"| {table if severity == 1 else ''} | {severity} | {values} |")
    lines += ["", f"Reference: {part.citation}.", ""]
    return "\n".join(lines)


def page():
    """Return the whole page."""
    extra = [name for name in CORRUPTIONS.names() if name not in ORDER]
    return HEAD + "\n" + "\n".join(section(name) for name in [*ORDER, *extra])


def pictures():
    """Make the strips of the page and the contact sheet."""
    import numpy as np
    import skimage
    from PIL import Image

    import brittle
    from brittle import editions
    from brittle.film import film_strip

    cat = Path(skimage.__file__).parent / "data" / "chelsea.png"
    with Image.open(cat) as opened:
        photo = opened.convert("RGB")
    IMAGES.mkdir(parents=True, exist_ok=True)
    brittle.contact_sheet(photo).convert("RGB").save(IMAGES / "sheet.jpg", quality=80)
    film = film_strip(photo, edition="imagenet-224", key="chelsea", cell=88)
    film.save(IMAGES / "perturbations.jpg", quality=72)
    shown = [brittle.open_source(f"anomaly:{n}(side=160, count=1)") for n in ANOMALIES.names()]
    row = np.hstack([source.load(source.items[0]) for source in shown])
    Image.fromarray(row).save(IMAGES / "anomalies.jpg", quality=75)
    clean = editions.get("imagenet-224").prepare(np.asarray(photo))
    for name in CORRUPTIONS.names():
        strip = [
            brittle.corrupt(clean, name, severity=s, edition="imagenet-224", key="chelsea")
            for s in range(1, 6)
        ]
        Image.fromarray(np.hstack(strip)).save(IMAGES / f"{name}.jpg", quality=75)


def main():
    """Write the page; with --check only say whether it is up to date."""
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("--check", action="store_true")
    reader.add_argument("--pictures", action="store_true")
    options = reader.parse_args()
    if options.pictures:
        pictures()
    if options.check:
        return int(PAGE.read_text() != page())
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())

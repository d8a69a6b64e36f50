"""What all plots share: the figure, its colours, thin lines and the file."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.errors import MissingExtraError, ScoreError
from brittle.files import write_bytes

# Okabe and Ito's colours, which the colour-blind can tell apart, without the palest.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
# Seven colours and three dashes: both come round together only after twenty-one lines.
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)))
USUAL, STRANGE = COLOURS[0], COLOURS[1]
QUIET = "#8a8f98"
_FORMATS = (".png", ".svg")
_GRID = 1500
"""Steps along each side below which the points of a curve look alike."""


class Canvas(NamedTuple):
    """A figure and its panels."""

    figure: Any
    panels: Any

    def save(self, path: Path | str) -> None:
        """Write the picture whole or not at all, the same bytes every time."""
        from matplotlib import rc_context

        place = check_path(path)
        stream = io.BytesIO()
        kind = place.suffix[1:].lower()
        with rc_context({"svg.hashsalt": "brittle", "svg.fonttype": "none"}):
            metadata = {"Date": None} if kind == "svg" else {}
            self.figure.savefig(stream, format=kind, dpi=150, metadata=metadata)
        write_bytes(place, stream.getvalue())


def check_path(path: Path | str) -> Path:
    """Refuse a file that is neither PNG nor SVG, before any work."""
    place = Path(path)
    if place.suffix.lower() not in _FORMATS:
        raise ScoreError(f"A plot is a PNG or an SVG; give a name that ends so, not {place.name}.")
    return place


def need_plots() -> None:
    """Refuse at once where the library of the plots is missing, and not after the work."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            'Plots need matplotlib: pip install "brittle[plot]" (in a checkout: pip install '
            '".[plot]").'
        ) from error


def canvas(
    path: Path | str, *, size: tuple[float, float], rows: int = 1, heights: tuple[float, ...] = (1,)
) -> Canvas:
    """Make a figure with panels one below the other."""
    check_path(path)
    need_plots()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(rows, squeeze=False, sharex=True, height_ratios=heights).ravel()
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(color="#e6e8eb", linewidth=0.8)
        panel.set_axisbelow(True)
    return Canvas(figure, panels)


def styles(values: Mapping[str, float]) -> dict[str, dict[str, Any]]:
    """Return the style of each line with its label, the highest value first.

    A name's colour and dashes come from its place in the mapping: the same in every plot of the
    same names, whatever their values.
    """
    if not values:
        raise ScoreError("There is nothing to draw; give at least one curve by its name.")
    made = {
        name: {
            "color": COLOURS[place % len(COLOURS)],
            "linestyle": DASHES[place % len(DASHES)],
            "linewidth": 1.8,
            "label": f"{name}  {value:.3f}",
        }
        for place, (name, value) in enumerate(values.items())
    }
    return dict(sorted(made.items(), key=lambda item: -values[item[0]]))


def legend(panel: Any, title: str) -> None:
    """Put the legend beside the panel, where it hides nothing."""
    panel.legend(
        title=title,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        frameon=False,
        alignment="left",
        handlelength=2.6,
        fontsize=9,
        title_fontsize=9,
    )


def thin(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Leave out points of a curve in 0..1 that fall on their neighbours; the ends stay.

    >>> [len(part) for part in thin(np.linspace(0, 1, 10**5), np.linspace(0, 1, 10**5))]
    [1502, 1502]
    """
    grid = np.round(np.stack([x, y]) * _GRID)
    kept = np.ones(len(x), np.bool_)
    kept[1:] = (grid[:, 1:] != grid[:, :-1]).any(axis=0)
    kept[-1] = True
    return x[kept], y[kept]


def square(panel: Any) -> None:
    """Show 0..1 on both axes, one as long as the other."""
    panel.set_xlim(-0.01, 1.01)
    panel.set_ylim(-0.01, 1.01)
    panel.set_aspect("equal")
    panel.set_xticks(np.linspace(0, 1, 6))
    panel.set_yticks(np.linspace(0, 1, 6))

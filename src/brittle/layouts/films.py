"""ImageNet-P's layout: `perturbation/wnid/name.mp4`, one H.264 film a sequence.

A noise of another strength lies in `gaussian_noise_2`, a perturbation of one's own in the safe form
of its name. Sequences without a label lie in `perturbation/`.
"""

from brittle import films
from brittle.layouts._sequences import Sequences
from brittle.layouts.base import Job, Layout, Writer


def _open(job: Job) -> Writer:
    films.need_video()
    return Sequences(
        job,
        lambda path, cell, frames: [(f"{path}.mp4", films.encoded(frames, grain=cell.grain))],
    )


PART = Layout(open=_open, holds=("sequences",))

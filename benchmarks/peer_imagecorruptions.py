"""Time the PyPI package `imagecorruptions`, run by the Python of `benchmarks/peer_env.sh`.

    .venv-peer/bin/python benchmarks/peer_imagecorruptions.py IMAGES.npy --images 4 --repeat 3

IMAGES.npy holds uint8 [N, height, width, 3]. Prints one JSON object: under "ms" the milliseconds an
image and severity (mean over images and the severities 1 to 5, each the best of the repeats; null
where a corruption no longer runs), under "failed" the reason of every null, and the versions.
Stands alone: it imports nothing of brittle's, whose dependencies are too new for the peer.
"""

import argparse
import json
import os
import platform
import sys
import time
import warnings
from importlib.metadata import version

# What the peer calls that later versions took away, put back while it runs; its files stay as
# they are. Neither changes what is computed.
SHIMS = {
    "multichannel": "scikit-image's gaussian(multichannel=True) passed on as channel_axis=-1",
    "float_": "numpy.float_ set to numpy.float64, where NumPy no longer has it",
}
PACKAGES = (
    "imagecorruptions",
    "numpy",
    "opencv-python-headless",
    "pillow",
    "scikit-image",
    "scipy",
)
SEVERITIES = range(1, 6)


def main():
    options = arguments()
    # Read by the libraries as they are loaded, so before any of them is imported.
    for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA"):
        os.environ[f"{name}_NUM_THREADS"] = str(options.threads)

    import cv2
    import numpy as np

    cv2.setNumThreads(options.threads)
    images = np.load(options.file, allow_pickle=False)
    if images.dtype != np.uint8 or images.ndim != 4 or images.shape[3] != 3:
        sys.exit(f"{options.file} holds {images.dtype} {images.shape}, need uint8 [N, h, w, 3]")
    images = images[: options.images]
    if len(images) == 0:
        sys.exit(f"{options.file} holds no images, or --images is 0")

    peer = load_peer()
    times, failed = {}, {}
    for name in options.only or peer.get_corruption_names("all"):
        np.random.seed(0)
        try:
            times[name] = round(measure(peer.corrupt, images, name, options.repeat), 4)
        except Exception as error:
            times[name] = None
            failed[name] = f"{type(error).__name__}: {error}"
    report = {
        "ms": times,
        "failed": failed,
        "images": list(images.shape),
        "repeat": options.repeat,
        "threads": options.threads,
        "shims": SHIMS,
        "versions": {"python": platform.python_version()} | {p: version(p) for p in PACKAGES},
    }
    print(json.dumps(report, indent=2))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", help="an .npy file of uint8 [N, height, width, 3]")
    parser.add_argument("--images", type=int, help="how many of them; default all")
    parser.add_argument("--threads", type=int, default=1, help="threads of the libraries below")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many is taken")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these corruptions alone")
    return parser.parse_args()


def load_peer():
    """Import the package, with what it misses from newer libraries put back."""
    import numpy as np

    if not hasattr(np, "float_"):
        np.float_ = np.float64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import imagecorruptions
        from imagecorruptions import corruptions

    gaussian = corruptions.gaussian

    def gaussian_as_before(image, sigma=1, *, multichannel=False, **rest):
        axis = -1 if multichannel else None
        return gaussian(image, sigma=sigma, channel_axis=axis, **rest)

    corruptions.gaussian = gaussian_as_before
    warnings.simplefilter("ignore")
    return imagecorruptions


def measure(corrupt, images, name, repeat):
    """Mean milliseconds an image and severity; every pair is timed `repeat` times, best taken."""
    for severity in SEVERITIES:
        corrupt(images[0], severity=severity, corruption_name=name)
    total = 0.0
    for image in images:
        for severity in SEVERITIES:
            best = float("inf")
            for _ in range(repeat):
                start = time.perf_counter()
                corrupt(image, severity=severity, corruption_name=name)
                best = min(best, time.perf_counter() - start)
            total += best
    return 1000 * total / (len(images) * len(SEVERITIES))


if __name__ == "__main__":
    main()

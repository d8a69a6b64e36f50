#!/usr/bin/env bash
# Make the environment in which benchmarks/peer_imagecorruptions.py runs.
#
#   benchmarks/peer_env.sh [DIRECTORY]      default: .venv-peer in the checkout
#
# PYTHON names the interpreter (default python3.11). The peer was last released in 2021 and needs
# old versions of what it stands on: NumPy before 2 (float_), SciPy before 2 (ndimage.interpolation),
# setuptools before 81 (pkg_resources), and what goes with them. It is installed without its own
# requirements, since they would add a second OpenCV beside the headless one.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
target=${1:-"$here/.venv-peer"}
python=${PYTHON:-python3.11}

"$python" -m venv "$target"
"$target/bin/python" -m pip install --quiet --disable-pip-version-check \
  --no-deps --only-binary :all: \
  imagecorruptions==1.1.2 \
  imageio==2.34.2 \
  lazy-loader==0.4 \
  networkx==3.2.1 \
  numpy==1.26.4 \
  opencv-python-headless==4.11.0.86 \
  packaging==24.2 \
  pillow==10.4.0 \
  scikit-image==0.22.0 \
  scipy==1.11.4 \
  setuptools==80.9.0 \
  tifffile==2024.8.30
"$target/bin/python" -W ignore -c "import imagecorruptions"
echo "$target/bin/python"

"""Imports run one way, files stay small, and what is public is what is promised."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import brittle

ROOT = Path(brittle.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# From the ground up; a module may import what stands in a lower layer, or its own package.
LAYERS = [
    {"_version", "errors"},
    {"types", "files", "_exact", "_threads", "_softmax"},
    {"families", "spec", "seeds", "store"},
    {"_jit", "rows", "assets", "progress", "_pictures", "_example", "_page", "labels", "films"},
    {"_random", "_scratch", "codec", "executors", "stability"},
    {"corruptions", "editions", "likeness", "outcomes", "multilabel"},
    {"anomalies"},
    {"sources"},
    {"conditions", "models", "metrics", "baselines", "_survey", "perturbations"},
    {"separation", "calibration", "detectors"},
    {"manifest", "scoring", "sequences"},
    {"suites"},
    {"published", "checkup", "completion"},
    {"layouts", "feeds"},
    {"_corrupt", "_perturb", "_film_files", "_build", "_verify", "measuring", "reports", "plots"},
    {"_frames", "_outputs"},
    {"_reading"},
    {"sheet", "_corrupt_files", "_record", "_run", "_given"},
    {"_audit", "_evaluate", "_merge", "_compare", "_perturb_files", "film"},
    {"sections"},
    {"_audit_plot", "_leaderboard", "_report", "exports", "_unknown_plots"},
    {"_audit_files", "_demo"},
    {"cli"},
    {"__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
HEAVY = {
    "torch", "timm", "numba", "pyarrow", "cv2", "matplotlib", "PIL", "scipy", "sklearn",
    "vl_convert",
}  # fmt: skip


def top(path):
    """The name of the top-level module or package that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path):
    """Yield the brittle modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "brittle":
                yield from (alias.name for alias in node.names)
            elif node.module.startswith("brittle."):
                yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("brittle."))


def test_every_module_has_its_layer():
    found = {top(path) for path in FILES} - {"__init__"}
    assert found == set(LEVEL)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_downwards(path):
    own = top(path)
    if own == "__init__":
        return
    for name in imported(path):
        if name in LEVEL and name != own:
            assert LEVEL[name] < LEVEL[own], f"{own} imports {name}, which stands above it"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_is_one_idea(path):
    assert len(path.read_text().splitlines()) <= 400


def test_exports_are_sorted_and_there():
    assert brittle.__all__ == sorted(brittle.__all__)
    for name in brittle.__all__:
        assert getattr(brittle, name) is not None
    assert set(brittle.__all__) <= set(dir(brittle))
    with pytest.raises(AttributeError, match="module 'brittle' has no attribute 'nonsense'"):
        brittle.nonsense  # noqa: B018


def test_a_public_name_is_never_hidden_by_a_module():
    """`brittle.build` must stay the function once everything has been imported."""
    modules = {path.stem for path in ROOT.glob("*.py")} | {p.name for p in ROOT.iterdir()}
    assert set(brittle.__all__) & modules <= {"errors"}


def test_importing_is_light():
    code = "import sys, brittle; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_help_is_light():
    code = (
        "import sys; from brittle.cli import main; main(['--help']);"
        "print(*sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "usage: brittle" in done.stdout
    assert not (HEAVY | {"numpy"}) & set(done.stderr.split())

"""Stands in for stored runs: `Run.open` finds them by name."""

from brittle._run import Run
from brittle.errors import RunError
from tests.metrics.examples import Stand, flat, grid, photographs, stand

INFO = {"seed": 0}


def made() -> dict[str, Stand]:
    both = photographs({"night": 0.5}, iid=0.2)
    first = grid(flat(0.3), clean=0.2, count=100, seed=1)
    return {
        "old": stand("timm:old", first, info=INFO),
        "new": stand("timm:new", grid(flat(0.4), clean=0.2, count=100, seed=1), info=INFO),
        "own": stand(
            "timm:own",
            grid(
                flat(0.3),
                clean=0.2,
                count=100,
                seed=1,
                facts={"pixels": "generated", "class_list": None, "classes": 10},
                scores=("mce", "relative_mce", "mean_corruption_error", "clean_error"),
            ),
            info=INFO,
        ),
        "seeded": stand("timm:seeded", first, info={"seed": 3}),
        "both": Stand(
            "timm:both",
            {"imagenet-c": first[0], "shifts": both[0]},
            {"imagenet-c": first[1], "shifts": both[1]},
            INFO,
        ),
        "other": stand("timm:other", photographs({"night": 0.5}), info=INFO),
    }


def use(monkeypatch, tmp_path):
    """Let `Run.open` find the stand-ins, below an empty folder for each."""
    runs = made()
    for name in runs:
        (tmp_path / name).mkdir()

    def opened(path):
        name = str(path)
        if name not in runs:
            raise RunError(f"{path} is not a run: it has no run.json.")
        return runs[name]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Run, "open", staticmethod(opened))

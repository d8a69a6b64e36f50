"""The paper that several detectors come from."""

SCALING = "Hendrycks et al., ICML 2022, arXiv:1911.11132"

"""What several tests and benchmarks need: the reference data beside the checkout, real models."""

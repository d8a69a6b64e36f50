"""Numbers about pictures and predictions: one a file, pure functions of arrays."""

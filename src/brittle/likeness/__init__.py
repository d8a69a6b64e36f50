"""How alike two pictures are: one measure a file, pure functions of arrays."""

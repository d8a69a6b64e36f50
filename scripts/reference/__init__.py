"""The generated parts of the pages, one file a block: `make()` returns its Markdown."""

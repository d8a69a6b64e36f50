"""Models of one's own, as brittle takes them: run from the folder above this one."""

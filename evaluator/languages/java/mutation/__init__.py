"""Mutants of methods, by PIT's default operators, run in one virtual machine."""

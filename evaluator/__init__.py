"""Judges tests and fixes: runs tests on the code without a fix and with it, and compares."""

"""Tunes local language models to write unit tests, and samples from them (thesis, chapters 4, 5).

Needs the extra `tuning`; other packages import it only once it is wanted.
"""

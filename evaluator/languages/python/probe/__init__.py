"""Files that run inside the target's interpreter (standard library only, Python 3.6 and later).

Nothing here is imported by fixgate itself; `main.py` is started with the target's Python.
"""

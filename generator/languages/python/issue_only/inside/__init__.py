"""What runs inside the target's interpreter: standard library only, Python 3.6 to 3.13."""

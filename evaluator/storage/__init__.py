"""What is kept on disk: runs, evaluations and their evidence, safe from kills and neighbours."""

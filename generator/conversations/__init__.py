"""What methods share that ask a model: questions, shells, tests that pass and are inverted."""

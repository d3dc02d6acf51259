"""SWT-Bench: its dataset, the replay of predictions, its metrics and its file formats."""

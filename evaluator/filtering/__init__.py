"""The fix filter: fixes judged by generated tests alone (SWT-Bench, section 5.4)."""

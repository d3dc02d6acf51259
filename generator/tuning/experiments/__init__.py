"""The thesis's questions as experiments: runs side by side, what soft tokens hold, and sizes."""

"""The whole story on one machine: a simulated GitHub, the App, and a sample repository."""

"""Where untrusted code runs: docker, bubblewrap or a plain process, behind one protocol."""

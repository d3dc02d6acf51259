"""Work that takes long: what is asked for, queued, done once, superseded and swept."""

"""GitHub as the App needs it: authentication, calls within its limits, events read into types."""

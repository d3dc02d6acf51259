"""Gradle builds, of which is read what their scripts say literally; Gradle itself is not run."""

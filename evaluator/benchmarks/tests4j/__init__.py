"""Tests4J: unit tests for Java methods, measured by running them in their repositories.

After V. Knappich, "Generating unit tests with large language models", University of Stuttgart 2023
("the thesis" in what follows; numbers are those of its pages and sections).
"""

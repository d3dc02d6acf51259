"""Shows the JSON Schema of a Tests4J dataset, to be published as `docs/tests4j.schema.json`."""

from __future__ import annotations

import json

import click

from evaluator.benchmarks.tests4j.dataset import schema

click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))

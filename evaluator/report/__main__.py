"""Shows the JSON Schema of `report.json`, to be published as `report.schema.json`."""

from __future__ import annotations

import json

import click

from evaluator.report.schema import schema

click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))

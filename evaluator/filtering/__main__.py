"""Shows the JSON Schema of `filter.json`, to be published as `filter.schema.json`."""

from __future__ import annotations

import json

import click

from evaluator.filtering.document import schema

click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))

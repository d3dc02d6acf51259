"""Shows the JSON Schema of `.github/fixgate.yml`, to be published as `fixgate.schema.json`."""

from __future__ import annotations

import json

import click

from bot.configuration.reading import schema

click.echo(json.dumps(schema(), indent=2))

"""Shows a published JSON Schema: `dataset` (`docs/tests4j.schema.json`), or `result`.

The second is that of `tests4j.json`, in `docs/tests4j-result.schema.json`.
"""

from __future__ import annotations

import json

import click

from evaluator.benchmarks.tests4j import dataset, document

_SCHEMAS = {"dataset": dataset.schema, "result": document.schema}


@click.command()
@click.argument("name", type=click.Choice([*_SCHEMAS]), default="dataset")
def show(name: str) -> None:
    """Show the JSON Schema of a file."""
    click.echo(json.dumps(_SCHEMAS[name](), indent=2, ensure_ascii=False))


show()

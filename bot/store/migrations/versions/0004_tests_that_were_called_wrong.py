"""Which tests were called wrong, and the verdicts that rest on each test."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SOURCE = re.compile(r"test for #([0-9]+)")
"""How the details of a verdict name where a test came from."""


def upgrade() -> None:
    """Add the columns and the table, and fill it from the details of stored verdicts."""
    with op.batch_alter_table("tests") as tests:
        tests.add_column(sa.Column("retired_at", sa.DateTime(), nullable=True))
        tests.add_column(sa.Column("retired_by", sa.String(), nullable=False, server_default=""))
    rests_on = op.create_table(
        "verdict_tests",
        sa.Column("verdict_id", sa.Integer(), nullable=False),
        sa.Column("tests_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["verdict_id"], ["verdicts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tests_id"], ["tests.id"]),
        sa.PrimaryKeyConstraint("verdict_id", "tests_id"),
    )
    op.create_index(op.f("ix_verdict_tests_tests_id"), "verdict_tests", ["tests_id"])
    rows = list(_known())
    if rows:
        op.bulk_insert(rests_on, rows)


def downgrade() -> None:
    """Drop them."""
    op.drop_index(op.f("ix_verdict_tests_tests_id"), "verdict_tests")
    op.drop_table("verdict_tests")
    with op.batch_alter_table("tests") as tests:
        tests.drop_column("retired_by")
        tests.drop_column("retired_at")


def _known() -> Iterator[dict[str, int]]:
    """For each issue that a verdict names, the newest test that was there by then.

    Of verdicts whose evidence was deleted for their age it is not known.
    """
    connection = op.get_bind()
    verdicts = sa.text("SELECT id, repository, details, created_at FROM verdicts")
    newest = sa.text(
        "SELECT max(id) FROM tests WHERE repository = :repository AND issue = :issue "
        "AND created_at <= :judged_at"
    )
    for verdict_id, repository, details, judged_at in connection.execute(verdicts).all():
        for issue in _issues(details):
            where = {"repository": repository, "issue": issue, "judged_at": judged_at}
            tests_id = connection.scalar(newest, where)
            if tests_id is not None:
                yield {"verdict_id": verdict_id, "tests_id": tests_id}


def _issues(details: str) -> set[int]:
    sources = [one.get("source", "") for one in json.loads(details).get("tests", ())]
    return {int(found[1]) for source in sources if (found := _SOURCE.fullmatch(source))}

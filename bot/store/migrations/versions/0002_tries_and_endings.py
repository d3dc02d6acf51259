"""How often a delivery was tried, when a job may be tried again, and whether its end was told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; jobs that ended before are taken as told."""
    with op.batch_alter_table("deliveries") as deliveries:
        deliveries.add_column(
            sa.Column("attempts", sa.Integer(), nullable=False, server_default="0")
        )
    with op.batch_alter_table("jobs") as jobs:
        jobs.add_column(sa.Column("not_before", sa.DateTime(), nullable=True))
        jobs.add_column(sa.Column("told", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE jobs SET told = (1 = 1) WHERE ended_at IS NOT NULL")


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("jobs") as jobs:
        jobs.drop_column("told")
        jobs.drop_column("not_before")
    with op.batch_alter_table("deliveries") as deliveries:
        deliveries.drop_column("attempts")

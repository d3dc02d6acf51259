"""The delivery that a job was planned for: handled again, it is to plan the same job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; of older jobs it is not known."""
    with op.batch_alter_table("jobs") as jobs:
        jobs.add_column(sa.Column("cause", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("jobs") as jobs:
        jobs.drop_column("cause")

"""The trace that a delivery began, for what comes of it in other processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column; what came before has none."""
    with op.batch_alter_table("deliveries") as deliveries:
        deliveries.add_column(
            sa.Column("trace_context", sa.String(), nullable=False, server_default="")
        )


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("deliveries") as deliveries:
        deliveries.drop_column("trace_context")

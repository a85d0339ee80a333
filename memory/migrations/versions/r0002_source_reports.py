"""What was read from each source, so that a story's counts can be held against its files' own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0002"
down_revision = "r0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "source_report",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("source_report_place", "source_report", ["story_id", "place", "id"], unique=False)

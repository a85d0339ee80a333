"""The first form of a library: stories, units, worldlines, commits, nodes, links, evidence, dispatches, leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "story",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("schema_yaml", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "lease",
        sa.Column("story_id", BIG, autoincrement=False, nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("pid", BIG, nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("acquired_at", sa.Text(), nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.PrimaryKeyConstraint("story_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "node",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("node_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("depth", BIG, nullable=False),
        sa.Column("anchor", BIG, nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("story_id", "node_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("node_number", "node", ["story_id", "type", "number"], unique=False)
    op.create_index("node_order", "node", ["story_id", "type", "anchor", "id"], unique=False)
    op.create_table(
        "worldline",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("parent_id", BIG, nullable=True),
        sa.Column("fork_position", BIG, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["worldline.id"]),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("story_id", "name"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "commits",
        sa.Column("seq", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("worldline_id", BIG, nullable=False),
        sa.Column("position", BIG, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("dispatch_id", sa.Text(), nullable=False),
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.ForeignKeyConstraint(["worldline_id"], ["worldline.id"]),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("story_id", "key"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("commit_dispatch", "commits", ["story_id", "dispatch_id"], unique=False)
    op.create_index("commit_story", "commits", ["story_id", "seq"], unique=False)
    op.create_table(
        "dispatch",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("worldline_id", BIG, nullable=False),
        sa.Column("dispatch_id", sa.Text(), nullable=False),
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.ForeignKeyConstraint(["worldline_id"], ["worldline.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("story_id", "dispatch_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "link",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("source", BIG, nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("target", BIG, nullable=False),
        sa.ForeignKeyConstraint(["source"], ["node.id"]),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.ForeignKeyConstraint(["target"], ["node.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source", "relation", "target"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("link_source", "link", ["source", "id"], unique=False)
    op.create_index("link_source_relation", "link", ["source", "relation", "id"], unique=False)
    op.create_index("link_target", "link", ["target", "id"], unique=False)
    op.create_index("link_target_relation", "link", ["target", "relation", "id"], unique=False)
    op.create_table(
        "name",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("node", BIG, nullable=False),
        sa.ForeignKeyConstraint(["node"], ["node.id"]),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("story_id", "key", "node"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("name_story", "name", ["story_id", "id"], unique=False)
    op.create_table(
        "unit",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("worldline_id", BIG, nullable=False),
        sa.Column("position", BIG, nullable=False),
        sa.Column("number", BIG, nullable=False),
        sa.Column("revision", BIG, nullable=False),
        sa.Column("ref", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("messages", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.ForeignKeyConstraint(["worldline_id"], ["worldline.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("story_id", "ref"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("unit_number", "unit", ["story_id", "number", "revision"], unique=False)
    op.create_index("unit_place", "unit", ["worldline_id", "position", "id"], unique=False)
    op.create_table(
        "commit_unit",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("commit_seq", BIG, nullable=False),
        sa.Column("unit_id", BIG, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["commit_seq"], ["commits.seq"]),
        sa.ForeignKeyConstraint(["unit_id"], ["unit.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("commit_seq", "unit_id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("commit_unit_unit", "commit_unit", ["unit_id", "kind"], unique=False)
    op.create_table(
        "dispatch_close",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("dispatch", BIG, nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("closed_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["dispatch"], ["dispatch.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("dispatch"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_table(
        "link_version",
        sa.Column("version", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("link", BIG, nullable=False),
        sa.Column("commit_seq", BIG, nullable=False),
        sa.Column("worldline_id", BIG, nullable=False),
        sa.Column("position", BIG, nullable=False),
        sa.Column("lifecycle", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["commit_seq"], ["commits.seq"]),
        sa.ForeignKeyConstraint(["link"], ["link.id"]),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.ForeignKeyConstraint(["worldline_id"], ["worldline.id"]),
        sa.PrimaryKeyConstraint("version"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("link_version_commit", "link_version", ["commit_seq"], unique=False)
    op.create_index("link_version_link", "link_version", ["link", "version"], unique=False)
    op.create_table(
        "node_version",
        sa.Column("version", BIG, autoincrement=True, nullable=False),
        sa.Column("story_id", BIG, nullable=False),
        sa.Column("node", BIG, nullable=False),
        sa.Column("commit_seq", BIG, nullable=False),
        sa.Column("worldline_id", BIG, nullable=False),
        sa.Column("position", BIG, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("lifecycle", sa.Text(), nullable=False),
        sa.Column("parent", BIG, nullable=True),
        sa.Column("time_from", sa.Text(), nullable=True),
        sa.Column("time_to", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["commit_seq"], ["commits.seq"]),
        sa.ForeignKeyConstraint(["node"], ["node.id"]),
        sa.ForeignKeyConstraint(["parent"], ["node.id"]),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"]),
        sa.ForeignKeyConstraint(["worldline_id"], ["worldline.id"]),
        sa.PrimaryKeyConstraint("version"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("node_version_commit", "node_version", ["commit_seq"], unique=False)
    op.create_index("node_version_node", "node_version", ["node", "version"], unique=False)
    op.create_index("node_version_parent", "node_version", ["parent"], unique=False)
    op.create_index("node_version_story", "node_version", ["story_id", "version"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("id", BIG, autoincrement=True, nullable=False),
        sa.Column("node_version", BIG, nullable=True),
        sa.Column("link_version", BIG, nullable=True),
        sa.Column("unit_id", BIG, nullable=False),
        sa.Column("start", BIG, nullable=False),
        sa.Column("stop", BIG, nullable=False),
        sa.Column("quote_hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["link_version"], ["link_version.version"]),
        sa.ForeignKeyConstraint(["node_version"], ["node_version.version"]),
        sa.ForeignKeyConstraint(["unit_id"], ["unit.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
        sqlite_strict=True,
    )
    op.create_index("evidence_link", "evidence", ["link_version"], unique=False)
    op.create_index("evidence_node", "evidence", ["node_version"], unique=False)
    op.create_index("evidence_unit", "evidence", ["unit_id"], unique=False)

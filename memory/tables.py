"""The store's tables, as SQLAlchemy Core sees them.

All history is append-only: rows of ``lease`` are the only ones ever updated or deleted. A version is a full
after-image; what a reader sees is the newest version of a row along the reader's worldlines (see ``lineage``). The
migrations in ``migrations/`` make these tables; a test holds the two together.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text, UniqueConstraint
from sqlalchemy.types import TypeEngine

metadata = MetaData()

BIG: TypeEngine[int] = BigInteger().with_variant(Integer(), "sqlite")


def _table(name: str, *columns: Column[int] | Column[str] | UniqueConstraint | Index) -> Table:
    return Table(name, metadata, *columns, sqlite_strict=True, sqlite_autoincrement=True)


def _key(name: str = "id") -> Column[int]:
    return Column(name, BIG, primary_key=True, autoincrement=True)


def _number(name: str, to: str | None = None, *, optional: bool = False) -> Column[int]:
    return Column(name, BIG, *([ForeignKey(to)] if to else []), nullable=optional)


def _text(name: str, *, optional: bool = False, unique: bool | None = None) -> Column[str]:
    return Column(name, Text, nullable=optional, unique=unique)


story = _table(
    "story",
    _key(),
    _text("title"),
    _text("key", unique=True),
    _text("language"),
    _text("source"),
    _text("schema_yaml"),
    _text("settings"),
    _text("created_at"),
)
worldline = _table(
    "worldline",
    _key(),
    _number("story_id", "story.id"),
    _number("parent_id", "worldline.id", optional=True),
    _number("fork_position", optional=True),
    _text("name"),
    UniqueConstraint("story_id", "name"),
)
unit = _table(
    "unit",
    _key(),
    _number("story_id", "story.id"),
    _number("worldline_id", "worldline.id"),
    _number("position"),
    _number("number"),
    _number("revision"),
    _text("ref"),
    _text("content_hash"),
    _text("kind"),
    _text("title"),
    _text("messages"),
    _text("source"),
    _text("created_at"),
    UniqueConstraint("story_id", "ref"),
    Index("unit_place", "worldline_id", "position", "id"),
    Index("unit_number", "story_id", "number", "revision"),
)
commit = _table(
    "commits",
    _key("seq"),
    _number("story_id", "story.id"),
    _number("worldline_id", "worldline.id"),
    _number("position"),
    _text("key"),
    _text("kind"),
    _text("dispatch_id"),
    _text("batch"),
    _text("author"),
    _text("fingerprint"),
    _text("meta"),
    _text("created_at"),
    _text("chain"),
    UniqueConstraint("story_id", "key"),
    Index("commit_story", "story_id", "seq"),
    Index("commit_dispatch", "story_id", "dispatch_id"),
)
commit_unit = _table(
    "commit_unit",
    _key(),
    _number("commit_seq", "commits.seq"),
    _number("unit_id", "unit.id"),
    _text("kind"),
    UniqueConstraint("commit_seq", "unit_id"),
    Index("commit_unit_unit", "unit_id", "kind"),
)
node = _table(
    "node",
    _key(),
    _number("story_id", "story.id"),
    _text("node_id"),
    _text("type"),
    _number("number"),
    _number("depth"),
    _number("anchor"),
    UniqueConstraint("story_id", "node_id"),
    Index("node_number", "story_id", "type", "number"),
    Index("node_order", "story_id", "type", "anchor", "id"),
)
node_version = _table(
    "node_version",
    _key("version"),
    _number("story_id", "story.id"),
    _number("node", "node.id"),
    _number("commit_seq", "commits.seq"),
    _number("worldline_id", "worldline.id"),
    _number("position"),
    _text("title"),
    _text("fields"),
    _text("status", optional=True),
    _text("lifecycle"),
    _number("parent", "node.id", optional=True),
    _text("time_from", optional=True),
    _text("time_to", optional=True),
    Index("node_version_node", "node", "version"),
    Index("node_version_parent", "parent"),
    Index("node_version_story", "story_id", "version"),
    Index("node_version_commit", "commit_seq"),
)
name = _table(
    "name",
    _key(),
    _number("story_id", "story.id"),
    _text("key"),
    _number("node", "node.id"),
    UniqueConstraint("story_id", "key", "node"),
    Index("name_story", "story_id", "id"),
)
link = _table(
    "link",
    _key(),
    _number("story_id", "story.id"),
    _number("source", "node.id"),
    _text("relation"),
    _number("target", "node.id"),
    UniqueConstraint("source", "relation", "target"),
    Index("link_source", "source", "id"),
    Index("link_target", "target", "id"),
    Index("link_source_relation", "source", "relation", "id"),
    Index("link_target_relation", "target", "relation", "id"),
)
link_version = _table(
    "link_version",
    _key("version"),
    _number("story_id", "story.id"),
    _number("link", "link.id"),
    _number("commit_seq", "commits.seq"),
    _number("worldline_id", "worldline.id"),
    _number("position"),
    _text("lifecycle"),
    Index("link_version_link", "link", "version"),
    Index("link_version_commit", "commit_seq"),
)
evidence = _table(
    "evidence",
    _key(),
    _number("node_version", "node_version.version", optional=True),
    _number("link_version", "link_version.version", optional=True),
    _number("unit_id", "unit.id"),
    _number("start"),
    _number("stop"),
    _text("quote_hash"),
    Index("evidence_node", "node_version"),
    Index("evidence_link", "link_version"),
    Index("evidence_unit", "unit_id"),
)
dispatch = _table(
    "dispatch",
    _key(),
    _number("story_id", "story.id"),
    _number("worldline_id", "worldline.id"),
    _text("dispatch_id"),
    _text("batch"),
    _text("opened_at"),
    UniqueConstraint("story_id", "dispatch_id"),
)
dispatch_close = _table(
    "dispatch_close",
    _key(),
    _number("dispatch", "dispatch.id"),
    _text("report"),
    _text("closed_at"),
    UniqueConstraint("dispatch"),
)
source_report = _table(
    "source_report",
    _key(),
    _number("story_id", "story.id"),
    _text("place"),
    _text("report"),
    _text("created_at"),
    Index("source_report_place", "story_id", "place", "id"),
)
lease = Table(
    "lease",
    metadata,
    Column("story_id", BIG, ForeignKey("story.id"), primary_key=True, autoincrement=False),
    _text("token"),
    _text("owner"),
    _number("pid"),
    _text("process"),
    _text("host"),
    _text("acquired_at"),
    Column("expires_at", BIG, nullable=False),
    sqlite_strict=True,
)

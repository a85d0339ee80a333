"""The schema as data: which node types a story has, their columns, and how each is compacted.

Types live in YAML (``schema.yaml`` beside this file, and a story's own files), never in code, so that a faction or a
magic system needs no release.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from talekeeper.memory.errors import SchemaError


class Compression(BaseModel):
    """When and how nodes of a type are rolled up.

    Attributes:
        threshold: a depth is ready once it holds at least this many nodes outside any rollup, ``keep_recent`` aside.
        fan_in: children in one rollup.
        keep_recent: newest nodes of a depth that are left alone.
        max_depth: rollups of this depth are not rolled up again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Literal["none", "hierarchical"] = "none"
    threshold: Annotated[int, Field(ge=2)] = 5
    fan_in: Annotated[int, Field(ge=2)] = 3
    keep_recent: Annotated[int, Field(ge=0)] = 3
    max_depth: Annotated[int, Field(ge=1)] = 10


class NodeType(BaseModel):
    """One node type. ``columns`` are the only field names a node of it may carry."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    prefix: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]{0,19}$")]
    labels: Mapping[str, str] = Field(default_factory=dict)
    table_columns: tuple[str, ...]
    required_columns: tuple[str, ...] = ()
    list_columns: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    defaults: Mapping[str, Any] = Field(default_factory=dict)
    editable: bool = True
    deletable: bool = True
    compression: Compression = Compression()
    always_inject: bool = False
    cadence: Annotated[int, Field(ge=1)] = 1
    instructions: Mapping[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _columns_exist(self) -> Self:
        named = {*self.required_columns, *self.list_columns, *self.choices, *self.defaults}
        strangers = sorted(named - set(self.table_columns))
        if strangers:
            raise ValueError(f"type {self.name!r} names columns that table_columns lacks: {', '.join(strangers)}")
        return self


class Relation(BaseModel):
    """One canonical relation, with the synonyms a model is likely to reach for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    symmetric: bool = False
    agent_writable: bool = True
    synonyms: tuple[str, ...] = ()


class Relations(BaseModel):
    """The relation vocabulary."""

    model_config = ConfigDict(frozen=True)

    relations: tuple[Relation, ...]

    def get(self, name: str) -> Relation | None:
        return next((r for r in self.relations if r.name == name), None)

    def canonical_for(self, name: str) -> str | None:
        """The canonical name that ``name`` is a synonym of, or None."""
        low = name.strip().casefold()
        return next((r.name for r in self.relations if low in {s.casefold() for s in r.synonyms}), None)


class Schema(BaseModel):
    """All types and relations of a story."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    types: tuple[NodeType, ...]
    relations: tuple[Relation, ...]

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        for what in ("name", "prefix"):
            values = [getattr(t, what) for t in self.types]
            twice = sorted({v for v in values if values.count(v) > 1})
            if twice:
                raise ValueError(f"two types share the {what} {', '.join(twice)}")
        return self

    def type(self, name: str) -> NodeType | None:
        return next((t for t in self.types if t.name == name), None)

    @property
    def vocabulary(self) -> Relations:
        return Relations(relations=self.relations)

    def extended(self, text: str, *, where: str = "custom schema") -> Schema:
        """This schema with the types of a YAML text added; a type of the same name replaces the default one.

        Raises:
            SchemaError: the text isn't YAML, or a type breaks the schema's own rules.
        """
        try:
            loaded = yaml.safe_load(text) or {}
            if not isinstance(loaded, dict):
                raise SchemaError(f"{where}: expected a mapping with the key 'types'.")
            added = tuple(NodeType.model_validate(t) for t in loaded.get("types") or ())
            names = {t.name for t in added}
            kept = tuple(t for t in self.types if t.name not in names)
            return Schema(types=kept + added, relations=self.relations)
        except (yaml.YAMLError, ValidationError) as error:
            raise SchemaError(f"{where}: {error}", hint="See schema.yaml in the memory folder for the form.") from error


@cache
def default_schema() -> Schema:
    """The built-in types: event, character_sheet, location_state, thread."""
    text = resources.files("talekeeper.memory").joinpath("schema.yaml").read_text("utf-8")
    return Schema.model_validate(yaml.safe_load(text))


def load_schema(path: Path) -> Schema:
    """The default schema extended by a YAML file."""
    return default_schema().extended(path.read_text("utf-8"), where=str(path))

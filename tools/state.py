"""All that one dispatch has read, decided and staged; the tools are functions over it.

Kept apart from the facade so that reads, writes and compaction are small modules of their own, and so that a checkpoint
is one call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import Language, NameSpan, Unit
from talekeeper.memory.schema import NodeType, Schema
from talekeeper.memory.text import fold
from talekeeper.rules.model import Severity, Violation
from talekeeper.rules.subjects import RollCall
from talekeeper.tools.errors import WriteRefused, worst_first
from talekeeper.tools.ledger import Ledger
from talekeeper.tools.nearest import nearest, nearest_nodes
from talekeeper.tools.phrases import violation
from talekeeper.tools.staging import Staging, number_of
from talekeeper.tools.view import StagedView

if TYPE_CHECKING:
    from talekeeper.memory.reader import Reader
    from talekeeper.memory.story import Story
    from talekeeper.rules.book import RuleBook

EVENT, CHARACTER, LOCATION, THREAD = "event", "character_sheet", "location_state", "thread"
EVENT_REF = "event"
NEEDS_REVIEW = "needs_review"
_SHOWN = 80
"""Characters of a wrong id or type that its refusal repeats."""
_LONGEST_ID = 200


@dataclass
class Thoughts:
    """Visible thoughts of this dispatch: those that wait for their write, those already used, the last of each node."""

    pending: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    by_node: dict[str, str] = field(default_factory=dict)


@dataclass
class DispatchState:
    """The state of one dispatch.

    Attributes:
        base_seq: the story's commit number that the facts rest on.
        event_id: id of this dispatch's event, empty before it is written.
        landed: counts of what is committed; facts_landed: Phase A is committed.
        written: ids of nodes that the facts commit wrote; rollups: ids of committed rollups.
        rollup_id: the staged rollup, empty if none.
        soft: soft violations of what was written; kept: violations of a voice that was taken over (P9).
    """

    story: Story
    reader: Reader
    batch: tuple[Unit, ...]
    rules: RuleBook
    dispatch_id: str
    author: str
    fingerprint: str
    base_seq: int
    staging: Staging = field(default_factory=Staging)
    ledger: Ledger = field(default_factory=Ledger)
    thoughts: Thoughts = field(default_factory=Thoughts)
    roll_call: RollCall | None = None
    event_id: str = ""
    facts_landed: bool = False
    landed: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    rollups: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    rollup_id: str = ""
    soft: list[Violation] = field(default_factory=list)
    kept: list[Violation] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)

    @cached_property
    def view(self) -> StagedView:
        """Store and staging as one."""
        return StagedView(self.reader, self.staging, self.batch[-1].position)

    @cached_property
    def head_seq(self) -> int:
        """The story's commit number that a rollup rests on."""
        return self.story.head_seq

    @cached_property
    def free(self) -> Mapping[str, int]:
        """The store's next free number by type."""
        return self.reader.next_ids()

    def next_id(self, spec: NodeType) -> str:
        """The id that the next node of this type will have."""
        return f"{spec.prefix}_{self.staging.next_number(spec.name, self.free.get(spec.name, 1))}"

    @cached_property
    def schema(self) -> Schema:
        return self.story.schema

    @property
    def language(self) -> Language:
        return self.story.language

    @cached_property
    def batch_text(self) -> str:
        """The curated text of the batch."""
        return "\n\n".join(unit.text for unit in self.batch)

    @cached_property
    def folded_text(self) -> str:
        return fold(self.batch_text)

    def names_text(self, ref: str) -> str:
        """The text of one unit of the batch as names are looked for in it: folded, without spaces, dots and quotes."""
        text = next(unit.text for unit in self.batch if unit.ref == ref)
        return bare_name(text)

    @cached_property
    def outdated(self) -> frozenset[str]:
        """Events, and rollups over them, that tell of older versions of the batch and end with this dispatch."""
        return frozenset(write.node_id for write in self.reader.outdated_by(self.batch))

    @cached_property
    def batch_refs(self) -> tuple[str, ...]:
        return tuple(unit.ref for unit in self.batch)

    @cached_property
    def known_spans(self) -> tuple[NameSpan, ...]:
        """Titles and aliases of known characters and places in the batch text."""
        return tuple(span for unit in self.batch for span in self.reader.names_in(unit.text, [CHARACTER, LOCATION]))

    @cached_property
    def active_threads(self) -> dict[str, str]:
        """Threads that were active when the dispatch began, id → title."""
        return {node.id: node.title for node in self.reader.active_threads()}

    def fault(self, key: str, *, where: str = "", excerpt: str = "", **values: object) -> Violation:
        """A violation from ``phrases.yaml`` in the story's language."""
        return violation(key, self.language, where=where, excerpt=excerpt, **values)

    def type(self, name: str) -> NodeType:
        """The node type of this name.

        Raises:
            NotFound: no such type; names the nearest type and, if the name is a label, the type it labels.
        """
        spec = self.schema.type(name)
        if spec is not None:
            return spec
        labelled = [t.name for t in self.schema.types if name.casefold() in {v.casefold() for v in t.labels.values()}]
        raise NotFound("node type", name[:_SHOWN], labelled or nearest(name, [t.name for t in self.schema.types]))

    def types(self, names: Sequence[str] | None) -> list[str] | None:
        """Checked type names; None = all."""
        return [self.type(name).name for name in names] if names else None

    def id_of(self, given: str) -> str:
        """The node id that ``given`` is, or that an ``@ref`` of this dispatch stands for; other text as it is."""
        text = given.strip()
        return self.staging.refs.get(text.removeprefix("@"), text) if text.startswith("@") else text

    def existing(self, given: str) -> str:
        """The id of a node that is there.

        Raises:
            NotFound: names the nearest ids; where ``given`` is a title or alias, all ids that bear it.
        """
        node_id = self.id_of(given)
        try:
            self.view.node(node_id[:_LONGEST_ID])
        except NotFound:
            raise NotFound("node", given[:_SHOWN], nearest_nodes(given, self.view)) from None
        return node_id

    @cached_property
    def _severities(self) -> dict[str, Severity]:
        return {rule.id: rule.severity for rule in self.rules.rules}

    def accept(self, violations: Iterable[Violation]) -> tuple[Violation, ...]:
        """Let a write through and return its soft flags. The story's settings hold for the session's own faults too.

        Raises:
            WriteRefused: at least one violation is hard.
        """
        settled = (replace(v, severity=self._settled(v)) for v in violations)
        found = worst_first(v for v in settled if v.severity != "off")
        if any(v.severity == "hard" for v in found):
            raise WriteRefused(found)
        return found

    def _settled(self, violation: Violation) -> Severity:
        """As the story has it; the lesser fault of a hard rule stays soft."""
        chosen = self._severities.get(violation.rule, violation.severity)
        return "soft" if chosen == "hard" and violation.severity == "soft" else chosen

    def in_store(self, type_: str, node_id: str) -> bool:
        """An id that this dispatch handed out has been committed, as ``reader`` sees it."""
        return number_of(node_id) < self.free.get(type_, 1)

    def event_count(self) -> int:
        return 1 if self.event_id else 0

    def meta_rows(self) -> dict[str, Any]:
        """Flags and rule results for a commit's meta."""
        return {"flags": list(self.flags), "soft": rows(self.soft), "kept": rows(self.kept)}


def bare_name(text: str) -> str:
    """``text`` folded, with nothing left that one spelling of a name has and another lacks."""
    return "".join(c for c in fold(text) if c.isalnum())


def rows(violations: Iterable[Violation]) -> list[dict[str, Any]]:
    """Violations as plain data without empty parts."""
    return [
        {
            "rule": v.rule,
            "severity": v.severity,
            "message": v.message,
            "mend": v.mend,
            **({"where": v.where} if v.where else {}),
            **({"span": list(v.span)} if v.span else {}),
            **({"excerpt": v.excerpt} if v.excerpt else {}),
        }
        for v in violations
    ]


def violations_from(data: Iterable[dict[str, Any]]) -> list[Violation]:
    """Violations from plain data."""
    return [Violation(**{**row, "span": tuple(row["span"]) if row.get("span") else None}) for row in data]

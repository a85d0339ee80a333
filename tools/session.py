"""One dispatch over one batch: the only door through which anybody writes memory.

Whoever drives it, our graph, a free agent loop, or a server, is held to the same protocol and rules (K14): reads go to
the store once, writes are staged and checked, and what is committed is what ``facts_draft`` and ``rollup_draft`` give.
A refused call raises ``WriteRefused`` with everything that is wrong and has changed nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from talekeeper.memory.models import Commit, CommitDraft, Language, Link, NameMatch, Node, Unit
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import ClosingSubject, RollCall
from talekeeper.tools import compaction, drafts, nodes, observing, reads, results, snapshots
from talekeeper.tools import links as relations
from talekeeper.tools.errors import ArgumentRefused
from talekeeper.tools.state import NEEDS_REVIEW, DispatchState, violations_from

if TYPE_CHECKING:
    from talekeeper.memory.reader import Reader
    from talekeeper.memory.story import Story
    from talekeeper.rules.book import RuleBook


class DispatchSession:
    """The 15 memory tools and the life of one dispatch around them.

    Args:
        reader: the story's state that this dispatch reads.
        batch: the units to curate, in order, at least one.
        base_seq: the story's commit number that ``reader`` sees; read from the story unless given.
        author, fingerprint: who writes and what made it, signed on every commit.
        autocommit: let the session commit by itself, facts when compaction is first asked for and each rollup at once;
            for agents that have nothing but the tools.
    """

    def __init__(
        self,
        story: Story,
        reader: Reader,
        batch: Sequence[Unit],
        rules: RuleBook,
        dispatch_id: str,
        author: str = "",
        fingerprint: str = "",
        *,
        autocommit: bool = False,
        base_seq: int | None = None,
    ) -> None:
        if not batch:
            raise ArgumentRefused("A dispatch needs at least one unit.")
        self._state = DispatchState(
            story=story,
            reader=reader,
            batch=tuple(batch),
            rules=rules,
            dispatch_id=dispatch_id,
            author=author,
            fingerprint=fingerprint,
            base_seq=story.head_seq if base_seq is None else base_seq,
        )
        self._autocommit = autocommit

    # what stands

    @property
    def reader(self) -> Reader:
        """The store as this dispatch reads it, without its staged writes."""
        return self._state.reader

    @property
    def batch(self) -> tuple[Unit, ...]:
        return self._state.batch

    @property
    def language(self) -> Language:
        """The story's language; messages are in it."""
        return self._state.language

    @property
    def dispatch_id(self) -> str:
        return self._state.dispatch_id

    @property
    def roll_call(self) -> RollCall | None:
        """The roll-call that was accepted last."""
        return self._state.roll_call

    @property
    def event_id(self) -> str:
        """Id of this dispatch's event; empty before it is written."""
        return self._state.event_id

    @property
    def rollup_ids(self) -> tuple[str, ...]:
        """Ids of the rollups that this dispatch has committed."""
        return tuple(self._state.rollups)

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(self._state.flags)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Soft violations of what is staged, and those kept from a voice that was taken over."""
        return tuple(dict.fromkeys([*self._state.kept, *self._state.soft]))

    @property
    def repeats(self) -> Mapping[str, int]:
        """Questions that were asked more than once, and how often."""
        return self._state.ledger.repeats

    @property
    def counts(self) -> Mapping[str, int]:
        """What this dispatch has written so far, staged or committed: ``{"event create": 1, "groups": 2}``."""
        drafts.settle(self._state)
        state = self._state
        staged: Counter[str] = Counter()
        if not state.facts_landed:
            staged = state.staging.counts()
        elif state.rollup_id:
            staged["groups"] = 1
        return dict(state.landed + staged)

    def written_ids(self) -> tuple[str, ...]:
        """Ids of nodes created, edited or deleted here, rollups aside."""
        drafts.settle(self._state)
        state = self._state
        return tuple(state.written if state.facts_landed else state.staging.nodes)

    def written_names(self) -> Mapping[str, str]:
        """Titles, aliases and refs of nodes created or edited here → node id."""
        return {**self._state.names, **drafts.written_names(self._state)}

    def node(self, node_id: str) -> Node:
        """A node as this dispatch sees it, staged writes included; not counted as a look-up. Raises NotFound."""
        return self._state.view.node(self._state.id_of(node_id))

    def nodes(self, ids: Sequence[str]) -> list[Node]:
        """Several nodes, staged writes included. Raises NotFound."""
        return self._state.view.nodes([self._state.id_of(given) for given in ids])

    def bearers(self, name: str) -> tuple[NameMatch, ...]:
        """Everyone who bears a name, staged writes included; not counted as a look-up."""
        return self._state.view.find_by_name(name)

    def links_of(self, node_id: str, *, limit: int | None = None) -> list[Link]:
        """Active links at a node, staged ones included."""
        return self._state.view.links_of(self._state.id_of(node_id), limit=limit)

    # reading tools

    def schema(self) -> results.SchemaResult:
        """``memory_schema``."""
        return reads.schema(self._state)

    def list_candidates(
        self,
        types: object = None,
        seq_window: object = None,
        exclude_recent_messages: object = None,
        limit: object = reads.LIST_LIMIT,
    ) -> results.CandidatesResult:
        """``memory_list_candidates``: nodes newest first, rollups instead of what they hold."""
        return reads.list_candidates(self._state, types, seq_window, exclude_recent_messages, limit)

    def expand_seeds(
        self, seed_ids: object, hops: object = 1, include_children: object = True, exclude_internal: object = False
    ) -> results.ExpandResult:
        """``memory_expand_seeds``: neighbours of nodes, and what rollups hold."""
        return reads.expand_seeds(self._state, seed_ids, hops, include_children, exclude_internal)

    def find_by_name(self, query: object, types: object = None) -> results.FindResult:
        """``memory_find_by_name``: everyone who bears the name as title or alias."""
        return reads.find_by_name(self._state, query, types)

    def node_brief(self, node_id: object) -> results.NodeBrief:
        """``memory_node_brief``: one node's present state."""
        return reads.node_brief(self._state, node_id)

    def edge_summary(self, node_id: object) -> results.EdgeSummary:
        """``memory_edge_summary``: one node's links."""
        return reads.edge_summary(self._state, node_id)

    def keyword_search(self, query: object, types: object = None, k: object = 10) -> results.SearchResult:
        """``memory_keyword_search``: by description."""
        return reads.keyword_search(self._state, query, types, k)

    def vector_search(self, query: object, types: object = None, k: object = 10) -> results.SearchResult:
        """``memory_vector_search``: by meaning. Raises EmbeddingProfileMissing without a profile (K11)."""
        return reads.vector_search(self._state, query, types, k)

    # writing tools

    def node_create(
        self,
        type: object,
        title: object = "",
        fields: object = None,
        links: object = None,
        ref: object = "",
        *,
        thought: object = "",
        evidence: object = None,
    ) -> results.WriteResult:
        """``memory_node_create``: a new node with its links. ``ref`` lets later links name it ``@ref``."""
        return nodes.create(self._state, type, title, fields, links, ref, thought=thought, evidence=evidence)

    def node_edit(
        self,
        node_id: object,
        set_fields: object = None,
        clear_fields: object = None,
        title: object = None,
        *,
        thought: object = "",
        evidence: object = None,
    ) -> results.WriteResult:
        """``memory_node_edit``: only what changes; ``aliases`` add to those there are."""
        return nodes.edit(self._state, node_id, set_fields, clear_fields, title, thought=thought, evidence=evidence)

    def node_delete(self, node_id: object, *, evidence: object = None) -> results.WriteResult:
        """``memory_node_delete``: archive a node and end its links. Events can't be deleted."""
        return nodes.delete(self._state, node_id, evidence=evidence)

    def link_upsert(self, source_node_id: object, links: object, *, evidence: object = None) -> results.LinksResult:
        """``memory_link_upsert``: relations of one node, by id."""
        return relations.upsert(self._state, source_node_id, links, evidence)

    def link_delete(
        self,
        source_node_id: object,
        target_node_id: object,
        relation: object,
        direction: object = None,
        *,
        evidence: object = None,
    ) -> results.LinksResult:
        """``memory_link_delete``: end a relation that no longer holds. Raises NotFound if there is none."""
        return relations.delete(self._state, source_node_id, target_node_id, relation, direction, evidence)

    def compaction_candidates(self, type: object, depth: object = 0) -> results.GroupsResult:
        """``memory_compaction_candidates``: groups that are ready."""
        self._settle_or_commit()
        return compaction.candidates(self._state, type, depth)

    def compact_nodes(
        self, type: object, child_ids: object, summary: object, fields: object = None, *, thought: object = ""
    ) -> results.CompactResult:
        """``memory_compact_nodes``: one rollup over one ready group."""
        self._settle_or_commit()
        made = compaction.compact(self._state, type, child_ids, summary, fields, thought=thought)
        if self._autocommit:
            self.commit_rollup()
        return made

    # the protocol around the tools

    def observe(self, text: str) -> None:
        """Read a response: a roll-call block is submitted, ``<thought>`` blocks wait for their writes.

        Raises:
            WriteRefused: the roll-call breaks a rule.
        """
        observing.observe(self._state, text)

    def submit_roll_call(self, roll_call: RollCall) -> tuple[Violation, ...]:
        """Accept a roll-call (R1 to R5) and return its soft flags; a later one replaces it if staged writes still fit.

        Raises:
            WriteRefused: with everything that is wrong.
        """
        drafts.settle(self._state)
        return observing.submit(self._state, roll_call)

    def unfulfilled(self) -> tuple[Violation, ...]:
        """What the roll-call promised and no write has done yet."""
        return observing.promises(self._state)

    def sweep(self) -> None:
        """The thread sweep after the event: every promise about a thread was carried out.

        Raises:
            WriteRefused: a thread would go stale.
        """
        observing.sweep(self._state)

    def accept_with_flag(self, violations: Iterable[Violation]) -> None:
        """Note that another voice took over and keep what the first one broke, for review (P9)."""
        state = self._state
        state.kept = list(dict.fromkeys([*state.kept, *violations]))
        if NEEDS_REVIEW not in state.flags:
            state.flags.append(NEEDS_REVIEW)

    def facts_draft(self) -> CommitDraft:
        """Phase A as one commit draft; the key makes committing it twice one commit. Raises WriteRefused."""
        return drafts.facts(self._state)

    def rollup_draft(self) -> CommitDraft:
        """The staged rollup as a commit draft. Raises WriteRefused if none is staged."""
        return drafts.rollup(self._state)

    def commit_facts(self) -> Commit:
        """Commit Phase A and go on from the story's new state. Raises WriteRefused, StaleBase."""
        commit = self._state.story.commit(self.facts_draft())
        self.rebase()
        return commit

    def commit_rollup(self) -> Commit:
        """Commit the staged rollup and go on from the story's new state. Raises WriteRefused, StaleBase."""
        commit = self._state.story.commit(self.rollup_draft())
        self.rebase()
        return commit

    def rebase(self, reader: Reader | None = None) -> None:
        """Go on from a newer state of the story, after a commit of this dispatch."""
        snapshots.rebase(self._state, reader or self._state.story.reader())
        drafts.settle(self._state)

    def brief(self) -> str:
        """The one sentence that closes the dispatch, made from what was really written (P7)."""
        from talekeeper.rules.brief import compose_brief

        return compose_brief(self.counts, self._state.language)

    def check_closing(self, text: str, *, has_tool_calls: bool = False) -> tuple[Violation, ...]:
        """Check a closing message that an agent wrote (P7); returns its soft flags. Raises WriteRefused."""
        subject = ClosingSubject(text, self.counts, has_tool_calls)
        return self._state.accept(self._state.rules.check("closing", subject))

    def snapshot(self) -> dict[str, Any]:
        """All of it but the batch's text and the store, as plain JSON-able data."""
        return snapshots.dump(self._state)

    @classmethod
    def restore(
        cls,
        story: Story,
        reader: Reader,
        batch: Sequence[Unit],
        rules: RuleBook,
        snapshot: Mapping[str, Any],
        *,
        autocommit: bool = False,
    ) -> DispatchSession:
        """The session as it was; ``reader`` may see the commits that the dispatch has made meanwhile."""
        dispatch_id, base_seq = snapshot["dispatch_id"], snapshot["base_seq"]
        session = cls(story, reader, batch, rules, dispatch_id, autocommit=autocommit, base_seq=base_seq)
        snapshots.load(session._state, snapshot)
        return session

    @classmethod
    def after_facts(
        cls, story: Story, reader: Reader, batch: Sequence[Unit], rules: RuleBook, commit: Commit
    ) -> DispatchSession:
        """The session as it stood after ``commit``, its facts commit: to go on with compaction where no snapshot is."""
        session = cls(
            story, reader, batch, rules, commit.dispatch_id, author=commit.author, fingerprint=commit.fingerprint
        )
        state = session._state
        state.event_id, state.facts_landed = str(commit.meta["event"]), True
        for step in ("schema", "recent", "roll_call", "event", "sweep", drafts.COMMIT):
            state.ledger.step(step)
        state.landed.update(commit.meta["counts"])
        state.written.extend(commit.meta["written"])
        state.flags.extend(commit.meta["flags"])
        state.kept.extend(violations_from(commit.meta["kept"]))
        return session

    def _settle_or_commit(self) -> None:
        drafts.settle(self._state)
        state = self._state
        if self._autocommit and not state.facts_landed and state.event_id:
            self.commit_facts()

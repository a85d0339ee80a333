"""Check a whole library again: the store's integrity, and every rule that can be told from what is stored.

Rules are checked when something is written; this says whether what lies on the disk still keeps them, after upgrades,
changed settings, or a hand in the database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from talekeeper.graph.leniency import rule_book
from talekeeper.memory.library import Library
from talekeeper.memory.models import Commit, Node
from talekeeper.memory.reader import Reader
from talekeeper.memory.story import Story
from talekeeper.rules.event_form import parse as parse_event
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import (
    ChildSummary,
    ClosingSubject,
    EventSubject,
    HiddenChild,
    LinkSubject,
    NodeSubject,
    RollupSubject,
    StoredRollupSubject,
    ThoughtSubject,
)
from talekeeper.tools.checks import speakers

EVENT, THREAD = "event", "thread"
_RECENT = 5
OnProgress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found.

    Attributes:
        checked: how many stories, units, nodes, links and thoughts were looked at.
        violations: (story title, node id, violation), hard and soft.
        problems: faults of the store itself, one line each.
    """

    checked: Mapping[str, int]
    violations: tuple[tuple[str, str, Violation], ...]
    problems: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """No problem and no hard rule broken; soft flags are allowed."""
        return not self.problems and not any(v.severity == "hard" for _, _, v in self.violations)


def audit(
    library: Library, stories: Sequence[Story] | None = None, on_progress: OnProgress | None = None
) -> AuditReport:
    """Check every story (or ``stories``) of a library; reads only.

    Args:
        on_progress: told (units done, units in all, story title).
    """
    chosen = stories if stories is not None else [library.story(info.id) for info in library.stories()]
    total, done = sum(story.unit_count() for story in chosen), 0
    checked: Counter[str] = Counter(stories=len(chosen))
    found: list[tuple[str, str, Violation]] = []
    for story in chosen:
        inspection = _Inspection(story, checked)
        for node_id, violation in inspection.run():
            found.append((story.title, node_id, violation))
        done += story.unit_count()
        if on_progress is not None:
            on_progress(done, total, story.title)
    return AuditReport(dict(checked), tuple(found), tuple(library.check()))


class _Inspection:
    """The rules over one story, from its stored rows alone."""

    def __init__(self, story: Story, checked: Counter[str]) -> None:
        self.story = story
        self.reader: Reader = story.reader()
        self.rules = rule_book(story)
        self.checked = checked
        self.checked["units"] += story.unit_count()
        self._held: defaultdict[str, list[Node]] = defaultdict(list)
        self._shown: set[str] = set()

    def run(self) -> Iterator[tuple[str, Violation]]:
        commits = {commit.seq: commit for commit in self.reader.commits()}
        nodes = self.reader.list_nodes(include_rolled_up=True)
        self._shown = {node.id for node in self.reader.list_nodes()}
        for node in nodes:
            if node.parent is not None:
                self._held[node.parent].append(node)
        threads = _open_threads_by_commit(self.reader, nodes)
        leaves = [node for node in reversed(nodes) if node.type == EVENT and node.depth == 0]
        written = {leaf.id: self._first_commit(leaf, commits) for leaf in leaves}
        for index, leaf in enumerate(leaves):
            yield from self._leaf(leaf, _before(leaves[:index], leaf, written), written[leaf.id], threads)
        for node in nodes:
            if node.type != EVENT:
                yield from self._node(node)
            elif node.depth:
                yield from self._rollup(node, commits)
            yield from self._links(node)
        yield from self._closings(commits.values())

    def _leaf(
        self, leaf: Node, before: Sequence[Node], first: Commit | None, threads: Mapping[int, frozenset[str]]
    ) -> Iterator[tuple[str, Violation]]:
        self.checked["nodes"] += 1
        summary = str(leaf.fields.get("summary") or "")
        previous = before[-1] if before else None
        voices = speakers(self.story.unit(ref) for ref in dict.fromkeys(e.unit for e in leaf.evidence))
        subject = EventSubject(
            summary=summary,
            batch_text=self._batch_text(leaf),
            previous_time=(previous.time_to or previous.time_from) if previous else None,
            thread_titles=threads.get(first.seq, frozenset()) if first else frozenset(),
            recent_summaries=tuple(str(node.fields.get("summary") or "") for node in reversed(before)),
            known_names=frozenset([*(span.surface for span in self.reader.names_in(summary)), *voices]),
            context_text="\n".join([self.story.title, *voices]),
        )
        yield from ((leaf.id, v) for v in self.rules.check("event", subject))
        yield from self._thought(leaf.id, summary, first)

    def _first_commit(self, node: Node, commits: Mapping[int, Commit]) -> Commit | None:
        """The commit that wrote the node's summary; later versions say which rollup holds it, or give it a title."""
        if node.parent is None and node.position == node.anchor:
            return commits.get(node.commit)
        history = self.reader.history(node.id)
        same = [commit for commit, version in history if version.fields.get("summary") == node.fields.get("summary")]
        return min(same, key=lambda commit: commit.seq) if same else None

    def _thought(
        self, node_id: str, summary: str, commit: Commit | None, children: tuple[ChildSummary, ...] = ()
    ) -> Iterator[tuple[str, Violation]]:
        meta = commit.meta if commit else {}
        thought = meta.get("thoughts", {}).get(node_id) or meta.get("thought")
        if thought is None:
            return
        self.checked["thoughts"] += 1
        kind: Literal["leaf", "rollup"] = "rollup" if children else "leaf"
        refs = tuple(child.id for child in children) or tuple(commit.batch if commit else ())
        subject = ThoughtSubject(thought, summary, kind, refs=refs, children=children)
        yield from ((node_id, v) for v in self.rules.check("thought", subject))

    def _batch_text(self, node: Node) -> str:
        refs = dict.fromkeys(evidence.unit for evidence in node.evidence)
        return "\n\n".join(self.story.unit(ref).text for ref in refs)

    def _node(self, node: Node) -> Iterator[tuple[str, Violation]]:
        self.checked["nodes"] += 1
        spec = self.story.schema.type(node.type)
        if spec is None:
            return
        namesakes = self.reader.find_by_name(node.title, [node.type]) if node.title else []
        fields = dict(node.fields)
        if "title" in spec.table_columns:
            fields["title"] = node.title
        subject = NodeSubject(
            spec=spec,
            title=node.title,
            fields=fields,
            sent=fields,
            namesakes=tuple(m for m in namesakes if m.node_id != node.id and m.via == "title"),
            batch_text=self._batch_text(node),
        )
        yield from ((node.id, v) for v in self.rules.check("node", subject))

    def _rollup(self, node: Node, commits: Mapping[int, Commit]) -> Iterator[tuple[str, Violation]]:
        self.checked["nodes"] += 1
        children = self.reader.children(node.id)
        ids = tuple(child.id for child in children)
        summary = str(node.fields.get("summary") or "")
        rows = tuple(self._child(child) for child in children)
        subject = RollupSubject(summary, ids, ids, rows, node.depth)
        yield from ((node.id, v) for v in self.rules.check("rollup", subject))
        stored = StoredRollupSubject(node.id, node.depth, tuple(self._hidden(c, ids) for c in self._held[node.id]))
        yield from ((node.id, v) for v in self.rules.check("stored_rollup", stored))
        yield from self._thought(node.id, summary, self._first_commit(node, commits), rows)

    def _child(self, node: Node) -> ChildSummary:
        summary = str(node.fields.get("summary") or "")
        return ChildSummary(node.id, summary, node.time_from, node.time_to, changes=self._changes(node))

    def _changes(self, node: Node) -> tuple[str, ...]:
        """Irreversible rows of the leaves below a rollup of depth 1; a leaf's own stand in its summary, and what is
        deeper has passed through an outline already."""
        if node.depth != 1:
            return ()
        summaries = (str(child.fields.get("summary") or "") for child in self._held[node.id])
        rows = [row for text in summaries for row in parse_event(text, self.story.language).irreversible]
        return tuple(dict.fromkeys(rows))

    def _hidden(self, child: Node, expanded: Sequence[str]) -> HiddenChild:
        summary = str(child.fields.get("summary") or "")
        return HiddenChild(child.id, summary, child.depth, child.id in self._shown, child.id in expanded)

    def _links(self, node: Node) -> Iterator[tuple[str, Violation]]:
        links = self.reader.links_of(node.id)
        standing = {(link.source, link.relation, link.target) for link in links}
        for link in links:
            if link.source != node.id:
                continue
            self.checked["links"] += 1
            subject = LinkSubject(
                relations=self.story.schema.vocabulary,
                source=link.source,
                target=link.target,
                relation=link.relation,
                known_ids=frozenset({link.source, link.target}),
                source_type=node.type,
                target_type=self.reader.node(link.target).type,
                direction="out",
                reverse_stands=(link.target, link.relation, link.source) in standing,
            )
            yield from ((node.id, v) for v in self.rules.check("link", subject))

    def _closings(self, commits: Iterable[Commit]) -> Iterator[tuple[str, Violation]]:
        dispatches = dict.fromkeys(commit.dispatch_id for commit in commits if commit.kind == "facts")
        for dispatch_id in dispatches:
            report = self.story.dispatch_report(dispatch_id)
            if report is not None and report.get("brief"):
                subject = ClosingSubject(report["brief"], dict(report["counts"]))
                yield from ((report["event_id"], v) for v in self.rules.check("closing", subject))


def _before(earlier: Sequence[Node], leaf: Node, written: Mapping[str, Commit | None]) -> list[Node]:
    """The last few events that stood before ``leaf`` when it was written; a turn edited later came after it."""
    own = written[leaf.id]
    stood: list[Node] = []
    for node in reversed(earlier):
        commit = written[node.id]
        if own is None or commit is None or commit.seq < own.seq:
            stood.append(node)
            if len(stood) == _RECENT:
                break
    return stood[::-1]


def _open_threads_by_commit(reader: Reader, nodes: Sequence[Node]) -> dict[int, frozenset[str]]:
    """Titles of threads that each commit wrote and left active, as E6 and E4 rows of its event may name them."""
    titles: dict[int, set[str]] = {}
    for node in nodes:
        if node.type != THREAD:
            continue
        for commit, version in reader.history(node.id):
            if version.fields.get("status") == "active":
                titles.setdefault(commit.seq, set()).add(version.title)
    return {seq: frozenset(names) for seq, names in titles.items()}

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from talekeeper.memory.errors import CommitRefused, NotFound, StaleBase
from talekeeper.memory.models import CommitDraft, Evidence, LinkWrite, NodeWrite
from tests.memory_story import again, commit, curate, draft, new_story, node


def test_a_commit_is_stored_whole(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    unit = story.add_units([draft("沈青梧推开听雪楼的门")]).added[0]
    stored = commit(
        story,
        node("event_1", "推门", unit, summary="沈青梧进楼"),
        node("char_1", "沈青梧", unit, aliases=["小沈"]),
        links=[LinkWrite("event_1", "involved_in", "char_1", (Evidence.of(unit, 8, 11),))],
        batch=[unit],
        kind="facts",
        meta={"usage": {"calls": 0}, "flags": ["\ud83d"]},
    )
    assert (stored.seq, stored.batch, stored.kind) == (1, ("u1",), "facts")
    assert stored.meta == {"usage": {"calls": 0}, "flags": ["\ufffd"]}
    reader = story.reader()
    assert reader.commits() == [stored] == [story.commit_by_key("key-1")]
    event, character = reader.nodes(["event_1", "char_1"])
    assert (event.title, event.fields, event.depth, event.commit) == ("推门", {"summary": "沈青梧进楼"}, 0, 1)
    assert reader.evidence_text(event.evidence[0]) == unit.text
    assert character.aliases == ("小沈",)
    link = reader.links_of("char_1")[0]
    assert (link.source, link.relation, link.target) == ("event_1", "involved_in", "char_1")
    assert reader.evidence_text(link.evidence[0]) == "推开听"
    assert reader.next_ids() == {"event": 2, "character_sheet": 2, "location_state": 1, "thread": 1}
    assert story.uncurated() == []
    assert story.uncurated_count() == 0
    assert story.library.check() == []


def test_the_same_key_is_the_same_commit(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    first = commit(story, node("char_1", "甲"), key="once")
    assert commit(story, node("char_2", "乙"), key="once", base_seq=99) == first
    assert story.head_seq == 1
    with pytest.raises(NotFound):
        story.reader().node("char_2")


def test_a_moved_story_refuses_a_stale_write(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(story, node("char_1", "甲"))
    with pytest.raises(StaleBase, match="from commit 0 to 1"):
        commit(story, node("char_2", "乙"), base_seq=0)
    assert commit(story, node("char_2", "乙"), base_seq=1).seq == 2


def test_a_unit_is_curated_once(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    unit = curate(story, ["一"])[0]
    with pytest.raises(StaleBase, match="curated once"):
        commit(story, node("event_2", "又", unit, summary="x"), batch=[unit], kind="facts")
    commit(story, node("char_1", "甲", unit), batch=[unit])


def bad_drafts(good: NodeWrite, evidence: Evidence) -> dict[str, tuple[tuple[NodeWrite, ...], tuple[LinkWrite, ...]]]:
    rollup = node("event_9", "卷", depth=1, summary="x")
    return {
        "taken": ((replace(good, node_id="event_1"),), ()),
        "no id": ((replace(good, node_id="char_1"),), ()),
        "no id for a node of type 'ghost'": ((replace(good, type="ghost"),), ()),
        "isn't there": ((replace(good, new=False),), ()),
        "type or depth": ((replace(good, node_id="event_1", new=False, depth=1),), ()),
        "no rollup": ((replace(good, parent="event_1"),), ()),
        "can hold": ((replace(good, parent="event_9", depth=1), rollup), ()),
        "written twice": ((good, good), ()),
        "isn't what": ((replace(good, evidence=(replace(evidence, end=99),)),), ()),
        "says": ((replace(good, evidence=(replace(evidence, quote_hash="0" * 16),)),), ()),
        "names a node": ((good,), (LinkWrite("event_2", "involved_in", "char_7", ()),)),
        "no relation": ((good,), (LinkWrite("event_2", "likes", "event_1", ()),)),
        "JSON": ((replace(good, fields={"summary": object()}),), ()),
    }


@pytest.mark.parametrize("message", list(bad_drafts(node("event_2", ""), Evidence("u1", 0, 1, ""))))
def test_a_refused_commit_leaves_nothing(tmp_path: Path, message: str) -> None:
    story = new_story(tmp_path)
    unit = curate(story, ["一"])[0]
    nodes, links = bad_drafts(node("event_2", "", unit, summary="x"), Evidence.of(unit))[message]
    before = (tmp_path / "library.db").stat().st_size, story.head_seq
    with pytest.raises(CommitRefused, match=message):
        story.commit(CommitDraft("k", "manual", "d", (), nodes, links))
    assert story.head_seq == before[1]
    assert story.reader().next_ids()["event"] == 2
    assert story.library.check() == []


def test_an_unknown_batch_unit_is_not_found(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    with pytest.raises(NotFound, match="u9"):
        story.commit(CommitDraft("k", "facts", "d", ("u9",), ()))


def test_symmetric_relations_have_one_edge(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(story, node("char_1", "甲"), node("char_2", "乙"), links=[LinkWrite("char_1", "partner_of", "char_2", ())])
    commit(
        story, links=[LinkWrite("char_2", "partner_of", "char_1", ()), LinkWrite("char_2", "mentor_of", "char_1", ())]
    )
    links = story.reader().links_of("char_2")
    assert [(x.source, x.relation, x.target) for x in links] == [
        ("char_2", "mentor_of", "char_1"),
        ("char_1", "partner_of", "char_2"),
    ]
    commit(story, links=[LinkWrite("char_2", "partner_of", "char_1", (), lifecycle="archived")])
    assert [x.relation for x in story.reader().links_of("char_1")] == ["mentor_of"]
    assert len(story.reader().links_of("char_1", include_ended=True)) == 2
    assert story.library.check() == []


def test_dispatches_are_pending_until_they_are_closed(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    story.open_dispatch("d1", ["u1"])
    story.open_dispatch("d2", ["u2", "u3"])
    story.open_dispatch("d1", ["u1"])
    assert story.pending_dispatches() == [("d1", ("u1",)), ("d2", ("u2", "u3"))]
    assert story.dispatch_report("d1") is None
    story.close_dispatch("d1", {"brief": "写 1 event"})
    story.close_dispatch("d1", {"brief": "again"})
    assert story.dispatch_report("d1") == {"brief": "写 1 event"}
    assert story.pending_dispatches() == [("d2", ("u2", "u3"))]
    with pytest.raises(NotFound):
        story.close_dispatch("d9", {})


def test_history_shows_every_version_with_its_commit(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一", "二"])
    commit(story, node("char_1", "甲", identity="镖师"))
    commit(story, again(story.reader().node("char_1"), identity="楼主"))
    versions = story.reader().history("char_1")
    assert [(c.seq, n.fields["identity"]) for c, n in versions] == [(3, "镖师"), (4, "楼主")]
    with pytest.raises(NotFound):
        story.reader().history("char_9")


def test_two_runs_give_one_chain(tmp_path: Path) -> None:
    chains = []
    for run in ("a", "b"):
        story = new_story(tmp_path / run)
        curate(story, ["一", "二"])
        chains.append([c.chain for c in story.reader().commits()])
    assert chains[0] == chains[1]
    assert len(set(chains[0])) == 2


def test_a_turn_is_appended_once(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    first = story.append_unit(draft("一"))
    assert (first.ref, first.turn) == ("u1", 1)
    assert story.append_unit(draft("一")).ref == "u1"
    assert story.append_unit(draft("二")).turn == 2

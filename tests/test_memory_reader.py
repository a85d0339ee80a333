from __future__ import annotations

from pathlib import Path

import pytest

from talekeeper.memory.errors import NotFound
from talekeeper.memory.models import LinkWrite
from tests.memory_story import again, commit, curate, new_story, node


@pytest.mark.parametrize(
    ("title", "aliases", "query", "via"),
    [
        ("沈青梧", [], "沈青梧", "title"),
        ("沈青梧", ["小沈", "青梧"], "青梧", "alias"),
        ("沈青梧", ["小沈、青梧"], "青梧", "alias"),
        ("沈青梧", "小沈、青梧", "青梧", "alias"),
        ("听雪楼", [], "聽雪樓", "title"),
        ("聽雪樓", [], "《听雪楼》", "title"),
        ("Anna Lee", ["Ann"], "ＡＮＮＡ　lee", "title"),
        ("安娜·李", [], "安娜李", "title"),
        ("O’Brien", [], "o'brien", "title"),
        ("小沈、青梧", [], "青梧", "title"),
        ("沈青梧", ["小沈"], "老王、小沈", "alias"),
        ("沈青梧", ["沈青梧"], "沈青梧", "title"),
    ],
)
def test_names_are_found_in_every_direction(
    tmp_path: Path, title: str, aliases: list[str] | str, query: str, via: str
) -> None:
    story = new_story(tmp_path)
    commit(story, node("char_1", title, aliases=aliases), node("char_2", "旁人", aliases=["别人"]))
    found = story.reader().find_by_name(query)
    assert [(m.node_id, m.via) for m in found] == [("char_1", via)]
    assert story.reader().find_by_name(query, ["thread"]) == []
    assert story.reader().find_by_name("、 ") == []


def test_all_bearers_of_a_name_are_returned_title_hits_first(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(
        story,
        node("char_1", "王五", aliases=["师父"]),
        node("char_2", "赵六", aliases=["师父"]),
        node("char_3", "师父"),
    )
    assert [(m.node_id, m.via) for m in story.reader().find_by_name("師父")] == [
        ("char_3", "title"),
        ("char_1", "alias"),
        ("char_2", "alias"),
    ]


def test_a_dropped_name_is_found_no_more_and_a_deleted_node_neither(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一", "二"])
    commit(story, node("char_1", "甲", aliases=["老甲"]), node("char_2", "乙"))
    reader = story.reader()
    assert reader.names_in("老甲和乙")
    commit(story, again(reader.node("char_1"), aliases=[]), node("char_2", "乙", new=False, lifecycle="archived"))
    assert reader.find_by_name("老甲") == reader.find_by_name("乙") == []
    assert [s.surface for s in reader.names_in("老甲和乙")] == ["甲"]
    assert reader.node("char_2").lifecycle == "archived"


def test_names_standing_in_a_text(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(
        story,
        node("char_1", "沈青梧", aliases=["青梧"]),
        node("char_2", "Ann", aliases=["Anna Lee"]),
        node("char_3", "安娜·李"),
        node("place_1", "听雪楼"),
        node("char_4", "青梧"),
    )
    reader = story.reader()
    text = "那夜沈青梧在聽雪樓見青梧。Annabel saw Anna\nLee, Ann's friend，安娜李與安娜・李… ﬁn"
    spans = reader.names_in(text)
    assert [(s.surface, s.node_ids) for s in spans] == [
        ("沈青梧", ("char_1",)),
        ("聽雪樓", ("place_1",)),
        ("青梧", ("char_1", "char_4")),
        ("Anna\nLee", ("char_2",)),
        ("Ann", ("char_2",)),
        ("安娜李", ("char_3",)),
        ("安娜・李", ("char_3",)),
    ]
    assert all(text[s.start : s.end] == s.surface for s in spans)
    assert [s.surface for s in reader.names_in(text, ["location_state"])] == ["聽雪樓"]
    assert reader.names_in("") == []


def test_an_unknown_node_names_the_nearest(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(story, node("char_1", "沈青梧"), node("char_2", "Anna"))
    with pytest.raises(NotFound) as caught:
        story.reader().node("Anne")
    assert caught.value.nearest == ("char_2 (Anna)",)
    with pytest.raises(NotFound):
        story.reader().nodes(["char_1", "char_3"])
    with pytest.raises(NotFound):
        story.reader().compaction_groups("nothing", 0)


def test_active_threads_follow_their_status(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一"])
    reader = story.reader()
    assert reader.active_threads() == []
    commit(story, *(node(f"thread_{i}", f"约{i}", status="active", note="x") for i in (1, 2, 3)))
    assert [t.id for t in reader.active_threads()] == ["thread_1", "thread_2", "thread_3"]
    commit(story, again(reader.node("thread_2"), status="resolved"))
    assert [t.id for t in reader.active_threads()] == ["thread_1", "thread_3"]
    assert [t.id for t in reader.list_nodes(["thread"], status="resolved")] == ["thread_2"]
    assert [t.id for t in story.reader(at=1).active_threads()] == ["thread_1", "thread_3"]
    assert story.reader(at=0).active_threads() == []


def test_rollups_stand_for_their_children_in_the_default_view(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    units = curate(story, [f"第{i}夜" for i in range(7)])
    reader = story.reader()
    group = reader.compaction_groups("event", 0)
    assert [g.child_ids for g in group] == [("event_1", "event_2", "event_3")]
    assert reader.compaction_groups("character_sheet", 0) == reader.compaction_groups("event", 10) == []
    children = [again(child, parent="event_8") for child in reader.nodes(group[0].child_ids)]
    commit(story, node("event_8", "卷一", units[0], depth=1, summary="x"), *children, batch=units[6:], kind="rollup")
    assert [e.id for e in reader.events(9)] == ["event_7", "event_6", "event_5", "event_4", "event_8"]
    assert [e.id for e in reader.events(2)] == ["event_7", "event_6"]
    assert [e.id for e in reader.events(9, leaves=True)] == [f"event_{i}" for i in range(7, 0, -1)]
    assert [e.id for e in reader.children("event_8")] == ["event_1", "event_2", "event_3"]
    assert reader.children("event_1") == []
    last = reader.last_event()
    assert last is not None
    assert last.id == "event_7"
    assert reader.compaction_groups("event", 0) == []
    past = story.reader(at=6)
    assert [e.id for e in past.events(3)] == ["event_6", "event_5", "event_4"]
    assert past.compaction_groups("event", 0)[0].child_ids == ("event_1", "event_2", "event_3")
    assert [e.id for e in story.reader(at=7).events(9)] == [e.id for e in reader.events(9)]
    with pytest.raises(NotFound):
        past.node("event_8")
    assert reader.node("event_2").parent == "event_8"
    assert past.node("event_2").parent is None


def test_lists_page_backwards(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, [f"第{i}夜" for i in range(5)])
    reader = story.reader()
    first = reader.list_nodes(["event"], limit=2)
    assert [n.id for n in first] == ["event_5", "event_4"]
    after = reader.list_nodes(["event"], limit=2, before_position=first[-1].anchor)
    assert [n.id for n in after] == ["event_3", "event_2"]
    commit(story, node("char_1", "甲"))
    assert [n.id for n in reader.list_nodes(limit=2)] == ["char_1", "event_5"]
    assert len(reader.list_nodes()) == 6


def test_reading_as_of_a_turn(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    units = curate(story, ["一", "二", "三"])
    commit(story, node("char_1", "甲", identity="旧"), batch=units[:1])
    commit(story, again(story.reader().node("char_1"), identity="新"), batch=units[2:])
    identities = [story.reader(at=at).node("char_1").fields["identity"] for at in (1, 2, 3, 9)]
    assert identities == ["旧", "旧", "新", "新"]
    assert story.reader(at=0).list_nodes() == []
    assert story.reader(at=0).commits() == []
    assert len(story.reader(at=1).commits()) == 2
    assert len(story.reader().commits(1)) == 1
    assert [n.fields["identity"] for _, n in story.reader(at=2).history("char_1")] == ["旧"]


def test_links_of_a_deleted_node_are_hidden(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(story, *(node(f"char_{i}", f"人{i}") for i in (1, 2, 3)))
    commit(story, links=[LinkWrite("char_1", "allied_with", f"char_{i}", ()) for i in (2, 3)])
    reader = story.reader()
    assert [link.target for link in reader.links_of("char_1")] == ["char_3", "char_2"]
    assert [link.target for link in reader.links_of("char_1", limit=1)] == ["char_3"]
    assert reader.links_of("char_1", relations=["mentor_of"]) == []
    commit(story, node("char_3", "人3", new=False, lifecycle="archived"))
    assert [link.target for link in reader.links_of("char_1")] == ["char_2"]
    assert len(reader.links_of("char_1", include_ended=True)) == 2
    assert reader.links_of("char_9") == []


def test_links_between_two_nodes(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(story, *(node(f"char_{i}", f"人{i}") for i in (1, 2, 3)))
    pairs = [("char_1", "mentor_of", "char_2"), ("char_2", "deceiving", "char_1"), ("char_1", "mentor_of", "char_3")]
    commit(story, links=[LinkWrite(source, relation, target, ()) for source, relation, target in pairs])
    between = story.reader().links_between("char_2", "char_1")
    assert [link.relation for link in between] == ["deceiving", "mentor_of"]
    commit(story, links=[LinkWrite(*pairs[1], (), lifecycle="archived")])
    assert [link.relation for link in story.reader().links_between("char_1", "char_2")] == ["mentor_of"]
    assert len(story.reader().links_between("char_1", "char_2", include_ended=True)) == 2
    assert story.reader().links_between("char_2", "char_3") == []

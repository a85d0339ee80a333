from __future__ import annotations

from pathlib import Path

import pytest

from talekeeper.memory.keywords import Query, holds, snippet
from talekeeper.memory.text import words
from tests.memory_story import again, commit, curate, draft, new_story, node


def test_two_character_names_and_single_characters_are_found(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    story.add_units([draft(text, name="") for text in ("沈青在灯下拆信", "雨夜，白鹤归来", "镖队出城")])
    reader = story.reader()
    for query, ref in (("沈青", "u1"), ("白鶴", "u2"), ("镖", "u3"), ("拆信", "u1")):
        assert [hit.id for hit in reader.keyword_search(query, kinds=["unit"])] == [ref]
    assert reader.keyword_search("青灯", kinds=["unit"]) == []
    assert reader.keyword_search("", kinds=["unit", "node"]) == reader.keyword_search("沈青", k=0) == []


def test_english_words_are_stemmed_and_phrases_exact(tmp_path: Path) -> None:
    story = new_story(tmp_path, language="en")
    texts = ["Anna drew two swords at dawn", "A sword lay near two chairs", "Nobody came"]
    story.add_units([draft(text, name="Narrator") for text in texts])
    reader = story.reader()
    assert {hit.id for hit in reader.keyword_search("SWORD", kinds=["unit"])} == {"u1", "u2"}
    assert [hit.id for hit in reader.keyword_search('"two swords"', kinds=["unit"])] == ["u1"]
    assert [hit.id for hit in reader.keyword_search('two "near two" swords', kinds=["unit"])] == ["u2"]
    assert [hit.type for hit in reader.keyword_search("nobody", kinds=["unit"])] == ["turn"]


def test_only_the_visible_version_of_a_node_is_a_hit(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["一", "二"])
    commit(story, node("char_1", "沈青梧", identity="镖师"), node("place_1", "镖局"))
    reader = story.reader()
    assert {hit.id for hit in reader.keyword_search("镖")} == {"char_1", "place_1"}
    assert [hit.id for hit in reader.keyword_search("镖", types=["location_state"])] == ["place_1"]
    commit(story, again(reader.node("char_1"), identity="楼主"))
    assert [hit.id for hit in reader.keyword_search("镖")] == ["place_1"]
    commit(story, node("place_1", "镖局", new=False, lifecycle="archived"))
    assert reader.keyword_search("镖") == []
    assert story.reader(at=1).keyword_search("楼主") == []


def test_filtering_goes_on_until_enough_is_found(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    commit(
        story, node("char_1", "甲", identity="白鹤白鹤白鹤"), *(node(f"place_{i}", f"白鹤{i}") for i in range(1, 150))
    )
    commit(story, *(again(n, title="空") for n in story.reader().list_nodes(["location_state"])))
    assert [hit.id for hit in story.reader().keyword_search("白鹤", k=3)] == ["char_1"]


def test_order_is_by_score_and_the_same_each_time(tmp_path: Path) -> None:
    story = new_story(tmp_path)
    curate(story, ["白鹤", "白鹤白鹤白鹤", "白鹤", "无关的很长很长的一句话里有白鹤也有别的很多很多东西"])
    hits = [story.reader().keyword_search("白鹤", kinds=["unit", "node"]) for _ in range(2)]
    assert hits[0] == hits[1]
    assert [hit.score for hit in hits[0]] == sorted((hit.score for hit in hits[0]), reverse=True)
    assert all("白鹤" in hit.snippet for hit in hits[0])


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("竹林中的信", "林中", True),
        ("竹林，中的信", "林中", False),
        ("he drew two swords", "two swords", True),
        ("he drew two sharp swords", "two swords", False),
        ("two swordsmen", "two swords", False),
        ("拔出Excalibur剑气", "出Excalibur剑", True),
        ("拔出Excalibur剑气", "拔Excalibur剑", False),
        ("", "林", False),
    ],
)
def test_phrases(text: str, phrase: str, found: bool) -> None:
    assert holds(text, [tuple(words(phrase))]) is found


def test_quotes_of_every_kind_ask_for_a_phrase() -> None:
    for quoted in ('"听雪楼"', "“听雪楼”", "「聽雪樓」", "『听雪楼』"):
        query = Query.parse(f"信 {quoted}")
        assert (query.phrases, query.all_of, query.any_of) == ((("听雪楼",),), ("听雪", "雪楼"), ("信",))
    assert Query.parse('un"balanced').phrases == ()


def test_a_snippet_shows_the_hit() -> None:
    text = "长" * 300 + "聽雪樓" + "短" * 300
    shown = snippet(text, ["听雪楼"])
    assert "聽雪樓" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 90
    assert snippet("abc", ["x"]) == "abc"
    assert snippet("", ["x"]) == ""

"""Headers: the text's word first, the last event's second, the story's own calendar last; never backwards."""

from __future__ import annotations

from itertools import pairwise

import pytest

from talekeeper.agents.builtin.scene import header_of
from talekeeper.rules.story_time import StoryTime
from tests.agents_world import World, chapter, turn


def headers(language: str, *texts: str) -> list[tuple[str, str]]:
    world = World("zh" if language == "zh" else "en")
    name = "沈砚" if language == "zh" else "Ada Voss"
    found = []
    for i, text in enumerate(texts, 1):
        header = header_of(world.dispatch(turn(i, (name, text))).event.summary)
        assert header is not None
        found.append(header)
    return found


def test_a_story_without_a_date_counts_its_own_days_and_turns() -> None:
    times = [
        t for t, _ in headers("zh", "沈砚他坐下。", "沈砚他站起来，天已黄昏，傍晚了。", "次日，沈砚他离开了那里。")
    ]
    assert times == ["故事第1日 第1回合", "故事第1日 第2回合 傍晚", "故事第2日 第3回合"]


def test_english_days_move_on_with_the_text() -> None:
    times = [
        t for t, _ in headers("en", "*Ada Voss sat down.*", "*At dusk she left.*", "*Three days later she was back.*")
    ]
    assert times == ["Day 1, turn 1", "Day 1, turn 2, dusk", "Day 4, turn 3"]


def test_what_is_only_planned_or_remembered_does_not_move_time() -> None:
    times = [t for t, _ in headers("zh", "沈砚他坐下。", "沈砚想起昨天傍晚的事，他约定明天清晨再来。")]
    assert times[1] == "故事第1日 第2回合"


def test_an_opening_line_is_taken_and_its_year_carried_on() -> None:
    found = headers(
        "zh", "【永和三年正月初八 酉时·照夜坊】沈砚坐下。", "【正月初九 卯时·渡口】沈砚上了船。", "他望着河水。"
    )
    assert found == [
        ("永和三年正月初八 酉时", "照夜坊"),
        ("永和三年正月初九 卯时", "渡口"),
        ("永和三年正月初九 卯时", "渡口"),
    ]


def test_a_full_date_is_moved_by_the_next_morning() -> None:
    found = headers("en", "[1897-02-08 19:00 · Lantern House] Ada Voss sat down.", "*The next morning Ada Voss woke.*")
    assert [t for t, _ in found] == ["1897-02-08 19:00", "1897-02-09 19:00"]


def test_a_chapter_is_dated_by_its_heading() -> None:
    world = World("zh")
    step = world.dispatch(chapter(2, "第二回 张飞怒鞭督邮", "却说张飞大怒。张飞走了。"))
    assert header_of(step.event.summary) is not None
    assert step.event.summary.startswith("时间: 第二回\n")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_headers_never_run_backwards(language: str) -> None:
    texts = ["夜里，沈砚他醒了。", "清晨，沈砚他又睡了。", "上午，沈砚他走了。"]
    if language == "en":
        texts = ["*At midnight Ada Voss woke.*", "*In the morning light Ada Voss slept.*", "*Ada Voss left at noon.*"]
    times = [StoryTime.parse(t, "zh" if language == "zh" else "en") for t, _ in headers(language, *texts)]
    for before, after in pairwise(times):
        assert before is not None
        assert after is not None
        assert after.compare(before) != -1

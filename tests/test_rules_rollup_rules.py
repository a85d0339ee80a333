"""C1, C2, C10 and C11: outlines, and their form."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.rollup_form import RollupItem, RollupText, parse, render
from talekeeper.rules.subjects import ChildSummary, RollupSubject
from tests.rule_subjects import BOOKS, event, faults

CHILDREN = (
    ChildSummary("event_1", "…", "2157-01-15 09:00", "2157-01-15 09:00"),
    ChildSummary("event_2", "…", "2157-01-16 10:00", "2157-01-18 21:30"),
)
IDS = ("event_1", "event_2")
GOOD = "时间: 2157-01-15 09:00 至 2157-01-18 21:30;\n1) 林晚托沈砚送信 (北港)\n2) 沈砚抵达北港"
SUBJECT = RollupSubject(GOOD, IDS, IDS, CHILDREN, 1)


def _outline(*items: str, head: str = "时间: 2157-01-15 09:00 至 2157-01-18 21:30;") -> RollupSubject:
    return replace(SUBJECT, summary="\n".join([head, *items]))


def _form(language: Language, subject: RollupSubject) -> list[str]:
    """Broken rules of form alone: the children here are too short to be told from (C4)."""
    return [v.rule for v in BOOKS[language].check("rollup", subject) if v.rule in ("C1", "C2", "C10", "C11")]


def test_a_full_outline_breaks_nothing() -> None:
    assert _form("zh", SUBJECT) == []
    assert _form("zh", replace(SUBJECT, summary=GOOD.replace("\n", "\r\n"))) == []
    english = "Time: 2157-01-15 09:00 to 2157-01-18 21:30;\n1) Mara sent Tom north (by ship)\n2) Tom arrived"
    assert _form("en", replace(SUBJECT, summary=english)) == []


@pytest.mark.parametrize(
    ("summary", "count"),
    [
        ("", 2),
        ("1) 林晚托沈砚送信", 1),
        ("时间: 2157-01-15;\n1) 林晚", 1),
        ("时间: 2157-01-15 至 2157-01-18\n1) 林晚", 1),
        ("时间: 2157-01-15 至 2157-01-18;", 1),
        ("时间: 2157-01-15 至 2157-01-18;\n1) 甲\n3) 乙", 1),
        ("时间: 2157-01-15 至 2157-01-18;\n- 甲\n1) 乙", 1),
        ("时间: 2157-01-15 至 2157-01-18;\n1) 甲\n\n不可逆:\n- 乙", 2),
        ("时间: 2157-01-15 至 2157-01-18;\n\n1） 甲\n2) 乙\n", 0),
    ],
)
def test_outline_form(summary: str, count: int) -> None:
    assert len(faults("zh", "rollup", replace(SUBJECT, summary=summary), "C1")) == count


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ("时间: 2157-01-15 至 2157-01-18;", 0),
        ("时间: 2157-01-14 至 2157-02;", 0),
        ("时间: 2157-01-15 09:30 至 2157-01-18 21:30;", 1),
        ("时间: 2157-01-15 09:00 至 2157-01-18 21:00;", 1),
        ("时间: 2157-01-16 至 2157-01-17;", 2),
        ("时间: 第1日 至 第9日;", 2),
    ],
)
def test_the_interval_covers_the_children(head: str, count: int) -> None:
    assert len(faults("zh", "rollup", _outline("1) 甲", head=head), "C2")) == count


def test_times_that_cannot_be_ordered_are_compared_as_text() -> None:
    children = (ChildSummary("a", "", "霜月初", "霜月初"), ChildSummary("b", "", "第3日", "雪节"))
    subject = replace(SUBJECT, children=children)
    assert faults("zh", "rollup", replace(subject, summary="时间: 霜月初 至 雪节;\n1) 甲"), "C2") == []
    assert len(faults("zh", "rollup", replace(subject, summary="时间: 霜月 至 雪;\n1) 甲"), "C2")) == 2


def test_children_without_times_are_read_from_their_summaries() -> None:
    children = (ChildSummary("a", event("zh", time="第3日 上午")), ChildSummary("b", "时间: 第4日 至 第6日;\n1) 甲"))
    subject = replace(SUBJECT, children=children)
    assert faults("zh", "rollup", replace(subject, summary="时间: 第3日 至 第6日;\n1) 甲"), "C2") == []
    assert len(faults("zh", "rollup", replace(subject, summary="时间: 第4日 至 第5日;\n1) 甲"), "C2")) == 2


@pytest.mark.parametrize(
    ("items", "depth", "count"),
    [
        (("1) 甲 (" + "补" * 40 + ")",), 1, 0),
        (("1) 甲 (" + "补" * 41 + ")",), 1, 1),
        (("1) 甲 (乙(丙))",), 1, 1),
        (("1) 甲 （他说“好”）",), 1, 1),
        (("1) 甲 (乙走了；丙来了)",), 1, 1),
        (("1) 甲 (乙)", "2) 丙", "3) 丁"), 2, 0),
        (("1) 甲 (乙)", "2) 丙"), 2, 1),
        (("1) 甲 (乙)", "2) 丙"), 1, 0),
    ],
)
def test_patches(items: tuple[str, ...], depth: int, count: int) -> None:
    assert len(faults("zh", "rollup", replace(_outline(*items), depth=depth), "C10")) == count


@pytest.mark.parametrize(
    ("subject", "ok"),
    [
        (SUBJECT, True),
        (replace(SUBJECT, child_ids=IDS[::-1]), False),
        (replace(SUBJECT, child_ids=IDS[:1]), False),
        (replace(SUBJECT, group_ids=()), False),
        (replace(SUBJECT, children=(replace(CHILDREN[0], rolled_up=True),)), False),
    ],
)
def test_children_are_exactly_the_group(subject: RollupSubject, ok: bool) -> None:
    assert (faults("zh", "rollup", subject, "C11") == []) is ok


_LINE = st.text("林晚沈砚去了北港abc ,，", min_size=1, max_size=20).map(str.strip).filter(bool)


@given(
    st.lists(st.builds(RollupItem, _LINE, _LINE | st.just("")), min_size=1, max_size=5), st.sampled_from(["zh", "en"])
)
def test_what_is_rendered_reads_back_the_same(items: list[RollupItem], language: Language) -> None:
    rollup = RollupText("第1日 上午", "第9日", tuple(items))
    read = parse(render(rollup, language), language)
    assert read == rollup
    assert read.faults == ()
    assert [tuple(item) for item in read.items] == [(text, patch) for text, patch in items]

"""The roll-call's visible form: what is rendered reads back the same, and looser forms are understood."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.memory.models import Language
from talekeeper.rules.roll_call import has_roll_call, parse, render
from talekeeper.rules.subjects import ActiveThreadEntry, EntityEntry, FieldChange, NewThreadEntry, RollCall

_TEXT = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(' :：;；()（）"→-*\n、'), min_size=1, max_size=20
)
_IDS = st.lists(st.sampled_from(["char_1", "char_22", "place_3"]), max_size=2, unique=True).map(tuple)
_CHANGE = st.builds(
    FieldChange, st.sampled_from(["identity", "goal", "state"]), st.text(max_size=20), st.text(max_size=20)
)
_ENTITY = st.builds(
    EntityEntry,
    name=_TEXT,
    title_hits=_IDS,
    alias_hits=_IDS,
    decision=st.just("EDIT"),
    node_id=st.sampled_from(["char_1", "place_3"]),
    changes=st.lists(_CHANGE, max_size=2).map(tuple),
    reason=_TEXT,
)
_OTHER = st.builds(
    EntityEntry,
    name=_TEXT,
    title_hits=_IDS,
    alias_hits=_IDS,
    decision=st.sampled_from(["SKIP", "CREATE"]),
    reason=_TEXT,
)
_ENTITIES = st.lists(_ENTITY | _OTHER, max_size=3).map(tuple)
_HOOK = st.builds(NewThreadEntry, _TEXT, st.sampled_from(["CREATE", "SKIP"]), st.sampled_from([None, 1, 2, 3]), _TEXT)
_ACTIVE = st.builds(
    ActiveThreadEntry, st.just("thread_4"), _TEXT, st.sampled_from(["SKIP", "EDIT", "RESOLVED", "ABANDONED"]), _TEXT
)


@given(
    characters=_ENTITIES,
    locations=_ENTITIES,
    hooks=st.lists(_HOOK, max_size=2).map(tuple),
    active=st.lists(_ACTIVE, max_size=2).map(tuple),
    language=st.sampled_from(["zh", "en"]),
)
@settings(deadline=None)
def test_what_is_rendered_reads_back_the_same(
    characters: tuple[EntityEntry, ...],
    locations: tuple[EntityEntry, ...],
    hooks: tuple[NewThreadEntry, ...],
    active: tuple[ActiveThreadEntry, ...],
    language: Language,
) -> None:
    roll_call = RollCall(characters, locations, hooks, active, said_no_active=not active)
    text = render(roll_call, language)
    assert has_roll_call(text, language)
    assert parse(text, language) == roll_call
    assert parse(f"先看一下。\n\n{text}\n<thought>\n角色:\n- 名: 别人\n</thought>", language) == roll_call


LOOSE = """好的。
[dedup roll-call]
**角色**:
  - 名: 林晚
    find_by_name 检索: title 精确匹配 = char_1; aliases 重叠 = (无)
    决定: EDIT char_1 (变更字段: identity: 学徒 → 掌门, 原因: 师父亲口传位)
  - 名: 沈砚
    find_by_name 检索: title 精确匹配 = (无); aliases 重叠 = char_2 (因为 char_2.aliases 含 "沈砚")
    决定: SKIP (已存在, 本轮没有一天后仍成立的变化)
  - 名: 陈伯
    find_by_name 检索: matches 为空, title 精确匹配 = (无); aliases 重叠 = (无)
    决定: CREATE (本轮首次出场)
地点: (无)
thread (本轮新钩子 + active threads 全量扫描):
  - 名: 北港送信
    决定: CREATE (类别 1; 需要另一场戏)
  active threads 扫描:
    - thread_id thread_1 "寻找玉佩": SKIP (本轮未触及)
    - thread_2 「查明旧案」: EDIT status=resolved (正文写明已查明)
    - thread_3: EDIT note (有了新证人)
"""


def test_a_model_s_looser_form_is_understood() -> None:
    roll_call = parse(LOOSE, "zh")
    first, second, third = roll_call.characters
    assert (first.decision, first.node_id, first.reason) == ("EDIT", "char_1", "师父亲口传位")
    assert first.changes == (FieldChange("identity", "学徒", "掌门"),)
    assert second.alias_hits == ("char_2",)
    assert second.title_hits == ()
    assert third.decision == "CREATE"
    assert roll_call.locations == ()
    assert roll_call.shorthand == ""
    assert roll_call.new_threads[0].category == 1
    assert [(t.node_id, t.decision) for t in roll_call.active_threads] == [
        ("thread_1", "SKIP"),
        ("thread_2", "RESOLVED"),
        ("thread_3", "EDIT"),
    ]
    assert roll_call.active_threads[0].title == "寻找玉佩"


@pytest.mark.parametrize(
    ("text", "shorthand"),
    [
        ("[点名]\n角色:\n  全部都是新的\n地点: （无）", "全部都是新的"),
        ("[点名]\n角色: 无变化\n", "无变化"),
        ("[点名]\n角色:\n  - 林晚与沈砚都没变\n", "林晚与沈砚都没变"),
        ("[roll-call]\nCharacters:\n  all new\n", "all new"),
        ("[roll-call]\nCharacters: (none)\n", ""),
    ],
)
def test_shorthand_is_kept_for_r1(text: str, shorthand: str) -> None:
    assert parse(text, "en" if "roll-call" in text else "zh").shorthand == shorthand


@pytest.mark.parametrize("text", ["active threads: （无）", "active threads: (无)", "active threads 扫描:\n  - 无"])
def test_no_active_thread_is_said_in_words(text: str) -> None:
    assert parse(f"[点名]\n线索:\n  {text}", "zh").said_no_active
    assert not parse("[点名]\n线索:\n", "zh").said_no_active


@given(st.text(max_size=300))
def test_reading_never_fails(text: str) -> None:
    parse(text, "zh")
    parse(f"[roll-call]\nCharacters:\n- Name: {text}\nDecision: {text}\nThreads:\n- {text}", "en")

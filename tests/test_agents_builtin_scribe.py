"""Events: in form, free of dialogue, the same bytes each time, bound to their rows and links."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from talekeeper.graph.leniency import NOT_YET_HELD
from talekeeper.memory.models import Language, Node, Unit
from talekeeper.rules.book import RuleBook
from talekeeper.rules.model import Violation
from talekeeper.rules.subjects import (
    ChildSummary,
    EventSubject,
    NodeSubject,
    RollCallSubject,
    RollupSubject,
    ThoughtSubject,
)
from talekeeper.rules.thought import final_text
from talekeeper.sources.read import read_path
from tests.agents_world import SCHEMA, Step, World, prose, turn


def sample(language: Language, limit: int | None = None) -> list[Unit]:
    path = Path(str(resources.files("talekeeper.app").joinpath("samples", f"lantern_{language}.jsonl")))
    drafts = read_path(path).units[:limit]
    return [Unit(d.kind, d.messages, d.title, d.source, i, f"u{i}", i, i * 1000) for i, d in enumerate(drafts, 1)]


def faults(world: World, step: Step, before: dict[str, Node], rules: RuleBook) -> list[str]:
    """Every violation of one dispatch, as text."""
    expected: dict[str, list[str]] = {}
    for a in step.briefing.appearing:
        expected.setdefault(a.type, []).append(a.name)
    call = RollCallSubject(
        step.roll_call,
        {kind: tuple(names) for kind, names in expected.items()},
        {a.name: a.matches for a in step.briefing.appearing},
        {n.id: n.title for n in step.briefing.active_threads},
        {t.name: t.table_columns for t in SCHEMA.types},
    )
    found = rules.check("roll_call", call)
    for op in step.plan.nodes:
        spec, old = SCHEMA.type(op.type), before.get(op.node_id)
        assert spec is not None
        title = op.title or (old.title if old else "")
        image = {**spec.defaults, **(old.fields if old else {}), **op.set_fields, "title": title}
        node = NodeSubject(
            spec, title, image, op.set_fields, (), old.fields if old else None, (), step.briefing.batch_text
        )
        found += rules.check("node", node)
    titles = {op.title for op in step.plan.nodes if op.type == "thread"} | {
        n.title for n in step.briefing.active_threads
    }
    recent = tuple(str(n.fields["summary"]) for n in step.briefing.recent)
    found += rules.check(
        "event", EventSubject(step.event.summary, step.briefing.batch_text, None, frozenset(titles), recent)
    )
    found += rules.check("thought", ThoughtSubject(step.event.thought, step.event.summary))
    return _told(found)


def _told(found: list[Violation]) -> list[str]:
    """Violations of the rules that the built-in voice is held to."""
    binding = [v for v in found if v.severity == "hard" and v.rule not in NOT_YET_HELD]
    return [f"{v.rule}: {v.message} [{v.excerpt}]" for v in binding]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_written_for_the_sample_breaks_a_rule(language: Language) -> None:
    world, rules = World(language), RuleBook(language)
    for unit in sample(language):
        before = dict(world.nodes)
        assert faults(world, world.dispatch(unit), before, rules) == []
    level, depth = world.events, 1
    while len(level) >= 3:
        groups = [level[i : i + 3] for i in range(0, len(level) - 2, 3)]
        level = [world.compact(group, depth) for group in groups]
        for node, group in zip(level, groups, strict=True):
            ids = tuple(c.id for c in group)
            children = tuple(ChildSummary(c.id, str(c.fields["summary"])) for c in group)
            outline = RollupSubject(str(node.fields["summary"]), ids, ids, children, depth)
            assert _told(rules.check("rollup", outline)) == []
        depth += 1
    assert depth > 3


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_sample_opens_threads_and_closes_most(language: Language) -> None:
    world = World(language)
    for unit in sample(language):
        world.dispatch(unit)
    states = [n.fields["status"] for n in world.nodes.values() if n.type == "thread"]
    assert states.count("resolved") >= 3
    assert states.count("active") >= 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_same_input_gives_the_same_bytes(language: Language) -> None:
    runs = []
    for _ in range(2):
        world = World(language)
        steps = [world.dispatch(unit) for unit in sample(language, 12)]
        runs.append([(s.event.summary, s.event.thought, repr(s.plan), repr(s.roll_call)) for s in steps])
    assert runs[0] == runs[1]


def test_the_thought_ends_with_the_summary_byte_for_byte() -> None:
    event = World("zh").dispatch(turn(1, ("沈砚", "*我走进听雪楼。*"))).event
    assert final_text(event.thought) == event.summary
    assert event.thought.endswith(f"最终 prose:\n{event.summary}")


def test_spoken_words_never_reach_the_prose() -> None:
    text = "秦霜推开窗，说：“青灯沉在芦苇荡的第三根木桩底下。”秦霜把钥匙交给沈砚。"
    event = World("zh").dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", text))).event
    assert "芦苇荡" not in event.summary
    assert "交钥匙给沈砚。" in prose(event)
    assert not set('“”「」"') & set(prose(event))


def test_a_turn_of_talk_alone_gets_one_sentence_built_by_code() -> None:
    event = World("zh").dispatch(turn(1, ("王峰", "你喜欢听音乐吗？"), ("小雅", "我挺喜欢的，你呢？"))).event
    assert prose(event).count("。") == 1
    assert "王峰与小雅" in prose(event)


def test_pronouns_give_way_to_names_where_the_text_is_plain() -> None:
    event = World("zh").dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", "秦霜读完了信。她决定元宵那天回家。"))).event
    assert prose(event) == "秦霜读完信，决定元宵那天回家。"


def test_a_permanent_change_has_its_row_and_its_sentence() -> None:
    event = (
        World("zh")
        .dispatch(turn(1, ("沈砚", "*我点头。*"), ("旁白", "林青走上前来。林青拜沈砚为师，学修书的手艺。")))
        .event
    )
    assert "不可逆:\n- 林青拜沈砚为师" in event.summary
    assert "林青拜沈砚为师" in prose(event)


def test_a_letter_is_kept_letter_by_letter() -> None:
    text = "沈砚拆开暗格里的信，信上写着：“若我三年不归，可到北岸寻我。”沈砚把信收好。"
    event = World("zh").dispatch(turn(1, ("沈砚", "*我打开暗格。*"), ("旁白", text))).event
    assert '原文摘录:\n- 信上: "若我三年不归，可到北岸寻我。"' in event.summary


def test_links_run_from_the_event_to_people_place_and_thread() -> None:
    world = World("zh")
    text = "【三月初一 辰时·照夜坊】秦霜托沈砚把家书送到观潮阁。沈砚接过家书。"
    step = world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", text)))
    linked = {(link.relation, world.nodes[link.target].title) for link in step.event.links}
    assert ("involved_in", "沈砚") in linked
    assert ("occurred_at", "照夜坊") in linked
    assert ("advances", "送家书到观潮阁") in linked
    assert all(link.source == "@event" for link in step.event.links)


def test_a_refused_event_is_tried_again_with_the_opening_sentence_alone() -> None:
    refused = (Violation("E9", "x", "y"),)
    event = World("zh").dispatch(turn(1, ("沈砚", "*我走进听雪楼，打开了门。*")), refused).event
    assert prose(event).count("。") == 1


def test_a_shared_calling_merges_nobody() -> None:
    world = World("zh")
    for title in ("陆青", "孟川"):
        world.nodes[title] = Node(
            title, "character_sheet", title, {"aliases": ["师父"]}, "active", 0, None, None, None, 0, 1, 1
        )
    step = world.dispatch(turn(1, ("沈砚", "*我坐下。*"), ("旁白", "师父把剑交给沈砚。师父走了。")))
    entry = next(e for e in step.roll_call.characters if e.name == "师父")
    assert entry.decision == "SKIP"
    assert set(entry.alias_hits) == {"陆青", "孟川"}
    assert json.dumps(entry.reason)
    assert all(link.target not in {"陆青", "孟川"} for link in step.event.links)


def test_quiet_turns_do_not_read_alike() -> None:
    world = World("zh")
    first = world.dispatch(turn(1, ("王峰", "你觉得爬山累吗？"), ("小雅", "我觉得很累。"))).event
    second = world.dispatch(turn(2, ("王峰", "那你会游泳吗？"), ("小雅", "我不会。"))).event
    assert prose(first) != prose(second)


def test_a_time_that_no_rule_accepts_gives_way_to_the_storys_own() -> None:
    refused = (Violation("E1", "x", "y"),)
    event = World("zh").dispatch(turn(1, ("沈砚", "【某年 某日·照夜坊】*我点头。*")), refused).event
    assert event.summary.startswith("时间: 故事第1日 第1回合\n地点: 沈砚所在处\n")

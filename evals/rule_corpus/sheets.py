"""Identities (N8), new threads (N15) and the sweep after the event (R6) that break their rule, and near-misses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.memory.schema import default_schema
from talekeeper.rules.family import CHARACTER
from talekeeper.rules.subjects import (
    HookFacts,
    NewThreadEntry,
    NodeSubject,
    RollCall,
    RollCallSubject,
    SweepSubject,
    SweptThread,
)

_BAD_IDENTITY = {
    "zh": (
        "北港商会的临时管家",
        "本次任务的向导",
        "故事的主角",
        "反派，幕后黑手",
        "NPC，茶馆老板",
        "黑发蓝眼的剑客",
        "身高180厘米的卫兵",
        "银发少女",
        "自称王子的流浪汉",
        "号称天下第一的刀客",
        "客串店员",
        "长发的女教师",
        "急诊室的患者",
        "暂代队长",
        "路人甲",
        "男主，富家公子",
        "容貌俊美的琴师",
        "今日的陪同人员",
        "碧眼的商人",
        "炮灰角色",
        "自封的国王",
        "一米八的保镖",
        "代班司机",
        "金瞳的祭司",
        "身材高挑的模特",
        "目击者",
    ),
    "en": (
        "temporary butler of the guild",
        "guide for today",
        "the protagonist",
        "villain behind the plot",
        "NPC, tea house owner",
        "black-haired swordsman",
        "guard, 180 cm",
        "silver-haired girl",
        "vagrant who claims to be a prince",
        "self-styled king",
        "stand-in clerk",
        "teacher with long hair",
        "patient in the emergency room",
        "acting captain",
        "side character",
        "the male lead, a rich heir",
        "handsome harpist",
        "tonight's escort",
        "blue-eyed merchant",
        "love interest of the hero",
        "self-proclaimed prophet",
        "tall bodyguard",
        "substitute driver, temporarily hired",
        "golden-eyed priest",
        "slender model",
        "eyewitness",
    ),
}
_GOOD_IDENTITY = {
    "zh": (
        "北港商会的管家",
        "临时政府的部长",
        "青崖派掌门，林晚的师父",
        "女主人，听雨楼的所有者",
        "男主持人",
        "皮肤科医生",
        "发明家",
        "茶馆老板",
        "急诊室医生",
        "王国的流亡王子",
        "镖局的趟子手，沈砚的养父",
        "女主编",
        "退役军官",
        "钟表匠",
        "孤儿院的院长",
        "漕运司主事",
        "发电站站长",
        "天文社社长",
        "旅店的女主人",
        "前任警察，现在的私家侦探",
        "理发店店主",
        "灰狼佣兵团团长",
        "代理商",
        "皇子的乳母",
        "花店店主，程希的姐姐",
        "金发集团董事",
    ),
    "en": (
        "butler of the guild",
        "minister of the interim government",
        "head of the Qingya school, master of Lin Wan",
        "innkeeper",
        "host of the evening news",
        "skin doctor",
        "inventor",
        "tea house owner",
        "doctor of the emergency ward",
        "exiled prince of the kingdom",
        "foster father of Tom",
        "editor",
        "retired officer",
        "watchmaker",
        "director of the orphanage",
        "clerk of the canal office",
        "head of the power station",
        "president of the astronomy club",
        "landlady of the inn",
        "former policeman, now a private detective",
        "barber",
        "captain of the Grey Wolves",
        "head of customer service",
        "wet nurse of the prince",
        "florist, sister of Hope",
        "teacher at the acting school",
    ),
}


def _identities(language: Language) -> Iterator[Sample]:
    """N8."""
    for text in _BAD_IDENTITY[language]:
        yield broken(_sheet("沈砚" if language == "zh" else "Tom", text), text)
    for text in _GOOD_IDENTITY[language]:
        yield valid(_sheet("沈砚" if language == "zh" else "Tom", text), text)
    called = "白发魔女" if language == "zh" else "The Tall Stranger"
    yield valid(_sheet(called, f"{called}，雪山主人" if language == "zh" else f"{called}, lord of the pass"), "a name")


def _sheet(title: str, identity: str) -> NodeSubject:
    spec = default_schema().type(CHARACTER)
    assert spec is not None
    fields = {"title": title, "identity": identity}
    return NodeSubject(spec, title, fields, fields)


_REASONS = {
    "zh": ("要等对方从京城回来才能了结", "另一座城里的第二场审判才有结果", "三个月后归还", "需要跨多场戏的调查"),
    "en": (
        "ends when he comes back from the capital",
        "the second trial in another city decides it",
        "due in three months",
        "an inquiry over several scenes",
    ),
}
_HERE = {
    "zh": ("下一步就去隔壁", "本场景就能解决", "几分钟后会合", "马上就能办完", "同场景内的位移", "片刻后见面"),
    "en": (
        "the next step is next door",
        "settled in this scene",
        "they meet in a few minutes",
        "can be done right away",
        "a walk in the same scene",
        "a moment later they meet",
    ),
}
_NOTHING = {"zh": ("", "无", "补充信息", "略"), "en": ("", "none", "more info", "update")}
_ENDS_HERE = HookFacts(10, True, False, False)
_GOES_ON = (
    HookFacts(),
    HookFacts(minutes=45, cast_changes=True, other_place=False, other_matter=False),
    HookFacts(minutes=10, cast_changes=False, other_place=True, other_matter=False),
    HookFacts(minutes=10, cast_changes=False, other_place=False, other_matter=True),
    HookFacts(minutes=10, cast_changes=False),
    HookFacts(minutes=None, cast_changes=True, other_place=False, other_matter=False),
)


def _hooks(language: Language) -> Iterator[Sample]:
    """N15."""
    for world in worlds(language):
        for reason in _REASONS[language]:
            for category in (None, 0, 4):
                yield broken(_call(world.thread, category, reason), f"category {category}")
            for category in (1, 2, 3):
                yield valid(_call(world.thread, category, reason), f"category {category}: {reason}")
        for reason in (*_HERE[language], *_NOTHING[language]):
            yield broken(_call(world.thread, 1, reason), f"reason {reason!r}")
        still = HookFacts(20, False, False, False)
        for known in (_ENDS_HERE, still, HookFacts(60, False, False, False)):
            yield broken(_call(world.thread, 2, _REASONS[language][0], known), f"{known}")
        for known in _GOES_ON:
            yield valid(_call(world.thread, 2, _REASONS[language][0], known), f"{known}")
        yield valid(_call(world.thread, None, _HERE[language][0], decision="SKIP"), "a hook that is left out")


def _call(
    title: str, category: int | None, reason: str, known: HookFacts | None = None, **more: Any
) -> RollCallSubject:
    hook = NewThreadEntry(title, more.get("decision", "CREATE"), category, reason)
    call = RollCall(new_threads=(hook,), said_no_active=True)
    return RollCallSubject(call, {}, {}, {}, {}, {title: known} if known else {})


_MOVED = {
    "zh": (
        ("北港送信", "{a}把信送到北港。", "{a}答应把信送到北港。"),
        ("归还玉佩", "{a}归还了玉佩。", "{a}打算归还玉佩。"),
        ("追回账本", "{b}追上马车，取回账本，账本已追回。", "{b}决定追回账本。"),
        ("解开石门", "{a}解开了石门。", "{a}没能解开石门。"),
        ("查清书房命案", "书房命案由{a}查清。", "{b}委托{a}查清书房命案。"),
        ("救出韩月", "{a}从水牢救出韩月。", "{a}计划救出韩月。"),
        ("百日抄经补谱", "百日抄经补谱一事完成。", "{a}同意留下百日抄经补谱。"),
        ("治好小芹的腿", "{b}治好了小芹的腿。", "{b}无法治好小芹的腿。"),
    ),
    "en": (
        (
            "Ledger to Northport",
            "{a} delivered the ledger to Northport.",
            "{a} agreed to deliver the ledger to Northport.",
        ),
        ("Return of the compass", "{a} returned the compass.", "{a} promised to return the compass."),
        ("Safe passage for Duarte", "{a} found safe passage for Duarte.", "{a} hopes for safe passage for Duarte."),
        ("Open the sealed deck", "{b} broke open the sealed deck.", "{b} failed to open the sealed deck."),
        ("Find the missing student", "{a} found the missing student.", "{a} was asked to find the missing student."),
        (
            "Rescue Celia from the tower",
            "{b} rescued Celia from the tower.",
            "{b} plans to rescue Celia from the tower.",
        ),
        (
            "Repair the water pump",
            "{a} repaired the water pump.",
            "{a} could not yet repair the water pump; it will take weeks.",
        ),
        ("Catch the gloved kidnapper", "{a} caught the gloved kidnapper.", "{b} swore to catch the gloved kidnapper."),
    ),
}


def _sweep(language: Language) -> Iterator[Sample]:
    """R6."""
    for number, (title, reached, promised) in enumerate(_MOVED[language]):
        for world in (worlds(language)[number % 5], worlds(language)[(number + 2) % 5]):
            names = {"a": world.cast[0], "b": world.cast[1]}
            done = world.event(0, prose=reached.format(**names), irreversible=())
            meant = world.event(0, prose=promised.format(**names), irreversible=())
            row = world.event(0, irreversible=(reached.format(**names).rstrip("。."),))
            thread, touched = SweptThread("thread_1", title), SweptThread("thread_1", title, edited=True)
            yield broken(SweepSubject(done, (thread,)), f"reached: {title}")
            yield broken(SweepSubject(row, (touched, SweptThread("thread_2", title))), f"in a row: {title}")
            yield valid(SweepSubject(done, (touched,)), f"reached and edited: {title}")
            yield valid(SweepSubject(meant, (thread,)), f"only meant: {title}")
            yield valid(SweepSubject(world.event(1), (thread,)), f"another matter: {title}")


CORPUS: Corpus = {"N8": _identities, "N15": _hooks, "R6": _sweep}

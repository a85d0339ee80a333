"""The visible thought before a summary, written from what was really weighed.

No step is filled with stock words alone: each holds this write's own units, sentences and rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from talekeeper.memory.models import Language

if TYPE_CHECKING:
    from talekeeper.agents.builtin.case import Case
    from talekeeper.agents.builtin.scribe import EventParts

_CLASSES: dict[Language, tuple[str, ...]] = {
    "zh": (
        "对白残留",
        "元叙述",
        "现场命名",
        "契约词",
        "升华句式",
        "自造标签",
        "引语动词",
        "过程连接",
        "微动作与质感",
        "生理细节",
    ),
    "en": (
        "leftover dialogue",
        "narration about narration",
        "on-the-spot naming",
        "contract words",
        "sublimation",
        "invented labels",
        "speech verbs",
        "process connectives",
        "micro-action and texture",
        "bodily detail",
    ),
}


def leaf_thought(case: Case, parts: EventParts, summary: str) -> str:
    """The thought of a leaf event; ends with the summary, byte for byte."""
    zh = case.zh
    sentences = [*filter(None, [parts.opening]), *(p.text for p in parts.points)]
    anchors = []
    for index, unit in enumerate(case.briefing.batch):
        seen = [p.text for p in parts.points if p.unit == index] or [sentences[0]]
        anchors.append(f"{unit.ref}: {' / '.join(seen)}")
    who = case.words.join([m.title for m in case.cast.present[:6]]) or parts.place
    rows = [*(_row(zh, "不可逆", "Irreversible", r) for r in parts.irreversible)]
    rows += [_row(zh, "未结", "Open", t) for t in parts.open_threads]
    rows += [_row(zh, "原文摘录", "Excerpt", label) for label, _ in parts.excerpts]
    judged = [_judged(i, s, zh) for i, s in enumerate(sentences, 1)]
    theme = (
        f"{who}，{parts.time}，{parts.place}：以上{len(anchors)}个单元合为一个主题"
        if zh
        else (f"{who}, {parts.time}, {parts.place}: these {len(anchors)} unit(s) form one theme")
    )
    return _assemble(
        zh,
        anchors,
        [theme],
        sentences,
        judged,
        sentences,
        rows or [_no_rows(zh, parts.place)],
        _scan(zh, sentences),
        summary,
    )


def rollup_thought(
    language: Language, anchors: Sequence[str], themes: Sequence[str], items: Sequence[str], summary: str
) -> str:
    """The thought of a rollup over children; ends with the outline, byte for byte."""
    zh = language == "zh"
    judged = [_judged(i, s, zh) for i, s in enumerate(items, 1)]
    none = "rollup 用大纲，不写三段附录" if zh else "a rollup is an outline and has no sections"
    outline = ["\n".join(items)]
    return _assemble(zh, anchors, themes, outline, judged, outline, [none], _scan(zh, items), summary)


def _row(zh: bool, zh_label: str, en_label: str, text: str) -> str:
    if zh:
        return f"{zh_label}「{text}」：原文有据 是；跨场景有效 是；正文已写 是 → 写入"
    return f"{en_label} [{text}]: in the source yes; outlives the scene yes; said in the prose yes -> kept"


def _no_rows(zh: bool, place: str) -> str:
    if zh:
        return f"本轮在{place}没有候选行：没有永久改变、没有新开线索、没有文书或誓词"
    return f"no candidate row at {place}: no permanent change, no new thread, no document or oath"


def _judged(number: int, sentence: str, zh: bool) -> str:
    head = sentence[: 18 if zh else 48].rstrip("。. ")
    if zh:
        return f"({number}) {head}｜类别 事实｜颗粒度 单句｜删去后后文会弄错「{head}」这件事的人与地｜保留"
    return f"({number}) {head} | class fact | one sentence | without it a later scene gets [{head}] wrong | keep"


def _scan(zh: bool, sentences: Sequence[str]) -> list[str]:
    names = _CLASSES["zh" if zh else "en"]
    count = len(sentences)
    if zh:
        return [f"B{i} {name}：{count}句逐一看过，无命中" for i, name in enumerate(names, 1)]
    return [f"B{i} {name}: {count} sentence(s) read, no hit" for i, name in enumerate(names, 1)]


def _assemble(
    zh: bool,
    anchors: Sequence[str],
    themes: Sequence[str],
    draft: Sequence[str],
    judged: Sequence[str],
    final: Sequence[str],
    rows: Sequence[str],
    scan: Sequence[str],
    summary: str,
) -> str:
    gap = "" if zh else " "
    steps = (
        ("Step 1a", "\n".join(anchors)),
        ("Step 1b", "\n".join(themes)),
        ("Step 2 初稿" if zh else "Step 2 Draft", gap.join(draft)),
        ("Step 3 单句判定" if zh else "Step 3 Sentence verdicts", "\n".join(judged)),
        ("Step 3 终稿" if zh else "Step 3 Final text", gap.join(final)),
        ("Step 4 sections 判定" if zh else "Step 4 Sections", "\n".join(rows)),
        ("Step 5 黑名单扫描" if zh else "Step 5 Blacklist scan", "\n".join(scan)),
    )
    body = "\n".join(f"{label}:\n{content}" for label, content in steps)
    check = (
        "字段与下文逐字节相同，人名地名均有出处"
        if zh
        else "the field equals the text below byte for byte, every name is sourced"
    )
    final_label = "最终 prose:" if zh else "Final prose:"
    self_check = "最终自检" if zh else "Final self-check"
    return f"{body}\nStep 6:\n{self_check}: {check}\n{final_label}\n{summary}"

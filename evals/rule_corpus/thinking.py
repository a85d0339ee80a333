"""A valid thought for each scene and each outline of the corpus' worlds, in parts, so that one part can be broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from talekeeper.evals.rule_corpus.sample import World
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import ThoughtSubject
from talekeeper.rules.thought import CLOSE_TAG, OPEN_TAG, compose_thought

_CLASS_NAMES: Mapping[Language, tuple[str, ...]] = {
    "zh": (
        "对白残留",
        "元叙述",
        "现场命名",
        "契约词",
        "升华",
        "自造标签",
        "引语动词",
        "过程连接",
        "微动作",
        "生理细节",
    ),
    "en": (
        *("dialogue", "narration about narration", "naming", "contract words", "sublimation"),
        *("labels", "speech verbs", "connectives", "micro-action", "bodily detail"),
    ),
}


@dataclass(frozen=True)
class Thinking:
    """The parts of a thought. ``cut`` is a draft sentence that was judged cut."""

    language: Language
    summary: str
    listed: tuple[str, ...]
    themes: tuple[str, ...]
    draft: tuple[str, ...]
    cut: tuple[str, ...] = ()
    final: tuple[str, ...] | None = None
    verdicts: tuple[str, ...] | None = None
    sections: tuple[str, ...] = ()
    scan: tuple[str, ...] | None = None
    self_check: str = ""
    kind: Literal["leaf", "rollup"] = "leaf"
    more: Mapping[str, Any] = field(default_factory=dict)

    def with_(self, **parts: Any) -> Thinking:
        return replace(self, **parts)

    @property
    def steps(self) -> dict[str, str]:
        joint = "\n" if self.kind == "rollup" else "" if self.language == "zh" else " "
        kept = tuple(s for s in self.draft if s not in self.cut)
        return {
            "1a": "\n".join(self.listed),
            "1b": "\n".join(self.themes),
            "2": joint.join(self.draft),
            "3": "\n".join(self.verdicts if self.verdicts is not None else self.judged()),
            "3f": joint.join(self.final if self.final is not None else kept),
            "4": "\n".join(self.sections),
            "5": "\n".join(self.scan if self.scan is not None else scan(self.language)),
        }

    def judged(self) -> tuple[str, ...]:
        return tuple(self.verdict(n, s) for n, s in enumerate(self.draft, 1))

    def verdict(self, number: int, sentence: str, *, consequence: str = "", verdict: str = "") -> str:
        """One row of Step 3; cut sentences get theirs by themselves."""
        zh, cut = self.language == "zh", sentence in self.cut
        words = sentence[:10] if zh else " ".join(sentence.split()[:5])
        if zh:
            told = consequence or f"删去后后文会把{words}写错"
            return f"({number}) 类别 事实｜颗粒度 单句｜{told}｜{verdict or ('删' if cut else '保留')}"
        told = consequence or f"without it a later scene gets {words} wrong"
        return f"({number}) class fact | one sentence | {told} | {verdict or ('cut' if cut else 'keep')}"

    @property
    def text(self) -> str:
        check = self.self_check or (
            "与字段逐字节相同" if self.language == "zh" else "equal to the field, byte for byte"
        )
        return compose_thought(self.steps, self.summary, self.language, self_check=check)

    def subject(self, text: str = "", **parts: Any) -> ThoughtSubject:
        whole = replace(ThoughtSubject(text or self.text, self.summary, self.kind), **self.more)
        return replace(whole, **parts)

    @property
    def check_first(self) -> str:
        """The same thought with its self-check inside Step 6, before the final text."""
        lines = self.text.removeprefix(f"{OPEN_TAG}\n").removesuffix(f"\n{CLOSE_TAG}").split("\n")
        check = lines.pop()
        at = next(i for i, line in enumerate(lines) if line == "Step 6")
        return "\n".join([OPEN_TAG, *lines[: at + 1], check, *lines[at + 1 :], CLOSE_TAG])


def scan(language: Language, hits: Mapping[int, str] | None = None) -> tuple[str, ...]:
    """Ten rows of Step 5; ``hits`` gives what stands after a class instead of "no hit"."""
    none = "无命中" if language == "zh" else "no hit"
    given = hits or {}
    return tuple(f"B{n} {name}：{given.get(n, none)}" for n, name in enumerate(_CLASS_NAMES[language], 1))


def leaf(world: World, index: int = 0) -> Thinking:
    """The thought of one scene with all three sections, one sentence of the draft cut."""
    scene, zh = world.scenes[index], world.language == "zh"
    idle = f"{world.cast[0]}望着窗外的天色。" if zh else f"{world.cast[0]} looked at the sky."
    rows = (scene.change, world.thread, f"{world.excerpt[0]}: {world.excerpt[1]}")
    ask = ("原文有据 是；跨场景有效 是；正文已写 是" if zh else "sourced yes; outlives the scene yes; said yes",) * 3
    names = ("不可逆", "未结", "原文摘录") if zh else ("Irreversible", "Open", "Excerpt")
    sections = tuple(f"- {name} [{row}]：{answers}" for name, row, answers in zip(names, rows, ask, strict=True))
    refs = (f"u{index * 2 + 1}", f"u{index * 2 + 2}")
    return Thinking(
        world.language,
        world.event(index, open_threads=(world.thread,), excerpts=(world.excerpt,)),
        tuple(f"{ref}: {sentence}" for ref, sentence in zip(refs, scene.prose, strict=True)),
        (f"{world.thread}: {refs[0]}", f"{world.cast[1]}: {refs[1]}"),
        (*scene.prose, idle),
        (idle,),
        sections=sections,
        more={"refs": refs},
    )


def plain_leaf(world: World, index: int = 0) -> Thinking:
    """The thought of a routine scene: one sentence, no section."""
    scene = world.scenes[index]
    none = "没有候选行，本轮没有永久改变" if world.language == "zh" else "no candidate row: nothing permanent happened"
    summary = world.event(index, prose=scene.prose[0], irreversible=())
    refs = (f"u{index + 1}",)
    return Thinking(
        world.language,
        summary,
        (f"{refs[0]}: {scene.prose[0]}",),
        (f"{world.thread}: {refs[0]}",),
        (scene.prose[0],),
        sections=(none,),
        more={"refs": refs},
    )


def rollup(world: World, items: tuple[str, ...]) -> Thinking:
    """The thought of an outline over the world's scenes."""
    zh = world.language == "zh"
    listed = tuple(f"event_{n}: {s.time}; {s.prose[0]} / {s.change}" for n, s in enumerate(world.scenes, 1))
    none = "归并用提纲，不写三段附录" if zh else "a rollup is an outline and has no sections"
    refs = tuple(f"event_{n}" for n in range(1, len(world.scenes) + 1))
    return Thinking(
        world.language,
        world.outline(items),
        listed,
        tuple(f"{world.cast[0]}: {ref}" for ref in refs),
        items,
        sections=(none,),
        kind="rollup",
        more={"refs": refs, "children": world.children()},
    )

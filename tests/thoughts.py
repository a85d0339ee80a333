"""A full, honest thought for any summary, for tests whose subject isn't the thought."""

from __future__ import annotations

from collections.abc import Sequence

from talekeeper.memory.models import Language
from talekeeper.rules.event_form import parse
from talekeeper.rules.lexicon import lexicon
from talekeeper.rules.rollup_form import parse as parse_outline
from talekeeper.rules.scan import sentences
from talekeeper.rules.thought import compose_thought


def honest_thought(summary: str, language: Language, listed: Sequence[str], salt: str = "") -> str:
    """``listed`` are the rows of Step 1a; ``salt`` tells two thoughts for one summary apart."""
    zh = language == "zh"
    outline = parse_outline(summary, language)
    event = parse(summary, language)
    ends = lexicon(language).sentence_ends
    draft = [item.text + (f" ({item.patch})" if item.patch else "") for item in outline.items]
    if not outline.time_from:
        draft = [event.prose[a:b].strip() for a, b in sentences(event.prose, ends)]
    yes = "原文有据 是；跨场景 是；正文已写 是" if zh else "sourced yes; outlives the scene yes; said yes"
    rows = [*event.irreversible, *event.open_threads, *(f"{label}: {text}" for label, text in event.excerpts)]
    none = "没有候选行，本轮没有永久改变" if zh else "no candidate row, nothing permanent happened"
    verdicts = [_verdict(n, sentence, salt, zh) for n, sentence in enumerate(draft, 1)]
    whole = "\n".join(draft) if outline.time_from else ("" if zh else " ").join(draft)
    steps = {
        "1a": "\n".join(listed),
        "1b": f"{salt} 以上全部归入一个主题" if zh else f"{salt} all of the above form one theme",
        "2": whole or "?",
        "3": "\n".join(verdicts) or "?",
        "3f": whole or "?",
        "4": "\n".join(f"- [{row}]: {yes}" for row in rows) or none,
        "5": "\n".join(f"B{n} {'无命中' if zh else 'no hit'}" for n in range(1, 11)),
    }
    return compose_thought(steps, summary, language, self_check="逐字节相同" if zh else "equal byte for byte")


def _verdict(number: int, sentence: str, salt: str, zh: bool) -> str:
    if zh:
        return f"({number}) 事实｜单句｜删去后会把{sentence[:12].rstrip('。')}{salt}写错｜保留"
    return f"({number}) fact | one sentence | without it the next scene gets {sentence[:30]} {salt} wrong | keep"

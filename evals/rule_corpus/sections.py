"""Rows of the three sections (E5–E7) that break their rule, and ones that come close."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.evals.rule_corpus.classes import subject
from talekeeper.evals.rule_corpus.false_alarms import honest
from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, pick, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.event_form import parse

_PASSING = {
    "zh": (
        "{a}很生气",
        "{b}心情低落",
        "{a}坐在窗边",
        "{b}今晚住在这里",
        "{a}暂时离开",
        "{b}喝醉",
        "{a}打算回家",
        "{b}在哭泣",
    ),
    "en": (
        "{a} is angry",
        "{b} is in a bad mood",
        "{a} sits on the bench",
        "{b} stays for tonight",
        "{a} is tired",
        "{b} is drunk",
        "{a} plans to go home",
        "{b} is asleep",
    ),
}
_UNSAID = {
    "zh": ("{b}怀孕", "{b}双目失明", "{a}与{b}结为夫妻", "{b}登基", "{b}拜入师门", "{b}的修为尽失", "{b}被判入狱"),
    "en": (
        "{b} is pregnant",
        "{b} went blind",
        "{a} and {b} are married",
        "{b} was crowned",
        "{b} can no longer cast magic",
        "{b} was sentenced to prison",
        "{b} was murdered",
    ),
}
_LONG = {
    "zh": "{a}在那个下着大雨的傍晚经过长久的犹豫和三次折返之后终于把家里传了四代的东西交到了{b}的手里",
    "en": "{a} after a long hesitation and three attempts to turn round in the heavy rain of that evening at last put "
    "what the family had kept for four generations into the hands of {b}",
}


def _rows(language: Language) -> Iterator[Sample]:
    """E5."""
    for world in worlds(language):
        names = {"a": world.cast[0], "b": world.cast[1]}
        scene = world.scenes[0]
        for row in (*_PASSING[language], _LONG[language]):
            told = row.format(**names)
            yield broken(subject(world, world.event(0, irreversible=(told,))), row)
        absent = {"a": world.cast[0], "b": worlds(language)[worlds(language).index(world) - 1].cast[1]}
        for row in _UNSAID[language]:
            told = world.event(0, irreversible=(row.format(**absent),))
            yield broken(subject(world, told, known_names=frozenset([*world.cast, absent["b"]])), row)
        end = "。" if language == "zh" else ". "
        yield broken(subject(world, world.event(0, irreversible=(f"{scene.change}{end}{scene.change}",))), "two")
        for index, one in enumerate(world.scenes):
            yield valid(subject(world, world.event(index)), one.change)
        again = scene.change + pick(language, ("。",), (".",))[0]
        yield valid(subject(world, world.event(0, irreversible=(again,))), "with a full stop")
        yield valid(subject(world, world.event(0, irreversible=())), "no row")
    for item in honest(language):
        if parse(item.summary, language).irreversible:
            yield valid(item.subject(), item.summary.split("\n")[3])


def _open_threads(language: Language) -> Iterator[Sample]:
    """E6."""
    other = pick(language, ("寻找失踪的猫",), ("Find the missing cat",))[0]
    for world in worlds(language):
        whole, row = world.full_event(), f'- → thread "{world.thread}"'
        known = {"created_threads": frozenset({world.thread})}
        for changed in (
            f"- {world.thread}",
            f'- thread "{world.thread}"',
            f"- → thread 「{world.thread}」",
            f"- → thread {world.thread}",
            f'- -> thread "{world.thread}"',
            f"{row} (active)",
            f'- → "{world.thread}"',
            f'- → thread "{other}"',
        ):
            yield broken(subject(world, whole.replace(row, changed), **known), f"row {changed}")
        yield broken(subject(world, world.event(0), **known), "a new thread without its row")
        closed = {"thread_titles": frozenset[str](), "created_threads": frozenset[str]()}
        yield broken(subject(world, whole, **closed), "a thread that isn't open")
        both = frozenset({world.thread, other})
        yield valid(subject(world, whole, **known), "as it is")
        yield valid(subject(world, whole), "threads not known")
        yield valid(subject(world, world.event(0)), "no row, threads not known")
        yield valid(subject(world, world.event(0), created_threads=frozenset()), "no row, no new thread")
        yield valid(subject(world, whole, created_threads=frozenset()), "an edited thread")
        yield valid(subject(world, whole.replace("\n", "\r\n"), **known), "CRLF")
        two = world.event(0, open_threads=(world.thread, other))
        yield valid(subject(world, two, thread_titles=both, created_threads=both), "two new threads")
        yield valid(subject(world, two, thread_titles=both, created_threads=frozenset({other})), "one new, one edited")


def _excerpts(language: Language) -> Iterator[Sample]:
    """E7, its hard faults: form and wording. An excerpt of ordinary dialogue is only flagged, and has no place here."""
    for world in worlds(language):
        label, text = world.excerpt
        whole, row = world.full_event(), f'- {label}: "{text}"'
        for changed in (
            f"- {text}",
            f'- "{text}"',
            f"- {label}: {text}",
            f"- {label}: “{text}”",
            f'- {label}："{text}"',
            f'- {label}:"{text}"',
            f"- {label}: 「{text}」",
            f'- {label}: "{text[:-1]}"x',
            f'- {label}: "{text}。。"',
            f'- {label}: "{text[::-1]}"',
            f'- {label}: "{text[:2]} {text[2:]}"',
        ):
            yield broken(subject(world, whole.replace(row, changed)), changed)
        yield valid(subject(world, whole), "as it is")
        yield valid(subject(world, whole, batch_text=""), "batch not known")
        yield valid(subject(world, world.event(0)), "no excerpt")
        yield valid(subject(world, whole.replace(text, text[:-1])), "the source's beginning")
        yield valid(subject(world, whole.replace("\n", "\r\n")), "CRLF")
    for item in honest(language):
        if parse(item.summary, language).excerpts:
            yield valid(item.subject(), item.summary.split("\n")[3])


CORPUS: Corpus = {"E5": _rows, "E6": _open_threads, "E7": _excerpts}

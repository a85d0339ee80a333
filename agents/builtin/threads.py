"""Threads: promises, charges, oaths, open questions and long tasks, and the sign that one has ended.

Few and sure: at most one new thread a turn, only where the words name what would end it, and none that an active thread
already covers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from talekeeper.agents.builtin.cast import Cast
from talekeeper.agents.builtin.found import PERSON
from talekeeper.agents.builtin.goals import endings, goal_title, keywords, missing_name, note_for
from talekeeper.agents.builtin.reading import Reading
from talekeeper.agents.builtin.sentences import MASK, Sentence
from talekeeper.agents.builtin.words import Words, alternatives
from talekeeper.agents.protocols import Briefing
from talekeeper.memory.models import Evidence, Node
from talekeeper.rules.subjects import ThreadDecision


@dataclass(frozen=True, slots=True)
class Hook:
    """A thread worth opening, with what stands behind it."""

    title: str
    note: str
    category: int
    kind: str
    people: tuple[str, ...]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one active thread; ``note`` is set where the decision is an edit."""

    node: Node
    decision: ThreadDecision
    reason: str
    note: str = ""
    evidence: Evidence | None = None


def find_hook(briefing: Briefing, reading: Reading, cast: Cast, words: Words) -> Hook | None:
    """The one new thread of this batch, if any: the first that passes every test, charges before suspense."""
    taken = [set(keywords(node.title, words)) for node in briefing.active_threads]
    titles = {node.title for node in briefing.active_threads}
    for hook in _candidates(reading, cast, words):
        mine = set(keywords(hook.title, words))
        covered = any(len(mine & other) * 2 >= max(1, min(len(mine), len(other))) for other in taken if other)
        if hook.title not in titles and not covered and not _done_here(hook, reading, words):
            return hook
    return None


def _candidates(reading: Reading, cast: Cast, words: Words) -> Iterator[Hook]:
    for spec in words.data["thread_patterns"]:
        pattern = words.named(spec["pattern"])
        for index, marked in enumerate(cast.marked):
            for match in pattern.finditer(marked.text):
                if not _hypothetical(marked.text, match, words):
                    hook = _hook(match, spec, index, reading, cast, words)
                    if hook:
                        yield hook


def _hypothetical(text: str, match: re.Match[str], words: Words) -> bool:
    led = re.split("[。！？.!?\n]", text[max(0, match.start() - 8) : match.start()])[-1]
    before = led + match.group()[: match.start("goal") - match.start()]
    if words.language == "zh":
        return bool(re.search(r"没有?答应|不答应|不肯|如果|若是|要是|假如|谁(?:答应|委托)|拒绝|不曾", before))
    return bool(re.search(r"\b(?:never|not|if|n't|refused|would have|should)\b", before, re.IGNORECASE))


def _hook(
    match: re.Match[str], spec: dict[str, str], index: int, reading: Reading, cast: Cast, words: Words
) -> Hook | None:
    marked = cast.marked[index]
    groups = {name: marked.plain(value) for name, value in match.groupdict().items()}
    start, end = marked.offset(match.start()), marked.offset(match.end())
    named = marked.offset(match.start("a")) if groups.get("a") else start
    doer = _resolve(groups.get("a"), named, index, reading, cast, ())
    if not doer and "a" in groups and not groups["a"]:
        doer = cast.tracker.subject_at(index, start)
    other = _resolve(groups.get("b"), start, index, reading, cast, (doer,))
    if ("a" in groups and not doer) or doer == other != "":
        return None
    goal = cast.title_of(groups["goal"]) if spec["kind"] in _MISSING else groups["goal"]
    if spec["kind"] in _MISSING and _known_dead(groups["goal"], reading.texts[index], words):
        return None
    title = goal_title(goal, spec["kind"], doer, other, words)
    if not title:
        return None
    people = tuple(dict.fromkeys(p for p in (doer, other, goal if goal in cast.by_surface else "") if p))
    if not people:
        people = tuple(m.title for m in cast.present[:1])
    note = note_for(title, spec["kind"], doer, other, people, words)
    if not note:
        return None
    span = Evidence.of(reading.units[index], start, end)
    return Hook(title, note, int(spec["category"]), spec["kind"], people, span)


def _known_dead(name: str, text: str, words: Words) -> bool:
    """Whether the same text tells of somebody's death: then nobody is waiting to learn where they are."""
    sign = (
        "[^。！？]{0,12}(?:死|亡|去世|尸|遗体)"
        if words.language == "zh"
        else r"[^.!?]{0,30}\b(?:dead|died|death|body)\b"
    )
    return any("没有" not in m.group() and " no " not in m.group() for m in re.finditer(re.escape(name) + sign, text))


_MISSING = {"下落", "whereabouts"}
_FIRST = {"我", "I"}
_THIRD = {"他", "她", "he", "she", "him", "her", "He", "She"}
_SECOND = {"你", "您", "you"}


def _resolve(word: str | None, at: int, index: int, reading: Reading, cast: Cast, without: Iterable[str]) -> str:
    """The title that a name or pronoun stands for, as far as it can be told; else nothing."""
    if not word:
        return ""
    if word in cast.by_surface:
        return cast.title_of(word)
    taken = set(without)
    speaker = _speaker_at(at, index, reading, cast)
    if word in _FIRST:
        return speaker
    if word in _SECOND:
        others = [m.title for m in cast.present if m.title != speaker and m.title not in taken]
        return others[0] if len(others) == 1 else ""
    if word in _THIRD:
        subject = cast.tracker.subject_at(index, at)
        return subject if subject and subject not in taken else ""
    return ""


def _speaker_at(at: int, index: int, reading: Reading, cast: Cast) -> str:
    """Who utters what stands at ``at``: a name just before the quotation, else the message's author."""
    quote = next((q for q in reading.quotes if q.unit == index and q.start <= at < q.end), None)
    if quote:
        before = reading.texts[index][max(0, quote.start - 24) : quote.start]
        spots = [(before.rfind(s), m) for s, m in cast.by_surface.items() if m.type == PERSON and s in before]
        if spots:
            member = max(spots, key=lambda spot: (spot[0], spot[1].title))[1]
            return "" if member.narrator else member.title
        author = quote.speaker
    else:
        inside = (s for s in reading.sentences if s.unit == index and s.start <= at < s.end)
        author = next((s.speaker for s in inside), "")
    member_or_none = cast.by_surface.get(author)
    return member_or_none.title if member_or_none and not member_or_none.narrator else ""


def _done_here(hook: Hook, reading: Reading, words: Words) -> bool:
    """A matter that ends in the very turn it begins in was never a thread."""
    near = "\n".join(reading.texts).lower()
    later = (s for s in reading.narration if s.start > hook.evidence.end)
    return any(_completes(s, hook.title, near, words) for s in later)


def sweep(briefing: Briefing, reading: Reading, place: str, words: Words) -> tuple[Verdict, ...]:
    """A verdict on every active thread, in the briefing's order; ``place`` is where the batch plays."""
    return tuple(_verdict(node, reading, place, words) for node in briefing.active_threads)


def _verdict(node: Node, reading: Reading, place: str, words: Words) -> Verdict:
    zh = words.language == "zh"
    near = "\n".join([*reading.texts, place]).lower()
    for sentence in reading.sentences:
        ending: Literal["RESOLVED", "ABANDONED"] | None = None
        if _completes(sentence, node.title, near, words):
            ending = "RESOLVED"
        elif _abandons(sentence, node.title, words):
            ending = "ABANDONED"
        if ending:
            span = Evidence.of(reading.units[sentence.unit], sentence.start, sentence.end)
            return Verdict(
                node, ending, _ending_reason(node, sentence, ending, zh), _ended_note(node, ending, words), span
            )
    touched = [w for w in keywords(node.title, words) if any(w in t.lower() for t in reading.texts)]
    if touched and zh:
        reason = f"本轮 event 提到{'、'.join(touched[:3])}，但没有触及其达成或放弃，进度不变"
    elif touched:
        reason = f"this turn's event names {', '.join(touched[:3])} but neither reaches nor drops the goal"
    else:
        reason = "本轮 event 未触及该 thread 的目标、进度或了结" if zh else "this turn's event does not touch its goal"
    return Verdict(node, "SKIP", reason)


def _completes(sentence: Sentence, title: str, near: str, words: Words) -> bool:
    """Whether a sentence says that the goal is reached: its thing, a verb that ends such a matter, no denial.

    ``near`` is all that the scene offers for the goal's other words.
    """
    text = sentence.text.replace(MASK, "")
    goals = keywords(title, words)
    hit = [g for g in goals if g in text.lower()]
    if not hit or not all(g in near for g in goals):
        return False
    missing = missing_name(title, words)
    if missing and words.language == "en":
        match = _turns_up(missing, words).search(text)
        return match is not None and not _negated(text, match.start(), words)
    match = endings(title, words).search(text) or words.pattern("fulfilment").search(text)
    return match is not None and not _negated(text, match.start(), words)


def _turns_up(name: str, words: Words) -> re.Pattern[str]:
    """Somebody missing is found, comes back, or proves to be who is here; a letter of theirs is no such sign."""
    signs, who = alternatives(words.list("found_signs")), rf"\b{re.escape(name)}\b(?!['’]s)"
    return re.compile(rf"\b{signs}(?:\s\w+){{0,1}}\s{who}|{who}(?:\s\w+){{0,3}}\s{signs}\b|\b(?:was|is)\s{who}[.!]?$")


def _abandons(sentence: Sentence, title: str, words: Words) -> bool:
    text = sentence.text.replace(MASK, "")
    return _goal_words_in(text, title, words) and bool(words.any_of("abandonment").search(text))


def _goal_words_in(text: str, title: str, words: Words) -> bool:
    goals = keywords(title, words)
    low = text.lower()
    hit = [w for w in goals if w in low]
    return bool(goals) and len(hit) >= min(2, len(goals))


def _negated(text: str, at: int, words: Words) -> bool:
    before = text[max(0, at - (6 if words.language == "zh" else 28)) : at]
    return bool(words.any_of("negation").search(before)) or text.rstrip('”」"* ').endswith(("？", "?", "吗", "吗？"))


def _ending_reason(node: Node, sentence: Sentence, ending: str, zh: bool) -> str:
    excerpt = sentence.text.replace(MASK, "").strip('*“”"')[: 24 if zh else 60]
    if zh:
        return f"本轮 event 触及：{excerpt}，{'目标已达成' if ending == 'RESOLVED' else '目标已放弃'}"
    return f"this turn's event shows it: {excerpt}, so the goal is {'reached' if ending == 'RESOLVED' else 'dropped'}"


def _ended_note(node: Node, ending: str, words: Words) -> str:
    """The note of a closed thread: what it was, and that it is over."""
    zh, done = words.language == "zh", ending == "RESOLVED"
    missing = missing_name(node.title, words)
    if missing and done:
        return (
            f"{missing}一度去向不明；如今下落已明，就此了结。"
            if zh
            else f"{missing} was missing; found, and so resolved."
        )
    fact = re.split("；|; ", str(node.fields.get("note", "")))[0]
    if zh:
        return f"{fact.rstrip('。')[:56]}；{'已经办到，就此了结' if done else '已经放弃，不再追究，就此了结'}。"
    short = " ".join(fact.rstrip(".").split()[:36])
    return f"{short}; {'done, and so resolved' if done else 'given up for good, and so closed'}."

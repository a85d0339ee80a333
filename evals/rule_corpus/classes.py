"""Summaries and outlines that hold a word of the classes B1–B10 or a word that the story bans, and look-alikes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

import yaml

from talekeeper.evals.rule_corpus.sample import Corpus, Generator, Sample, World, broken, pick, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.subjects import EventSubject, RollupSubject

CLASSES = tuple(f"B{number}" for number in range(2, 11))


@cache
def sentences_of(rule: str, language: Language, kind: str) -> tuple[str, ...]:
    """The sentences of one class: ``broken`` or ``valid`` ones, with ``{a}`` and ``{b}`` for two of the cast."""
    text = resources.files("talekeeper.evals.rule_corpus").joinpath("classes.yaml").read_text("utf-8")
    loaded: Any = _loaded(text)
    return tuple(loaded[rule][language][kind])


@cache
def _loaded(text: str) -> Any:
    return yaml.safe_load(text)


def subject(world: World, summary: str, **more: Any) -> EventSubject:
    """An event of the world as the rules meet it: batch, names and threads known."""
    given: dict[str, Any] = {
        "batch_text": world.source,
        "thread_titles": frozenset({world.thread}),
        "known_names": frozenset((*world.cast, world.thread)),
    }
    return EventSubject(summary, **{**given, **more})


def with_sentence(world: World, sentence: str, *, at: int = 0, **parts: Any) -> str:
    """A scene of the world with one more sentence at the end of its prose."""
    told = sentence.format(a=world.cast[0], b=world.cast[1])
    joint = "" if world.language == "zh" else " "
    return world.event(at, **{"prose": joint.join((world.scenes[at].text(world.language), told)), **parts})


def _class(rule: str) -> Generator:
    def generate(language: Language) -> Iterator[Sample]:
        known = worlds(language)
        for kind, made in (("broken", broken), ("valid", valid)):
            for number, sentence in enumerate(sentences_of(rule, language, kind)):
                world, other = known[number % len(known)], known[(number + 2) % len(known)]
                yield made(subject(world, with_sentence(world, sentence)), f"event: {sentence}")
                yield made(_outline(other, sentence), f"outline: {sentence}")

    return generate


def _outline(world: World, sentence: str) -> RollupSubject:
    """An outline with the sentence as its last item."""
    told = sentence.format(a=world.cast[0], b=world.cast[1]).rstrip("。.")
    children = world.children()
    ids = tuple(child.id for child in children)
    summary = world.outline((*world.outlines[0][:2], told))
    return RollupSubject(summary, ids, ids, children, 1, known_names=frozenset(world.cast))


_SAID = {
    "zh": (
        "今晚的船不会等任何人，你要么上来要么留下",
        "我欠你父亲一条命，这笔账迟早要还清",
        "把温室的钥匙放在第三个花盆底下",
        "北边的商路已经断了，绕道要多花半个月",
        "他藏在钟楼里的东西比金子值钱",
        "谁先找到那本账谁就能救出掌柜",
    ),
    "en": (
        "The boat waits for nobody tonight, so come aboard or stay",
        "I owe your father a life and the debt falls due this winter",
        "Leave the greenhouse key beneath the third flower pot",
        "The northern trade road is cut and the detour costs a fortnight",
        "What he hid inside the bell tower is worth more than gold",
        "Whoever finds that ledger first can free the innkeeper",
    ),
}
_RETOLD = {
    "zh": (
        "{a}提醒{b}船期不改。",
        "{a}承认欠{b}家一份旧恩。",
        "{a}把藏钥匙的地方告诉{b}。",
        "商路中断，{b}决定绕行。",
        "{a}得知钟楼里藏有贵重物品。",
        "{a}与{b}争着寻找账本，好救出掌柜。",
    ),
    "en": (
        "{a} warned {b} that the ship would sail on time.",
        "{a} admitted an old debt to the family of {b}.",
        "{a} told {b} where the key lies.",
        "With the road cut, {b} chose the long way round.",
        "{a} learned that something of value lies in the tower.",
        "{a} and {b} both look for the ledger to free the innkeeper.",
    ),
}
_QUOTES = {"zh": ("“{}”", "「{}」"), "en": ('"{}"', "“{}”")}


def _residue(language: Language) -> Iterator[Sample]:
    """B1."""
    titles = pick(
        language,
        ("{a}当了一天临时管家。", "{b}客串店员，{a}收钱。", "{a}做了代班店长。", "{b}被叫作一日女仆。"),
        (
            "{a} was temporary butler for the evening.",
            "{b} served as stand-in cashier.",
            "{a} was shopkeeper for a day.",
            "{b} played the makeshift waiter.",
        ),
    )
    real_posts = pick(
        language,
        ("临时政府接管了港口。", "{a}是店里的店长。", "{b}做了三年管家。", "{a}在医院当护士。"),
        (
            "The interim government took over the port.",
            "{a} is the manager of the shop.",
            "{b} has been butler of the house for years.",
            "{a} works as a nurse.",
        ),
    )
    for world in worlds(language):
        for said, retold in zip(_SAID[language], _RETOLD[language], strict=True):
            batch = world.source
            for quote in _QUOTES[language]:
                batch = f"{world.source}\n{quote.format(said)}"
                taken = f"{world.cast[0]}：{said}。" if language == "zh" else f"{world.cast[0]} and {said}."
                yield broken(subject(world, with_sentence(world, taken), batch_text=batch), f"whole: {said}")
                yield valid(subject(world, with_sentence(world, retold), batch_text=batch), f"retold: {said}")
            half = said[: len(said) * 2 // 3] if language == "zh" else " ".join(said.split()[:7])
            yield broken(subject(world, with_sentence(world, f"{half}。"), batch_text=batch), f"part: {half}")
            told = f"{world.source}\n{said}。"
            yield valid(subject(world, with_sentence(world, f"{half}。"), batch_text=told), f"narration: {half}")
        for sentence in titles:
            yield broken(subject(world, with_sentence(world, sentence)), sentence)
        for sentence in real_posts:
            yield valid(subject(world, with_sentence(world, sentence)), sentence)
        names = "、".join(world.cast) if language == "zh" else ", ".join(world.cast)
        called = f"{world.source}\n“{names}，{world.thread}！”"
        yield valid(subject(world, with_sentence(world, f"{names}。"), batch_text=called), "names alone")


_BANNED = {"zh": ("天命", "宿命", "=天命塔"), "en": ("fate", "destiny", "=fate street")}
_WITH_BANNED = {
    "zh": ("{a}相信天命。", "这是{b}的宿命。", "{a}与{b}谈起天命。"),
    "en": ("{a} believes in fate.", "It is the destiny of {b}.", "{a} and {b} met by Fate."),
}
_WITHOUT = {
    "zh": ("{a}走进天命塔。", "{b}交出命令。", "{a}的性命保住了。"),
    "en": ("{a} lives in Fate Street.", "{b} left by the fateful bridge.", "{a} named the destination."),
}


def _banned(language: Language) -> Iterator[Sample]:
    """E8: words that a story bans for itself."""
    for world in worlds(language):
        for made, told in ((broken, _WITH_BANNED[language]), (valid, _WITHOUT[language])):
            for sentence in told:
                whole = with_sentence(world, sentence)
                yield replace(made(subject(world, whole), sentence), banned=_BANNED[language])
                row = sentence.format(a=world.cast[0], b=world.cast[1])
                told_twice = with_sentence(world, "", irreversible=(row,))
                yield replace(made(subject(world, told_twice), f"row: {sentence}"), banned=_BANNED[language])
        plain = _WITH_BANNED[language][0]
        yield valid(subject(world, with_sentence(world, plain)), f"not banned: {plain}")


CORPUS: Corpus = {"E8": _banned, "B1": _residue, **{rule: _class(rule) for rule in CLASSES}}

"""Stored rollups that lost something (C12); refusals, repair loops, figures and settings that went wrong (Z1–Z4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.rules.book import catalogue
from talekeeper.rules.control_rules import ALWAYS_ON
from talekeeper.rules.subjects import ControlSubject, HiddenChild, StoredRollupSubject


def _stored(language: Language) -> Iterator[Sample]:
    """C12."""
    for world in worlds(language):
        children = tuple(HiddenChild(c.id, c.summary, 0, shown=False, expanded=True) for c in world.children())
        right = StoredRollupSubject("event_9", 1, children)
        yield broken(replace(right, children=()), f"{world.thread}: no children")
        for index, child in enumerate(children):
            for label, fault in (
                ("shown", replace(child, shown=True)),
                ("not reachable", replace(child, expanded=False)),
                ("empty", replace(child, summary=" ")),
                ("of another depth", replace(child, depth=2)),
            ):
                some = (*children[:index], fault, *children[index + 1 :])
                yield broken(replace(right, children=some), f"{world.thread}: child {index + 1} {label}")
            yield valid(replace(right, children=children[: index + 1]), f"{world.thread}: {index + 1} children")
            deep = tuple(replace(c, depth=index + 1) for c in children)
            yield valid(replace(right, depth=index + 2, children=deep), f"{world.thread}: depth {index + 2}")


def _rules() -> list[str]:
    return [rule.id for rule in catalogue()]


def _refused(language: Language) -> Iterator[Sample]:
    """Z1."""
    names = _rules()
    for at in range(30):
        found = tuple(names[at : at + 3])
        right = ControlSubject(refused=True, before="a", after="a", found=found, told=found)
        soft = {found[0]: "soft"}
        yield broken(replace(right, after="b"), f"{found}: something changed")
        yield broken(replace(right, told=found[1:]), f"{found}: one left out")
        yield broken(replace(right, severities=soft), f"{found}: a soft one first")
        yield valid(right, f"{found}")
        yield valid(replace(right, told=found[::-1]), f"{found} the other way round")
        yield valid(replace(right, severities=soft, told=(*found[1:], found[0])), f"{found}: the soft one last")
        yield valid(replace(right, refused=False, after="b", told=()), f"{found}: accepted")


def _bounded(language: Language) -> Iterator[Sample]:
    """Z2."""
    for limit in range(1, 8):
        for tries in range(1, 10):
            subject = ControlSubject(tries=tries, most_tries=limit, traced=tries)
            yield (valid if tries <= limit else broken)(subject, f"{tries} of {limit}")
        yield broken(ControlSubject(tries=limit, most_tries=limit, traced=limit - 1), f"{limit}, one untraced")


def _counted(language: Language) -> Iterator[Sample]:
    """Z3."""
    names = _rules()
    for at in range(30):
        found = tuple(names[at : at + 2])
        rates = {name: (at + n) / 60 for n, name in enumerate(found)}
        right = ControlSubject(found=found, rates=rates, model="m", prompt_version="1")
        yield broken(replace(right, rates={found[0]: 0.1}), f"{found}: one without a rate")
        yield broken(replace(right, model=""), f"{found}: no model")
        yield broken(replace(right, prompt_version=""), f"{found}: no prompt version")
        yield broken(replace(right, rates={**rates, found[0]: 1.5}), f"{found}: no share")
        yield valid(right, f"{found}")
        yield valid(replace(right, found=found[:1]), f"{found}: one not broken this time")


def _settings(language: Language) -> Iterator[Sample]:
    """Z4."""
    names = _rules()
    for name in names:
        if name in ALWAYS_ON:
            yield broken(ControlSubject(settings={name: "off", names[0]: "soft"}), f"{name} off")
        else:
            yield valid(ControlSubject(settings={name: "off"}), f"{name} off")
        yield valid(ControlSubject(settings={name: "soft"}), f"{name} soft")
        yield broken(ControlSubject(settings={name: "mild"}), f"{name} mild")


CORPUS: Corpus = {"C12": _stored, "Z1": _refused, "Z2": _bounded, "Z3": _counted, "Z4": _settings}

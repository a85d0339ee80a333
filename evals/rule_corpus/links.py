"""Links that break L1–L4, and near-misses."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.evals.rule_corpus.sample import Corpus, Sample, broken, valid, worlds
from talekeeper.memory.models import Language
from talekeeper.memory.schema import default_schema
from talekeeper.rules.subjects import LinkSubject

_VOCABULARY = default_schema().vocabulary
_OPEN = tuple(r for r in _VOCABULARY.relations if r.agent_writable)
_INNER = tuple(r for r in _VOCABULARY.relations if not r.agent_writable)
_KNOWN = frozenset({"char_1", "char_2", "event_1", "place_1", "thread_1"})


def _link(relation: str, source: str = "char_1", target: str = "char_2", **more: object) -> LinkSubject:
    given: dict[str, object] = {"known_ids": _KNOWN, "source_type": "character_sheet", "target_type": "character_sheet"}
    return LinkSubject(_VOCABULARY, source, target, relation, **{**given, **more})  # type: ignore[arg-type]


def _canonical(language: Language) -> Iterator[Sample]:
    """L1."""
    for relation in _OPEN:
        zh = [s for s in relation.synonyms if not s.isascii()]
        en = [s for s in relation.synonyms if s.isascii()]
        for synonym in zh if language == "zh" else en:
            yield broken(_link(synonym), synonym)
        yield broken(_link(relation.name.upper()), relation.name.upper())
        yield broken(_link(f"{relation.name}s"), f"{relation.name}s")
        yield valid(_link(relation.name), relation.name)
        yield valid(_link(relation.name, "event_1", "place_1"), f"{relation.name} of an event")
    for name in ("", "knows", "认识", "loves", "朋友的朋友"):
        yield broken(_link(name), name)
    for relation in _INNER:
        yield valid(_link(relation.name), f"{relation.name} is another rule's matter")


def _store_alone(language: Language) -> Iterator[Sample]:
    """L2."""
    inner = [r.name for r in _INNER] + [s for r in _INNER for s in r.synonyms]
    for world in worlds(language):
        for name in inner:
            yield broken(_link(name, "event_1", "event_1"), f"{world.thread}: {name}")
            yield broken(_link(f" {name.upper()} "), f"{world.thread}: {name.upper()} with white space")
    for relation in _OPEN:
        yield valid(_link(relation.name), relation.name)
        yield valid(_link(relation.name, "event_1", "event_1"), f"{relation.name} between events")
    for name in ("containing", "contained", "包", "semantic", ""):
        yield valid(_link(name), f"{name!r} is another rule's matter")


def _real_ends(language: Language) -> Iterator[Sample]:
    """L3."""
    for world in worlds(language):
        for name in world.cast:
            yield broken(_link("related", name), f"{name} as source")
            yield broken(_link("related", "char_1", name), f"{name} as target")
        for end in ("character_sheet", "", "CHAR_1", "char_1 ", "char_9"):
            yield broken(_link("related", "char_1", end), f"{world.thread}: {end!r}")
        for source in sorted(_KNOWN):
            for target in sorted(_KNOWN):
                yield valid(_link("related", source, target), f"{world.thread}: {source} → {target}")


def _direction(language: Language) -> Iterator[Sample]:
    """L4."""
    both_ways = ("both", "bidirectional", "双向", "<->", "Mutual", " symmetric ")
    for relation in _OPEN:
        name = relation.name
        if relation.symmetric:
            yield broken(_link(name, reverse_stands=True), f"{name} stands the other way round")
            yield broken(_link(name, reverse_stands=True, direction="in"), f"{name} reversed")
            yield valid(_link(name, direction="both"), f"{name} both ways")
        else:
            for word in both_ways:
                yield broken(_link(name, direction=word), f"{name} {word}")
            yield valid(_link(name, reverse_stands=True), f"{name} in both directions, two links")
        personal = name.endswith("_of") or name.startswith(("allied", "hostile", "sworn", "debt", "deceiving"))
        for type_ in ("event", "thread"):
            subject = _link(name, "event_1", source_type=type_)
            label = f"{name} from an {type_}"
            yield broken(subject, label) if personal else valid(subject, label)
        for direction in (None, "out", "in"):
            yield valid(_link(name, direction=direction), f"{name} {direction}")


CORPUS: Corpus = {"L1": _canonical, "L2": _store_alone, "L3": _real_ends, "L4": _direction}

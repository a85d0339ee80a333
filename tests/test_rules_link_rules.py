"""L1–L4: links."""

from __future__ import annotations

from typing import Any

import pytest

from talekeeper.rules.subjects import LinkSubject
from tests.rule_subjects import BOOKS, SCHEMA


def _rules(relation: str, **more: Any) -> list[str]:
    ends: dict[str, Any] = {"source": "char_1", "target": "char_2", "known_ids": frozenset({"char_1", "char_2"})}
    subject = LinkSubject(SCHEMA.vocabulary, relation=relation, **{**ends, **more})
    found = {language: book.check("link", subject) for language, book in BOOKS.items()}
    assert [v.rule for v in found["zh"]] == [v.rule for v in found["en"]]
    return [v.rule for v in found["zh"]]


@pytest.mark.parametrize("relation", [r.name for r in SCHEMA.relations if r.agent_writable])
def test_canonical_relations_pass(relation: str) -> None:
    assert _rules(relation) == []


@pytest.mark.parametrize(
    ("relation", "right"),
    [
        ("参与者", "involved_in"),
        ("participant", "involved_in"),
        ("发生地", "occurred_at"),
        ("located_at", "occurred_at"),
        ("恋人", "partner_of"),
        ("partnerof", "partner_of"),
    ],
)
def test_synonyms_are_refused_and_the_canonical_name_given(relation: str, right: str) -> None:
    subject = LinkSubject(SCHEMA.vocabulary, "a", "b", relation, frozenset({"a", "b"}))
    (violation,) = BOOKS["zh"].check("link", subject)
    assert violation.rule == "L1"
    assert right in violation.mend


@pytest.mark.parametrize(
    ("relation", "more", "rules"),
    [
        ("?!", {}, ["L1"]),
        ("contains", {}, ["L2"]),
        ("Semantic_Contains", {}, ["L2"]),
        ("包含", {}, ["L2"]),
        ("related", {"target": "林晚"}, ["L3"]),
        ("related", {"source": "character_sheet", "target": ""}, ["L3", "L3"]),
        ("deceiving", {"direction": "both"}, ["L4"]),
        ("partner_of", {"direction": "both"}, []),
        ("partner_of", {"reverse_stands": True}, ["L4"]),
        ("mentor_of", {"reverse_stands": True}, []),
        ("mentor_of", {"source_type": "event"}, ["L4"]),
        ("hostile_to", {"target_type": "thread"}, ["L4"]),
        ("involved_in", {"source_type": "event", "target_type": "character_sheet"}, []),
    ],
)
def test_links(relation: str, more: dict[str, Any], rules: list[str]) -> None:
    assert _rules(relation, **more) == rules

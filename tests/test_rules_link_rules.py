"""L1–L6: links."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from talekeeper.rules.subjects import LinkSubject, ProtocolSubject
from tests.rule_subjects import BOOKS, SCHEMA, faults


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


@pytest.mark.parametrize(
    ("relation", "ends", "facts", "found"),
    [
        ("involved_in", ("event", "character_sheet"), {"acting": True}, 0),
        ("involved_in", ("event", "character_sheet"), {"acting": False}, 1),
        ("mentions", ("event", "character_sheet"), {"acting": True}, 1),
        ("mentions", ("event", "character_sheet"), {}, 0),
        ("occurred_at", ("event", "location_state"), {}, 0),
        ("involved_in", ("event", "location_state"), {}, 1),
        ("advances", ("event", "thread"), {}, 0),
        ("advances", ("event", "thread"), {"note_rewritten": True}, 1),
        ("related", ("character_sheet", "character_sheet"), {}, 0),
        ("related", ("event", "character_sheet"), {}, 1),
        ("related", (None, "character_sheet"), {}, 0),
    ],
)
def test_links_fit_their_ends(relation: str, ends: tuple[str | None, str], facts: dict[str, bool], found: int) -> None:
    subject = LinkSubject(SCHEMA.vocabulary, "a", "b", relation, frozenset("ab"), *ends, **facts)  # type: ignore[arg-type]
    assert [v.severity for v in faults("zh", "link", subject, "L5")] == ["soft"] * found


def test_a_relation_ends_with_evidence_and_nobody_is_left_unlinked() -> None:
    ended = LinkSubject(SCHEMA.vocabulary, "a", "b", "partner_of", frozenset("ab"), deleting=True, cited=False)
    assert len(faults("en", "link", ended, "L6")) == 1
    assert faults("en", "link", replace(ended, cited=True), "L6") == []
    (missing,) = faults("zh", "protocol", ProtocolSubject((), 1, True, unlinked=("char_1",)), "L6")
    assert "char_1" in missing.message

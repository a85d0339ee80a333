"""N12–N14: threads."""

from __future__ import annotations

import pytest

from talekeeper.memory.models import Language
from talekeeper.rules.subjects import NodeSubject
from tests.rule_subjects import faults, node


def _thread(title: str = "北港送信", note: str = "沈砚答应送信，送到北港时了结", status: str = "active") -> NodeSubject:
    return node("thread", title, status=status, note=note)


@pytest.mark.parametrize(
    ("language", "title", "ok"),
    [
        ("zh", "林晚的登船邀约", True),
        ("zh", "守住第三防线", True),
        ("zh", "前往北港调查沉船案", True),
        ("zh", "寻找 Elizabeth 的下落", True),
        ("zh", "一二三四五六七八九十一", False),
        ("zh", "林晚的邀约", False),
        ("zh", "玉佩的事", False),
        ("zh", "两人的感情线", False),
        ("zh", "沉船之谜", False),
        ("zh", "凶手是谁？", False),
        ("en", "Mara's offer to sail north", True),
        ("en", "Return of the jade seal", True),
        ("en", "Find the lost heir of the old northern house now", False),
        ("en", "Mara's invitation", False),
        ("en", "The matter of the jade", False),
        ("en", "The mystery of the wreck", False),
        ("en", "Tom's redemption arc", False),
        ("en", "Search for the monarch", True),
        ("en", "Who killed Tom?", False),
    ],
)
def test_titles_can_be_answered(language: Language, title: str, ok: bool) -> None:
    assert (faults(language, "node", _thread(title), "N12") == []) is ok


@pytest.mark.parametrize(
    ("language", "note", "status", "ok"),
    [
        ("zh", "沈砚答应林晚送信，信到北港时了结", "active", True),
        ("zh", "沈砚答应林晚送信到北港", "active", False),
        ("zh", "沈砚把信送到了北港", "resolved", True),
        ("zh", "字" * 78 + "了结", "active", True),
        ("zh", "字" * 79 + "了结", "active", False),
        ("en", "Tom promised Mara to carry the ledger; resolved once it reaches Northport.", "active", True),
        ("en", "Tom promised Mara to carry the ledger.", "active", False),
        ("en", " ".join(["word"] * 49) + " until", "active", True),
        ("en", " ".join(["word"] * 50) + " until", "active", False),
    ],
)
def test_notes_say_when_they_are_resolved(language: Language, note: str, status: str, ok: bool) -> None:
    assert (faults(language, "node", _thread(note=note, status=status), "N13") == []) is ok


@pytest.mark.parametrize(
    ("before", "after", "ok"),
    [
        ("active", "resolved", True),
        ("active", "abandoned", True),
        ("active", "done", False),
        ("resolved", "active", False),
        ("abandoned", "active", False),
        ("resolved", "resolved", True),
    ],
)
def test_status_only_moves_on(before: str, after: str, ok: bool) -> None:
    old = {"title": "北港送信", "status": before, "note": "信到时了结"}
    subject = node("thread", "北港送信", edit_of=old, status=after)
    assert (faults("zh", "node", subject, "N14") == []) is ok
